/** The lines of a run cell: its settings, its runs as a table, and its notes. */
import { roleText } from "../../engine/settings/role-settings.ts";
import type { RequestFields } from "../../engine/run-settings-rows.ts";
import type { Line, Span } from "../../engine/figures/drawing/line.ts";
import { filledInTexts } from "../../engine/session/fields/given-fields.ts";
import { failureMessage } from "../../engine/problem.ts";
import { fit, printable, width, wrap } from "../../engine/text/printable.ts";
import type { CellProblem, CellState, RunState, SessionCell } from "../../engine/workbench/workbench.ts";
import { forkShareText } from "../../engine/workbench/runs/fork-share.ts";
import { workerTexts } from "../../engine/workbench/runs/run-status.ts";
import { type CellWarnings, warningText } from "../../engine/workbench/figures/warning-marks.ts";
import { countText, plural } from "../../look/amounts.ts";
import type { Theme } from "../drawing/theme.ts";
import { runTable } from "./run-table.ts";
import { parseYaml, yamlValue } from "../../engine/text/yaml-document.ts";
import { hangingLines } from "../drawing/wrapped-spans.ts";

type RunCell = Extract<CellState, { kind: "run" }>;
type FrontMatterCell = Extract<CellState, { kind: "front-matter" }>;

export function runLines(
  cell: SessionCell,
  state: RunCell,
  { warned, colours }: { readonly warned: CellWarnings; readonly colours: ReadonlyMap<string, number> },
  columns: number,
  theme: Theme,
  frame: number,
): Line[] {
  // Problems refer to lines of the text, so the text is shown.
  const folded = state.problems.length > 0 ? "" : settingsText(cell.source);
  return [
    [
      { text: "run ", style: "accent" },
      { text: printable(cell.name), style: "strong" },
      ...warningBadge(warned),
      { text: folded === "" ? "" : `  ${printable(folded)}`, style: "code" },
    ],
    ...(folded === "" ? sourceLines(cell.source, 12, theme) : []),
    ...filledInLines(state, columns),
    ...problemLines(state.problems, columns, theme),
    ...runTable(state.runs, columns, theme, frame, colours),
    ...forkLines(state.forks, columns),
    ...limitLines(state.runs, columns),
    ...state.runs.flatMap((run) => besideLines(run, state.runs.length > 1, columns, theme)),
    ...warningLines(warned, columns, theme),
  ];
}

export function frontMatterLines(
  { source }: SessionCell,
  { problems }: FrontMatterCell,
  columns: number,
  theme: Theme,
): Line[] {
  const head: Line = [{ text: "whole notebook", style: "accent" }];
  return [head, ...sourceLines(source, 12, theme), ...problemLines(problems, columns, theme)];
}

/** Lists the settings that were filled in because the cell's text omits them. */
const filledInLines = ({ filledIn = [] }: RunCell, columns: number): Line[] =>
  filledInTexts(filledIn).flatMap((text) => hangingLines("  ", text, columns, "faint"));

/** Shows the warnings that change how numbers are read, long ones cut; the badge counts the others. */
export const warningLines = (warned: CellWarnings, columns: number, { symbols }: Theme): Line[] =>
  shownWarnings(warned).flatMap((warning) => {
    const lines = wrap(printable(warningText(warning)), Math.max(10, columns - 4));
    const isCut = lines.length > mostOfWarning;
    const rest = lines.slice(mostOfWarning - 1).join(" ");
    const shown = isCut
      ? [...lines.slice(0, mostOfWarning - 1), fit(rest, Math.max(10, columns - 4 - width(readsAll)))]
      : lines;
    return shown.map((text, index): Line => [
      { text: `  ${index === 0 ? symbols.failed : " "} ${text}`, style: "warn" },
      { text: isCut && index === mostOfWarning - 1 ? readsAll : "", style: "accent" },
    ]);
  });

/** Limit of lines for a warning, and the hint after a cut one. */
const mostOfWarning = 2;
const readsAll = "  v reads all";

const shownWarnings = ({ said }: CellWarnings) => said.filter(({ isRemark }) => isRemark !== true);

