/** A suite bound to a data folder: its tasks, requests and scorer. */
import type { Clusters } from "./clusters.ts";
import type { Benchmark } from "./benchmark.ts";
import type { TableFigure } from "./figure.ts";
import type { Asked, Asks, Protocol, Reply, ReplyForm } from "./protocol.ts";
import type { Json, Message, Outcome, Role, RunSpec, Score, Task, ToolCall } from "./types.ts";
import type { Monitor } from "./work/monitor.ts";

/**
 * `T` is the suite's own task; `P` names the protocols that it serves. Without these arguments the type is any loaded suite, as
 * the engine uses it.
 */
export type LoadedSuite<T extends Task = Task, P extends Protocol = never> = {
  readonly suite: Benchmark;
  /** Warnings that are shown with every result: incomplete data, deviations from the paper's protocol. */
  readonly warnings: readonly string[];
  /** Returns further warnings for the results of such a run. */
  runWarnings?(spec: RunSpec): readonly string[];
  tasks(split: string): Promise<readonly T[]>;
  /** Returns demonstrations for a task, drawn from `pool` (the tasks of the split), never the task itself. */
  shots(task: T, count: number, pool: readonly T[], random: () => number): readonly T[];
  /** Requests to models for the tasks of the suite, by protocol. */
  readonly asks: Asks<T> & Required<Pick<Asks<T>, P>>;
  /**
   * Returns, as a sentence, which data this task lacks for a run with these settings. A run does not start if all its tasks lack
   * data.
   */
  lacking?(task: T, spec: RunSpec): string | undefined;
  readonly toolkits?: ToolkitSource<T>;
  /** Resolves to statistics of tasks, in the layout in which the paper describes its data, with the paper's numbers. */
  statistics?(tasks: readonly T[]): Promise<TableFigure | readonly TableFigure[]>;
  /** Returns the maximum number of a run's tasks in execution at the same time. If absent, any number. */
  atOnce?(): number;
  /** Releases resources shared by the tasks of a run with these settings, after it has ended. If absent, there are none. */
  ended?(spec: RunSpec): Promise<void>;
  /** Returns the maximum number of requests to the judge for one task; absent if the suite never asks a judge. */
  judging?(task: T, spec: RunSpec): number;
  /**
   * Scores an outcome. `ask` sends a request to the judge model and is logged like any other request; undefined if the run has no
   * judge.
   */
  score(task: T, outcome: Outcome, context: ScoreContext): Promise<Score>;
  /**
   * Returns the perfect reply to this request. Reads the answer key. If absent, the perfect reply is the answer itself, as text
   * (see `oracleReply`).
   */
  oracle?(task: T, asked: Asked): Reply;
  /**
   * Returns a reply with exactly one mistake of this kind; undefined or absent if the mistake is impossible (the oracle then
   * answers).
   */
  fault?(task: T, asked: Asked, kind: string, random: () => number): Reply | undefined;
  /**
   * Returns whether `fault` makes a mistake of this kind in some request of a model that plays these roles in this task. If absent,
   * only the current request counts, which is right for suites whose tasks have a single request that allows mistakes.
   */
  allowsFault?(task: T, played: Played, kind: string, random: () => number): boolean;
  /**
   * Returns trivial answers to these tasks, which are all tasks of a split; their scores are shown beside results. If absent,
   * `usualFloors`.
   */
  floors?(tasks: readonly T[], spec: RunSpec): readonly Floor<T>[];
  /** Variants of the tasks that should not affect results, except variants of requests. If absent, there are no variants. */
  readonly variants?: {
    /** Returns the task with its question in these words; undefined for a task whose requests do not show its question. */
    question?(task: T, text: string): T | undefined;
    /**
     * Returns the task with its answer options in another order, and a matching answer key; undefined for a task without options.
     */
    options?(task: T, order: VariantOrder): T | undefined;
  };
  /**
   * Returns task and answer for the trajectory screen. `calls` are the tool calls made in the task; absent if its log is not
   * read. If this function is absent, answer key and answer are shown as text (see `viewOf`).
   */
  describe?(task: T, answer: Json | undefined, calls?: readonly ToolCall[]): TaskView;
  /**
   * Returns a task as a record of its file, for suites of files (`Suite.ofFile`). Exports include it, so that a run can be
   * scored without the file.
   */
  record?(task: T): { readonly [field: string]: Json };
  close?(): void;
};

