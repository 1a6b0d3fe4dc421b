/** Writes a session as one page to share: its text, its figures, and the trajectories of all tasks in its numbers. */
import { separator } from "../../../look/signs.ts";
import type { ErrorKind } from "../../benchmark.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { type Markup, markup } from "../../figures/markup.ts";
import { runWords } from "../../log/run-words.ts";
import { type TaskState, taskState, taskStates } from "../../log/rows/task-counts.ts";
import type { Row } from "../../types.ts";
import { wilson } from "../../statistics/interval.ts";
import { filledInTexts } from "../../session/fields/given-fields.ts";
import { suiteNamed } from "../../session/file-suite.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import type { ExportedRun } from "../exports/exported-run.ts";
import { progressTexts } from "../figures/table-progress.ts";
import { type CellWarnings, markedFigure, marksOf, warningText } from "../figures/warning-marks.ts";
import { colouringOf, runColours } from "../runs/run-colours.ts";
import type { SessionWorkbench } from "../session-workbench.ts";
import type { CellProblem, CellState, RunState, SessionCell, ReportedTasks } from "../session-state.ts";
import { behind, figureHtml, inColour, sortingHead, TaskNumbers } from "./figure-html.ts";
import { noteHtml } from "./note-html.ts";
import { type ListedTask, pageFoot, pageHead } from "./page.ts";
import { taskHtml } from "./task-html.ts";

type Session = Pick<SessionWorkbench, "title" | "cells" | "state" | "suites" | "exportedRuns" | "settled">;

type Reported = {
  readonly workbench: Session;
  /** Names of the run and analysis cells to show besides all text; absent for all. */
  readonly names?: readonly string[] | undefined;
  readonly tasks: ReportedTasks;
  /** When aborted, no page is written. */
  readonly signal?: AbortSignal;
  /** Maximum number of characters of trajectories; if absent, as many as a browser opens within seconds. */
  readonly most?: number;
};

/** A page of 90 MB took 90 seconds in Chromium on a busy machine with two cores, one of 270 MB more than three minutes. */
const mostOfTrajectories = 40_000_000;

/** Writes the page completely or not at all. */
export async function writeReport(path: string, reported: Reported): Promise<void> {
  const pieces: Uint8Array[] = [];
  for await (const piece of reportHtml(reported)) pieces.push(Buffer.from(piece, "utf8"));
  replaceFile(path, Buffer.concat(pieces));
}

