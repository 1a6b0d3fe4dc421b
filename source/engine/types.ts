/**
 * The vocabulary of Planwright. Read this first. Running appends events to a log; folding the log gives rows; an analysis
 * turns rows into figures; the terminal draws figures. Everything below names one of these four steps or what goes into it.
 */

import type { LeftOut, OwnData, RequestSettings, SettingValues, UnsentSetting } from "./run-settings.ts";
import type { RequestFields } from "./run-settings-rows.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What analyses group by: category, difficulty, scenario, parallel, sequential, aspect, level, days. */
export type Facets = Readonly<Record<string, string | number>>;

/** Where tasks come from: the suite's sample, what its publisher has published, or the user: a file of the session, or a folder that was added. */
export type DataKind = "sample" | "published" | "own" | OwnData;

/** One question a benchmark asks. Only its own suite looks inside `input` and `answer`. */
export type Task<Input = unknown, Answer = unknown> = {
  readonly id: string;
  /** Shown in lists of tasks: the request itself, one or a few sentences. */
  readonly question: string;
  readonly input: Input;
  readonly answer: Answer;
  readonly facets: Facets;
};

/** The parts models play in one task. `model` plans (and acts, where nobody else does); `actor` acts for a planner. */
export type Role = "model" | "actor" | "responder" | "judge";

/** A tool as a model sees it; `parameters` is a JSON Schema object. */
export type ToolSpec = { readonly name: string; readonly description: string; readonly parameters: Json };

/** `text` keeps the arguments as the model wrote them; `arguments` is undefined when that text is not JSON. */
export type ToolCall = {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly arguments: Json | undefined;
  /** What the server wants back with this call, unread (`extra_content`: Gemini's thought signatures). */
  readonly extra?: Json;
};

export type ToolResult = {
  readonly ok: boolean;
  /** Exactly what the model is shown. */
  readonly observation: string;
  /** The environment's own name for what happened, such as `Successful`, `invalidAction` or a status code. */
  readonly status: string | number;
  readonly value?: Json;
  /** Set when this call ends the episode. */
  readonly end?: { readonly reason: string; readonly answer: Json | undefined };
};

export type Message =
  | { readonly role: "system" | "user"; readonly content: string }
  | {
      readonly role: "assistant";
      readonly content: string;
      readonly calls?: readonly ToolCall[];
      /** What it thought before, for servers that want it back. */
      readonly thinking?: Thinking;
    }
  | { readonly role: "tool"; readonly callId: string; readonly content: string };

/** What a model thought, and the field of the reply it came in; without one it stood in the text, between tags. */
export type Thinking = {
  readonly text: string;
  readonly field?: ThinkingField;
  /** What the server wants back in its place, unread (`reasoning` items of the Responses protocol). */
  readonly items?: readonly Json[];
};

export type ThinkingField = "reasoning_content" | "reasoning";

/** Tokens of one request. */
export type TokenUsage = {
  readonly input: number;
  /** Those of thinking are among them. */
  readonly output: number;
  readonly estimated: boolean;
  /** How many of `input` the server had in its cache, and how many of `output` were thinking; absent where it does not say. */
  readonly cached?: number;
  readonly reasoning?: number;
  /** What the server says the request cost, in its currency. */
  readonly cost?: number;
};

/** What was done about a peculiarity of the server; the rows count it, and the run says so. */
export type Adjustment =
  | "stop-applied-here"
  | "calls-read-from-text"
  | "calls-read-from-function-call"
  | "call-arguments-were-an-object"
  | "tools-in-prompt"
  | "thinking-handed-back"
  | "thinking-not-taken-back"
  | "asked-by-responses"
  | "asked-by-messages"
  /** The protocol requires a limit of tokens, and the cell names none. */
  | "max-tokens-by-default";

