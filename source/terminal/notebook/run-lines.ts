/** What a run cell shows: its YAML, and the progress of each of its runs. */
import { inkOf, type Line, type Span, type Style, lineWidth } from "../../engine/figures/drawing/line.ts";
import { filledInTexts } from "../../engine/session/given-fields.ts";
import { failureMessage } from "../../engine/text/failure-message.ts";
import { fit, printable, width, wrap } from "../../engine/text/printable.ts";
import type { CellProblem, CellState, RunState, SessionCell } from "../../engine/workbench/workbench.ts";
import { type CellWarnings, warningTexts } from "../../engine/workbench/warning-marks.ts";
import { costText, countText, plural, timeText } from "../drawing/amount.ts";
import type { Theme } from "../drawing/theme.ts";

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
  return [
    [
      { text: "run ", style: "accent" },
      { text: printable(cell.name), style: "strong" },
    ],
    ...sourceLines(cell.source, 12, theme),
    ...filledInLines(state, columns),
    ...problemLines(state.problems, columns, theme),
    ...state.runs.flatMap((run) => oneRun(run, columns, theme, frame, colours.get(run.run))),
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

/** What the cell's text does not say. */
function filledInLines({ filledIn = [] }: RunCell, columns: number): Line[] {
  return filledInTexts(filledIn)
    .flatMap((text) => wrap(printable(text), Math.max(10, columns - 2)))
    .map((text): Line => [{ text: `  ${text}`, style: "faint" }]);
}

/** Warnings said here in full; where all were said above, their marks. */
export function warningLines(warned: CellWarnings, columns: number, { symbols }: Theme): Line[] {
  return warningTexts(warned).flatMap((warning) =>
    wrap(printable(warning), Math.max(10, columns - 4)).map((text, index): Line => [
      { text: `  ${index === 0 ? symbols.failed : " "} ${text}`, style: "warn" },
    ]),
  );
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

/** What is wrong with the cell, and in which line. */
export function problemLines(problems: readonly CellProblem[], columns: number, { symbols }: Theme): Line[] {
  return problems.flatMap(({ message, line }) => {
    const where = line === undefined ? "" : `line ${line}: `;
    const texts = wrap(`${where}${printable(message)}`, Math.max(10, columns - 4));
    return texts.map((text, index): Line => [{ text: `  ${index === 0 ? symbols.wrong : " "} ${text}`, style: "bad" }]);
  });
}

function oneRun(run: RunState, columns: number, theme: Theme, frame: number, colour: number | undefined): Line[] {
  const lines: Line[] = [headLine(run, columns, theme, frame, colour)];
  const started = run.total - run.counts.waiting;
  if (started > 0 || run.status === "running" || run.status === "paused") {
    lines.push(...spanRows(countSpans(run, theme), columns), ...spanRows(measures(run), columns));
  }
  lines.push(...failureLines(run, columns, theme), ...preparingLines(run, columns));
  const message = run.message === undefined ? [] : wrap(printable(run.message), Math.max(10, columns - 6));
  for (const [index, text] of message.entries())
    lines.push([{ text: `    ${index === 0 ? theme.symbols.failed : " "} ${text}`, style: "bad" }]);
  return lines;
}

/** Most lines of a reason: a server may answer with a whole page. The task itself shows all of it. */
const mostReason = 4;

/** Why tasks failed: a wrong address, model or key fails all of them, so the reason is shown here already. */
function failureLines({ failure, counts }: RunState, columns: number, { symbols }: Theme): Line[] {
  if (failure === undefined || counts.failed === 0) return [];
  const text = failureMessage(failure, counts.failed);
  const lines = wrap(printable(text.slice(0, 2 * mostReason * columns)), Math.max(10, columns - 6));
  const rest = fit(lines.slice(mostReason - 1).join(" "), Math.max(10, columns - 6));
  return [...lines.slice(0, mostReason - 1), ...(rest === "" ? [] : [rest])].map((line, index): Line => [
    { text: `    ${index === 0 ? symbols.failed : " "} ${line}`, style: "bad" },
  ]);
}

/** The work before the first task, and its progress. */
export function preparingLines({ preparing }: RunState, columns: number): Line[] {
  if (preparing === undefined) return [];
  return wrap(printable(preparing), Math.max(10, columns - 6)).map((text): Line => [
    { text: `    ${text}`, style: "faint" },
  ]);
}

/** `colour` is the number of the run's. */
export function headLine(run: RunState, columns: number, theme: Theme, frame: number, colour?: number): Line {
  const { counts, total } = run;
  const done = counts.right + counts.wrong + counts.unscored + counts.failed;
  const label: Span = { text: `  ${fit(printable(run.label), 32)}  `, ...inkOf(colour, "strong") };
  const status = statusSpan(run, theme, frame);
  if (done === 0 && run.status === "ready") {
    return [label, status, { text: `  ${plural(total, "task")}: r runs`, style: "faint" }];
  }
  // The progress of that work is in a line of its own.
  if (run.preparing !== undefined && done === 0) return [label, status];
  const share = total === 0 ? 0 : done / total;
  const tally = ` ${done}/${total}`;
  // The numbers matter more than the bar: it gets the space they leave.
  const room = columns - lineWidth([label, status]) - width(`   ${Math.floor(share * 100)} %${tally}`);
  return [
    label,
    status,
    { text: "  " },
    ...barSpans(share, Math.max(4, Math.min(room, Math.max(8, Math.min(30, columns - 60)))), theme),
    { text: tally },
  ];
}

function barSpans(share: number, room: number, { symbols }: Theme): Span[] {
  const full = Math.min(room, Math.floor(share * room));
  return [
    { text: symbols.full.repeat(full), style: "accent" },
    { text: symbols.empty.repeat(room - full), style: "faint" },
    { text: ` ${Math.floor(share * 100)} %` },
  ];
}

function statusSpan(run: RunState, { symbols }: Theme, frame: number): Span {
  const { status } = run;
  const spin = symbols.spinner[frame % symbols.spinner.length]!;
  switch (status) {
    case "ready":
      return { text: "ready" };
    case "loading":
      return { text: `${spin} ${run.preparing === undefined ? "loading" : "preparing"}`, style: "accent" };
    case "running":
      return { text: `${spin} running`, style: "accent" };
    case "paused":
      return { text: "paused: p resumes", style: "warn" };
    case "stopping":
      return { text: `${spin} stopping`, style: "warn" };
    case "done":
      return { text: `${symbols.right} done`, style: "good" };
    case "partial":
      // Where every task has ended, a full bar stands beside this.
      return run.counts.waiting === 0 && run.counts.failed > 0
        ? { text: `${run.counts.failed} failed: r tries again`, style: "warn" }
        : { text: "partly done: r resumes", style: "warn" };
    case "failed":
      return { text: `${symbols.wrong} failed`, style: "bad" };
    default:
      status satisfies never;
      return { text: "" };
  }
}

export function countSpans({ counts }: RunState, { symbols }: Theme): Span[] {
  const all: [string, number, string, Style][] = [
    [symbols.right, counts.right, "right", "good"],
    [symbols.wrong, counts.wrong, "wrong", "bad"],
    [symbols.unscored, counts.unscored, "unscored", "warn"],
    [symbols.failed, counts.failed, "failed", "bad"],
    [symbols.running, counts.running, "running", "accent"],
    [symbols.waiting, counts.waiting, "waiting", "faint"],
  ];
  return all
    .filter(([, count, word]) => count > 0 || word === "right" || word === "wrong")
    .map(([sign, count, word, style]) => ({ text: `${sign} ${count} ${word}`, style }));
}

export function measures(run: RunState): Span[] {
  const parts: string[] = [];
  if (run.rate !== undefined) parts.push(`${run.rate.toFixed(run.rate < 10 ? 1 : 0)} tasks/min`);
  if (run.left !== undefined) parts.push(`${timeText(run.left)} left`);
  const about = run.tokens.estimated ? "about " : "";
  const { reasoning = 0, failed = 0 } = run.tokens;
  const thinking = reasoning === 0 ? "" : ` (${countText(reasoning)} thinking)`;
  parts.push(`${about}${countText(run.tokens.input)} in, ${countText(run.tokens.output)} out${thinking}`);
  if (failed > 0) parts.push(`${countText(failed)} in failed attempts`);
  parts.push(plural(run.calls, "call"));
  parts.push(...(run.beside ?? []));
  if (run.outOfContext !== undefined) parts.push(`${run.outOfContext} out of context`);
  if (run.retries > 0) parts.push(plural(run.retries, "retry", "retries"));
  // For free models it would always be 0.
  if (run.cost !== undefined && run.cost > 0) parts.push(`cost ${costText(run.cost)}`);
  parts.push(timeText(run.seconds));
  if (run.status === "running" || run.status === "paused") parts.push(`concurrency ${run.concurrency}`);
  return parts.map((text): Span => ({ text, style: "faint" }));
}

/** Spans with two blanks between them, broken into indented lines between spans only. */
export function spanRows(spans: readonly Span[], columns: number): Line[] {
  const lines: Span[][] = [];
  for (const span of spans) {
    const last = lines.at(-1);
    if (last !== undefined && lineWidth(last) + 2 + width(span.text) <= columns) last.push({ text: "  " }, span);
    else lines.push([{ text: "    " }, span]);
  }
  return lines;
}
