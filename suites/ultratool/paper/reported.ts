/** The paper's table: fourteen models, nine columns and their mean. */
import { fractionOf } from "../../../source/engine/measures/measure-cell.ts";
import { type Cell, type TableFigure, tableColumns } from "../../../source/engine/figure.ts";
import type { PaperNumbers, Reported } from "../../../source/engine/suite.ts";
import { columns } from "../data/aspects.ts";
import paper from "./paper.json" with { type: "json" };

const names = [...columns.map(({ name }) => name), "overall"];

export function reported(): PaperNumbers {
  const values: Reported[] = Object.entries(paper.rows).flatMap(([row, numbers]) =>
    names.map((name, index) => {
      const aspect = columns[index]?.aspect;
      return {
        source: paper.source,
        row,
        measure: `official.${name}`,
        // The paper prints percent with two decimals; divided so that 74.07 becomes exactly 0.7407.
        value: Math.round(numbers[index]! * 100) / 10_000,
        where: { language: "en", ...(aspect === undefined ? {} : { aspect }) },
      };
    }),
  );
  return { values, tables: [table()] };
}

const table = (): TableFigure => ({
  kind: "table",
  title: "UltraTool, English (published)",
  notes: [paper.source, paper.caveat],
  columns: tableColumns(["Model"], [...columns.map(({ short }) => short), "Overall"]),
  rows: Object.entries(paper.rows).map(([row, numbers]): Cell[] => [
    { text: row, reported: true },
    ...numbers.map((value): Cell => ({ text: value.toFixed(2), value: fractionOf(value), reported: true })),
  ]),
});