/** What a model streams back. A `retry` voids all text, thinking and calls streamed for this request before it. */
export type Chunk =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "thinking";
      readonly text: string;
      readonly field?: ThinkingField;
      /** All text streamed for this request before it was thinking too: its opening tag was missing. */
      readonly textBefore?: true;
      /** One of `Thinking`'s items, which came with it. */
      readonly item?: Json;
    }
  | { readonly type: "call"; readonly call: ToolCall }
  | ({ readonly type: "usage" } & TokenUsage)
  | {
      readonly type: "retry";
      readonly attempt: number;
      readonly status: number | undefined;
      readonly error: string;
      /** Milliseconds until the next attempt. */
      readonly wait: number;
      /** What the failed attempt took. */
      readonly usage?: TokenUsage;
    }
  | {
      readonly type: "finish";
      readonly reason: string;
      /** Which model the server says answered, and its `system_fingerprint`. */
      readonly model?: string;
      readonly fingerprint?: string;
      readonly adjusted?: readonly Adjustment[];
      /** What the server does not take, and was asked without. */
      readonly without?: readonly LeftOut[];
    };

/** `temperature`, `topP`, `minP`, `maxTokens`, `stop` and `seed` come from the table of settings. */
export type ModelRequest = RequestSettings & {
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  /** Other fields of the body, under the server's names for them. */
  readonly request?: RequestFields;
  readonly signal: AbortSignal;
  /** Told when the request begins and ends to wait for its turn: until then it is not sent. */
  readonly waits?: (isWaiting: boolean) => void;
  /** Who asks, and for what: the live view shows it, built-in models need it, other servers do not get it. */
  readonly asker: Asker;
};

export type Asker = {
  readonly task: string;
  readonly role: Role;
  /** The suite's name for this request: `apps`, `plan`, `step`, `reflect` ... */
  readonly stage: string;
  readonly spec: RunSpec;
};

/** In the endpoint's currency, per million tokens. */
export type Price = {
  readonly input: number;
  readonly output: number;
  /** Of input the server had in its cache, and of thinking; absent: as other input, as other output. */
  readonly cached?: number;
  readonly reasoning?: number;
};

/** Something that streams chat completions. `name` is `endpoint/model`, as written in a run cell. */
export type Model = {
  readonly name: string;
  /** True for models that read the answer key; every screen and export says so. */
  readonly readsAnswerKey: boolean;
  readonly price?: Price;
  /** What a request sends, and to where, as text: the same for requests that can share a reply. Absent: none can. */
  requestKey?(request: ModelRequest): string;
  stream(request: ModelRequest): AsyncIterable<Chunk>;
};

/** How one task was executed, as far as it got. Scorers read this and nothing else. */
export type Outcome = {
  /** The last `answer` step; undefined when none was given. */
  readonly answer: Json | undefined;
  readonly steps: readonly Step[];
  readonly failure: Failure | undefined;
};

/** One mistake in one task. `kind` comes from the suite's list; the rest says where; `note` is the scorer's word beside what it got. */
export type Mistake = {
  readonly kind: string;
  /** Zero-based index of the plan step, call or day it was made in. */
  readonly step?: number;
  /** Argument or field name. */
  readonly key?: string;
  readonly expected?: string;
  readonly got?: string;
  readonly note?: string;
  /** Label correction of `kind` (which may say that there is no mistake): what the scorer had, who changed it, and why. */
  readonly override?: { readonly was: string; readonly source: string; readonly reason: string };
};

/** How well one trajectory did. */
export type Score = {
  /** From 0 to 1, or undefined when it could not be worked out. Never average undefined as 0. */
  readonly value: number | undefined;
  /** The value from which an answer counts as right, where 1 is more than the reference itself would get from a judge. */
  readonly rightFrom?: number;
  /** Numbers of this task by name: the benchmark's own measures and the raw counters that corpus measures add up. */
  readonly metrics: Readonly<Record<string, number>>;
  /** Constraints, each kept, broken, or not applicable (undefined), with the scorer's message. */
  readonly checks: readonly { readonly name: string; readonly kept: boolean | undefined; readonly message?: string }[];
  readonly errors: readonly Mistake[];
  /** Correction of `value`: what the scorer had, with its metrics, who changed it, and why. */
  readonly override?: {
    readonly was: number | undefined;
    readonly metrics: Readonly<Record<string, number>>;
    readonly source: string;
    readonly reason: string;
  };
  /** Facets known only after the run: how it ended, which parser was used. */
  readonly labels?: Readonly<Record<string, string>>;
};

