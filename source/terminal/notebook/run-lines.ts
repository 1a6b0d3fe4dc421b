/** The lines of a run cell: its settings, its runs as a table, and its notes. */
import { fitLine, type Line, lineText, lineWidth, type Span } from "../../engine/figures/drawing/line.ts";
import { filledInTexts } from "../../engine/session/fields/given-fields.ts";
import { failureMessage } from "../../engine/problem.ts";
import { fit, printable, width, wrap } from "../../engine/text/printable.ts";
import type { CellProblem, CellState, RunState, SessionCell } from "../../engine/workbench/workbench.ts";
import { alikeForks, forkShareText } from "../../engine/workbench/runs/fork-share.ts";
import { alikeRepeats } from "../../engine/session/alike-replies.ts";
import { workerTexts } from "../../engine/workbench/runs/run-status.ts";
import {
  type CellWarnings,
  isAboutAnswerKey,
  isAboutSample,
  type MarkedWarning,
  unmarkedText,
} from "../../engine/workbench/figures/warning-marks.ts";
import type { Suite } from "../../engine/suite.ts";
import { factOf } from "../../engine/work/fact.ts";
import { countText, plural } from "../../look/amounts.ts";
import { separator } from "../../look/signs.ts";
import type { Theme } from "../drawing/theme.ts";
import { briefNames } from "../../engine/figures/drawing/brief-names.ts";
import { runTable } from "./run-table.ts";
import { hangingLines, wrapSpans } from "../drawing/wrapped-spans.ts";
import { experimentSentence, type ExperimentSentence } from "../form/experiment-sentence.ts";
import { readCellMap, valueNames, valuesGiven } from "../form/form-values.ts";

type RunCell = Extract<CellState, { kind: "run" }>;
type FrontMatterCell = Extract<CellState, { kind: "front-matter" }>;

export type RunSurroundings = {
  readonly warned: CellWarnings;
  readonly colours: ReadonlyMap<string, number>;
  readonly suites: readonly Suite[];
  /** All settings, if the cell shows them. */
  readonly settings?: readonly Line[] | undefined;
};

export function runLines(
  cell: SessionCell,
  state: RunCell,
  { warned, colours, suites, settings = [] }: RunSurroundings,
  columns: number,
  theme: Theme,
  frame: number,
): Line[] {
  // Problems refer to lines of the text, so the text is shown.
  const sentence = state.problems.length > 0 ? undefined : sentenceOf(cell, state, suites);
  const brief = { ...warned, said: warned.said.filter(({ text }) => !isAboutSample(text)) };
  const short = headLines(cell, sentence, warningBadge(brief), columns);
  // The head says it already, unless it is cut before that.
  const saysSample = sentence !== undefined && short.some((line) => /sample tasks?\b/.test(lineText(line)));
  const shown = saysSample ? brief : warned;
  return [
    ...(saysSample ? short : headLines(cell, sentence, warningBadge(warned), columns)),
    ...(sentence === undefined ? sourceLines(cell.source, 12, theme) : settings),
    ...filledInLines(state, columns),
    ...problemLines(state.problems, columns, theme),
    ...(state.reading === undefined ? [] : hangingLines("  ", `reading ${state.reading}`, columns, "faint")),
    ...runTable(state.runs, columns, theme, frame, colours),
    ...forkLines(state, columns),
    ...limitLines(state.runs, columns),
    ...besideLines(state.runs, columns, theme),
    ...warningLines(shown, columns, theme),
  ];
}

/** Returns the cell in words; undefined if its text has no fields. */
function sentenceOf(cell: SessionCell, { runs, filledIn = [] }: RunCell, suites: readonly Suite[]) {
  const given = givenIn(cell);
  if (given.values.size === 0) return undefined;
  const more = valuesGiven(Object.fromEntries(filledIn.map(({ field, value }) => [field, value])));
  const available = runs.length === 0 ? 0 : Math.max(...runs.map((run) => run.available ?? 0));
  const tasks = { totals: runs.map(({ total }) => total), available };
  return experimentSentence(new Map([...more, ...given.values]), given.names, suites, tasks);
}

/** The fields of a cell's text, by cell, which is a new object if its text changes. */
const givenIn = factOf((cell: SessionCell) => {
  const given = readCellMap(cell.source);
  return { values: valuesGiven(given), names: valueNames(given) };
});

/**
 * Draws the head of a cell. Settings that differ are shown in full, on as many lines as necessary; other settings are truncated
 * at the end.
 */
