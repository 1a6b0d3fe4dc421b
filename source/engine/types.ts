/**
 * The vocabulary of Planwright. Read this file first. A running run appends events to a log; rows are computed from the log; an
 * analysis turns rows into figures; the terminal draws figures. Each type below belongs to one of these four steps or its input.
 */

import type {
  Adjustment,
  LeftOut,
  OwnData,
  OwnPrompts,
  RequestSettings,
  RoleSettings,
  SettingValues,
  SettledRole,
  UnsentSetting,
} from "./run-settings.ts";
import type { RequestFields } from "./run-settings-rows.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Properties that analyses group by: category, difficulty, scenario, parallel, sequential, aspect, level, days. */
export type Facets = Readonly<Record<string, string | number>>;

/** The source of tasks: the suite's sample, published data, or the user's data (a file of the session, or an added folder). */
export type DataKind = "sample" | "published" | "own" | OwnData;

/** One task of a benchmark. Only its own suite reads `input` and `answer`. */
export type Task<Input = unknown, Answer = unknown> = {
  readonly id: string;
  /** The task itself, in one or a few sentences, shown in lists of tasks. */
  readonly question: string;
  readonly input: Input;
  readonly answer: Answer;
  readonly facets: Facets;
};

/**
 * The roles of models in one task. `model` plans, and also acts unless another role does; `actor` acts for a planner; `user`
 * plays a person who talks to the model.
 */
export type Role = "model" | "actor" | "responder" | "user" | "judge";

/** A tool as a model sees it; `parameters` is a JSON Schema object. */
export type ToolSpec = { readonly name: string; readonly description: string; readonly parameters: Json };

/** `text` contains the arguments as the model wrote them; `arguments` is undefined if this text is not JSON. */
export type ToolCall = {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly arguments: Json | undefined;
  /** Opaque data the server wants back with this call (`extra_content`: Gemini's thought signatures). */
  readonly extra?: Json;
};

export type ToolResult = {
  readonly ok: boolean;
  /** The exact text shown to the model. */
  readonly observation: string;
  /** The environment's own name for the result, such as `Successful`, `invalidAction` or a status code. */
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
      /** Earlier thinking, for servers that want it back. */
      readonly thinking?: Thinking;
    }
  | { readonly role: "tool"; readonly callId: string; readonly content: string };

/** A model's thinking, and the field of the reply that contained it; without a field it was in the text, between tags. */
export type Thinking = {
  readonly text: string;
  readonly field?: ThinkingField;
  /** Opaque data the server wants back instead (`reasoning` items of the Responses protocol). */
  readonly items?: readonly Json[];
};

export type ThinkingField = "reasoning_content" | "reasoning";

/** Tokens of one request. */
export type TokenUsage = {
  readonly input: number;
  /** Includes tokens of thinking. */
  readonly output: number;
  readonly estimated: boolean;
  /** Tokens of `input` that the server had cached, and of `output` that were thinking; absent if not reported. */
  readonly cached?: number;
  readonly reasoning?: number;
  /** Cost of the request as reported by the server, in its currency. */
  readonly cost?: number;
};

/** A streamed chunk of a reply. A `retry` voids all text, thinking and calls streamed for this request before it. */
export type Chunk =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "thinking";
      readonly text: string;
      readonly field?: ThinkingField;
      /** True if all text streamed for this request so far was thinking, too, because its opening tag was missing. */
      readonly textBefore?: true;
      /** The item of `Thinking` that came with it. */
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
      /** Usage of the failed attempt. */
      readonly usage?: TokenUsage;
    }
  | {
      readonly type: "finish";
      readonly reason: string;
      /** The model that answered according to the server, and its `system_fingerprint`. */
      readonly model?: string;
      readonly fingerprint?: string;
      readonly adjusted?: readonly Adjustment[];
      /** Parts left out because the server rejects them. */
      readonly without?: readonly LeftOut[];
    };

/** `temperature`, `topP`, `minP`, `maxTokens`, `stop` and `seed` come from the table of settings. */
export type ModelRequest = RequestSettings & {
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  /** Other fields of the body, under the server's names. */
  readonly request?: RequestFields;
  readonly signal: AbortSignal;
  /** Called when the request starts and stops waiting for its turn; it is not sent before that. */
  readonly waits?: (isWaiting: boolean) => void;
  /** Origin of the request: the live view shows it and built-in models need it; other servers do not receive it. */
  readonly asker: Asker;
};

export type Asker = {
  readonly task: string;
  readonly role: Role;
  /** The suite's name for this request: `apps`, `plan`, `step`, `reflect` ... */
  readonly stage: string;
  readonly spec: RunSpec;
  /** The functions' own names, keyed by their names in this variant of the run; absent if functions have their own names. */
  readonly names?: Readonly<Record<string, string>>;
};

