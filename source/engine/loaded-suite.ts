/** A suite bound to a data folder: its tasks, how they are asked, how answers are scored. */
import type { Clusters } from "./clusters.ts";
import type { Benchmark } from "./benchmark.ts";
import type { TableFigure } from "./figure.ts";
import type { Asked, Asks, Protocol, Reply } from "./protocol.ts";
import type { Json, Message, Outcome, RunSpec, Score, Task } from "./types.ts";
import type { Monitor } from "./work/monitor.ts";

/**
 * `T` is the suite's own task; `P` names the protocols it serves for certain. Without them it is any loaded suite, as the
 * engine sees it: it may serve each protocol or not.
 */
export type LoadedSuite<T extends Task = Task, P extends Protocol = never> = {
  readonly suite: Benchmark;
  /** Shown beside every result: incomplete data, deviations from the paper's protocol. */
  readonly warnings: readonly string[];
  /** Further ones, beside the results of such a run alone. */
  runWarnings?(spec: RunSpec): readonly string[];
  tasks(split: string): Promise<readonly T[]>;
  /** Demonstrations for a task, drawn from `pool` (the split's tasks), never the task itself. */
  shots(task: T, count: number, pool: readonly T[], random: () => number): readonly T[];
  /** How its tasks are put to models. */
  readonly asks: Asks<T> & Required<Pick<Asks<T>, P>>;
  /** What the data lack to ask this task so, as a sentence; a run none of whose tasks can be asked does not start. */
  lacking?(task: T, spec: RunSpec): string | undefined;
  readonly toolkits?: ToolkitSource<T>;
  /** What tasks are like, in the layout of the paper's table on its data, with the paper's numbers beside. */
  statistics?(tasks: readonly T[]): Promise<TableFigure>;
  /** The most requests to the judge one task can take; absent where no judge is ever asked. */
  judging?(task: T, spec: RunSpec): number;
  /** `ask` reaches the judge model, logged like any other call; undefined when the run names no judge. */
  score(task: T, outcome: Outcome, context: ScoreContext): Promise<Score>;
  /** The perfect reply to this request. Reads the answer key. Absent: the answer itself, as text (see `oracleReply`). */
  oracle?(task: T, asked: Asked): Reply;
  /** A reply with exactly one mistake of this kind; undefined, or absent, where it cannot be made (then the oracle answers). */
  fault?(task: T, asked: Asked, kind: string, random: () => number): Reply | undefined;
  /** Task and answer for the trajectory screen. Absent: answer key and answer as text (see `viewOf`). */
  describe?(task: T, answer: Json | undefined): TaskView;
  /** A task as a record of its file, for suites of files (`Suite.ofFile`): exports take it along, so that a run can be scored where the file is not. */
  record?(task: T): { readonly [field: string]: Json };
  close?(): void;
};

/** True where this suite serves that protocol. */
export function serves<P extends Protocol>(loaded: LoadedSuite, needs: P): loaded is LoadedSuite<Task, P> {
  return loaded.asks[needs] !== undefined;
}

/** What the data lack to ask any of these tasks, so that a run of them cannot start; undefined where some can be asked, or none is there. */
export function lackingForAll(loaded: LoadedSuite, tasks: readonly Task[], spec: RunSpec): string | undefined {
  const lacking = tasks.map((task) => loaded.lacking?.(task, spec));
  return lacking.every((what) => what !== undefined) ? lacking[0] : undefined;
}

/** What is to be known of the tasks of such a run, and of how they are asked. */
export function dataWarnings(loaded: LoadedSuite, spec: RunSpec): readonly string[] {
  return [...loaded.warnings, ...(loaded.runWarnings?.(spec) ?? [])];
}

/** What the suite's oracle replies; where it has none, the task's answer as text. Reads the answer key. */
export function perfectReply(loaded: LoadedSuite, task: Task, asked: Asked): Reply {
  return loaded.oracle?.(task, asked) ?? { text: textOf(task.answer) };
}

/** The suite's view of a task and an answer; where it has none, both as one step of text. */
export function viewOf(loaded: LoadedSuite, task: Task, answer: Json | undefined): TaskView {
  if (loaded.describe !== undefined) return loaded.describe(task, answer);
  const step = (title: string, value: unknown) => [{ title, lines: textOf(value).split("\n"), needs: [] }];
  const plan = answer === undefined ? [] : step("Answer", answer);
  return { reference: step("Expected", task.answer), plan, matches: plan.length === 0 ? [] : [[0, 0]] };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}

/** Toolkits tasks share, such as those of a whole catalogue. */
export type ToolkitSource<T extends Task = Task> = {
  /** Makes them before these tasks are executed; what is there already is kept. */
  prepare(spec: RunSpec, tasks: readonly T[], monitor: Monitor): Promise<void>;
  /** What was made for these tasks, for a program elsewhere that has the same data; empty where nothing was. */
  made(spec: RunSpec, tasks: readonly T[]): MadeToolkits;
  /** Takes what a program elsewhere made for these tasks, in place of making it. Throws `DataProblem` where it is of other tools. */
  take(spec: RunSpec, tasks: readonly T[], made: MadeToolkits): Promise<void>;
  /** The requests that can take, at most, and to whom. */
  requests(spec: RunSpec, tasks: readonly T[]): readonly PreparationRequests[];
  /** The toolkits runs with these options work with, for analyses; undefined where they have none. Asks no model. */
  clusters(spec: RunSpec): Promise<Clusters | undefined>;
};

/** Toolkits by what they are of (a scope, a hub, a query), without the tools themselves. */
export type MadeToolkits = Readonly<Record<string, MadeGrouping>>;

export type MadeGrouping = {
  /** Of each tool, in the order of the data: the id of its toolkit. */
  readonly labels: readonly number[];
  readonly descriptions: readonly { readonly id: number; readonly description: string }[];
  readonly metrics: Readonly<Record<string, number>>;
};

/** Requests to a model before the first task: how many, what for, and about how many tokens they are. */
export type PreparationRequests = {
  readonly model: string;
  readonly what: string;
  /** What they are about: runs that name the same share them. */
  readonly of: string;
  readonly calls: number;
  readonly input: number;
  readonly output: number;
};

export type ScoreContext = {
  readonly spec: RunSpec;
  readonly signal: AbortSignal;
  readonly ask?: (stage: string, messages: readonly Message[]) => Promise<string>;
};

/** Plans as lists of steps with dependencies, aligned where they agree, so that any suite's plan can be drawn beside its reference. */
export type TaskView = {
  readonly reference: readonly PlanStep[];
  readonly plan: readonly PlanStep[];
  /** Pairs of indexes [reference, plan] that belong together; the others are missing or extra. */
  readonly matches: readonly (readonly [number, number])[];
  /** Longer text, such as the catalogue or profile the task came with. */
  readonly background?: readonly { readonly title: string; readonly text: string }[];
};

export type PlanStep = {
  readonly title: string;
  readonly lines: readonly string[];
  /** Indexes of the steps whose results it uses. */
  readonly needs: readonly number[];
  /** Depth in a tree of steps, 0 at the root. */
  readonly depth?: number;
};
