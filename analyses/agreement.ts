/** Compares the codes of two people, or of a person and a model: kappa for each kind, and a confusion matrix. */
import type { Analysis, RunRows, Codebook } from "../source/engine/analysis.ts";
import { type Cell, type Figure, type GridFigure, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { codesOfTask, isOfAttempt, rowCodes } from "../source/engine/session/codes/task-codes.ts";
import { agreementOf, kappaInterval } from "../source/engine/statistics/agreement.ts";
import { counted } from "../source/engine/text/counted.ts";
import type { Row, RowCodes } from "../source/engine/types.ts";
import { factOf } from "../source/engine/work/fact.ts";
import { flatMapped, keyByName } from "../source/engine/work/growing-list.ts";

export const agreement: Analysis = {
  name: "agreement",
  title: "Agreement",
  question: "Do two people, or a person and a model, label tasks with the same kinds?",
  choices(runs) {
    const people = peopleOf(runs);
    return { one: people, other: [...people.slice(1), ...people.slice(0, 1)] };
  },
  missing(runs) {
    const people = peopleOf(runs);
    if (people.length >= 2) return undefined;
    const has = people.length === 0 ? "No task here is labelled" : `Only ${people[0]!} has labelled tasks here`;
    return `${has}: press T to label tasks drawn at random, and put another person's file into codes/`;
  },
  compute: figures,
};

/** Returns the people who labelled tasks of these runs, sorted, and models last. */
function peopleOf(runs: readonly RunRows[]): readonly string[] {
  const found = new Set(
    runs.flatMap(({ codes, rows }) => (codes === undefined ? [] : flatMapped(labellersIn(codes), rows))),
  );
  const isModel = (by: string) => by.startsWith("model:");
  return [...found].toSorted((a, b) => Number(isModel(a)) - Number(isModel(b)) || a.localeCompare(b, "en"));
}

/** Returns the people who have examined the attempt that counts; a code also proves that. */
function labellersOf(codes: Codebook, row: Row): ReadonlySet<string> {
  const { codes: given, labelled } = codesOfTask(codes, row);
  return new Set([...given, ...labelled].flatMap((each) => (isOfAttempt(each, row) ? each.by : [])));
}

const labellersIn = factOf((codes: Codebook) => (row: Row) => [...labellersOf(codes, row)]);

/** A task that both have labelled, and whether it was drawn at random. */
type Pair = { readonly row: Row; readonly one: RowCodes; readonly other: RowCodes; readonly isDrawn: boolean };

/** Finds a task that both have labelled, or the row of a task that one of them has. */
const labelledBy = factOf((codes: Codebook) =>
  keyByName(([one, other]: readonly [string, string]) => (row: Row): Pair | Row | readonly never[] => {
    const by = labellersOf(codes, row);
    if (!by.has(one) || !by.has(other)) return by.has(one) || by.has(other) ? row : [];
    const { labelled } = codesOfTask(codes, row);
    const isDrawn = labelled.some((each) => each.sample !== undefined && isOfAttempt(each, row));
    return { row, one: rowCodes(codes, row, one), other: rowCodes(codes, row, other), isDrawn };
  }),
);
const isPair = (found: Pair | Row): found is Pair => "isDrawn" in found;

function figures(...[runs, { one = "", other = "" }]: Parameters<Analysis["compute"]>): readonly Figure[] {
  const found = runs.flatMap(({ codes, rows }) =>
    codes === undefined ? [] : flatMapped(labelledBy(codes)([one, other]), cells.endedRows(rows)),
  );
  const both = found.filter(isPair);
  const alone = found.length - both.length;
  const kinds = (runs.find(({ codes }) => codes !== undefined)?.codes?.kinds ?? [])
    .map(({ name }) => name)
    .filter((name) => both.some((pair) => pair.one.has[name] === true || pair.other.has[name] === true));
  const notes = [
    `${counted(both.length, "task")} labelled by both; a kind is present or absent in a task`,
    ...(alone === 0 ? [] : [`Left out: ${counted(alone, "task")} labelled by only one of the two`]),
    ...checkedNotes(both),
  ];
  return [kappas(both, kinds, { one, other, notes }), confusion(both, kinds, { one, other })];
}

/** Notes whether the tasks were drawn at random: agreement on chosen tasks does not hold for other tasks. */
function checkedNotes(both: readonly Pair[]): readonly string[] {
  const drawn = both.filter(({ isDrawn }) => isDrawn).length;
  if (drawn === both.length) return ["All of them were drawn at random"];
  return [`${drawn} of them were drawn at random; the others were chosen, so kappa may differ on other tasks`];
}

type Sides = { readonly one: string; readonly other: string };

function kappas(
  both: readonly Pair[],
  kinds: readonly string[],
  sides: Sides & { notes: readonly string[] },
): TableFigure {
  const { one, other, notes } = sides;
  const listed = (pairs: readonly Pair[]): Cell => cells.countCell(pairs.map(({ row }) => row));
  const rows = kinds.map((kind): readonly Cell[] => {
    const inOne = both.filter((pair) => pair.one.has[kind] === true);
    const inOther = both.filter((pair) => pair.other.has[kind] === true);
    const found = agreementOf(
      both.map((pair) => ({ people: pair.one.has[kind] === true, judge: pair.other.has[kind] === true })),
    );
    const differing = both.filter((pair) => pair.one.has[kind] !== pair.other.has[kind]).map(({ row }) => row);
    const { kappa, agreement: share } = found;
    const agreed = { value: share?.share ?? 0, n: found.n, ...share?.wilson };
    return [
      cells.textCell(kind),
      listed(inOne),
      listed(inOther),
      listed(inOne.filter((pair) => inOther.includes(pair))),
      cells.withTasks({ text: cells.shownValue(share?.share, "percent"), ...agreed }, differing),
      cells.withTasks(
        kappa === undefined
          ? { text: "-", n: found.n, note: "undefined: both gave this verdict to every task, or to none" }
          : { text: kappa.kappa.toFixed(3), value: kappa.kappa, n: found.n, ...kappaInterval(kappa) },
        differing,
      ),
    ];
  });
  return {
    kind: "table",
    title: `Agreement of ${one} and ${other}`,
    columns: tableColumns(["Kind"], [one, other, "both", "Agreement %", "Cohen's kappa"]),
    rows: [...rows, [cells.textCell("n"), listed(both), listed(both), listed(both), { text: "" }, { text: "" }]],
    notes: [...notes, "Enter on agreement or kappa lists the tasks on which the two differ; intervals are at 95 %"],
  };
}

const nothing = "none";

/**
 * Returns the number of tasks for each pair of kinds that the two people gave. A kind given by both is on the diagonal. A kind
 * given by one person is paired with every kind that only the other gave the task, or with `none`.
 */
function confusion(both: readonly Pair[], kinds: readonly string[], { one, other }: Sides): GridFigure {
  const names = [
    ...kinds.filter((name) => both.some((pair) => [pair.one, pair.other].some((side) => side.given.includes(name)))),
    nothing,
  ];
  const behind = new Map<string, Row[]>();
  const put = (row: Row, first: string, second: string) => {
    const key = `${first}\n${second}`;
    behind.set(key, [...(behind.get(key) ?? []), row]);
  };
  for (const { row, one: first, other: second } of both) {
    for (const kind of first.given) if (second.given.includes(kind)) put(row, kind, kind);
    const left = first.given.filter((kind) => !second.given.includes(kind));
    const right = second.given.filter((kind) => !first.given.includes(kind));
    if (first.given.length === 0 && second.given.length === 0) put(row, nothing, nothing);
    if (left.length + right.length === 0) continue;
    for (const kind of left.length > 0 ? left : [nothing])
      for (const instead of right.length > 0 ? right : [nothing]) put(row, kind, instead);
  }
  const grid = names.map((first) => names.map((second) => cells.countCell(behind.get(`${first}\n${second}`) ?? [])));
  return {
    kind: "grid",
    title: `Labels of ${one} against labels of ${other}`,
    x: { label: other, ticks: names },
    y: { label: one, ticks: names },
    cells: grid,
    range: [0, Math.max(1, ...grid.flat().map(({ value = 0 }) => value))],
    plain: true,
    notes: ["Numbers of tasks; kinds that both gave are on the diagonal"],
  };
}
