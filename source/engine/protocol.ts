/** The ways a suite lets itself be asked: fixed stages, tools in an environment, a dialogue of two roles. */
import type { Json, Message, Role, RunSpec, Step, Task, ToolCall, ToolResult, ToolSpec } from "./types.ts";

/** How the tasks of a suite can be put to models; at least one. A strategy names the one it needs. */
export type Asks<T extends Task = Task> = {
  /** A fixed number of requests, one after the other. */
  stages?(task: T, spec: RunSpec, shots: readonly T[]): readonly Stage[];
  /** Tools in a world of the task's own. */
  readonly environment?: {
    /** A world for one episode. `signal` ends what it takes to make it. */
    open(task: T, spec: RunSpec, signal?: AbortSignal): Promise<Environment>;
    /** The most an episode can take, for forecasts: worked out without making a world. */
    limits(task: T, spec: RunSpec): EpisodeLimits;
    /** Names of the functions that solve a task, in order, for strategies that learn from demonstrations. Reads the answer key. */
    plan?(task: T, spec: RunSpec): readonly string[];
  };
  /** Planner and Responder alternating. */
  dialogue?(task: T, spec: RunSpec): Dialogue;
  /** The suite's own answer without a model: a search or another baseline. */
  baseline?(task: T, spec: RunSpec, random: () => number): Iterable<Step>;
};

export type Protocol = keyof Asks;

