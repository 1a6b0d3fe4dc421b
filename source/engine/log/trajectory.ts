/** Arranges the events of a task in reading order: requests, replies, tool results. */
import { pickedNote } from "./rows/row-notes.ts";
import type { ScoreAt } from "./rows/score-history.ts";
import { countedScore } from "./rows/verdict.ts";
import type {
  Cause,
  Failure,
  Facets,
  Json,
  Message,
  Role,
  SavedFrom,
  Score,
  Step,
  TaskEvent,
  TokenUsage,
  ToolCall,
  ToolResult,
  ToolSpec,
} from "../types.ts";
import { eachInTurn, type Pieces } from "../work/pieces.ts";

/** One request and its reply. */
export type Turn = {
  readonly kind: "turn";
  readonly request: number;
  readonly role: Role;
  /** The name of the agent that sent the request; if absent, the name of its role. */
  readonly agent?: string;
  readonly model: string;
  readonly stage: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly ToolCall[];
  readonly retries: readonly { readonly error: string; readonly status: number | undefined; readonly wait: number }[];
  /** Partial texts discarded by retries, kept to show what failed. */
  readonly voided: readonly string[];
  readonly tokens: TokenUsage | undefined;
  readonly finish: string | undefined;
  /** Present if a saved reply was reused. */
  readonly saved?: SavedFrom;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
};
/** Returns the speaker of a turn: an agent's name, or a role. It is the same for all turns of one conversation. */
export const speakerOf = ({ agent, role }: Pick<Turn, "agent" | "role">): string => agent ?? role;

export type Entry =
  | Turn
  | {
      readonly kind: "result";
      readonly callId: string;
      readonly name: string;
      readonly result: ToolResult;
      readonly at: number;
    }
  | {
      readonly kind: "note";
      readonly note: string;
      readonly text: string;
      readonly data: Json | undefined;
      readonly at: number;
    }
  | { readonly kind: "answer"; readonly answer: Json; readonly at: number };
export type Node = Extract<Step, { type: "node" }>;

export type Trajectory = {
  readonly task: string;
  readonly question: string;
  readonly facets: Facets;
  /** Name of the worker that executes or executed the task; absent without a worker. */
  readonly worker?: string;
  readonly entries: readonly Entry[];
  /** In order of first appearance, each with its latest state. */
  readonly nodes: readonly Node[];
  readonly answer: Json | undefined;
  readonly score: Score | undefined;
  /** Every score of this attempt, with the author of the correction that caused it. */
  readonly scores: readonly ScoreAt[];
  readonly failure: Failure | undefined;
  readonly ended: boolean;
  /** The cause of the task's row; absent while the task runs. */
  readonly cause?: Cause;
};

export function emptyTrajectory(task: string): Trajectory {
  const nothing = { answer: undefined, score: undefined, scores: [], failure: undefined, ended: false };
  return { task, question: "", facets: {}, entries: [], nodes: [], ...nothing };
}

/** Builds a trajectory from the events of one task one by one; the cost of each event does not depend on earlier events. */
export class TrajectoryFold {
  readonly #task: string;
  #question = "";
  #facets: Facets = {};
  #worker: string | undefined;
  #entries: Entry[] = [];
  /** Position in `#entries` of the latest turn of each request. */
  readonly #turns = new Map<number, number>();
  readonly #nodes = new Map<string, Node>();
  #answer: Json | undefined;
  #score: Score | undefined;
  #scores: Trajectory["scores"] = [];
  #failure: Failure | undefined;
  #ended = false;
  #trajectory: Trajectory | undefined;

  constructor(task: string) {
    this.#task = task;
  }

