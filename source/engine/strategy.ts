/** A strategy. The runner passes it a context, and it yields steps. */
import { serves, type LoadedSuite } from "./loaded-suite.ts";
import type { Option } from "./option.ts";
import type { AgentProgram, Environment, PromptTemplate, Protocol } from "./protocol.ts";
import type {
  Chunk,
  Message,
  Model,
  ModelRequest,
  Role,
  RunSpec,
  SavedFrom,
  Step,
  Task,
  ToolCall,
  ToolResult,
  ToolSpec,
} from "./types.ts";

/** A strategy by which requests are sent to models: direct, chain of thought, ReAct, dialogue, tree search. */
export type Strategy<P extends Protocol = Protocol> = {
  readonly name: string;
  readonly title: string;
  /** The protocol that a suite must serve. */
  readonly needs: P;
  /** Raised when the strategy's rules or prompts change, so that old scores are never reported as new. */
  readonly revision: number;
  readonly roles: readonly Role[];
  /** Names that the strategy's paper gives to roles; other roles have their general names (Model, Actor, Responder, Judge). */
  readonly roleNames?: Readonly<Partial<Record<Role, string>>>;
  /** True if the strategy uses demonstrations; otherwise their number has no effect. */
  readonly usesShots?: true;
  /** True if models know the tools only as functions that requests offer: the order and the names of the tools may then vary. */
  readonly offersFunctions?: true;
  /** True if the strategy may send requests to the judge before it has the answer, which then depends on the judge. */
  readonly asksJudge?: true;
  /** True if the strategy may run without a model, so that the model is not known in advance. */
  readonly mayLackModel?: true;
  /** Returns whether tasks of a run depend on earlier tasks: they are then executed one at a time, in order. */
  sequential?(spec: RunSpec): boolean;
  readonly options?: readonly Option[];
  /** The texts of the strategy's own requests; a run may replace each text. */
  readonly prompts?: readonly PromptTemplate[];
  run(context: TaskContext<P>): AsyncIterable<Step>;
  /**
   * Returns the approximate requests and tokens of one task, for the set-up form. Undefined or absent if it cannot be
   * estimated.
   */
  estimate?(context: Pick<TaskContext<P>, "task" | "loaded" | "spec" | "shots">): Estimate | undefined;
};

export type Estimate = {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  /** True if the model decides when to end: the numbers are then upper bounds set by its limits, not estimates. */
  readonly atMost?: boolean;
  /**
   * Input tokens of the first request, for comparing the prompts of tasks. If absent, `input` is used, as if all requests were of
   * equal length.
   */
  readonly first?: number;
};

/** A saved reply. */
export type SavedReply = {
  /** The model that replied. */
  readonly model: string;
  readonly chunks: readonly Chunk[];
  readonly took: SavedFrom;
  /** True if a fork has replaced the model's own reply by it. */
  readonly replaced?: true;
};

/** A saved result of a tool, with its call. */
export type SavedResult = {
  readonly name: string;
  /** The arguments as written; absent if the call is not in the log. */
  readonly text?: string;
  readonly result: ToolResult;
  /** Milliseconds that the tool took. */
  readonly took: number;
  /** True if a fork has replaced the tool's own result by it. */
  readonly replaced?: true;
};

/** The results that a fork takes from the log of its original. */
export type LoggedResults = {
  /**
   * Returns the saved result of a call, each once; undefined if the call must be made. `isOutside` is true if making it again may
   * have an effect twice; results logged after the fork then also count, as long as everything before them is equal.
   */
  of(call: ToolCall, isOutside: boolean): SavedResult | undefined;
  /** Returns the number of calls that were not made again before the first call that is; 0 for all later calls. */
  unmade(): number;
};

