/** The cells and figures of a session as text or JSON, for use without a screen. */
import { forkShareText } from "../../engine/workbench/runs/fork-share.ts";
import { takenText, printedRow } from "../../engine/log/rows/row-notes.ts";
import { countTexts } from "../../engine/log/rows/task-counts.ts";
import type { StatedClaim, RunState } from "../../engine/workbench/workbench.ts";
import { figureJson } from "../../engine/figures/figure-json.ts";
import { toAscii } from "../../engine/text/ascii-text.ts";
import { markedFigure, marksOf, warningText, warningTexts } from "../../engine/workbench/figures/warning-marks.ts";
import { progressTexts } from "../../engine/workbench/figures/table-progress.ts";
import { figureText } from "../../engine/figures/figure-text.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import { failureMessage } from "../../engine/problem.ts";
import { printable } from "../../engine/text/printable.ts";
import { runOfFolder } from "../../engine/session/run-identity.ts";
import type { Row } from "../../engine/types.ts";
import { filledInTexts } from "../../engine/session/fields/given-fields.ts";

export function printSession(
  workbench: SessionWorkbench,
  { width, ascii }: { readonly width: number; readonly ascii: boolean },
): string {
  const parts: string[] = [];
  const warned = marksOf(workbench);
  for (const cell of workbench.cells()) {
    const state = workbench.state(cell.id);
    if (state.kind === "note") {
      const problems = state.problems.map(({ message }) => `  ! ${printable(message)}`);
      parts.push([...cell.source.split("\n").map(printable), ...problems].join("\n"));
      continue;
    }
    const kind = cell.kind === "front-matter" ? "whole notebook" : cell.kind;
    const lines = [printable(`${kind} ${cell.name}`.trim())];
    for (const { message, line } of state.problems)
      lines.push(`  ! ${line === undefined ? "" : `line ${line}: `}${printable(message)}`);
    if (state.kind === "front-matter" || state.kind === "kinds")
      lines.push(
        ...cell.source
          .trimEnd()
          .split("\n")
          .map((line) => `  ${printable(line)}`),
      );
    const own = warned.get(cell.id) ?? { said: [], marks: [] };
    if (state.kind === "run") {
      for (const text of filledInTexts(state.filledIn ?? [])) lines.push(`  ${printable(text)}`);
      lines.push(
        ...state.runs.flatMap((run) => [
          `  ${runLine(run)}`,
          ...takenLines(run),
          ...unreadLine(run),
          ...failureLine(run),
        ]),
      );
      for (const share of state.forks ?? []) lines.push(`  ${printable(forkShareText(share))}`.trimEnd());
      for (const warning of warningTexts(own)) lines.push(`  * ${printable(warning)}`);
    } else if (state.kind === "analysis") {
      for (const warning of own.said) lines.push(`  * ${printable(warningText(warning))}`);
      for (const text of progressTexts(state)) lines.push(`  ${printable(text)}`);
      if (state.missing !== undefined) lines.push(`  ${printable(state.missing)}`);
      for (const figure of state.figures) lines.push("", figureText(markedFigure(figure, own), { width, ascii }));
    }
    parts.push(lines.join("\n"));
  }
  const text = `${parts.join("\n\n")}\n`;
  return ascii ? toAscii(text) : text;
}

/** Returns a run as one line; `status` replaces the word for its status. */
export function runLine(run: RunState, status: string = run.status): string {
  const { label, total, counts, calls, tokens, cost, seconds, message } = run;
  const full = run.outOfContext === undefined ? "" : ` (${run.outOfContext} ran out of context)`;
  const tally = `${countTexts(counts).join(", ")} of ${total}${full}`;
  const about = tokens.estimated ? "about " : "";
  const price = cost === undefined || cost === 0 ? "" : `, cost ${cost.toFixed(4)}`;
  // The message of a decided run begins with its status.
  const isSaid = message?.startsWith(status) === true;
  const why = message === undefined || isSaid ? "" : ` (${message})`;
  const beside = run.beside === undefined ? "" : `; ${run.beside.join(", ")}`;
  return printable(
    `${label}: ${isSaid ? message : status}${why}; ${tally}; ${calls} ${calls === 1 ? "call" : "calls"}, ${about}${tokens.input + tokens.output} tokens${price}, ${seconds.toFixed(1)} s${beside}`,
  );
}

const failureLine = ({ failure, counts }: RunState): string[] =>
  failure === undefined || counts.failed === 0 ? [] : [`    ! ${printable(failureMessage(failure, counts.failed))}`];

const unreadLine = ({ unread }: RunState): string[] => (unread === undefined ? [] : [`    ${printable(unread)}`]);

const takenLines = ({ taken = [] }: RunState): string[] => taken.map((each) => `    * ${printable(takenText(each))}`);

/** Returns a run with the field names of version 0.1.0, because programs rely on them. */
function runJson(state: RunState): object {
  const { concurrency, counts: all, part: _, ...run } = state;
  const { unscored, ...counts } = all;
  return { ...run, run: runOfFolder(run.run), counts: { ...counts, unjudged: unscored }, width: concurrency };
}

function claimJson({ claim: { text, written }, label: of, ...stated }: StatedClaim): object {
  const { answer, difference, interval, p, detectable, n, deciding } = stated;
  return { claim: text, of, answer, difference, interval, p, detectable, n, deciding, written };
}

const rowJson = (row: Row): object => ({ ...printedRow(row), run: runOfFolder(row.run) });

/** Returns the whole session for programs: cells, runs, figures, rows. */
export function sessionJson(workbench: SessionWorkbench): object {
  const cells = workbench.cells().map((cell) => {
    const state = workbench.state(cell.id);
    const { problems } = state;
    if (state.kind === "note") return { kind: "note", text: cell.source, ...(problems.length > 0 && { problems }) };
    if (state.kind === "front-matter") return { kind: "front-matter", text: cell.source, problems };
    if (state.kind === "kinds") return { kind: "kinds", kinds: state.kinds, problems };
    if (state.kind === "run")
      return {
        kind: "run",
        name: cell.name,
        problems,
        filledIn: state.filledIn ?? [],
        ...(state.forks && { forks: state.forks }),
        runs: state.runs.map((run) => ({ ...runJson(run), rows: workbench.rows(run.part ?? run.run).map(rowJson) })),
      };
    const { chosen, warnings, missing = null, figures, runs, filled = [], rest = null, claims = [] } = state;
    return {
      kind: "analysis",
      name: cell.name,
      pane: state.analysis?.name ?? null,
      runs: runs.map((part) => runOfFolder(workbench.folderOf(part) ?? part)),
      chosen,
      problems,
      warnings,
      missing,
      filled,
      rest,
      claims: claims.map(claimJson),
      figures: figures.map(figureJson),
    };
  });
  return { title: workbench.title, cells };
}
