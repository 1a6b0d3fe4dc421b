/** A way of asking. The runner gives it a context; it yields steps. */
import { serves, type LoadedSuite } from "./loaded-suite.ts";
import type { Option } from "./option.ts";
import type { Environment, Protocol, Reply } from "./protocol.ts";
import type {
  Chunk,
  Json,
  Message,
  Model,
  ModelRequest,
  Role,
  RunSpec,
  SavedFrom,
  Step,
  Task,
  ToolSpec,
} from "./types.ts";

/** A way of asking: direct, chain of thought, react, dialogue, tree search. */
export type Strategy<P extends Protocol = Protocol> = {
  readonly name: string;
  readonly title: string;
  /** The protocol a suite must serve for it. */
  readonly needs: P;
  /** Raised when its rules or prompts change, so that old scores are never passed off as new. */
  readonly revision: number;
  readonly roles: readonly Role[];
  /** Whether it makes use of demonstrations; with any other their number has no effect. */
  readonly usesShots?: true;
  /** True where it may do without a model: who asks then is not known before. */
  readonly mayLackModel?: true;
  /** Whether tasks of such a run build on those before: they are then executed one at a time, in order. */
  sequential?(spec: RunSpec): boolean;
  readonly options?: readonly Option[];
  run(context: TaskContext<P>): AsyncIterable<Step>;
  /** About how much one task takes, for the set-up form. Undefined, or absent, where it cannot be estimated. */
  estimate?(context: Pick<TaskContext<P>, "task" | "loaded" | "spec" | "shots">): Estimate | undefined;
};

export type Estimate = {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  /** True where the model decides when it has done: these are then the most its budgets let it take, not a guess. */
  readonly atMost?: boolean;
};

/** What comes from an agent: a line it wrote, read as JSON (undefined: it is none), or a request for a model. */
export type AgentEvent =
  | { readonly type: "line"; readonly value: Json | undefined }
  | {
      readonly type: "request";
      readonly role: string;
      readonly messages: readonly Message[];
      readonly tools: readonly ToolSpec[];
      /** Gives it the reply; called once, or `refuse` is. */
      reply(reply: Reply): void;
      refuse(why: string): void;
    };

/** A program of the user's that answers a task: it is written to in lines of JSON, and what it does comes one by one. */
export type AgentProgram = {
  /** Where it may ask models: the base URL of a chat completions endpoint. */
  readonly modelUrl: string;
  write(value: Json): Promise<void>;
  /** Throws `Problem` where it has ended, or has taken too long. */
  next(signal: AbortSignal): Promise<AgentEvent>;
  /** It has done: `answered` lets it live on for another task, where the user said so. */
  release(answered: boolean): Promise<void>;
};

/** A reply that was given before. */
export type SavedReply = {
  /** Who gave it. */
  readonly model: string;
  readonly chunks: readonly Chunk[];
  readonly took: SavedFrom;
};

/** The place of one request in a cache of replies. */
export type CachedPlace = {
  /** Undefined where the request was not answered before. */
  readonly reply: SavedReply | undefined;
  /** Keeps the reply to it. Resolves to why that cannot be done; undefined where it was. */
  keep(chunks: readonly Chunk[]): Promise<string | undefined>;
};

/** Everything a strategy may use while it executes one task. */
export type TaskContext<P extends Protocol = never> = {
  readonly task: Task;
  readonly loaded: LoadedSuite<Task, P>;
  readonly spec: RunSpec;
  readonly shots: readonly Task[];
  /** Plans of other tasks of the run that came out right before, where the strategy is sequential. */
  readonly solutions?: readonly (readonly string[])[];
  /** The model that plays this role; throws when the run names none. */
  model(role: Role): Model;
  /** Uniform in [0, 1), seeded by spec.seed, spec.trial and the task. */
  random(): number;
  /** What is really sent instead of these messages; `ask` heeds it. */
  rewrite?(request: number, messages: readonly Message[]): readonly Message[];
  /** How often exactly this was asked before in this task; `ask` sends another seed then. Absent: never. */
  repetition?(request: unknown): number;
  /** Ends the task where its model never calls a tool; `ask` heeds it. */
  readonly toolUse?: { take(calls: number): void };
  /** The saved reply this request is answered with, instead of being sent; `ask` heeds it. */
  saved?(prompt: Extract<Step, { readonly type: "prompt" }>): SavedReply | undefined;
  /** Where replies are cached (`cache: on`); `ask` heeds it. Undefined for a model whose replies are not. */
  cached?(model: Model, request: ModelRequest, repetition: number): Promise<CachedPlace | undefined>;
  readonly signal: AbortSignal;
  /** The agent of the user's that this run names. Absent: there are none. */
  agent?(name: string): Promise<AgentProgram>;
  /** Told of every environment that is opened for this task, to close it at its end. */
  opened?(environment: Environment): void;
  /** Next request number of this task. */
  nextRequest(): number;
};

/**
 * The same context, as this strategy takes it. Throws where the suite does not serve the strategy's protocol, which the types
 * of suites rule out and strategies from elsewhere do not.
 */
export function servedContext<Context extends { readonly loaded: LoadedSuite }>(
  { name, needs }: Strategy,
  context: Context,
): Context & { readonly loaded: LoadedSuite<Task, Protocol> } {
  if (!serves(context.loaded, needs))
    throw new TypeError(
      `Expected suite \`${context.loaded.suite.name}\` to serve \`${needs}\`, which \`${name}\` needs; it does not`,
    );
  // A strategy asks by the one protocol it needs, and that one is there.
  return context as Context & { readonly loaded: LoadedSuite<Task, Protocol> };
}