/** In the endpoint's currency, per million tokens. */
export type Price = {
  readonly input: number;
  readonly output: number;
  /** Prices of cached input and of thinking; if absent, those of other input and output. */
  readonly cached?: number;
  readonly reasoning?: number;
};

/** A streaming chat model. `name` is `endpoint/model`, as written in a run cell. */
export type Model = {
  readonly name: string;
  /** True for models that read the answer key; every screen and export notes it. */
  readonly readsAnswerKey: boolean;
  readonly price?: Price;
  /** Returns a key of the request's content and destination: requests with equal keys can share a reply. Absent: none can. */
  requestKey?(request: ModelRequest): string;
  stream(request: ModelRequest): AsyncIterable<Chunk>;
};

/** The execution of one task up to its end or failure. Scorers read only this. */
export type Outcome = {
  /** The last `answer` step; undefined if none was given. */
  readonly answer: Json | undefined;
  readonly steps: readonly Step[];
  readonly failure: Failure | undefined;
};

/**
 * One mistake in one task. `kind` comes from the suite's list; the other fields locate it; `note` is the scorer's message with
 * the value that it found.
 */
export type Mistake = {
  readonly kind: string;
  /** Zero-based index of the plan step, call or day with the mistake. */
  readonly step?: number;
  /** Argument or field name. */
  readonly key?: string;
  readonly expected?: string;
  readonly got?: string;
  readonly note?: string;
  /** A person's correction of `kind` (possibly to no mistake): the scorer's kind, the person, and the reason. */
  readonly override?: { readonly was: string; readonly source: string; readonly reason: string };
};

/** The parties that can be at fault, in the order of screens. */
export const parties = ["agent", "user", "environment", "limit"] as const;
export type Party = (typeof parties)[number];

/** The score of one trajectory. */
export type Score = {
  /** From 0 to 1, or undefined if it could not be computed. An undefined value must never be averaged as 0. */
  readonly value: number | undefined;
  /** The lowest value of a right answer, for judges that would not give the reference itself 1. */
  readonly rightFrom?: number;
  /** Numbers of this task by name: the benchmark's measures, and the raw counters that corpus measures add up. */
  readonly metrics: Readonly<Record<string, number>>;
  /** Constraints, each satisfied, violated, or not applicable (undefined), with the scorer's message. */
  readonly checks: readonly { readonly name: string; readonly kept: boolean | undefined; readonly message?: string }[];
  readonly errors: readonly Mistake[];
  /** Correction of `value`: the scorer's value and metrics, the source, and the reason. */
  readonly override?: {
    readonly was: number | undefined;
    readonly metrics: Readonly<Record<string, number>>;
    readonly source: string;
    readonly reason: string;
  };
  /** A first guess, by a rule, of the party at fault in an attempt that did not pass. */
  readonly fault?: { readonly by: Party; readonly rule: string };
  /** Facets known only after the run: how it ended, the parser used. */
  readonly labels?: Readonly<Record<string, string>>;
};

/** `context`: the prompt is too long for the model. The answer so far is scored, as for a task whose `budget` is used up. */
export type FailureKind = "model" | "tool" | "parse" | "judge" | "timeout" | "budget" | "context" | "stopped" | "bug";

export type Failure = { readonly kind: FailureKind; readonly message: string };

/** Origin of a reply that was not requested: its milliseconds in this run, or `cache` if any run may have requested it. */
export type SavedFrom = number | "cache";

/** A step yielded by a strategy. The runner stamps and logs it; a strategy never sees the log. */
export type Step =
  | {
      readonly type: "prompt";
      /** Number of this request within the task, from 0; the chunks of its reply have the same number. */
      readonly request: number;
      readonly role: Role;
      /** The name of the agent that sent the request, in a recording of several agents; if absent, its role names it. */
      readonly agent?: string;
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
      /** The request whose reply contained the call, if other requests were sent since. */
      readonly asked?: number;
      /** Milliseconds of the original call, if the result was reused from a saved run without a call. */
      readonly saved?: number;
    }
  /** A node of the plan, search tree or graph that the strategy builds; yielding the same id again updates it. */
  | {
      readonly type: "node";
      readonly id: string;
      readonly parent?: string;
      /** Ids of nodes whose results this node uses (plan graphs). */
      readonly needs?: readonly string[];
      readonly kind: string;
      readonly label: string;
      readonly state: "open" | "done" | "failed" | "pruned";
      readonly detail?: Json;
    }
  /** Any other record, counted per kind in the row: `replan`, `switch`, `reflection`, `end` ... */
  | { readonly type: "note"; readonly kind: string; readonly text: string; readonly data?: Json }
  | { readonly type: "answer"; readonly answer: Json };

