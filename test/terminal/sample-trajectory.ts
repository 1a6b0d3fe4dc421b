/** Tasks that run and are scored, for tests of the screens that show them. */
import { type BareRow, bareRow } from "../bare-row.ts";
import type { TaskView } from "../../source/engine/loaded-suite.ts";
import { type Trajectory, TrajectoryFold, trajectoryOf } from "../../source/engine/log/trajectory.ts";
import type { Message, Row, Score, TaskEvent } from "../../source/engine/types.ts";
import type { BoardTask } from "../../source/engine/workbench/workbench.ts";
import { type DoubleWorkbench, openDouble, runState, running } from "./double-workbench.ts";

type Bare<E> = E extends TaskEvent ? Omit<E, "seq" | "at" | "task"> : never;
export type BareEvent = Bare<TaskEvent>;

/** Events as in the log, one second apart. */
export function eventsOf(task: string, steps: readonly BareEvent[]): TaskEvent[] {
  return steps.map((step, seq) => ({ seq, at: 1_000_000 + seq * 1000, task, ...step }) as TaskEvent);
}

const system =
  "You carry out requests by calling the APIs of apps.\n\nWrite one line for each call.\nKeep the names as they are.\nGive every required argument.\nNever fill in default values.";
const question = "Find a crossing from Oban to Craignure on March 6th and book it for 2 people.";
const first: readonly Message[] = [
  { role: "system", content: system },
  { role: "user", content: question },
];
const prompt = { type: "prompt", model: "builtin/slips?rate=0.5" } as const;
const facets = { category: "SM", apps: 1, calls: 2 };

export const score: Score = {
  value: 0,
  metrics: { "official.app_em_count": 1, "official.f1": 0.6667 },
  checks: [
    { name: "apps", kept: true },
    { name: "arguments", kept: false, message: "every argument is right for 1 of 2 APIs" },
    { name: "budget", kept: undefined },
  ],
  errors: [
    { kind: "value-place", step: 0, key: "to_port", expected: "'Craignure'", got: "'Wyvernholm'" },
    { kind: "missing-api", step: 2, expected: "weather = getforecast(#town='Oban')" },
  ],
  labels: { verdict: "wrong in both modes" },
};

/** A failed request, a failed tool, a responder's reply, and a score with two mistakes. */
export const sampleEvents: readonly BareEvent[] = [
  { type: "started", facets, question },
  { ...prompt, request: 0, role: "model", stage: "plan", messages: first },
  { type: "text", request: 0, text: "Ferries: [ferry_na" },
  { type: "retry", request: 0, attempt: 1, status: 503, error: "the server is busy", wait: 2000 },
  {
    type: "text",
    request: 0,
    text: "Ferries: [ferry_name, fare = findferry(#from_port='Oban', #to_port='Wyvernholm')]",
  },
  {
    type: "call",
    request: 0,
    call: {
      id: "c1",
      name: "findferry",
      text: '{"from_port":"Oban","to_port":"Wyvernholm"}',
      arguments: { from_port: "Oban", to_port: "Wyvernholm" },
    },
  },
  { type: "usage", request: 0, input: 1234, output: 56, estimated: true },
  { type: "finish", request: 0, reason: "tool_calls" },
  {
    type: "result",
    callId: "c1",
    name: "findferry",
    result: { ok: false, observation: "No such port: Wyvernholm", status: "invalidAction" },
  },
  { type: "note", kind: "replan", text: "The port is not known" },
  { ...prompt, request: 1, role: "responder", stage: "reply", messages: [{ role: "user", content: "Which port?" }] },
  { type: "text", request: 1, text: "Craignure, please." },
  { type: "finish", request: 1, reason: "stop" },
  {
    ...prompt,
    request: 2,
    role: "model",
    stage: "plan",
    messages: [...first, { role: "user", content: "Craignure." }],
  },
  { type: "text", request: 2, text: "Ferries: [booking = bookferry(#seats='2')]" },
  { type: "finish", request: 2, reason: "length" },
  { type: "node", id: "n1", kind: "plan", label: "cross to Mull", state: "failed" },
  { type: "node", id: "n2", parent: "n1", kind: "step", label: "find a ferry", state: "done" },
  { type: "node", id: "n3", parent: "n1", kind: "step", label: "ask the harbour", state: "pruned", needs: ["n2"] },
  { type: "answer", answer: { output: "findferry; bookferry" } },
  { type: "scored", score, suiteRevision: 1 },
];

export const sampleTrajectory: Trajectory = trajectoryOf("sm-000", eventsOf("sm-000", sampleEvents));