function headLines(
  { name }: SessionCell,
  sentence: ExperimentSentence | undefined,
  badge: Line,
  columns: number,
): Line[] {
  const head: Line = [
    { text: "run ", style: "accent" },
    { text: printable(name), style: "strong" },
  ];
  if (sentence === undefined) return [[...head, ...badge]];
  const { differs, others } = sentence;
  const rest: Span = { text: printable(others.join(separator)), style: "faint" };
  if (differs.length === 0) return [withBadge([...head, { text: "  " }, rest], badge, columns)];
  const varied: Span = { text: `  ${printable(differs.join(separator))}`, style: "strong" };
  const lines = wrapSpans([...head, varied], columns - lineWidth(badge) - 2, "").map((line, index): Line =>
    index === 0 ? line : [{ text: "  " }, ...line],
  );
  const last: Line = [...lines.at(-1)!, { text: separator, style: "faint" }, rest];
  const begins = lines.length > 1 ? lines.with(-1, last) : [last];
  return begins.map((line, index) => (index === 0 ? withBadge(line, badge, columns) : line));
}

const withBadge = (line: Line, badge: Line, columns: number): Line => [
  ...fitLine(line, columns - lineWidth(badge)),
  ...badge,
];

export function frontMatterLines(
  { source }: SessionCell,
  { problems }: FrontMatterCell,
  columns: number,
  theme: Theme,
): Line[] {
  const head: Line = [{ text: "whole notebook", style: "accent" }];
  return [head, ...sourceLines(source, 12, theme), ...problemLines(problems, columns, theme)];
}

/** Lists the settings that were filled in because the cell's text omits them; most values are in the sentence above. */
const filledInLines = ({ filledIn = [] }: RunCell, columns: number): Line[] =>
  filledInTexts(filledIn, true).flatMap((text) => hangingLines("  ", text, columns, "faint"));

/** Shows the warnings that affect how numbers are read, truncated if they are long; the badge counts the others. */
export const warningLines = (warned: CellWarnings, columns: number, { symbols }: Theme): Line[] =>
  shownWarnings(warned).flatMap((warning) => {
    const lines = wrap(printable(unmarkedText(shortlyNamed(warning))), Math.max(10, columns - 4));
    const isCut = lines.length > mostOfWarning;
    const rest = lines.slice(mostOfWarning - 1).join(" ");
    const shown = isCut
      ? [...lines.slice(0, mostOfWarning - 1), fit(rest, Math.max(10, columns - 4 - width(readsAll)))]
      : lines;
    return shown.map((text, index): Line => [
      { text: `  ${index === 0 ? symbols.failed : " "} ${text}`, style: "faint" },
      { text: isCut && index === mostOfWarning - 1 ? readsAll : "", style: "accent" },
    ]);
  });

/** Names the runs of a warning as the table above it does; for many runs, gives only their number. */
const shortlyNamed = (warning: MarkedWarning): MarkedWarning => {
  const names = briefNames(warning.of);
  return { ...warning, of: names.length > mostNamed ? [plural(names.length, "run")] : names };
};
const mostNamed = 3;

/** Maximum lines of a warning, including the hint after a truncated one. */
const mostOfWarning = 2;
const readsAll = "  v shows all";

/** The head of the session says which models read the answer key. */
const shownWarnings = ({ said }: CellWarnings) =>
  said.filter(({ isRemark, text }) => isRemark !== true && !isAboutAnswerKey(text));

/** `3 notes`: the number of all warnings if some are not shown here. */
export function warningBadge(warned: CellWarnings): readonly Span[] {
  const { marks } = warned;
  if (marks.length === shownWarnings(warned).length) return [];
  return [{ text: `  ${plural(marks.length, "note")}`, style: "faint" }];
}

/** The YAML of a cell, shortened to `most` lines. */
export function sourceLines(source: string, most: number, theme: Theme): Line[] {
  const lines = source.replace(/\n+$/, "").split("\n");
  const shown = lines.slice(0, lines.length > most ? most - 1 : most).map((text): Line => yamlLine(text));
  if (shown.length < lines.length) {
    const more = plural(lines.length - shown.length, "more line");
    shown.push([{ text: `  ${theme.symbols.more} ${more}: i edits`, style: "faint" }]);
  }
  return shown;
}