/**
 * All settings that determine a run's results. Their hash is the run's id. The settings with one value (`suite`, `split`, `data`,
 * `strategy`, `shots`, a model for each role, `temperature`, `seed` ...) come from the table in `run-settings-rows.ts`.
 */
export type RunSpec = SettingValues & {
  /** The installed tasks, for suites whose tasks can be generated. */
  readonly dataset?: string;
  /** Hashes of the user's code, by `suite`, `strategy`, `environment:NAME`; absent if all code is built in. */
  readonly code?: Readonly<Record<string, string>>;
  /** Facet values to keep; a task must match every facet. */
  readonly filter: Readonly<Record<string, readonly (string | number)[]>>;
  /** Suite and strategy options by name: prompting, profile, mode, toolkits, clusters.k ... */
  readonly options: Readonly<Record<string, string | number>>;
  readonly budget: Budget;
  /** Identities of the user's programs: of each tool server by name, and of the agent. */
  readonly toolServers?: Readonly<Record<string, string>>;
  readonly agent?: string;
  /** Settings that the cell gives single roles; a role without an entry has the run's. */
  readonly roles?: Readonly<Partial<Record<SettledRole, RoleSettings>>>;
  /**
   * Settings of the judge's requests, in no id. Absent if there is no judge, or, in older runs, if it used the run's settings.
   */
  readonly judging?: RoleSettings;
  /** Several judges for a majority; the first of them is `judge`. Absent if there is one judge, or none. */
  readonly judges?: readonly string[];
  /** Texts that replace prompts of a judge, by the names of the prompts. */
  readonly judgePrompts?: OwnPrompts;
  /** Settings that the cell set to their default: they are sent, unlike an unset default (`seed: 0`). */
  readonly set?: readonly UnsentSetting[];
  /** Continues one task of a saved run from one of its requests. */
  readonly fork?: Fork;
  /** Continues many tasks of a saved run: its own tasks are the requests at which it forks them (`forkPoint`). */
  readonly forks?: ForkedRun;
  readonly suiteRevision: number;
  readonly strategyRevision: number;
};

/** The text that a fork replaces in its original: at most one of the three. */
export type Replacement = {
  /** Replaces a message of the forked request: the user's last message, or the message at `index`. */
  readonly message?: string;
  /** Replaces the result of a tool before that request: the last result after the previous request, or the result at `index`. */
  readonly result?: string;
  /** Replaces the reply to that request; the next request is sent. */
  readonly reply?: string;
  /** From 0. */
  readonly index?: number;
};

/**
 * The request of a saved trajectory at which a fork starts: requests before `request` (from 0) get the saved replies, and their
 * calls the saved results.
 */
export type Fork = Replacement & {
  readonly run: string;
  readonly task: string;
  readonly request: number;
  /**
   * Hash of the requests before the forked request and their replies. If absent, the last attempt is continued, as by forks of
   * older versions.
   */
  readonly attempt?: string;
};

/** The run that many forks continue. The choice of tasks and requests does not change its id. */
export type ForkedRun = {
  readonly of: string;
  readonly tasks?: "wrong" | "right" | "all" | readonly string[];
  readonly at?: "requests" | "errors";
};

/** Limits; an absent limit means none. `task` limits end the task, `run` limits end the run. */
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
        /** Settings that have the default of the spec without being sent; version 0.1.0 sent them and recorded nothing. */
        readonly unset?: readonly UnsentSetting[];
        /**
         * The executing worker's name, and the attempt's number among all attempts; absent if the program that writes the log
         * executes it.
         */
        readonly worker?: { readonly name: string; readonly attempt: string };
      }
    | Step
    | {
        readonly type: "scored";
        readonly score: Score;
        readonly suiteRevision: number;
        /** The person who made or withdrew the correction behind the new score. */
        readonly by?: string;
      }
    /** `refused`: a message about the attempt could not be read, so the task is executed again. */
    | { readonly type: "failed"; readonly failure: Failure; readonly refused?: true }
  );

/** A cell's choice among the tasks of a run: its id, and the ids of the tasks unless it chooses all. */
export type TaskSelection = { readonly id: string; readonly tasks?: readonly string[] };