export type EpisodeLimits = {
  /** Most model requests of one episode, those of a model that simulates the tools among them. */
  readonly requests: number;
  /** Tokens of the largest prompt and of the longest usual reply, roughly. */
  readonly prompt: number;
  readonly reply: number;
  /** Lessons that can be drawn inside the episode; absent where Reflexion runs it again from scratch instead. */
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

export type Reply = { readonly text: string; readonly calls?: readonly ToolCall[] };

/** A built-in model's reply that calls one function; `text` is what it wrote as the arguments. */
export function callReply(name: string, value: Json, text = JSON.stringify(value)): Reply {
  return { text: "", calls: [{ id: `call-${name}`.slice(0, 60), name, text, arguments: value }] };
}

/** The world one task is executed in. It lives for one episode: a new trial gets a new one from the loaded suite. */
export type Environment = {
  readonly tools: readonly ToolSpec[];
  /** How actions are written when a model acts in text instead of function calls (`Name[arguments]`). */
  readonly dialect?: TextDialect;
  /** `reply` answers what `consult` asked for this call. Never throws for what a model wrote. */
  call(call: ToolCall, signal: AbortSignal, reply?: string): Promise<ToolResult>;
  /** A request that some model must answer before this call can (a planner tool, a simulated server). Changes nothing. */
  consult?(call: ToolCall): Consultation | undefined;
  /** How a conversation by function calls begins; the task's question when absent. `lessons` come from earlier trials. */
  opening?(lessons: readonly string[]): readonly Message[];
  /** Sent to a model that replied without calling a function; nothing is sent when absent. */
  readonly idle?: string;
  /** Most model requests in one episode by function calls; 30 when absent. */
  readonly maxRequests?: number;
  /** Most nodes in one episode by function calls: a thought counts one, a call two (its name and its input). */
  readonly maxDepth?: number;
  /** True while the episode has gone wrong in a way a lesson may cure: reflexion then asks for one after every step. */
  stuck?(): boolean;
  /** What was wrong with the episode that just ended; undefined when nothing was. Absent: wrong unless it gave an answer. */
  complaint?(): string | undefined;
  /** All tools in groups, for strategies that plan over groups; may hold far more than `tools`. Any of them can be called. */
  readonly toolkits?: readonly Toolkit[];
  /** How an episode is ended by a function call: the tool, and the calls that answer or give up without asking a model. */
  readonly finish?: { readonly tool: ToolSpec; answer(text: string): ToolCall; giveUp(): ToolCall };
  /** The prompt that asks for a lesson after a failed trial by function calls; a plain one when absent. */
  reflect?(transcript: string, complaint: string, lessons: readonly string[]): readonly Message[];
  /** Ends what it holds (a process, a connection), once the task is over however it ended. Absent: it holds nothing. */
  close?(): Promise<void>;
};

/** Tools from outside a suite, for one episode: a world of a tool server of the user's, or of an environment brought along. */
export type ToolSource = {
  /** What they are for, in a line or two. */
  readonly description: string;
  readonly tools: readonly ToolSpec[];
  /** Never throws for what a model wrote; throws `Problem` where the world got in the way. */
  call(call: ToolCall, signal: AbortSignal): Promise<ToolResult>;
  close(): Promise<void>;
};

/** Where the tools that a run names (`tools: [NAME]`) come from. */
export type ToolSources = {
  /** About how many tokens the tools of this name are in a prompt. */
  tokens(name: string): number;
  /** Throws `Problem` where there is none of this name, or it cannot be had. */
  open(name: string, task: Task, spec: RunSpec, signal: AbortSignal): Promise<ToolSource>;
};

/** Where worlds of the user's own come from (`environments` of a `--with` file): one for each episode. */
export type EnvironmentSource = { open(task: Task, spec: RunSpec): Promise<Environment> };

/** Tools that do much the same: one cluster. */
export type Toolkit = { readonly id: number; readonly description: string; readonly tools: readonly ToolSpec[] };

/** A request put to a model on behalf of the environment. */
export type Consultation = {
  readonly role: Role;
  readonly stage: string;
  readonly messages: readonly Message[];
  readonly maxTokens?: number;
  /** Whether a reply can be used; one that cannot is asked for again, three times in all. Absent: any reply can. */
  readonly readable?: (reply: string) => boolean;
};

export type TextDialect = {
  /** The prompt for the next thought or action, given the transcript so far. */
  messages(
    part: "thought" | "action",
    step: number,
    scratchpad: string,
    lessons: readonly string[],
  ): readonly Message[];
  /** Reads an action line. Never throws: what cannot be read becomes a call whose name is empty. */
  parse(action: string): ToolCall;
  /** Rewrites the scratchpad before an observation is added (TravelPlanner hides long results once written down). */
  revise?(scratchpad: string, call: ToolCall, result: ToolResult): string;
  readonly maxSteps: number;
  /** Largest prompt in tokens; longer ends the episode. */
  readonly maxPromptTokens: number;
  readonly maxTokens: number;
  /** Where a thought or action ends; a line break when absent. Line breaks left inside are removed. */
  readonly stop?: readonly string[];
  /** The prompt that asks for a lesson after a failure (reflexion). */
  reflect?(scratchpad: string, lessons: readonly string[]): readonly Message[];
};

/** The JSON object a reply is read as, for servers that can be asked for it. */
export type ReplyForm = {
  readonly name: string;
  /** A JSON Schema. */
  readonly schema: Json;
  /** Whether it names every field there can be, as servers that keep to it strictly want. */
  readonly strict: boolean;
};

/** `steps`: the request asks for a chain of thought. */
export type Reasoning = "none" | "steps";

/** One request of a strategy that asks in a fixed number of stages (`direct`, `cot`). It keeps nothing between calls. */
export type Stage = {
  readonly name: string;
  /** `previous` contains the answers of earlier stages, in order. */
  messages(previous: readonly string[], reasoning: Reasoning): readonly Message[];
  /** Absent: the reply is no JSON object. */
  readonly form?: ReplyForm;
  /** Reads this stage's answer from a reply to messages of the same `reasoning`; absent: the whole reply. */
  answer?(reply: string, reasoning: Reasoning): string;
  /** False stops the task here (upstream drops such samples). */
  usable?(answer: string): boolean;
};

/** Planner and Responder alternating, one step of the plan a round. */
export type Dialogue = {
  /** The Planner's opening messages. */
  readonly opening: readonly Message[];
  /** The Responder's system message. */
  readonly responderOpening: readonly Message[];
  /** Most rounds of a dialogue. */
  readonly maxRounds: number;
  /** What replies of the two are read as. */
  readonly forms?: { readonly planner: ReplyForm; readonly responder: ReplyForm };
  /** First record of the dialogue, where the suite's files have one. */
  readonly heading?: Json;
  /** Reads a Planner reply: how many steps it announces and what this one is called. Undefined when it cannot be read. */
  readPlanner(reply: string): { readonly totalSteps: number; readonly title: string } | undefined;
  /** Reads a Responder reply into a record of the round. `stepNumber` keeps its written type. Undefined when it cannot be read. */
  readResponder(plannerReply: string, reply: string): { readonly stepNumber: Json; readonly record: Json } | undefined;
  /** What the Responder is asked in this round (1-based), given the Planner's reply. */
  askResponder(round: number, plannerReply: string): Message;
  /** What is sent to the Planner after a round. */
  askPlanner(round: number, responderReply: string): Message;
  /** The plan graph as far as these records show it, one node a record in order; `needs` are indexes of earlier nodes. */
  outline?(records: readonly Json[]): readonly OutlineNode[];
};

export type OutlineNode = {
  readonly label: string;
  readonly needs: readonly number[];
  readonly state: "done" | "failed";
  readonly detail?: Json;
};

/**
 * How a dialogue ended; `playing` stands in the answers yielded on the way. Version 0.1.0 also wrote `model-error`: its model
 * failed, and the rows of such dialogues are unscored (see `log/rows/verdict.ts`).
 */
export type DialogueEnd =
  | "playing"
  | "complete"
  | "planner-unparsable"
  | "responder-unparsable"
  | "step-limit"
  | "context";

/** The answer of a dialogue: all rounds that were completed, and the reply that could not be read, if one ended it. */
export type DialogueAnswer = {
  readonly end: DialogueEnd;
  readonly dialogue: readonly Json[];
  readonly unread?: { readonly role: "planner" | "responder"; readonly content: string };
};

/** Of an environment of the user's own nobody may have checked the types: a model would be shown nothing. */
export function checkedResult(result: ToolResult, { name }: ToolCall): ToolResult {
  const { ok, observation, status }: { readonly [field in keyof ToolResult]?: unknown } = Object(result);
  const isResult = typeof ok === "boolean" && typeof observation === "string" && /string|number/.test(typeof status);
  if (isResult) return result;
  const got = JSON.stringify(result)?.slice(0, 200) ?? "nothing";
  throw new TypeError(`Expected \`${name}\` to give \`ok\`, \`observation\` and \`status\`, got ${got}`);
}
