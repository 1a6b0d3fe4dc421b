/** The number of tasks with each kind of the user's codebook in each run, and their share among tasks drawn at random. */
import type { Codebook, CodeKind, RunRows } from "../source/engine/analysis.ts";
import { type Cell, copyOf, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { codesOfTask, isOfAttempt, kindDepths } from "../source/engine/session/codes/task-codes.ts";
import { wilson } from "../source/engine/statistics/interval.ts";
import { counted } from "../source/engine/text/counted.ts";
import type { Row } from "../source/engine/types.ts";
import { factOf } from "../source/engine/work/fact.ts";
import { filtered, keyByName, flatMapped } from "../source/engine/work/growing-list.ts";

/** Returns the tables; empty if no task of these runs has a code. Kinds without a task in any run are omitted. */
export function ownKinds(runs: readonly RunRows[]): readonly TableFigure[] {
  const known = runs[0]?.codes?.kinds ?? [];
  const ended = runs.map(({ rows }) => cells.endedRows(rows));
  const kinds = known.filter(({ name }) => ended.some((rows) => filtered(has(name), rows).length > 0));
  if (kinds.length === 0) return [];
  const titles = indented(known);
  const columns = runs.map(({ label }) => label);
  const counts: TableFigure = {
    kind: "table",
    title: "Tasks with your own kinds",
    columns: tableColumns(["Kind"], columns),
    rows: [
      ...kinds.map(({ name }) => [
        cells.textCell(titles.get(name)!),
        ...ended.map((rows) => copyOf(countOf(filtered(has(name), rows)), { n: rows.length })),
      ]),
      [cells.textCell("any"), ...ended.map((rows) => countOf(filtered(hasAny, rows)))],
      [cells.textCell("n"), ...ended.map(countOf)],
    ],
    notes: notesOf(runs, kinds),
  };
  const drawn = runs.map(({ codes }, at) => (codes === undefined ? [] : filtered(isDrawn(codes), ended[at]!)));
  if (drawn.every(({ length }) => length === 0)) return [counts];
  const shares: TableFigure = {
    kind: "table",
    title: "Your own kinds in tasks drawn at random",
    columns: tableColumns(["Kind"], columns),
    rows: [
      ...kinds.map(({ name }) => [cells.textCell(titles.get(name)!), ...drawn.map((rows) => shareOf(rows, name))]),
      [cells.textCell("n"), ...drawn.map(countOf)],
    ],
    notes: ["Percent of the tasks that were drawn at random and labelled blind; intervals are at 95 % (Wilson)"],
  };
  return [counts, shares];
}

const has = keyByName(
  (kind: string) =>
    ({ codes }: Row): boolean =>
      codes?.has[kind] === true,
);
const hasAny = ({ codes }: Row): boolean => (codes?.given.length ?? 0) > 0;
const countOf = (rows: readonly Row[]): Cell => cells.countCell(rows);

function shareOf(rows: readonly Row[], kind: string): Cell {
  const hit = filtered(has(kind), rows);
  if (rows.length === 0) return { text: "-", n: 0 };
  const value = hit.length / rows.length;
  const cell = { text: cells.shownValue(value, "percent"), value, n: rows.length, ...wilson(hit.length, rows.length) };
  return cells.withTasks(cell, hit);
}

/** Returns the titles of kinds, indented below the kinds that contain them. */
function indented(kinds: readonly CodeKind[]): ReadonlyMap<string, string> {
  const depths = kindDepths(kinds);
  return new Map(kinds.map(({ name }) => [name, `${"  ".repeat(depths.get(name)!)}${name}`]));
}

const isDrawn = factOf((codes: Codebook) => (row: Row): boolean => {
  return codesOfTask(codes, row).labelled.some((each) => each.sample !== undefined && isOfAttempt(each, row));
});

/** The codes of a row, and whether each counts. */
const codesOf = factOf((codes: Codebook) => (row: Row) => {
  return codesOfTask(codes, row).codes.map((code) => ({ code, isCounted: isOfAttempt(code, row) }));
});

function notesOf(runs: readonly RunRows[], kinds: readonly CodeKind[]): readonly string[] {
  const all = runs.flatMap(({ codes, rows }) => (codes === undefined ? [] : flatMapped(codesOf(codes), rows)));
  const counting = all.flatMap(({ code, isCounted }) => (isCounted ? code : []));
  const stale = all.length - counting.length;
  const people = [...new Set(counting.map(({ by }) => by))];
  const byModels = kinds.filter(({ name }) => {
    const given = counting.filter(({ kind }) => kind === name);
    return given.length > 0 && given.every(({ by }) => by.startsWith("model:"));
  });
  return [
    `Labelled by ${people.join(", ")}; scores do not depend on the labels`,
    "A kind counts at most once in a task, and includes the kinds below it",
    ...(byModels.length === 0
      ? []
      : [`Not checked by people: ${byModels.map(({ name }) => name).join(", ")} (labels of a model alone)`]),
    ...(stale === 0 ? [] : [`Left out: ${counted(stale, "label")} of attempts that no longer count`]),
  ];
}