/** Returns items in the order of a variant, which depends only on their names. */
export type VariantOrder = <Item>(items: readonly Item[], nameOf: (item: Item) => string) => readonly Item[];

/** A model's roles in a run. */
export type Played = { readonly roles: readonly Role[]; readonly spec: RunSpec };

/** A trivial answer that goes directly to the scorer, without a strategy or a model. */
export type Floor<T extends Task = Task> = {
  /** The name of the floor in a few words, such as `nothing`, `filler`, `no call` or `the most frequent API`. */
  readonly name: string;
  /** True if the floor is computed from the answers of other tasks, never from the task's own answer. */
  readonly readsAnswerKey?: true;
  /** Returns the answer as a strategy would give it; undefined for none. */
  answer(task: T): Json | undefined;
};

/** A text without content, whose score therefore requires no ability. `builtin/filler` replies with it. */
export const fillerText =
  "Thank you for your request. I have considered it carefully and will take care of everything that is needed. Please let me know if there is anything else that I can do for you.";

/** The default floors of suites whose answers are texts: the empty text, and a text without content. */
export const usualFloors: readonly Floor[] = [
  { name: "nothing", answer: () => "" },
  { name: "filler", answer: () => fillerText },
];

/**
 * Returns the most frequent value among the other tasks. In a tie, returns the first value by code units, so that the task's own
 * value has no influence. Undefined if no other task has a value.
 */
export function mostFrequent<T extends Task>(
  tasks: readonly T[],
  valuesOf: (task: T) => readonly string[],
): (task: T) => string | undefined {
  const counts = new Map<string, number>();
  for (const task of tasks) for (const value of valuesOf(task)) counts.set(value, (counts.get(value) ?? 0) + 1);
  const byCount = [...counts].toSorted(([, one], [, other]) => other - one);
  return (task) => {
    const own = Map.groupBy(valuesOf(task), (value) => value);
    let best: readonly [value: string, count: number] | undefined;
    for (const [value, count] of byCount) {
      if (count < (best?.[1] ?? 1)) break;
      const left = count - (own.get(value)?.length ?? 0);
      const isBetter = best === undefined ? left > 0 : left > best[1] || (left === best[1] && value < best[0]);
      if (isBetter) best = [value, left];
    }
    return best?.[0];
  };
}

/** Returns whether this suite serves the protocol. */
export const serves = <P extends Protocol>(loaded: LoadedSuite, needs: P): loaded is LoadedSuite<Task, P> =>
  loaded.asks[needs] !== undefined;

/**
 * Returns the data that all of these tasks lack, so that a run of them cannot start; undefined if a task can be executed, or
 * without tasks.
 */
export function lackingForAll(loaded: LoadedSuite, tasks: readonly Task[], spec: RunSpec): string | undefined {
  const lacking = tasks.map((task) => loaded.lacking?.(task, spec));
  return lacking.every((what) => what !== undefined) ? lacking[0] : undefined;
}

/** Returns warnings about the tasks of a run with these settings and about its requests. */
export function dataWarnings(loaded: LoadedSuite, spec: RunSpec): readonly string[] {
  return [...loaded.warnings, ...(loaded.runWarnings?.(spec) ?? [])];
}

/** Returns the oracle's reply, or the task's answer as text if the suite has no oracle. Reads the answer key. */
export const perfectReply = (loaded: LoadedSuite, task: Task, asked: Asked): Reply =>
  loaded.oracle?.(task, asked) ?? { text: textOf(task.answer) };