/** `context`: the prompt no longer fits the model; the task is scored as it stands, like one whose `budget` is used up. */
export type FailureKind = "model" | "tool" | "parse" | "judge" | "timeout" | "budget" | "context" | "stopped" | "bug";

export type Failure = { readonly kind: FailureKind; readonly message: string };

/** Of a saved reply instead of a request: its milliseconds in this run, or `cache`: then it is any run's, and took its time there. */
export type SavedFrom = number | "cache";

/** What a strategy may yield. The runner stamps it and logs it; a strategy never sees the log. */
export type Step =
  | {
      readonly type: "prompt";
      /** Number of this request within the task, from 0; the chunks of its reply carry the same number. */
      readonly request: number;
      readonly role: Role;
      readonly model: string;
      readonly stage: string;
      readonly messages: readonly Message[];
      readonly tools?: readonly ToolSpec[];
      readonly saved?: SavedFrom;
    }
  | ({ readonly request: number } & Chunk)
  | {
      readonly type: "result";
      readonly callId: string;
      readonly name: string;
      readonly result: ToolResult;
      /** The request the call came with, where others were sent since. */
      readonly asked?: number;
      /** Taken over from a saved run, the tool was not called: the milliseconds it once took. */
      readonly saved?: number;
    }
  /** A node of the plan, search tree or graph the strategy builds; yielded again with the same id it is updated. */
  | {
      readonly type: "node";
      readonly id: string;
      readonly parent?: string;
      /** Ids of nodes whose results this one uses (plan graphs). */
      readonly needs?: readonly string[];
      readonly kind: string;
      readonly label: string;
      readonly state: "open" | "done" | "failed" | "pruned";
      readonly detail?: Json;
    }
  /** Anything else worth keeping, counted per kind in the row: `replan`, `switch`, `reflection`, `end` ... */
  | { readonly type: "note"; readonly kind: string; readonly text: string; readonly data?: Json }
  | { readonly type: "answer"; readonly answer: Json };

/**
 * Everything that decides a run's results. Its hash is the run's id. The settings that hold one value (`suite`, `split`,
 * `data`, `strategy`, `shots`, a model for each role, `temperature`, `seed` ...) come from the table in `run-settings-rows.ts`.
 */
export type RunSpec = SettingValues & {
  /** Which installed tasks, for suites whose tasks can be generated. */
  readonly dataset?: string;
  /** Hashes of code of the user's own, by `suite`, `strategy`, `environment:NAME`; absent where all is built in. */
  readonly code?: Readonly<Record<string, string>>;
  /** Facet values to keep; a task must match every facet named. */
  readonly filter: Readonly<Record<string, readonly (string | number)[]>>;
  /** Suite and strategy options by name: prompting, profile, mode, toolkits, clusters.k ... */
  readonly options: Readonly<Record<string, string | number>>;
  readonly budget: Budget;
  /** Identities of programs of the user's: of each tool server its tasks are asked with, by name, and of its agent. */
  readonly toolServers?: Readonly<Record<string, string>>;
  readonly agent?: string;
  /** Settings at their default which the cell set all the same: they are sent, where the default is not (`seed: 0`). */
  readonly set?: readonly UnsentSetting[];
  /** Runs one task of a saved run on from one of its requests. */
  readonly fork?: Fork;
  readonly suiteRevision: number;
  readonly strategyRevision: number;
};

/** Where a saved trajectory is left: requests before `request` (from 0) are answered as they were. */
export type Fork = {
  readonly run: string;
  readonly task: string;
  readonly request: number;
  /** Replaces the last user message of that request. */
  readonly message?: string;
};

/** Limits; absent means none. `task` limits end the task, `run` limits end the run. */
export type Budget = {
  readonly task?: Limits;
  readonly run?: Limits;
};

export type Limits = {
  /** Model requests. */
  readonly steps?: number;
  readonly tokens?: number;
  readonly seconds?: number;
  readonly cost?: number;
};

/** `at`: milliseconds since 1970. */
type Stamp = { readonly seq: number; readonly at: number };