/** Rules that end a run before all its tasks; the remaining tasks do not count as missing. Version 0.1.0 recorded none. */
export type StopRule = "budget" | "decided";
type RunReason = "done" | "stopped" | "failed";
export type RunEvent = Stamp &
  (
    | {
        readonly type: "run-started";
        /** The format of the run's files; absent: 1. */
        readonly format?: number;
        readonly run: string;
        readonly spec: RunSpec;
        readonly total: number;
        readonly warnings: readonly string[];
        /** The cell's choice of the run's tasks; absent for all tasks, without limits of the whole run. */
        readonly choice?: TaskSelection;
        /** True if another cell's tasks of the run were in execution already. */
        readonly joins?: true;
      }
    | {
        readonly type: "run-ended";
        readonly reason: RunReason;
        readonly message?: string;
        readonly rule?: StopRule;
        /** The id of the choice that ended; absent: all tasks. */
        readonly choice?: string;
      }
    /**
     * A message that was rejected because no worker sent it: what was expected, what it contained, and the sender if it could be
     * read.
     */
    | {
        readonly type: "shipment-refused";
        readonly message: string;
        readonly of?: { readonly task?: string; readonly attempt?: string; readonly worker?: string };
      }
  );

/** One line of the log. Events are never changed or removed. */
export type Event = TaskEvent | RunEvent;

/** Usage of executing a task. */
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

/** Notes of a row besides its score and usage. */
export type NoteKind =
  /** A `note` step, by the kind from its strategy. */
  | { readonly type: "note"; readonly kind: string }
  /** A request of this stage. */
  | { readonly type: "stage"; readonly stage: string }
  /** A setting omitted because it has its default. */
  | { readonly type: "unset"; readonly setting: UnsentSetting }
  /** A request without this part, because the model's server rejects it. */
  | { readonly type: "without"; readonly field: LeftOut; readonly model: string }
  | { readonly type: "adjusted"; readonly adjustment: Adjustment; readonly model: string }
  /** A reply by a model other than the requested one, or by the same model under its full name. */
  | { readonly type: "answered"; readonly model: string; readonly by: string }
  /** The answer was reused from this run; `judge` is that of the run, and `scoring` its check. */
  | {
      readonly type: "answer-from";
      readonly run: string;
      readonly judge: string | undefined;
      readonly scoring?: string | undefined;
    }
  /** A reply that is incomplete, or from the cache. */
  | { readonly type: "reply"; readonly how: "cut" | "filtered" | "refused" | "empty" | "cached" };

/** A note, and its number of occurrences. */
export type RowNote = NoteKind & { readonly times: number };

/** How the answer of a task ended, independent of its mistakes, in display order. */
export const causeNames = [
  "read",
  "cut",
  "wrapped",
  "other-form",
  "no-call",
  "unknown-tool",
  "empty",
  "refused",
  "repeats",
  "echo",
  "context",
  "limit",
  "environment",
] as const;
export type CauseName = (typeof causeNames)[number];

/** The cause of a task: how the last reply of the evaluated model ended. */
export type Cause = {
  readonly cause: CauseName;
  /** Number of the request whose reply determines the cause; absent for an answer without requests. */
  readonly request?: number;
  /** The deciding characters of that reply. */
  readonly from?: number;
  readonly to?: number;
  /** The detail of the cause, such as `maxTokens 200`, `fence`, or the name of a function. */
  readonly detail?: string;
};

/** The summary of one task's events in one run. Analyses read only rows. */
export type Row = {
  readonly run: string;
  readonly task: string;
  readonly question: string;
  readonly facets: Facets;
  readonly state: "running" | "scored" | "failed";
  readonly score: Score | undefined;
  readonly failure: Failure | undefined;
  /** Absent while the task runs, and if no reply arrived, because then nothing is known about the model. */
  readonly cause?: Cause;
  /** Usage of the last attempt, including replies that it reused; scores and figures refer to it. */
  readonly counted: TaskUsage;
  /** The judge's share of that usage; absent if no judge was asked. */
  readonly judging?: TaskUsage;
  /**
   * Usage of all requests sent in all attempts, including stopped and failed attempts. The run line shows it, and budgets limit
   * it.
   */
  readonly spent: TaskUsage;
  /** In order of first occurrence, each kind once. */
  readonly notes: readonly RowNote[];
  /** Milliseconds since 1970 of first and last event. */
  readonly from: number;
  readonly to: number;
  /** Kinds of the codebook in this attempt; absent if the session has no codes. */
  readonly codes?: RowCodes;
};

/** Tokens of a task's requests. Those of failed attempts are separate; absent if none are known. */
export type RowTokens = Omit<TokenUsage, "cost"> & {
  readonly failed?: { readonly input: number; readonly output: number };
};

export type TaskRef = { readonly run: string; readonly task: string };

/**
 * Kinds in one task: `given` lists the assigned kinds; `has` states for each kind of the codebook whether it, or a kind below it,
 * was assigned.
 */
export type RowCodes = {
  readonly given: readonly string[];
  readonly has: Readonly<Record<string, boolean>>;
};