/** Returns the suite's view of a task and an answer, or both as one step of text if the suite has no view. */
export function viewOf(
  loaded: LoadedSuite,
  task: Task,
  answer: Json | undefined,
  calls?: readonly ToolCall[],
): TaskView {
  if (loaded.describe !== undefined) return loaded.describe(task, answer, calls);
  const step = (title: string, value: unknown) => [{ title, lines: textOf(value).split("\n"), needs: [] }];
  const plan = answer === undefined ? [] : step("Answer", answer);
  return { reference: step("Answer", task.answer), plan, matches: plan.length === 0 ? [] : [[0, 0]] };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? ""));

/** Toolkits shared by tasks, such as the toolkits of a whole catalogue. */
export type ToolkitSource<T extends Task = Task> = {
  /** Makes the toolkits before these tasks are executed; reuses existing ones. */
  prepare(spec: RunSpec, tasks: readonly T[], monitor: Monitor): Promise<void>;
  /** Returns the toolkits made for these tasks, for another program with the same data; empty if there are none. */
  made(spec: RunSpec, tasks: readonly T[]): MadeToolkits;
  /** Uses toolkits that another program made for these tasks. Throws `DataProblem` if they contain other tools. */
  take(spec: RunSpec, tasks: readonly T[], made: MadeToolkits): Promise<void>;
  /** Returns the maximum number of requests for making the toolkits, by model. */
  requests(spec: RunSpec, tasks: readonly T[]): readonly PreparationRequests[];
  /**
   * Resolves to the toolkits of runs with these options, for analyses; undefined if they have no toolkits. Sends no requests to
   * models.
   */
  clusters(spec: RunSpec): Promise<Clusters | undefined>;
};

/** Toolkits by subject (a scope, a hub, a query), without the tools themselves. */
export type MadeToolkits = Readonly<Record<string, MadeGrouping>>;

export type MadeGrouping = {
  /** The toolkit's id for each tool, in the order of the data. */
  readonly labels: readonly number[];
  readonly descriptions: readonly { readonly id: number; readonly description: string }[];
  readonly metrics: Readonly<Record<string, number>>;
};

/** Requests to a model before the first task: their number, purpose and approximate tokens. */
export type PreparationRequests = {
  readonly model: string;
  readonly what: string;
  /** Subject of the requests: runs with the same subject share them. */
  readonly of: string;
  readonly calls: number;
  readonly input: number;
  readonly output: number;
};

export type ScoreContext = {
  readonly spec: RunSpec;
  readonly signal: AbortSignal;
  /** Sends a request. If `verdict` cannot read the reply, sends the request once more. */
  readonly ask?: (stage: string, messages: readonly Message[], verdict?: VerdictReading) => Promise<string>;
};

/** How a scorer reads a judge's reply. A task without a readable verdict fails, instead of being scored. */
export type VerdictReading = {
  isReadable(reply: string): boolean;
  /** The JSON object that the judge is asked for, which the server gets apart from the messages. */
  readonly form?: ReplyForm;
};

/**
 * Plans as lists of steps with dependencies, aligned if they are comparable, so that any suite's plan can be drawn next to its
 * reference.
 */
export type TaskView = {
  readonly reference: readonly PlanStep[];
  readonly plan: readonly PlanStep[];
  /** Pairs of matching indexes [reference, plan]; unpaired steps are missing or extra. */
  readonly matches: readonly (readonly [number, number])[];
  /** Longer text, such as the catalogue or the profile that belongs to the task. */
  readonly background?: readonly { readonly title: string; readonly text: string }[];
};

export type PlanStep = {
  readonly title: string;
  readonly lines: readonly string[];
  /** Indexes of the steps whose results this step uses. */
  readonly needs: readonly number[];
  /** Depth in a tree of steps, 0 at the root. */
  readonly depth?: number;
  /** True if the other side has no comparable step. The step then counts neither as extra nor as missing or changed. */
  readonly uncompared?: true;
};