/** `[1]  3 notes`: the marks of warnings shown above, and the number of all warnings if some are not shown here. */
export function warningBadge(warned: CellWarnings): readonly Span[] {
  const { said, marks } = warned;
  if (marks.length === shownWarnings(warned).length) return [];
  const above = marks.filter((mark) => !said.some((warning) => warning.mark === mark)).join("");
  return [
    { text: above === "" ? "" : `  ${above}`, style: "warn" },
    { text: `  ${plural(marks.length, "note")}`, style: "accent" },
  ];
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

/** Reports how many continuations of a fork came right. */
export const forkLines = (forks: RunCell["forks"] = [], columns: number): Line[] =>
  forks.flatMap((share) => {
    const text = forkShareText(share);
    return text === "" ? [] : hangingLines("    ", text, columns, share.cannotDiffer ? "warn" : "strong");
  });

/** Reports that a limit leaves tasks out, and how to take all. */
function limitLines(runs: readonly RunState[], columns: number): Line[] {
  const limited = runs.flatMap(({ total, available = 0 }) => (total < available ? [`${total} of ${available}`] : []));
  if (limited.length === 0) return [];
  return hangingLines("    ", `${[...new Set(limited)].join(", ")} tasks; limit: 0 takes all`, columns, "faint");
}

/** Lists a run's facts without a column: what its results rest on, what went wrong, and its present work. */
function besideLines(run: RunState, named: boolean, columns: number, theme: Theme): Line[] {
  const { beside = [], outOfContext, unread, retries, message, label, tokens, overload, workers = [] } = run;
  const notes = [
    ...beside,
    ...(unread === undefined ? [] : [unread]),
    ...(outOfContext === undefined ? [] : [`${outOfContext} out of context`]),
    ...(retries > 0 ? [plural(retries, "retry", "retries")] : []),
    ...(tokens.failed === undefined ? [] : [`${countText(tokens.failed)} tokens in failed attempts`]),
    ...workerTexts(workers),
    ...(overload === undefined ? [] : [overload]),
    // Some are lists with commas.
  ].join("; ");
  const isVerdict = run.status === "decided" || run.status === "done";
  const mark = isVerdict ? theme.symbols.right : theme.symbols.failed;
  const lines = [
    ...failureLines(run, columns, theme),
    ...preparingLines(run, columns),
    ...(message === undefined ? [] : hangingLines(`    ${mark} `, message, columns, isVerdict ? "good" : "bad")),
  ];
  if (notes === "" && lines.length === 0) return [];
  const head = [...(named ? [label] : []), ...(notes === "" ? [] : [notes])].join(": ");
  return [...(head === "" ? [] : hangingLines("    ", head, columns, "faint")), ...lines];
}

/** Limit of lines for a reason, because a server may answer with a whole page. The task shows all of it. */
const mostReason = 4;

/** Reports why tasks failed: a wrong address, model or key fails all of them, so the reason is shown here already. */
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

/** Fields whose values need no name; they come first, in this order. */
const plain = ["suite", "split", "data", "strategy", "model"];

/**
 * Returns a run cell's settings in one line: `appbench mm builtin/slips  prompting hierarchical|flat  limit 50`. The
 * values of a grid are joined; empty if the text is not a map.
 */
function settingsText(source: string): string {
  const document = parseYaml(source);
  if (document.errors.length > 0) return "";
  let fields: unknown;
  try {
    fields = yamlValue(document);
  } catch {
    return "";
  }
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return "";
  const given = new Map(Object.entries(fields));
  const first = plain.flatMap((name) => (given.has(name) ? [valueText(given.get(name))] : [])).join(" ");
  const rest = [...given].flatMap(([name, value]) => (plain.includes(name) ? [] : [`${name} ${valueText(value)}`]));
  return [first, ...rest].filter((text) => text !== "").join("  ");
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join("|");
  if (typeof value !== "object" || value === null) return String(value);
  // The map of a role: a judge with settings of its own.
  return "model" in value ? roleText(value as RequestFields) : JSON.stringify(value);
}
