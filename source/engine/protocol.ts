/**
 * The protocols by which strategies ask models about a suite's tasks: fixed stages, tools in an environment, dialogues of two
 * roles.
 */
import type { OptionValues } from "./option.ts";
import type { Json, Message, Role, RunSpec, Step, Task, TokenUsage, ToolCall, ToolResult, ToolSpec } from "./types.ts";

/** The protocols that a suite supports, at least one. A strategy names the protocol that it needs. */
export type Asks<T extends Task = Task> = {
  /** Sends a fixed number of requests, one after the other. */
  stages?(task: T, spec: RunSpec, shots: readonly T[]): readonly Stage[];
  /** Tools in an environment made for each task. */
  readonly environment?: {
    /** Opens an environment for one episode. `signal` aborts opening. */
    open(task: T, spec: RunSpec, signal?: AbortSignal): Promise<Environment>;
    /** Returns the limits of an episode for forecasts, without opening an environment. */
    limits(task: T, spec: RunSpec): EpisodeLimits;
    /**
     * Returns the names of the functions that solve a task, in order, for strategies that learn from demonstrations. Reads the
     * answer key.
     */
    plan?(task: T, spec: RunSpec): readonly string[];
  };
  /** Planner and Responder alternating. */
  dialogue?(task: T, spec: RunSpec): Dialogue;
  /** Model and user talk to each other, and both may act in an environment created for each task. */
  readonly conversation?: {
    /** Opens a conversation for one episode. `signal` aborts opening. */
    open(task: T, spec: RunSpec, signal: AbortSignal): Promise<Conversation>;
    /** Returns the limits of a conversation for forecasts, without opening one. */
    limits(task: T, spec: RunSpec): EpisodeLimits;
  };
  /** Runs a user's process that provides the tasks, requests models when it needs them, and scores the answer. */
  readonly process?: {
    /** Opens a task in the process. `signal` aborts waiting for a place in it. */
    open(task: T, spec: RunSpec, signal: AbortSignal): Promise<ProcessEpisode>;
  };
  /** Yields the suite's own answer without a model: a search or another baseline. */
  baseline?(task: T, spec: RunSpec, random: () => number): Iterable<Step>;
};

export type Protocol = keyof Asks;

export type EpisodeLimits = {
  /** Maximum number of requests to models in one episode, including those to a model that simulates the tools. */
  readonly requests: number;
  /** Approximate tokens of the largest prompt, and of the longest usual reply. */
  readonly prompt: number;
  readonly reply: number;
  /** Number of lessons that can be drawn inside the episode; absent if Reflexion starts the episode again. */
  readonly lessons?: number;
};

/** A request as a built-in model sees it. */
export type Asked = {
  readonly role: Role;
  readonly stage: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly spec: RunSpec;
};

export type Reply = {
  readonly text: string;
  readonly calls?: readonly ToolCall[];
  /** Usage and finish reason of a saved reply; absent if the built-in server computes them. */
  readonly usage?: TokenUsage;
  readonly finish?: string;
  /** The `system_fingerprint` of the server: a model with faults gives the fault that it injected. */
  readonly fingerprint?: string;
};

/** Prefix of the fingerprint of a reply with an injected fault; the fault's kind follows. */
export const spoiltMark = "slip:";

/** Returns a built-in model's reply that calls one function; `text` is its arguments as written. */
export function callReply(name: string, value: Json, text = JSON.stringify(value)): Reply {
  return { text: "", calls: [{ id: `call-${name}`.slice(0, 60), name, text, arguments: value }] };
}

/**
 * A prompt template: a text with named slots, written `{{slot}}`. The slots are filled for each request. A run cell replaces a
 * template by its name (`prompts: {plan: careful.md}`).
 */
export type PromptTemplate = {
  /**
   * The name of the stage, for the message with the stage's instructions. Names of other messages and parts continue after a
   * dot (`plan.user`).
   */
  readonly name: string;
  /** The role of the asked model. */
  readonly role: Role;
  /** The role of the message that contains it. If absent, it fills a slot of another prompt. */
  readonly message?: "system" | "user";
  readonly text: string;
  /** Slots that receive values, besides the slots in the text. */
  readonly slots?: readonly string[];
  readonly language?: string;
  /** The tasks to which the prompt applies, if other tasks have another wording. */
  readonly tasks?: string;
  /** The protocol of the strategies that use the prompt. If absent, all strategies use it. */
  readonly protocol?: Protocol;
  /** Used only if these values of options, or of `strategy`, are set. */
  readonly when?: OptionValues;
  /**
   * The option that contains the model that receives the request, if no role does. If the option contains no model, the prompt is
   * not used.
   */
  readonly modelOption?: string;
};

