/** The paper's Table A.1: requests by split, days and level, counted over the loaded tasks. */
import { type Cell, type TableFigure, tableColumns } from "../../../source/engine/figure.ts";
import type { TripTask } from "./task.ts";

const levels = ["easy", "medium", "hard"] as const;
/** The paper's names of the splits. */
const printed: Readonly<Record<string, string>> = { train: "training" };

/** Builds a line per split and days that has tasks, with the paper's number beside each level. */
export async function statisticsOf(tasks: readonly TripTask[]): Promise<TableFigure> {
  const { default: paper } = await import("../paper/paper.json", { with: { type: "json" } });
  const groups = Map.groupBy(tasks, ({ facets: { split, days } }) => `${split}\n${days}`);
  const rows = [...groups.entries()].map(([key, own]): Cell[] => {
    const [split = "", days = ""] = key.split("\n");
    const line = paper.tableA1.rows.find((row) => row.split === (printed[split] ?? split) && String(row.days) === days);
    const counts = levels.flatMap((level): Cell[] => [
      countCell(own.filter(({ facets }) => facets["level"] === level).length),
      line === undefined ? { text: "-", reported: true } : { ...countCell(line[level]), reported: true },
    ]);
    return [{ text: split }, { text: days }, ...counts];
  });
  const names = tableColumns(["Split", "Days"], []);
  const right = { align: "right" as const };
  return {
    kind: "table",
    title: "The requests by split, days and level",
    columns: [
      ...names,
      ...levels.flatMap((level) => ["here", "paper"].map((title) => ({ title, ...right, under: [level] }))),
    ],
    rows: rows.toSorted(([, a], [, b]) => Number(a!.text) - Number(b!.text)),
    notes: ["Counted over all tasks of the split"],
  };
}

const countCell = (value: number): Cell => ({ text: String(value), value });