export type TaskEvent = Stamp & { readonly task: string } & (
    | {
        readonly type: "started";
        readonly facets: Facets;
        readonly question: string;
        /** Settings of which the spec holds the default and which are not sent; version 0.1.0 sent them, and wrote nothing. */
        readonly unset?: readonly UnsentSetting[];
        /** Who executes it, by name, and which attempt it is of all there ever were; absent where it is the program that writes. */
        readonly worker?: { readonly name: string; readonly attempt: string };
      }
    | Step
    | {
        readonly type: "scored";
        readonly score: Score;
        readonly suiteRevision: number;
        /** Who made or withdrew the correction it was scored again for. */
        readonly by?: string;
      }
    /** `refused`: a message about the attempt could not be read, and the task is asked again. */
    | { readonly type: "failed"; readonly failure: Failure; readonly refused?: true }
  );

/** Rules of a run by which it ends before its tasks have: the tasks they leave out are not missing. Version 0.1.0 wrote none. */
export type StopRule = "budget";
type RunReason = "done" | "stopped" | "failed";
export type RunEvent = Stamp &
  (
    | {
        readonly type: "run-started";
        readonly run: string;
        readonly spec: RunSpec;
        readonly total: number;
        readonly warnings: readonly string[];
      }
    | { readonly type: "run-ended"; readonly reason: RunReason; readonly message?: string; readonly rule?: StopRule }
    /** A message that is no worker's: what was expected and what came, and whom it named, as far as that could be read. */
    | {
        readonly type: "shipment-refused";
        readonly message: string;
        readonly of?: { readonly task?: string; readonly attempt?: string; readonly worker?: string };
      }
  );

/** One line of the log. Events are facts: never changed, never removed. */
export type Event = TaskEvent | RunEvent;

/** What executing a task takes. */
export type TaskUsage = {
  /** Model requests, tool calls and failed attempts. */
  readonly calls: number;
  readonly toolCalls: number;
  readonly retries: number;
  readonly tokens: RowTokens;
  /** In the endpoints' currency; undefined when a model has no price. */
  readonly cost: number | undefined;
  readonly seconds: number;
};

/** What a row notes beside its score and its usage. */
export type NoteKind =
  /** A `note` step, by the kind its strategy gave it. */
  | { readonly type: "note"; readonly kind: string }
  /** A request of this stage. */
  | { readonly type: "stage"; readonly stage: string }
  /** A setting at its default, which is not sent. */
  | { readonly type: "unset"; readonly setting: UnsentSetting }
  /** A request that was sent without this, because the model's server does not take it. */
  | { readonly type: "without"; readonly field: LeftOut; readonly model: string }
  | { readonly type: "adjusted"; readonly adjustment: Adjustment; readonly model: string }
  /** A reply of another model than the one that was asked, or of the same one under its full name. */
  | { readonly type: "answered"; readonly model: string; readonly by: string }
  /** The answer was taken over from this run; `judge` is that run's. */
  | { readonly type: "answer-from"; readonly run: string; readonly judge: string | undefined }
  /** A reply that is no whole answer, or was taken from the cache. */
  | { readonly type: "reply"; readonly how: "cut" | "filtered" | "refused" | "empty" | "cached" };

/** A note, and how many times there was reason for it. */
export type RowNote = NoteKind & { readonly times: number };

/** What the events of one task in one run add up to. Analyses read these and nothing else. */
export type Row = {
  readonly run: string;
  readonly task: string;
  readonly question: string;
  readonly facets: Facets;
  readonly state: "running" | "scored" | "failed";
  readonly score: Score | undefined;
  readonly failure: Failure | undefined;
  /** The last attempt, with the replies it took over: what was scored, and what figures average. */
  readonly counted: TaskUsage;
  /** What the judge took of it; absent where none was asked. */
  readonly judging?: TaskUsage;
  /** What was really sent, in every attempt, also in stopped and failed ones: what the run line shows and budgets limit. */
  readonly spent: TaskUsage;
  /** In the order in which there was first reason for them, each kind once. */
  readonly notes: readonly RowNote[];
  /** Milliseconds since 1970 of first and last event. */
  readonly from: number;
  readonly to: number;
};

/** Tokens of a task's requests. Those of failed attempts are apart; absent: none that is known of. */
export type RowTokens = Omit<TokenUsage, "cost"> & {
  readonly failed?: { readonly input: number; readonly output: number };
};

export type TaskRef = { readonly run: string; readonly task: string };
