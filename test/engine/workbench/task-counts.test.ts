/** For any log, all parts of the program that count a run's tasks agree and count every task. */
import { readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { analyses } from "../../../analyses/index.ts";
import type { RunRows } from "../../../source/engine/analysis.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { readLog } from "../../../source/engine/log/file/log-reader.ts";
import { RunStore } from "../../../source/engine/log/run-store.ts";
import {
  attemptState,
  summedCounts,
  type TaskCounts,
  type TaskState,
  taskStates,
} from "../../../source/engine/log/rows/task-counts.ts";
import { shortfall } from "../../../source/engine/measures/measure-cell.ts";
import { pick, randomFrom } from "../../../source/engine/statistics/random.ts";
import type { Event, FailureKind, Row, RunSpec, Score, Task } from "../../../source/engine/types.ts";
import { atOnce } from "../../../source/engine/work/pieces.ts";
import { RunTasks } from "../../../source/engine/workbench/runs/run-tasks.ts";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import type { RunState } from "../../../source/engine/workbench/workbench.ts";
import type { CommandContext } from "../../../source/commands/shell/command.ts";
import { ctlCommand } from "../../../source/commands/session/ctl.ts";
import { junitReport } from "../../../source/commands/exchange/junit.ts";
import { execute } from "../../../source/commands/session/run.ts";
import { runLine } from "../../../source/commands/session/session-report.ts";
import { openTheme } from "../../../source/terminal/drawing/theme.ts";
import { countSpans } from "../../../source/terminal/live/run-head.ts";
import { totalOf, runTable } from "../../../source/terminal/notebook/run-table.ts";
import { runBoards, taskItems } from "../../../source/terminal/tasks/task-item.ts";
import { runsOf, temporarySessions } from "./temporary-session.ts";
import { bareSpec } from "../../bare-spec.ts";
import { tinySuite } from "./tiny-suite.ts";

const theme = openTheme({ colour: false, ascii: false });
const { suite } = tinySuite();
/** Tasks in the order of the data, followed by tasks that are no longer in the data. */
const inData = Array.from({ length: 12 }, (_, index) => `t${index}`);
const gone = ["x1", "a9", "x0"];

const sessions = temporarySessions();
beforeEach(() => void vi.stubEnv("PLANWRIGHT_CONFIG_DIR", join(sessions.folder, "settings")));
afterEach(() => void vi.unstubAllEnvs());

type NewEvent = Parameters<ReturnType<RunStore["open"]>["append"]>[0];

const scoreOf = (value: number | undefined): Score => ({ value, metrics: {}, checks: [], errors: [] });

/** Returns events of several invocations, each of which is stopped, killed or completed, with tasks in random interleaving. */
function* randomEvents(random: () => number, spec: RunSpec, run: string): Generator<NewEvent> {
  const scored = new Set<string>();
  const names = random() < 0.3 ? [...inData, ...gone] : inData;
  for (let invocations = 1 + Math.floor(random() * 4); invocations > 0; invocations--) {
    yield { type: "run-started", run, spec, total: inData.length, warnings: [] };
    const open = new Set<string>();
    for (let steps = Math.floor(random() * 40); steps > 0; steps--) {
      const task = pick(names, random);
      // A task with a score may be begun again on request.
      if (!open.has(task) && (!scored.has(task) || random() < 0.1)) {
        open.add(task);
        yield { type: "started", task, facets: {}, question: `What of ${task}?` };
      } else if (open.has(task)) yield* randomStep(random, task, open, scored);
      else if (random() < 0.3)
        yield { type: "scored", task, score: scoreOf(pick([0, 1, undefined], random)), suiteRevision: 1 };
    }
    if (random() < 0.3) continue;
    for (const task of open) yield { type: "failed", task, failure: { kind: "stopped", message: "Stopped" } };
    yield { type: "run-ended", reason: open.size > 0 ? "stopped" : "done" };
  }
}

function* randomStep(random: () => number, task: string, open: Set<string>, scored: Set<string>): Generator<NewEvent> {
  const kinds: readonly FailureKind[] = ["model", "tool", "judge", "bug", "stopped", "timeout"];
  const what = random();
  if (what < 0.3) {
    yield { type: "retry", task, request: 0, error: "Away", status: 503, wait: 1, attempt: 1 } as NewEvent;
    return;
  }
  open.delete(task);
  if (what < 0.6) {
    yield { type: "failed", task, failure: { kind: pick(kinds, random), message: "No" } };
    return;
  }
  scored.add(task);
  yield { type: "scored", task, score: scoreOf(pick([0, 0.5, 1, undefined], random)), suiteRevision: 1 };
  if (what > 0.95) yield { type: "failed", task, failure: { kind: "context", message: "Too long" } };
}

/** Counts computed from the events without using the program's own folds. */
class Expected {
  readonly #last = new Map<string, string>();
  #open = new Set<string>();

  take(event: Event): void {
    if (event.type === "run-started" || event.type === "run-ended") this.#open = new Set();
    if (event.type === "started") {
      this.#open.add(event.task);
      this.#last.set(event.task, "begun");
    }
    if (event.type === "scored") {
      const { value } = event.score;
      this.#last.set(event.task, value === undefined ? "unscored" : value === 1 ? "right" : "wrong");
    }
    if (event.type === "failed" && this.#last.get(event.task) === "begun")
      this.#last.set(event.task, event.failure.kind === "stopped" ? "stopped" : "failed");
    if (event.type === "scored" || event.type === "failed") this.#open.delete(event.task);
  }

  stateOf(task: string, isExecuted: boolean): string {
    const last = this.#last.get(task) ?? "waiting";
    return last === "begun" ? (isExecuted && this.#open.has(task) ? "running" : "stopped") : last;
  }

  /** Tasks in the order of the data, then by id. */
  get begun(): readonly string[] {
    return [...inData, ...gone.toSorted()].filter((task) => this.#last.has(task));
  }

  counts(isExecuted: boolean): TaskCounts {
    const all = [...inData, ...gone.filter((task) => this.#last.has(task))];
    return countsOf(all.map((task) => this.stateOf(task, isExecuted)));
  }
}

function countsOf(states: readonly string[]): TaskCounts {
  const count = (state: TaskState) => states.filter((each) => each === state).length;
  return Object.fromEntries(taskStates.map((state) => [state, count(state)])) as TaskCounts;
}

const sumOf = (counts: TaskCounts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Parses the numbers before the words for states; a missing state counts as 0. */
function said(text: string): TaskCounts {
  const found = [...text.matchAll(/(\d+) (right|wrong|unscored|failed|stopped|running|waiting)\b/g)];
  const numbers = new Map(found.map(([, count, state]) => [state, Number(count)]));
  return Object.fromEntries(taskStates.map((state) => [state, numbers.get(state) ?? 0])) as TaskCounts;
}

const seeds = Array.from({ length: 40 }, (_, seed) => seed);

describe("the task counts of an active run", () => {
  it.each(seeds)(
    "equal the counts in the list of tasks after every event, and add up to the total (seed %i)",
    async (seed) => {
      const random = randomFrom(`executed ${seed}`);
      const store = new RunStore(join(sessions.folder, "run"));
      const tasks = inData.map((id): Task => ({ id, question: "", input: 0, answer: 0, facets: {} }));
      const loadedSuites = { tasks: () => Promise.resolve(tasks), suite: () => suite };
      const spec = bareSpec("tiny");
      const planned = { run: "r", spec } as never;
      const of = new RunTasks(planned, store, { loadedSuites: loadedSuites as never });
      await of.read();
      const expected = new Expected();
      for (const event of randomEvents(random, spec, "r")) {
        expected.take(store.open().append(event) as Event);
        const executed = store.table.begun();
        const { counts, total, running } = of.counted(executed, false);
        expect(counts).toEqual(expected.counts(true));
        expect([sumOf(counts), running.length]).toEqual([total, counts.running]);
        const board = of.board(executed);
        expect(countsOf(board.map(({ state }) => state))).toEqual(counts);
        for (const { task, state } of board) expect(`${task} ${state}`).toBe(`${task} ${expected.stateOf(task, true)}`);
        expect(of.rows().map(({ task }) => task)).toEqual(expected.begun);
      }
      store.close();
    },
  );
});

describe("the task counts of a saved run whose log is complete or truncated at any point", () => {
  it.each(seeds)("are equal on every screen, in every line and in every file (seed %i)", async (seed) => {
    const { workbench, run, expected } = await openedWith(seed);
    const counts = expected.counts(false);
    const { out, err } = await printed(workbench, true);
    const [state] = runsOf(workbench, "main") as [RunState];
    expect({ counts: state.counts, sum: sumOf(state.counts) }).toEqual({ counts, sum: state.total });

    const json = (JSON.parse(out) as Printed).cells.flatMap(({ runs = [] }) => runs)[0]!;
    const { unjudged, ...others } = json.counts;
    expect({ ...others, unscored: unjudged }).toEqual(counts);
    expect(json.rows.map(({ task }) => task)).toEqual(expected.begun);
    if (state.status !== "ready") expect(said(err)).toEqual(counts);
    const text = (await printed(workbench, false)).out;
    expect(said(/^ {2}.*;.* of \d+.*$/m.exec(text)![0])).toEqual(counts);
    expect(said(runLine(state))).toEqual(counts);

    expect(
      said(
        countSpans(state, theme)
          .map((span) => span.text)
          .join(" "),
      ),
    ).toEqual(counts);
    expect(totalOf([state, state]).counts).toEqual(summedCounts([counts, counts]));
    expect(marksIn(runTable([state], 200, theme, 0, new Map()).map(lineText).join("\n"))).toEqual({
      ...counts,
      waiting: 0,
    });
    const { items } = atOnce(taskItems(undefined, runBoards([run])(workbench)));
    expect(countsOf(items.map((item) => item.state))).toEqual(counts);
    for (const { ref, state: listed } of items)
      expect(attemptState(await workbench.trajectory(ref), false)).toBe(listed);

    const { failed, stopped, unscored } = counts;
    expect(notedOf(workbench.rows(run))).toEqual({ failed, stopped, unscored });
    const property = (name: string) => Number(new RegExp(`name="${name}" value="(\\d+)"`).exec(junit)![1]);
    const junit = junitReport(workbench, [], undefined);
    expect(Object.fromEntries(taskStates.map((each) => [each, property(each)]))).toEqual(counts);

    await workbench.close();
    const told = await ctl();
    expect(told.json.runs[0]).toMatchObject({ counts, total: state.total });
    if (state.status !== "ready") expect(said(told.text)).toEqual(counts);
  });
});

type Printed = {
  readonly cells: readonly {
    readonly runs?: readonly {
      readonly counts: Omit<TaskCounts, "unscored"> & { readonly unjudged: number };
      readonly rows: readonly Row[];
    }[];
  }[];
};

const text = "```run main\nsuite: tiny\nmodel: builtin/oracle\n```\n";

/** Opens a session with the run of this seed; one in three logs is cut off. */
async function openedWith(seed: number) {
  const random = randomFrom(`saved ${seed}`);
  const before = await sessions.open(text, { suites: [suite] });
  const [{ run, spec }] = runsOf(before, "main") as [RunState];
  await before.close();
  const folder = join(sessions.path, "runs", run);
  const store = new RunStore(folder);
  for (const event of randomEvents(random, spec, run)) store.open().append(event);
  store.close();
  const log = join(folder, "events.jsonl");
  const { length } = readFileSync(log);
  if (random() < 0.3) truncateSync(log, Math.floor(length * (0.5 + random() / 2)));
  const expected = new Expected();
  readLog(log, (event) => expected.take(event));
  return { workbench: await sessions.open(undefined, { suites: [suite] }), run, expected };
}

/** Returns the printed session and progress, without executing anything. */
async function printed(workbench: SessionWorkbench, json: boolean): Promise<{ out: string; err: string }> {
  const said = { out: "", err: "" };
  await execute(workbench, contextOf(said), { cells: ["no such cell"], json, width: 200, ascii: false });
  return said;
}

function contextOf(into: { out: string; err: string }): CommandContext {
  return {
    stdout: (more) => void (into.out += more),
    stderr: (more) => void (into.err += more),
    signal: new AbortController().signal,
    suites: [suite],
    analyses,
  };
}

async function ctl(): Promise<{ readonly json: { readonly runs: readonly object[] }; readonly text: string }> {
  const [json, plain] = [
    { out: "", err: "" },
    { out: "", err: "" },
  ];
  await ctlCommand.run([sessions.path, "status", "--json"], contextOf(json));
  await ctlCommand.run([sessions.path, "status"], contextOf(plain));
  return { json: JSON.parse(json.out) as { readonly runs: readonly object[] }, text: plain.out };
}

/** Returns the marks on a run's line in the notebook. */
function marksIn(table: string): TaskCounts {
  const count = (sign: string) => Number(new RegExp(`\\${sign} (\\d+)\\b`).exec(table.split("\n")[1]!)?.[1] ?? 0);
  const [right, wrong, unscored, failed, stopped] = ["✓", "✗", "?", "!", "■"].map(count) as number[];
  return { right, wrong, unscored, failed, stopped, running: 0, waiting: 0 } as TaskCounts;
}

/** Returns the counts of tasks without a score in figures. */
function notedOf(rows: readonly Row[]) {
  const note = shortfall([{ label: "main", rows, isAtRest: true } as RunRows]).join(" ");
  const count = (what: string) => Number(new RegExp(`(\\d+) ${what}`).exec(note)?.[1] ?? 0);
  return { failed: count("failed"), stopped: count("stopped"), unscored: count("could not be scored") };
}