export const view: TaskView = {
  reference: [
    {
      title: "Ferries: findferry",
      lines: ["from_port = 'Oban'", "to_port = 'Craignure'", "returns ferry_name, fare"],
      needs: [],
    },
    { title: "Ferries: bookferry", lines: ["ferry = ferry_name", "seats = '2'"], needs: [0] },
    { title: "Weather: getforecast", lines: ["town = 'Oban'"], needs: [] },
  ],
  plan: [
    {
      title: "Ferries: findferry",
      lines: ["from_port = 'Oban'", "to_port = 'Wyvernholm'", "returns ferry_name, fare"],
      needs: [],
    },
    { title: "Ferries: bookferry", lines: ["ferry = ferry_name", "seats = '2'"], needs: [0] },
    { title: "Bikes: rent", lines: ["bikes = '1'"], needs: [0, 1], depth: 1 },
  ],
  matches: [
    [0, 0],
    [1, 1],
  ],
  background: [{ title: "App Ferries: crossings", text: "findferry(from_port, to_port)\nbookferry(ferry, seats)" }],
};

export function row(task: string, change: BareRow = {}): Row {
  return bareRow("run-1", task, {
    question,
    facets,
    score,
    calls: 3,
    toolCalls: 1,
    retries: 1,
    tokens: { input: 1234, output: 56, estimated: true },
    cost: 0,
    seconds: 12.3,
    from: 1_000_000,
    to: 1_012_300,
    ...change,
  });
}

const right: Score = { ...score, value: 1, errors: [] };

/** Six tasks, one in each state. */
export function sampleBoard(now = Date.now()): BoardTask[] {
  const failure = { kind: "model", message: "the server said no" } as const;
  const failed = row("sm-003", { state: "failed", score: undefined, failure, seconds: 2 });
  return [
    { task: "sm-000", question, state: "wrong", row: row("sm-000") },
    { task: "sm-001", question: "Order a cake.", state: "right", row: row("sm-001", { score: right, seconds: 1.5 }) },
    {
      task: "sm-002",
      question: "What is the weather?",
      state: "unscored",
      row: row("sm-002", { score: { ...right, value: undefined }, tokens: { input: 9, output: 1, estimated: false } }),
    },
    { task: "sm-003", question: "Rent a bike.", state: "failed", row: failed },
    {
      task: "sm-004",
      question: "Is the library open?",
      state: "running",
      row: row("sm-004", { state: "running", score: undefined, from: now - 65_000, to: now - 30_000 }),
    },
    { task: "sm-005", question: "Book a cabin.", state: "waiting", row: undefined },
  ];
}

export type RunningDouble = DoubleWorkbench & {
  /** Adds events to a running task. */
  say(task: string, ...steps: readonly BareEvent[]): void;
  end(task: string): void;
};

/** A workbench with one active run: `sm-004` is running, and the others are as in `sampleBoard`. */
export function runningWorkbench(board: readonly BoardTask[] = sampleBoard()): RunningDouble {
  const double = openDouble();
  const live = new Map<string, Trajectory>();
  const folds = new Map<string, TrajectoryFold>();
  const ended = new Map<string, Trajectory>([["sm-000", sampleTrajectory]]);
  const counted = { waiting: 0, running: 0, right: 0, wrong: 0, unscored: 0, failed: 0, stopped: 0 };
  for (const task of board) counted[task.state] += 1;
  const state = runState({ ...running, total: board.length, counts: counted });
  let seq = 0;
  const workbench: RunningDouble = Object.assign(double, {
    board: (run) => (run === "run-1" ? board : []),
    rows: () => board.flatMap((task) => task.row ?? []),
    live: ({ task }) => live.get(task),
    trajectory: ({ task }) => Promise.resolve(live.get(task) ?? ended.get(task)),
    taskView: ({ task }) =>
      Promise.resolve(task === "sm-000" ? view : { reference: view.reference, plan: [], matches: [] }),
    async run(cell, tasks) {
      double.asked.push(`run ${cell} ${(tasks ?? []).map(({ task }) => task).join(" ")}`);
      return true;
    },
    say(task, ...steps) {
      // All events have one time, because a turn's duration must not depend on the machine.
      const at = Date.now();
      const fold = folds.get(task) ?? new TrajectoryFold(task);
      for (const step of steps) fold.take({ seq: seq++, at, task, ...step } as TaskEvent);
      folds.set(task, fold);
      live.set(task, fold.trajectory);
      double.setRuns("c2", [state]);
    },
    end(task) {
      const trajectory = live.get(task);
      live.delete(task);
      if (trajectory !== undefined) ended.set(task, trajectory);
      double.setRuns("c2", [state]);
    },
  } satisfies Partial<RunningDouble>);
  double.setRuns("c2", [state]);
  return workbench;
}

/** The start of a request in a running task. */
export const asking: readonly BareEvent[] = [
  { type: "started", facets, question: "Is the library open?" },
  { ...prompt, request: 0, role: "model", stage: "plan", messages: first },
];