  /** The trajectory so far; the same object until the next event. */
  get trajectory(): Trajectory {
    return (this.#trajectory ??= {
      task: this.#task,
      question: this.#question,
      facets: this.#facets,
      ...(this.#worker !== undefined && { worker: this.#worker }),
      entries: [...this.#entries],
      nodes: [...this.#nodes.values()],
      answer: this.#answer,
      score: this.#score,
      scores: this.#scores,
      failure: this.#failure,
      ended: this.#ended,
    });
  }

  /** Returns the trajectory with more text in its turns, without changing this object. */
  withText(texts: readonly ChunkEvent[]): Trajectory {
    if (texts.length === 0) return this.trajectory;
    const entries = [...this.trajectory.entries];
    for (const event of texts) {
      const at = this.#turns.get(event.request);
      if (at !== undefined) entries[at] = extendTurn(entries[at] as Turn, event);
    }
    return { ...this.trajectory, entries };
  }

  /** Adds the next event. A second `started` restarts the trajectory, because only the last attempt counts. */
  take(event: TaskEvent): void {
    this.#trajectory = undefined;
    switch (event.type) {
      case "started":
        return this.#start(event);
      case "scored":
        this.#takeScore(event);
        return;
      case "failed":
        this.#failure = event.failure;
        this.#ended = true;
        return;
      case "node":
        this.#nodes.set(event.id, event);
        return;
      case "note":
        this.#entries.push({ kind: "note", note: event.kind, text: event.text, data: event.data, at: event.at });
        return;
      case "result": {
        const { callId, name, result, at } = event;
        this.#entries.push({ kind: "result", callId, name, result, at });
        return;
      }
      case "answer":
        this.#answer = event.answer;
        // A user's strategy may return undefined, which a log omits.
        this.#entries.push({ kind: "answer", answer: event.answer ?? null, at: event.at });
        return;
      case "prompt":
        this.#turns.set(event.request, this.#entries.length);
        this.#entries.push(begunTurn(event));
        return;
      case "text":
      case "thinking":
      case "call":
      case "usage":
      case "retry":
      case "finish": {
        const at = this.#turns.get(event.request);
        if (at !== undefined) this.#entries[at] = extendTurn(this.#entries[at] as Turn, event);
        return;
      }
      default:
        event satisfies never;
    }
  }

  #start({ question, facets, worker }: Extract<TaskEvent, { type: "started" }>): void {
    this.#question = question;
    this.#facets = facets;
    this.#worker = worker?.name;
    this.#entries = [];
    this.#turns.clear();
    this.#nodes.clear();
    this.#answer = undefined;
    this.#score = undefined;
    this.#scores = [];
    this.#failure = undefined;
    this.#ended = false;
  }

  #takeScore({ at, score, by }: Extract<TaskEvent, { type: "scored" }>): void {
    this.#score = countedScore(score);
    this.#scores = [...this.#scores, { at, score: this.#score, ...(by === undefined ? {} : { by }) }];
    this.#ended = true;
  }
}

function begunTurn(event: Extract<TaskEvent, { type: "prompt" }>): Turn {
  const { request, role, agent, model, stage, messages, tools = [], saved, at } = event;
  return {
    kind: "turn",
    request,
    role,
    ...(agent === undefined ? {} : { agent }),
    model,
    stage,
    messages,
    tools,
    text: "",
    thinking: "",
    calls: [],
    retries: [],
    voided: [],
    tokens: undefined,
    finish: undefined,
    from: at,
    to: at,
    ...(saved === undefined ? {} : { saved }),
  };
}

type ChunkEvent = Extract<TaskEvent, { type: "text" | "thinking" | "call" | "usage" | "retry" | "finish" }>;

function extendTurn(turn: Turn, event: ChunkEvent): Turn {
  const to = event.at;
  switch (event.type) {
    case "text":
      return { ...turn, to, text: turn.text + event.text };
    case "thinking":
      return event.textBefore === true
        ? { ...turn, to, thinking: turn.thinking + turn.text + event.text, text: "" }
        : { ...turn, to, thinking: turn.thinking + event.text };
    case "call":
      return { ...turn, to, calls: [...turn.calls, event.call] };
    case "usage": {
      const { seq: _seq, at: _at, task: _task, type: _type, request: _request, ...tokens } = event;
      return { ...turn, to, tokens };
    }
    case "finish":
      return { ...turn, to, finish: event.reason };
    case "retry": {
      const { error, status, wait } = event;
      const voided = turn.text === "" ? turn.voided : [...turn.voided, turn.text];
      return {
        ...turn,
        to,
        text: "",
        thinking: "",
        calls: [],
        voided,
        retries: [...turn.retries, { error, status, wait }],
      };
    }
    default:
      event satisfies never;
      return turn;
  }
}

/** Returns the trajectory of a task from all its events. */
export function trajectoryOf(task: string, events: Iterable<TaskEvent>): Trajectory {
  const fold = new TrajectoryFold(task);
  for (const event of events) fold.take(event);
  return fold.trajectory;
}

/** Builds a trajectory from events as they are read, in parts; undefined if there are no events. */
export function* readTrajectory(task: string, reading: Pieces<readonly TaskEvent[]>): Pieces<Trajectory | undefined> {
  const events = yield* reading;
  if (events.length === 0) return undefined;
  const fold = new TrajectoryFold(task);
  yield* eachInTurn(events, (event) => fold.take(event));
  return fold.trajectory;
}

/**
 * Returns the calls with a result, in order (for samples, those of the picked sample). Results without a saved call have only a
 * name.
 */
export function callsMade({ entries }: Pick<Trajectory, "entries">): readonly ToolCall[] {
  const asked = new Map<string, ToolCall>();
  const picked = entries.findLastIndex((entry) => entry.kind === "note" && entry.note === pickedNote);
  return entries.slice(picked + 1).flatMap((entry): readonly ToolCall[] => {
    if (entry.kind === "turn") for (const call of entry.calls) asked.set(call.id, call);
    if (entry.kind !== "result") return [];
    const { callId, name } = entry;
    const call = asked.get(callId);
    return [call?.name === name ? call : { id: callId, name, text: "", arguments: undefined }];
  });
}
