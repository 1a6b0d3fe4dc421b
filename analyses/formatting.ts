/**
 * Compares scores by how answers are parsed: the official parser, which repairs answers, and plain JSON; also lists the repairs
 * used.
 */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { type BarsFigure, type Cell, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import { evaluate } from "../source/engine/measures/measure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { rowContents } from "../source/engine/measures/row-contents.ts";
import { groupsAcrossSplits, type RunGroup } from "../source/engine/measures/run-groups.ts";
import type { Measure } from "../source/engine/suite.ts";
import type { Row } from "../source/engine/types.ts";
import { counted } from "../source/engine/text/counted.ts";
import { factOf } from "../source/engine/work/fact.ts";
import { filtered, grouped } from "../source/engine/work/growing-list.ts";

export const formatting: Analysis = {
  name: "formatting",
  title: "Formatting",
  question: "How much of the score depends on formatting, and which repairs were needed?",
  choices: () => ({ repairs: ["needed", "all readings"] }),
  missing: (runs) =>
    runs.some(({ rows }) => rowContents(rows).labels.has("repair"))
      ? undefined
      : "None of these answers had to be parsed (plans are read as text)",
  compute(runs, { repairs = "needed" }) {
    const groups = groupsAcrossSplits(runs).map((group) => ({ ...group, rows: filtered(isParsed, group.rows) }));
    const parsed = groups.filter(({ rows }) => rows.length > 0);
    return [strictTable(parsed, runs), formsTable(parsed, runs), ...parsed.map((group) => repairBars(group, repairs))];
  },
};

const formOf = ({ score }: Row) => score?.labels?.["form"];
const repairOf = ({ score }: Row) => score?.labels?.["repair"];
const isParsed = (row: Row): boolean => repairOf(row) !== undefined;

/** Returns the measures that exist in both readings, official first. */
function pairsOf(runs: readonly RunRows[]): readonly (readonly [Measure, Measure])[] {
  const all = cells.measuresOf(runs);
  return all.flatMap((strict) => {
    const official = all.find(({ name }) => name === strict.name.replace(/^strict\./, "official."));
    return strict.mode === "strict" && official !== undefined ? [[official, strict] as const] : [];
  });
}

const counts = factOf(
  (measure: Measure) =>
    (row: Row): boolean =>
      evaluate(measure, [row]).n > 0,
);

function strictTable(groups: readonly RunGroup[], runs: readonly RunRows[]): TableFigure {
  const lines = groups.map((group) =>
    pairsOf(runs).map(([official, strict]): Cell[][] => {
      const own = filtered(counts(official), group.rows);
      const [a, b] = [cells.measureCell(official, own), cells.measureCell(strict, own)];
      if (a.value === undefined || b.value === undefined) return [];
      const lost = a.value - b.value;
      const shown = { text: cells.shownValue(lost, "percent"), value: lost, n: own.length };
      const difference = cells.withTasks(shown, own);
      return [[cells.textCell(group.label), cells.textCell(official.title), a, b, difference, cells.countCell(own)]];
    }),
  );
  return {
    kind: "table",
    title: "Official reading against plain JSON",
    columns: tableColumns(["Model", "Column"], ["Official", "Strict", "Formatting", "n"]),
    rows: lines.flat(2),
    notes: [
      "Strict: the whole answer is JSON of the requested shape; any other answer counts as empty",
      "Formatting: gain from the official rewriting and repairs (negative if they break a good answer)",
    ],
  };
}

/** Known forms of an answer, best first; others follow in order of appearance. */
const forms = ["json", "fenced json", "python", "repaired", "unreadable"];

function formsTable(groups: readonly RunGroup[], runs: readonly RunRows[]): TableFigure {
  const lines = groups.flatMap((group) => {
    const byAspect = cells.byFacet(group.rows, "aspect", cells.facetOrder(runs, "aspect"));
    return [...byAspect].map(([aspect, own]): Cell[] => {
      const byForm = grouped(formOf, own);
      return [
        cells.textCell(group.label),
        cells.textCell(String(aspect).replaceAll("_", " ")),
        ...forms.map((form) => share(byForm.get(form) ?? [], own.length)),
        cells.countCell(own),
      ];
    });
  });
  return {
    kind: "table",
    title: "Form of the answers",
    columns: tableColumns(["Model", "Ability"], [...forms, "n"]),
    rows: lines,
    notes: ["Number of answers. python: a Python literal, like the prompt's lists; repaired: read only after a repair"],
  };
}

const share = (rows: readonly Row[], of: number): Cell =>
  cells.withTasks({ text: String(rows.length), value: of === 0 ? 0 : rows.length / of, n: of }, rows);

/** Draws one bar per repair that was needed. */
function repairBars(group: RunGroup, which: string): BarsFigure {
  const byRepair = grouped(repairOf, group.rows);
  const shown = [...byRepair].filter(([name]) => which === "all readings" || name !== "as is");
  return {
    kind: "bars",
    title: `Repairs needed: ${group.label}`,
    unit: "answers",
    bars: shown
      .toSorted(([, a], [, b]) => b.length - a.length)
      .map(([label, rows]) => ({
        label,
        cell: cells.withTasks({ text: String(rows.length), value: rows.length, n: group.rows.length }, rows),
      })),
    notes: [
      `${counted(group.rows.length, "answer")}, ${byRepair.get("as is")?.length ?? 0} of them read unchanged; \`failed\`: no repair helped`,
    ],
  };
}
