/**
 * Causes of answers, parties at fault, and mistakes by kind. Each has a ranked list over all runs, and a table of groups and
 * kinds. Shares count tasks with at least one occurrence.
 */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { type BarsFigure, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import { coverageOf, restingOn } from "../source/engine/measures/coverage.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { causeNotes, causeTitles, hasOwnMistakes } from "../source/engine/log/rows/cause-text.ts";
import { faultOfRow, partyTitles } from "../source/engine/log/rows/fault.ts";
import { mistakesOfKind } from "./tool-errors.ts";
import { rowContents } from "../source/engine/measures/row-contents.ts";
import { wilson } from "../source/engine/statistics/interval.ts";
import type { ErrorKind } from "../source/engine/suite.ts";
import { counted } from "../source/engine/text/counted.ts";
import { ownKinds } from "./own-kinds.ts";
import { printable } from "../source/engine/text/printable.ts";
import { causeNames, type CauseName, parties, type Party, type Row, type RunSpec } from "../source/engine/types.ts";
import { filtered, grouped, keyByName } from "../source/engine/work/growing-list.ts";

export const errors: Analysis = {
  name: "errors",
  title: "Errors",
  question: "Which kinds of mistake are made, how often, and where?",
  choices: (runs) => ({ by: cells.groupings(runs), kinds: ["made", "all"] }),
  compute(runs, { by = "", kinds: which = "made" }) {
    const parts = runs.map((run): Part => {
      const ended = cells.endedRows(run.rows);
      const rows = filtered(hasScore, ended);
      return {
        run,
        ended,
        rows,
        kinds: kindsOf(run).filter(({ name }) => which === "all" || mistakesOfKind(rows, name).count > 0),
      };
    });
    const tables = parts.map(({ run, ended, kinds }) =>
      // If there are no mistakes, the bars show that.
      kinds.length === 0 ? [] : [table(run, runs, ended, kinds, by)],
    );
    const ranked = parts.length === 0 ? [] : [rankedFigure(parts)];
    return [...endings(runs), ...faults(runs), ...ranked, ...tables.flat(), ...ownKinds(runs)];
  },
  // The mistakes of answers that were read are opened more often than how answers ended.
  opensAt: (figures) => figures.findIndex(({ kind }) => kind === "bars"),
};

/** Returns the party at fault, by run, if the suite reports it; each rule has a row. */
function faults(runs: readonly RunRows[]): readonly TableFigure[] {
  if (runs.every(({ rows }) => filtered(hasFault, rows).length === 0)) return [];
  const byRun = runs.map(({ rows, spec }) => {
    const { length } = cells.endedRows(rows);
    return { length, faults: grouped(faultKey(spec), cells.endedRows(rows)) };
  });
  const all = new Set(byRun.flatMap(({ faults: own }) => [...own.keys()]));
  const found = [...all].map((key) => JSON.parse(key) as readonly [by: Party, rule: string]);
  const inOrder = parties.flatMap((party) =>
    found.filter(([by]) => by === party).toSorted(([, one], [, other]) => (one < other ? -1 : 1)),
  );
  const cellOf = ({ length, faults: own }: (typeof byRun)[number], fault: (typeof found)[number]) => {
    const rows = own.get(JSON.stringify(fault)) ?? [];
    const value = length === 0 ? undefined : rows.length / length;
    const cell = { text: cells.shownValue(value, "percent"), ...(value !== undefined && { value }), n: length };
    return cells.withTasks(cell, rows);
  };
  return [
    {
      kind: "table",
      title: "Who was at fault",
      columns: tableColumns(
        ["Fault", "Rule"],
        runs.map(({ label }) => label),
      ),
      rows: inOrder.map((fault) => [
        cells.textCell(partyTitles[fault[0]]),
        cells.textCell(printable(fault[1])),
        ...byRun.map((own) => cellOf(own, fault)),
      ]),
      notes: [
        "Percent of tasks; the rule in each row guesses the fault, without a judge",
        "The score is the official one, regardless of faults",
      ],
    },
  ];
}

const hasFault = ({ score }: Row): boolean => score?.fault !== undefined;
const faultKey = keyByName((spec: RunSpec) => (row: Row): string | undefined => {
  const fault = faultOfRow(row, spec);
  return fault && JSON.stringify([fault.by, fault.rule]);
});

/** Returns the causes of how answers ended, by run; empty if no row has a cause. */
function endings(runs: readonly RunRows[]): readonly TableFigure[] {
  const byRun = runs.map(({ rows }) => ({ rows: filtered(hasCause, rows), causes: grouped(causeOfRow, rows) }));
  const names = causeNames.filter((name) => byRun.some(({ causes }) => causes.has(name)));
  if (names.length === 0) return [];
  const shareOf = ({ rows, causes }: (typeof byRun)[number], name: CauseName) => {
    const own = causes.get(name) ?? [];
    const value = rows.length === 0 ? undefined : own.length / rows.length;
    return cells.withTasks(cells.valueCell(value, "percent", rows.length), own);
  };
  const counts = byRun.map(({ rows }) => cells.withTasks({ text: String(rows.length) }, rows));
  return [
    {
      kind: "table",
      title: "How answers ended",
      columns: tableColumns(
        ["Cause"],
        runs.map(({ label }) => label),
      ),
      rows: [
        ...names.map((name) => [cells.textCell(causeTitles[name]), ...byRun.map((own) => shareOf(own, name))]),
        [cells.textCell("n"), ...counts],
      ],
      notes: [
        "Percent of tasks; each task has one cause",
        ...names.map((name) => `${causeTitles[name]}: ${causeNotes[name]}`),
      ],
    },
  ];
}

const hasCause = ({ cause }: Row): boolean => cause !== undefined;
const causeOfRow = ({ cause }: Row) => cause?.cause;

/** Returns the suite's kinds and any others in rows of an older revision. */
function kindsOf({ suite, rows }: RunRows): readonly ErrorKind[] {
  const known = new Set(suite.errorKinds.map(({ name }) => name));
  const others = [...rowContents(rows).errorKinds].filter((kind) => !known.has(kind));
  return [...suite.errorKinds, ...others.map((name) => ({ name, title: name, note: "not in the suite's list" }))];
}

const lookedAt = ({ length }: readonly Row[]) => `${counted(length, "answer")} examined`;

/** Unjudged answers have no score, but their mistakes are known. Answers that were not read have no mistakes. */
const hasScore = (row: Row) => row.score !== undefined && hasOwnMistakes(row);

const isUnread = (row: Row) => row.score !== undefined && !hasOwnMistakes(row);

function unreadNote(ended: readonly Row[]): readonly string[] {
  const others = filtered(isUnread, ended);
  return others.length === 0
    ? []
    : [
        others.length === 1
          ? "1 unread answer is not checked for mistakes"
          : `${others.length} unread answers are not checked for mistakes`,
      ];
}

/** A run with its ended rows, the rows whose answers were read, and the kinds to show. */
type Part = {
  readonly run: RunRows;
  readonly ended: readonly Row[];
  readonly rows: readonly Row[];
  readonly kinds: readonly ErrorKind[];
};

/**
 * Returns a bar per kind, the most frequent first. For several runs, returns a group per kind, with a bar for each run whose
 * suite has the kind.
 */
function rankedFigure(parts: readonly Part[]): BarsFigure {
  const runs = parts.map(({ run }) => run);
  const isAlone = runs.length === 1;
  const groups = [...new Set(parts.flatMap(({ kinds }) => kinds.map(({ name }) => name)))].map((name) =>
    parts.flatMap((part) => {
      const kind = kindsOf(part.run).find((known) => known.name === name);
      if (kind === undefined) return [];
      const bar = barOf(part, kind);
      return [isAlone ? bar : { ...bar, group: kind.title, label: part.run.label }];
    }),
  );
  const most = (bars: (typeof groups)[number]) => Math.max(...bars.map(({ cell }) => cell.value ?? 0));
  const bars = groups.toSorted((a, b) => most(b) - most(a)).flat();
  const intervals = bars.length === 0 ? "" : "; lines show 95 % intervals (Wilson)";
  return {
    kind: "bars",
    title: `Tasks with each kind of mistake${isAlone ? `: ${runs[0]!.label}` : ""}`,
    unit: "% of tasks",
    bars,
    notes: [
      `${parts.map(({ run, rows }) => `${isAlone ? "" : `${run.label}: `}${lookedAt(rows)}`).join("; ")}${intervals}`,
      ...parts.flatMap(({ run, ended }) => unreadNote(ended).map((note) => (isAlone ? note : `${run.label}: ${note}`))),
      ...cells.overruled(runs),
      ...cells.shortfall(runs, { unscored: "mistakes in these answers still count" }),
    ],
  };
}

function barOf({ ended, rows }: Part, { name, title, note }: ErrorKind): BarsFigure["bars"][number] {
  const { hit, count: times } = mistakesOfKind(rows, name);
  const share = rows.length === 0 ? 0 : hit.length / rows.length;
  const text = `${cells.shownValue(share, "percent")} %`;
  const about = `${hit.length} of ${counted(rows.length, "task")}, ${counted(times, "time")}${note === undefined ? "" : `; ${note}`}`;
  const cell = restingOn({ text, value: share, n: rows.length, note: about }, coverageOf(ended, hasScore));
  return { label: title, cell: cells.withTasks(cell, hit), ...wilson(hit.length, rows.length) };
}

function table(
  run: RunRows,
  runs: readonly RunRows[],
  ended: readonly Row[],
  kinds: readonly ErrorKind[],
  by: string,
): TableFigure {
  const byValue = cells.byFacet(ended, by, cells.facetOrder(runs, by));
  const groups: (readonly [string, readonly Row[]])[] = [...byValue].map(([value, group]) => [String(value), group]);
  if (groups.length !== 1) groups.push(["all", ended]);
  const columns = groups.map(([, group]) => {
    const looked = filtered(hasScore, group);
    return { looked, coverage: coverageOf(group, hasScore) };
  });
  const isGrouped = kinds.some(({ group }) => group !== undefined);
  const nameOf = (group: string, title: string) =>
    (isGrouped ? [group, title] : [title]).map((text) => cells.textCell(text));
  const lines = kinds.map((kind) => {
    const shares = columns.map(({ looked, coverage }) => {
      const { hit } = mistakesOfKind(looked, kind.name);
      const value = looked.length === 0 ? undefined : hit.length / looked.length;
      const cell = cells.valueCell(value, "percent", looked.length);
      return cells.withTasks(restingOn(cell, coverage), hit);
    });
    return [...nameOf(kind.group ?? "", kind.title), ...shares];
  });
  const counts = columns.map(({ looked }) => cells.withTasks({ text: String(looked.length) }, looked));
  return {
    kind: "table",
    title: `Share of tasks${by === cells.ungrouped ? " by" : `${cells.groupedBy(runs, by)} and`} kind: ${run.label}`,
    columns: tableColumns(
      isGrouped ? ["Group", "Kind"] : ["Kind"],
      groups.map(([title]) => title),
    ),
    rows: [...lines, [...nameOf("", "n"), ...counts]],
    notes: ["Percent of tasks with at least one mistake of the kind"],
  };
}
