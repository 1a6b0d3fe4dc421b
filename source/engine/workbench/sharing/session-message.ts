/** What programs that have the same session open say to each other: JSON, a line each. */
import { z } from "zod";
import { textStepSchema } from "../../log/file/event-schema.ts";
import { checkedValue } from "../../text/checked-record.ts";

/** What the program that executes a session's runs can be asked for. */
export type SessionRequest =
  | { readonly do: "status" }
  /** From now on, everything that is streamed. */
  | { readonly do: "follow" }
  /** Of the runs of these cells, by name, or of one run; all where none is named. */
  | { readonly do: "pause" | "resume"; readonly cells?: readonly string[] }
  | { readonly do: "stop"; readonly cells?: readonly string[]; readonly run?: string }
  | { readonly do: "concurrency"; readonly to: number; readonly cells?: readonly string[] };

/** Text of a request that is not in the log yet. */
export type StreamedText = {
  readonly task: string;
  readonly type: "text" | "thinking";
  readonly request: number;
  readonly text: string;
};

/** A run that is being executed. */
export type ToldRun = {
  readonly run: string;
  readonly status: "loading" | "running" | "paused" | "stopping";
  readonly preparing?: string | undefined;
  readonly message?: string | undefined;
  /** As in `RunState`. */
  readonly unheard?: string | undefined;
  readonly concurrency: number;
  readonly overload?: string | undefined;
  /** How long its log was when the texts had not come into it. */
  readonly bytes: number;
  readonly texts: readonly StreamedText[];
};

/** What it answers: a sentence about what was done or cannot be, and the runs being executed. */
export type SessionReply = {
  /** To a request; absent where it comes unasked, to those that follow. */
  readonly answer?: true;
  readonly said?: string;
  readonly problem?: string;
  readonly process: number;
  readonly runs: readonly ToldRun[];
};

/** Longest line in either direction, in characters: what is longer is nobody of ours. */
export const longestMessage = 16 * 1024 * 1024;

const cells = z.array(z.string()).optional();
const request: z.ZodType<SessionRequest> = z.union([
  z.strictObject({ do: z.enum(["status", "follow"]) }),
  z.strictObject({ do: z.enum(["pause", "resume"]), cells }),
  z.strictObject({ do: z.literal("stop"), cells, run: z.string().optional() }),
  z.strictObject({ do: z.literal("concurrency"), to: z.int().min(1), cells }),
]) as z.ZodType<SessionRequest>;

const streamed = z.union(textStepSchema.options.map((step) => step.extend({ task: z.string() })));
const told = z.object({
  run: z.string(),
  status: z.enum(["loading", "running", "paused", "stopping"]),
  preparing: z.string().optional(),
  message: z.string().optional(),
  unheard: z.string().optional(),
  concurrency: z.number(),
  overload: z.string().optional(),
  bytes: z.int(),
  texts: z.array(streamed),
});
const reply = z.object({
  answer: z.literal(true).optional(),
  said: z.string().optional(),
  problem: z.string().optional(),
  process: z.int(),
  runs: z.array(told),
}) as z.ZodType<SessionReply>;

/** Throws `Error` for what is no such request. */
export function readSessionRequest(line: string): SessionRequest {
  return read(request, line, "a request");
}

/** Throws `Error` for what is no such reply. */
export function readSessionReply(line: string): SessionReply {
  return read(reply, line, "a reply");
}

function read<T>(schema: z.ZodType<T>, line: string, what: string): T {
  return checkedValue(schema, JSON.parse(line) as unknown, ({ path, expected, got }) => {
    throw new Error(`Expected ${[what, ...path].join(".")} to be ${expected}, got \`${got}\``);
  });
}