function yamlLine(text: string): Line {
  const hash = text.search(/(^|\s)#/);
  const code = hash < 0 ? text : text.slice(0, hash);
  const spans: Span[] = [{ text: `  ${printable(code)}`, style: "code" }];
  if (hash >= 0) spans.push({ text: printable(text.slice(hash)), style: "faint" });
  return spans;
}

/** Lists the problems of the cell with their lines. */
export const problemLines = (problems: readonly CellProblem[], columns: number, { symbols }: Theme): Line[] =>
  problems.flatMap(({ message, line }) => {
    const place = line === undefined ? "" : `line ${line}: `;
    return hangingLines(`  ${symbols.wrong} `, `${place}${message}`, columns, "bad");
  });

/** Reports how many continuations of a fork came right, and repeats that cannot differ. */
export function forkLines({ forks = [], runs }: Pick<RunCell, "forks" | "runs">, columns: number): Line[] {
  const alike = alikeForks(runs);
  const shares = forks.flatMap((share) => {
    const text = forkShareText(share);
    return text === "" ? [] : hangingLines("    ", text, columns, share.cannotDiffer ? "warn" : "strong");
  });
  return alike === undefined ? shares : [...shares, ...hangingLines("    ", alikeRepeats(alike), columns, "warn")];
}

const labelsOf = (runs: readonly RunState[]) => runs.map(({ label }) => label);

/** Reports that a limit excludes tasks, and how to include all. */
function limitLines(runs: readonly RunState[], columns: number): Line[] {
  const limited = runs.filter(({ total, available = 0 }) => total < available);
  const shares = Map.groupBy(limited, ({ total, available }) => `${total} of ${available} tasks`);
  if (shares.size === 0) return [];
  const isAlike = shares.size === 1 && limited.length === runs.length;
  const texts = [...shares].map(([share, of]) =>
    isAlike ? `${share}${runs.length > 1 ? " in each run" : ""}` : `${briefNames(labelsOf(of)).join(", ")}: ${share}`,
  );
  return hangingLines("    ", [...texts, "limit: 0 takes all"].join("; "), columns, "faint");
}

/**
 * Lists the facts of runs that have no column: settings on which results depend, errors, and current work. Facts that several
 * runs have in common are shown once.
 */
function besideLines(runs: readonly RunState[], columns: number, theme: Theme): Line[] {
  const told = runs.map((run) => ({ run, notes: notesOf(run), lines: ownLines(run, columns, theme) }));
  const alike = Map.groupBy(told, ({ run, notes, lines }) => (lines.length > 0 ? run.run : notes));
  return [...alike.values()].flatMap((group) => {
    const { notes, lines } = group[0]!;
    if (notes === "" && lines.length === 0) return [];
    const names = runs.length === 1 ? [] : [briefNames(labelsOf(group.map(({ run }) => run))).join("; ")];
    const isAll = runs.length > 1 && group.length === runs.length;
    const head = isAll ? `in each run, ${notes}` : [...names, ...(notes === "" ? [] : [notes])].join(": ");
    return [...(head === "" ? [] : hangingLines("    ", head, columns, "faint")), ...lines];
  });
}

const notesOf = ({ beside = [], outOfContext, unread, retries, tokens, overload, workers = [] }: RunState): string =>
  [
    ...beside,
    ...(unread === undefined ? [] : [unread]),
    ...(outOfContext === undefined ? [] : [`${plural(outOfContext, "task")} ran out of context`]),
    ...(retries > 0 ? [plural(retries, "retry", "retries")] : []),
    ...(tokens.failed === undefined ? [] : [`${countText(tokens.failed)} tokens in failed attempts`]),
    ...workerTexts(workers),
    ...(overload === undefined ? [] : [overload]),
    // Some are lists with commas.
  ].join("; ");

function ownLines(run: RunState, columns: number, theme: Theme): readonly Line[] {
  const { message, status } = run;
  const isVerdict = status === "decided" || status === "done";
  const mark = isVerdict ? theme.symbols.right : theme.symbols.failed;
  return [
    ...failureLines(run, columns, theme),
    ...preparingLines(run, columns),
    ...(message === undefined ? [] : hangingLines(`    ${mark} `, message, columns, isVerdict ? "good" : "bad")),
  ];
}

/** Maximum lines for a reason, because a server may answer with a whole page. The task shows all of it. */
const mostReason = 4;

/** Reports why tasks failed: a wrong address, model or key fails all tasks, so the notebook already shows the reason. */
function failureLines({ failure, counts }: RunState, columns: number, { symbols }: Theme): Line[] {
  if (failure === undefined || counts.failed === 0) return [];
  const text = failureMessage(failure, counts.failed);
  const lines = wrap(printable(text.slice(0, 2 * mostReason * columns)), Math.max(10, columns - 6));
  const rest = fit(lines.slice(mostReason - 1).join(" "), Math.max(10, columns - 6));
  return [...lines.slice(0, mostReason - 1), ...(rest === "" ? [] : [rest])].map((line, index): Line => [
    { text: `    ${index === 0 ? symbols.failed : " "} ${line}`, style: "bad" },
  ]);
}

/** Shows the progress of the work before the first task. */
export const preparingLines = ({ preparing }: RunState, columns: number): Line[] =>
  preparing === undefined ? [] : hangingLines("    ", preparing, columns - 2, "faint");