/** The environment of one task. It exists for one episode: a new trial opens a new environment. */
export type Environment = {
  readonly tools: readonly ToolSpec[];
  /** Syntax of actions when a model acts in text instead of function calls (`Name[arguments]`). */
  readonly dialect?: TextDialect;
  /** Executes a call. `reply` answers the request of `consult` for this call. Never throws because of the model's text. */
  call(call: ToolCall, signal: AbortSignal, reply?: string): Promise<ToolResult>;
  /**
   * Returns true for a call of an external program with an effect that must not happen twice (sending a mail): a fork takes its
   * result from the log. If absent, calls change only this environment, which a fork restores by making the calls again.
   */
  isOutside?(call: ToolCall): boolean;
  /** Returns a request that a model must answer before this call (a planner tool, a simulated server). Changes no state. */
  consult?(call: ToolCall): Consultation | undefined;
  /**
   * Returns the first messages of a conversation by function calls. If absent, the task's question. `lessons` come from earlier
   * trials.
   */
  opening?(lessons: readonly string[]): readonly Message[];
  /** Sent to a model that replied without calling a function. If absent, no message is sent. */
  readonly idle?: string;
  /** Maximum number of model requests in one episode by function calls. If absent, 30. */
  readonly maxRequests?: number;
  /**
   * Maximum number of nodes in one episode by function calls: a thought counts as one node, a call as two (its name and its
   * input).
   */
  readonly maxDepth?: number;
  /** Returns true while the episode has an error that a lesson may correct; Reflexion then requests a lesson after every step. */
  stuck?(): boolean;
  /**
   * Returns the errors of the episode that just ended; undefined if there are none. If absent, an episode without an answer is
   * wrong.
   */
  complaint?(): string | undefined;
  /**
   * All tools in groups, for strategies that plan over groups; may contain far more tools than `tools`. Any of them can be
   * called.
   */
  readonly toolkits?: readonly Toolkit[];
  /** The function call that ends an episode: its tool, and the calls that answer or give up without a request to a model. */
  readonly finish?: { readonly tool: ToolSpec; answer(text: string): ToolCall; giveUp(): ToolCall };
  /** True if a text without a call is the answer with native calls; `finish` then submits it. */
  readonly endsByText?: boolean;
  /** Returns the prompt for a lesson after a failed trial by function calls. If absent, a generic prompt is used. */
  reflect?(transcript: string, complaint: string, lessons: readonly string[]): readonly Message[];
  /**
   * Releases the environment's resources (a process, a connection) after the task, however the task ended. If absent, there are
   * no resources.
   */
  close?(): Promise<void>;
};

/** Tools of a tool server, or of the user's own environment, for one episode. */
export type ToolSource = {
  /** Describes the purpose of the tools in a line or two. */
  readonly description: string;
  readonly tools: readonly ToolSpec[];
  /** True for an external program, whose calls may have effects that must not happen twice. */
  readonly isOutside?: true;
  /** Executes a call. Never throws because of the model's text; throws `Problem` if the tool cannot be reached. */
  call(call: ToolCall, signal: AbortSignal): Promise<ToolResult>;
  close(): Promise<void>;
};

/** Opens the tools that a run names (`tools: [NAME]`). */
export type ToolSources = {
  /** Returns the approximate tokens of these tools in a prompt. */
  tokens(name: string): number;
  /** Opens the tools with this name. Throws `Problem` if they do not exist, or cannot be opened. */
  open(name: string, task: Task, spec: RunSpec, signal: AbortSignal): Promise<ToolSource>;
};

/** Opens environments of the user's (`environments` of a `--with` file), one for each episode. */
export type EnvironmentSource = { open(task: Task, spec: RunSpec): Promise<Environment> };

/** A cluster of tools with similar functions. */
export type Toolkit = { readonly id: number; readonly description: string; readonly tools: readonly ToolSpec[] };

/** A request to a model on behalf of the environment. */
export type Consultation = {
  readonly role: Role;
  readonly stage: string;
  readonly messages: readonly Message[];
  readonly maxTokens?: number;
  /**
   * Returns whether a reply can be used; otherwise the request is repeated, up to three requests in all. If absent, any reply can
   * be used.
   */
  readonly readable?: (reply: string) => boolean;
};

export type TextDialect = {
  /** Returns the prompt for the next thought or action, given the transcript so far. */
  messages(
    part: "thought" | "action",
    step: number,
    scratchpad: string,
    lessons: readonly string[],
  ): readonly Message[];
  /** Reads an action line. Never throws: an unreadable action becomes a call with an empty name. */
  parse(action: string): ToolCall;
  /** Rewrites the scratchpad before an observation is added (TravelPlanner hides long results once written down). */
  revise?(scratchpad: string, call: ToolCall, result: ToolResult): string;
  readonly maxSteps: number;
  /** Maximum number of tokens of a prompt; a longer prompt ends the episode. */
  readonly maxPromptTokens: number;
  readonly maxTokens: number;
  /** Strings that end a thought or action. Absent: a line break. Remaining line breaks are removed. */
  readonly stop?: readonly string[];
  /** Returns the prompt for a lesson after a failure (reflexion). */
  reflect?(scratchpad: string, lessons: readonly string[]): readonly Message[];
};

