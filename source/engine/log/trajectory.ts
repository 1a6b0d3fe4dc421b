/** The events of one task put in reading order: requests, replies, results of tools. */
import { countedScore } from "./verdict.ts";
import type {
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

/** One request and its reply. */
export type Turn = {
  readonly kind: "turn";
  readonly request: number;
  readonly role: Role;
  readonly model: string;
  readonly stage: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly ToolCall[];
  readonly retries: readonly { readonly error: string; readonly status: number | undefined; readonly wait: number }[];
  /** Partial texts voided by retries: kept, because they show what went wrong. */
  readonly voided: readonly string[];
  readonly tokens: TokenUsage | undefined;
  readonly finish: string | undefined;
  /** Where it was not asked for again. */
  readonly saved?: SavedFrom;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
};
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
  readonly entries: readonly Entry[];
  /** In order of first appearance, each in its latest state. */
  readonly nodes: readonly Node[];
  readonly answer: Json | undefined;
  readonly score: Score | undefined;
  readonly failure: Failure | undefined;
  readonly ended: boolean;
};

type Changing = { -readonly [Key in keyof Trajectory]: Trajectory[Key] };

export function emptyTrajectory(task: string): Trajectory {
  const nothing = { answer: undefined, score: undefined, failure: undefined, ended: false };
  return { task, question: "", facets: {}, entries: [], nodes: [], ...nothing };
}

/** The trajectory after one more event of the same task. A second `started` starts anew: only the last attempt counts. */
export function extendTrajectory(before: Trajectory, event: TaskEvent): Trajectory {
  const next: Changing = { ...before };
  switch (event.type) {
    case "started":
      return { ...emptyTrajectory(before.task), question: event.question, facets: event.facets };
    case "scored":
      next.score = countedScore(event.score);
      next.ended = true;
      return next;
    case "failed":
      next.failure = event.failure;
      next.ended = true;
      return next;
    case "node": {
      const index = before.nodes.findIndex(({ id }) => id === event.id);
      next.nodes = index < 0 ? [...before.nodes, event] : before.nodes.with(index, event);
      return next;
    }
    case "note":
      next.entries = [
        ...before.entries,
        { kind: "note", note: event.kind, text: event.text, data: event.data, at: event.at },
      ];
      return next;
    case "result": {
      const { callId, name, result, at } = event;
      next.entries = [...before.entries, { kind: "result", callId, name, result, at }];
      return next;
    }
    case "answer":
      next.answer = event.answer;
      next.entries = [...before.entries, { kind: "answer", answer: event.answer, at: event.at }];
      return next;
    case "prompt": {
      const { request, role, model, stage, messages, tools = [], saved, at } = event;
      const empty = {
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
      next.entries = [...before.entries, { kind: "turn", request, role, model, stage, messages, tools, ...empty }];
      return next;
    }
    case "text":
    case "thinking":
    case "call":
    case "usage":
    case "retry":
    case "finish": {
      const index = before.entries.findLastIndex((entry) => entry.kind === "turn" && entry.request === event.request);
      if (index < 0) return before;
      next.entries = before.entries.with(index, extendTurn(before.entries[index] as Turn, event));
      return next;
    }
    default:
      event satisfies never;
      return before;
  }
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

/** The trajectory of a task from all its events. */
export function trajectoryOf(task: string, events: Iterable<TaskEvent>): Trajectory {
  let trajectory = emptyTrajectory(task);
  for (const event of events) trajectory = extendTrajectory(trajectory, event);
  return trajectory;
}