/** Yields the page in parts. Logs are read task by task, and no task is executed. */
async function* reportHtml(reported: Reported): AsyncIterable<string> {
  const { workbench, names, tasks, signal, most = mostOfTrajectories } = reported;
  const cells = workbench
    .cells()
    .filter(({ kind, name }) => names === undefined || (kind !== "run" && kind !== "analysis") || names.includes(name));
  // Figures may use runs of omitted cells; their numbers still link to trajectories.
  const all = await workbench.exportedRuns(
    workbench.cells().map(({ id }) => id),
    { signal },
  );
  await workbench.settled();
  const behindFigures = new Set(cells.flatMap(({ id }) => runsOf(workbench.state(id))));
  const runs = [...new Map(all.map((run) => [run.run, run])).values()].filter(({ run }) => behindFigures.has(run));
  const numbers = new TaskNumbers();
  for (const { run, rows } of runs) for (const { task } of rows) numbers.add({ run, task });
  const marks = marksOf(workbench);
  const around = { numbers, colours: runColours(workbench) };
  yield pageHead(workbench.title).source;
  // A session's title is its first heading, or the name of its folder.
  if (!cells.some(({ kind, source }) => kind === "note" && /^#{1,6}[ \t]/m.test(source)))
    yield markup`<h1>${workbench.title}</h1>`.source;
  for (const cell of cells)
    yield cellHtml(cell, workbench.state(cell.id), marks.get(cell.id) ?? { said: [], marks: [] }, around).source;
  const listed: ListedTask[] = [];
  const room = { left: most };
  yield markup`<h2 id="trajectories">Trajectories</h2> `.source;
  for (const run of runs) yield* runTasks(run, { workbench, tasks, listed, room, colours: around.colours });
  yield pageFoot(listed).source;
}

type Around = { readonly numbers: TaskNumbers; readonly colours: ReadonlyMap<string, number> };

function runsOf(state: CellState): readonly string[] {
  if (state.kind === "run") return state.runs.map(({ run }) => run);
  return state.kind === "analysis" ? state.runs : [];
}

type Listing = Pick<Reported, "workbench" | "tasks"> &
  Pick<Around, "colours"> & {
    /** Tasks listed so far; a task's number is its index. */
    readonly listed: ListedTask[];
    /** Characters left for trajectories. */
    readonly room: { left: number };
  };

async function* runTasks(
  run: ExportedRun,
  { workbench, tasks, listed, room, colours }: Listing,
): AsyncIterable<string> {
  const name = runName(run);
  const suite = suiteNamed(run.spec.suite, workbench.suites);
  const errorKinds: readonly ErrorKind[] = suite?.errorKinds ?? [];
  const words = runWords(run.spec, suite);
  const yieldIfDue = eventLoopYielder();
  const right = run.rows.filter((row) => !isIncluded(row, tasks)).length;
  let tooMany = 0;
  yield markup`<details class="run-tasks">
    <summary><b>${inColour(name, colours.get(run.run))}</b></summary>
  </details> `.source;
  for await (const exported of run.tasks()) {
    const { row } = exported;
    const verdict = taskState(row, false);
    const isWanted = isIncluded(row, tasks);
    const id = `t${listed.length}`;
    const html = isWanted && room.left > 0 ? taskHtml(exported, { id, verdict, errorKinds, run: words }).source : "";
    room.left -= html.length;
    if (isWanted && html === "") tooMany += 1;
    listed.push({ run: name, task: row.task, verdict, question: row.question, isIncluded: html !== "" });
    if (html !== "") yield html;
    await yieldIfDue();
  }
  const all = run.rows.length;
  if (right > 0)
    yield markup`<p class="quiet">${right} of ${all} tasks were answered correctly and are left out</p>`.source;
  if (tooMany > 0)
    yield markup`<p class="warn">${tooMany} of ${all} trajectories are left out because a longer page would take browsers minutes to open. Each number on the page still lists all its tasks. --tasks failed leaves out correctly answered tasks, and --cells NAME leaves out trajectories of other cells</p>`
      .source;
  yield "</details>\n";
}

const runName = ({ cell, title }: ExportedRun): string => (cell === "" || cell === title ? title : `${cell}: ${title}`);

const isIncluded = (row: Row, tasks: ReportedTasks): boolean => tasks === "all" || taskState(row, false) !== "right";

function cellHtml(cell: SessionCell, state: CellState, warned: CellWarnings, { numbers, colours }: Around): Markup {
  switch (state.kind) {
    case "note":
      return markup`${noteHtml(cell.source)}${problems(state.problems)}`;
    case "front-matter":
      return markup`<details>
          <summary>Settings of the whole notebook</summary>
          <pre>${cell.source}</pre>
        </details>
        ${problems(state.problems)} `;
    case "kinds":
      return markup`<section>
        <h3>kinds</h3>
        <pre>${cell.source}</pre>
        ${problems(state.problems)}
      </section> `;
    case "run":
      return markup`<section>
        <h3>run ${cell.name}</h3>
        <details>
          <summary>Settings</summary>
          <pre>${cell.source}</pre>
        </details>
        ${paragraphs(filledInTexts(state.filledIn ?? []))}${problems(state.problems)}${runTable(state.runs, { numbers, colours })}${warnings(warned)}
      </section> `;
    case "analysis": {
      const { analysis, missing, figures } = state;
      const colourOf = colouringOf(state, colours);
      return markup`<section>
        <h3>analysis ${cell.name}${analysis === undefined ? "" : `${separator}${analysis.title}`}</h3>
        ${analysis === undefined ? undefined : markup`<p class="quiet">${analysis.question}</p>`}
        ${problems(state.problems)}${warnings(warned)}${paragraphs(progressTexts(state))}${missing === undefined ? undefined : markup`<p>${missing}</p>`}
        <div class="figures">
          ${figures.map((figure) => figureHtml(markedFigure(figure, warned), numbers, colourOf))}
        </div>
      </section> `;
    }
  }
}

const paragraphs = (texts: readonly string[]) => texts.map((text) => markup`<p class="quiet">${text}</p>`);

function problems(found: readonly CellProblem[]): Markup {
  const items = found.map(
    ({ message, line }) => markup`<p class="bad">${line === undefined ? "" : `line ${line}: `}${message}</p>`,
  );
  return markup`${items}`;
}

function warnings({ said }: CellWarnings): Markup | undefined {
  if (said.length === 0) return undefined;
  return markup`<ul class="notes">
    ${said.map((each) => markup`<li>${warningText(each)}</li>`)}
  </ul>`;
}

/** Returns the states with a column: all final states, and every other state that occurs. */
function columnStates(runs: readonly RunState[]): readonly TaskState[] {
  const always: readonly TaskState[] = ["right", "wrong", "unscored", "failed"];
  return taskStates.filter((state) => always.includes(state) || runs.some(({ counts }) => counts[state] > 0));
}

function runTable(runs: readonly RunState[], around: Around): Markup {
  const states = columnStates(runs);
  const columns = ["run", "state", ...states, "of", "right %", "requests", "tokens", "cost", "seconds"];
  const heads = columns.map((title, index) => sortingHead(title, index < 2 ? "left" : "right"));
  return markup`<div class="wide"><table>
    <thead>
      <tr>
        ${heads}
      </tr>
    </thead>
    <tbody>
      ${runs.map((run) => runRow(run, states, around))}
    </tbody>
  </table></div>`;
}

function runRow(
  { run, label, status, message, counts, total, calls, tokens, cost, seconds }: RunState,
  states: readonly TaskState[],
  { numbers, colours }: Around,
): Markup {
  const scored = counts.right + counts.wrong;
  const interval = wilson(counts.right, scored);
  const number = (value: number | undefined, text = String(value ?? "")) =>
    markup`<td class="right" ${value === undefined ? undefined : markup` data-value="${value}"`}>${text}</td>`;
  const percent = (share: number) => (share * 100).toFixed(1);
  const share =
    interval === undefined
      ? markup`<td class="right"></td>`
      : markup`<td class="right" data-value="${counts.right / scored}" title="of ${scored} scored; 95 % interval">
          ${percent(counts.right / scored)} <small>[${percent(interval.low)}, ${percent(interval.high)}]</small>
        </td>`;
  const about = tokens.estimated ? "about " : "";
  const all = tokens.input + tokens.output;
  const name = markup`<td title="${label}" ${behind(numbers.rangesOf(run))}>${inColour(label, colours.get(run))}</td>`;
  return markup`<tr>
    ${name}
    <td>${status}${message === undefined ? "" : ` (${message})`}</td>
    ${[...states.map((state) => counts[state]), total].map((value) => number(value))}${share}${number(calls)}${number(all, `${about}${all}`)}${number(cost)}${number(seconds, seconds.toFixed(1))}
  </tr>`;
}