/** The JSON object that a reply must contain; servers can be asked for it. */
export type ReplyForm = {
  readonly name: string;
  /** A JSON Schema. */
  readonly schema: Json;
  /** True if the schema names every possible field, which strict servers require. */
  readonly strict: boolean;
};

/** Returns the form of an object with exactly these fields, in this order. */
export function objectForm(name: string, properties: { readonly [field: string]: Json }): ReplyForm {
  const required = Object.keys(properties);
  return { name, schema: { type: "object", properties, required, additionalProperties: false }, strict: true };
}

/** `steps` if the request asks for a chain of thought. */
export type Reasoning = "none" | "steps";

/** One request of a strategy with a fixed number of stages (`direct`, `cot`). It has no state between calls. */
export type Stage = {
  readonly name: string;
  /** Returns the messages. `previous` contains the answers of earlier stages, in order. */
  messages(previous: readonly string[], reasoning: Reasoning): readonly Message[];
  /** Absent: the reply is not a JSON object. */
  readonly form?: ReplyForm;
  /** Reads this stage's answer from a reply to messages with the same `reasoning`. If absent, the whole reply is the answer. */
  answer?(reply: string, reasoning: Reasoning): string;
  /** Returns false to stop the task at this stage, because the official program omits such samples. */
  usable?(answer: string): boolean;
  /** Names the part that an unusable answer lacks, such as `app`. */
  readonly lacking?: string;
};

/** A dialogue in which Planner and Responder alternate, one step of the plan per round. */
export type Dialogue = {
  /** The Planner's opening messages. */
  readonly opening: readonly Message[];
  /** The Responder's system message. */
  readonly responderOpening: readonly Message[];
  /** Most rounds of a dialogue. */
  readonly maxRounds: number;
  /** Forms of the replies of both roles. */
  readonly forms?: { readonly planner: ReplyForm; readonly responder: ReplyForm };
  /** First record of the dialogue, if the suite's files have a first record of this kind. */
  readonly heading?: Json;
  /**
   * Reads a Planner reply: the number of steps that it announces, and the title of the current step. Undefined if it cannot be
   * read.
   */
  readPlanner(reply: string): { readonly totalSteps: number; readonly title: string } | undefined;
  /**
   * Reads a Responder reply into a record of the round. `stepNumber` keeps its written type. Undefined if the reply cannot be
   * read.
   */
  readResponder(plannerReply: string, reply: string): { readonly stepNumber: Json; readonly record: Json } | undefined;
  /** Returns the request to the Responder in this round (1-based), given the Planner's reply. */
  askResponder(round: number, plannerReply: string): Message;
  /** Returns the message to the Planner after a round. */
  askPlanner(round: number, responderReply: string): Message;
  /** Returns the plan graph of these records, one node per record in order; `needs` are indexes of earlier nodes. */
  outline?(records: readonly Json[]): readonly OutlineNode[];
};

export type OutlineNode = {
  readonly label: string;
  readonly needs: readonly number[];
  readonly state: "done" | "failed";
  readonly detail?: Json;
};

/**
 * How a dialogue ended; `playing` marks answers yielded before its end. Version 0.1.0 also wrote `model-error` after a failure
 * of the model; such dialogues are unscored (see `log/rows/verdict.ts`).
 */
export type DialogueEnd =
  | "playing"
  | "complete"
  | "planner-unparsable"
  | "responder-unparsable"
  | "step-limit"
  | "context";

/** The answer of a dialogue: all completed rounds, and the unreadable reply if such a reply ended it. */
export type DialogueAnswer = {
  readonly end: DialogueEnd;
  readonly dialogue: readonly Json[];
  readonly unread?: { readonly role: "planner" | "responder"; readonly content: string };
};

/** The roles of the two models in a conversation. */
export type ConversationSide = Extract<Role, "model" | "user">;