/** Functions under other names than their own (`vary: {names: 5}`): only requests have these names. */
export type VariedNames = {
  /** Returns functions under their names in this variant; the function named `kept` keeps its own name. */
  tools(tools: readonly ToolSpec[], kept: string | undefined): readonly ToolSpec[];
  /** Returns messages that speak of the functions offered so far by these names. */
  messages(messages: readonly Message[]): readonly Message[];
  /** Returns a chunk of a reply, in which a call has its own name. */
  chunk(chunk: Chunk): Chunk;
  /** The functions' own names by their names in this variant, for functions that were offered. */
  readonly own: Readonly<Record<string, string>>;
};

/** The entry of one request in a cache of replies. */
export type CachedPlace = {
  /** Undefined if the request is not cached. */
  readonly reply: SavedReply | undefined;
  /** Keeps the reply. Resolves to the reason if that fails; undefined otherwise. */
  keep(chunks: readonly Chunk[]): Promise<string | undefined>;
};

/** Everything a strategy may use while it executes one task. */
export type TaskContext<P extends Protocol = never> = {
  readonly task: Task;
  readonly loaded: LoadedSuite<Task, P>;
  readonly spec: RunSpec;
  readonly shots: readonly Task[];
  /** Plans of other tasks of the run that were solved before, if the strategy is sequential. */
  readonly solutions?: readonly (readonly string[])[];
  /** Returns the model of this role; throws if the run has none. */
  model(role: Role): Model;
  /** Uniform in [0, 1), seeded by spec.seed, spec.trial and the task. */
  random(): number;
  /** Returns the messages to send instead of the given messages; `ask` uses it. */
  rewrite?(request: number, messages: readonly Message[]): readonly Message[];
  /** Returns how often the task has sent exactly this request; `ask` then sends another seed. If absent, never. */
  repetition?(request: unknown): number;
  /** Returns whether the task has sent an equal request before and got an equal reply. Absent: this is not checked. */
  again?(
    model: string,
    request: Pick<ModelRequest, "messages" | "tools">,
    reply: { readonly text: string; readonly calls: readonly ToolCall[] },
  ): boolean;
  /**
   * Counts actions, and ends the task of a model that takes no action. `ask` counts tool calls; strategies count actions in text.
   */
  readonly toolUse?: { take(actions: number): void };
  /** The names of functions in this variant of the run; `ask` uses them. If absent, functions have their own names. */
  readonly names?: VariedNames;
  /** Returns the saved reply to use instead of sending this request; `ask` uses it. */
  saved?(prompt: Extract<Step, { readonly type: "prompt" }>): SavedReply | undefined;
  /** Pauses requests that a person sends one by one; `ask` waits for it. If absent, no request is paused. */
  readonly hold?: { readonly isDue: boolean; wait(signal: AbortSignal): Promise<void> };
  /** Results of tools in the original of a fork; `act` uses them. If absent, the task is not a fork. */
  readonly logged?: LoggedResults;
  /**
   * Resolves to the cache entry of a request (`cache: on`); `ask` uses it. Undefined for a model whose replies are not cached.
   */
  cached?(model: Model, request: ModelRequest, repetition: number): Promise<CachedPlace | undefined>;
  readonly signal: AbortSignal;
  /** Opens the user's agent of this run. If absent, there are no agents. */
  agent?(name: string): Promise<AgentProgram>;
  /** Receives every environment and conversation opened for this task, to close it at the end. */
  opened?(environment: Pick<Environment, "close">): void;
  /** Returns the next request number of this task. */
  nextRequest(): number;
};

/**
 * Returns the same context, typed for this strategy. Throws if the suite does not serve the strategy's protocol, which only
 * strategies from extensions can cause.
 */
export function servedContext<Context extends { readonly loaded: LoadedSuite }>(
  { name, needs }: Strategy,
  context: Context,
): Context & { readonly loaded: LoadedSuite<Task, Protocol> } {
  if (!serves(context.loaded, needs))
    throw new TypeError(
      `Expected suite \`${context.loaded.suite.name}\` to provide \`${needs}\`, which \`${name}\` needs`,
    );
  // A strategy uses only the one protocol it needs, which is present.
  return context as Context & { readonly loaded: LoadedSuite<Task, Protocol> };
}