/** A conversation of model and user in an environment that both may change. It exists for one episode. */
export type Conversation = {
  /** First messages and tools of each side; a side without tools only talks. */
  readonly sides: Readonly<
    Record<ConversationSide, { readonly opening: readonly Message[]; readonly tools: readonly ToolSpec[] }>
  >;
  /** The model's first message, which is fixed and not requested. The user speaks first in any case. */
  readonly greeting?: string;
  /** Executes a call of a side. Never throws because of a model's text. */
  call(by: ConversationSide, call: ToolCall, signal: AbortSignal): Promise<ToolResult>;
  /** Returns a call's arguments as its side sees them in later requests. If absent, unchanged. */
  written?(call: ToolCall): string;
  /**
   * Returns what a side sees all the time, such as the status bar of a phone; noted when calls of the side change it. If absent,
   * there is no such view.
   */
  sees?(by: ConversationSide): string | undefined;
  /** Returns why a message without calls ends the conversation, such as a stop word; undefined if the conversation continues. */
  ends(by: ConversationSide, text: string): string | undefined;
  readonly limits: {
    /** Maximum number of steps. A reply counts as one step, and all calls of a reply together count as one. */
    readonly steps: number;
    /** Most failed calls of both sides. */
    readonly errors: number;
  };
  /** True if text beside calls ends the conversation as a mistake of its side. If absent, only that side sees the text. */
  readonly separate?: boolean;
  /** Releases the conversation's resources after the task, however the task ended. Absent if there are none. */
  close?(): Promise<void>;
};

/** How a conversation ended: by a side's message, as the mistake of a side, or at a limit. */
export type ConversationEnd = {
  readonly by: ConversationSide | "limit";
  /** The result of `ends`, or one of `step limit`, `error limit`, `context`, `no message` and `text beside calls`. */
  readonly reason: string;
};

/** One message of a side. */
export type ConversationTurn = {
  readonly by: ConversationSide;
  readonly text?: string;
  /** Calls with their arguments as written. */
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
};

/** The answer of a conversation: all messages in order, starting with the greeting. */
export type ConversationAnswer = {
  readonly end: ConversationEnd;
  readonly steps: number;
  readonly errors: number;
  readonly turns: readonly ConversationTurn[];
};

/** An event of an agent: a line that it wrote, parsed as JSON (undefined if invalid), or a request for a model. */
export type AgentEvent =
  | { readonly type: "line"; readonly value: Json | undefined }
  | {
      readonly type: "request";
      readonly role: string;
      readonly messages: readonly Message[];
      readonly tools: readonly ToolSpec[];
      /** Sends the reply; either `reply` or `refuse` is called, once. */
      reply(reply: Reply): void;
      refuse(why: string): void;
    };

/** A program of the user's that answers a task by reading and writing lines of JSON. */
export type AgentProgram = {
  /** Base URL of a chat completions endpoint through which the agent may send requests to models. */
  readonly modelUrl: string;
  write(value: Json): Promise<void>;
  /** Resolves to the next event. Throws `Problem` if the program has ended or exceeded its time. */
  next(signal: AbortSignal): Promise<AgentEvent>;
  /** Ends the program's task. If `answered`, and if the user configured this, the program continues with another task. */
  release(answered: boolean): Promise<void>;
};

/** One task in a process of the user's, with the tools that the run names. */
export type ProcessEpisode = {
  readonly program: AgentProgram;
  readonly environment: Environment;
  /** A model that the process simulates itself in this run. */
  readonly ownModel?: string | undefined;
  close(): Promise<void>;
};

/** The user's processes that provide their own tasks, by name. */
export type ProcessSource = {
  /**
   * Returns the inputs that determine the results of a process: its command, its code and its tasks. Throws `Problem` for an
   * unknown name.
   */
  identity(name: string): string;
  /** Returns the models that the process simulates itself. Throws `Problem` for an unknown name. */
  ownModels(name: string): readonly string[];
  /** Returns how many tasks the process can work on at once. Throws `Problem` for an unknown name. */
  atOnce(name: string): number;
  /** Returns the file with the tasks of the process. Throws `Problem` for an unknown name. */
  tasksFile(name: string): string;
  /**
   * Opens a task in the process of this run; starts the process if it is not running. Resolves once the process has room for
   * the task. Throws `Problem` if the name is unknown, the process is not allowed, or it cannot be started.
   */
  open(name: string, task: string, spec: RunSpec, signal: AbortSignal): Promise<AgentProgram>;
  /** Ends the process of this run, if it is running. */
  ended(name: string, spec: RunSpec): Promise<void>;
};

/** Rejects a malformed result of a user's environment, whose types may never have been checked. */
export function checkedResult(result: ToolResult, { name }: ToolCall): ToolResult {
  const { ok, observation, status }: { readonly [field in keyof ToolResult]?: unknown } = Object(result);
  const isResult = typeof ok === "boolean" && typeof observation === "string" && /string|number/.test(typeof status);
  if (isResult) return result;
  const got = JSON.stringify(result)?.slice(0, 200) ?? "nothing";
  throw new TypeError(`Expected \`${name}\` to give \`ok\`, \`observation\` and \`status\`, got ${got}`);
}
