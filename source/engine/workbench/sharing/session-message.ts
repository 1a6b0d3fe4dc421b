/** Messages between programs that have the same session open: one JSON value per line. */
import type { Socket } from "node:net";
import { z } from "zod";
import { textStepSchema } from "../../log/file/event-schema.ts";
import type { TextStep } from "../../log/live-stream.ts";
import type { SteeringMessage } from "../../run/steering.ts";
import { checkedValue } from "../../text/checked-record.ts";

/**
 * A request to the program that executes a session's runs; `cells` are the run cells to which it applies, all cells if absent.
 */
export type SessionRequest = { readonly do: "status" } | (SteeringMessage & { readonly cells?: readonly string[] });

/** Maximum length of a line in either direction, in characters. No Planwright program sends a longer line. */
const longestMessage = 16 * 1024 * 1024;

const cells = z.array(z.string()).optional();
const request: z.ZodType<SessionRequest> = z.union([
  z.strictObject({ do: z.enum(["status", "follow", "pause", "resume"]), cells }),
  z.strictObject({ do: z.literal("stop"), cells, run: z.string().optional() }),
  z.strictObject({ do: z.literal("concurrency"), to: z.int().min(1), cells }),
]) as z.ZodType<SessionRequest>;

const streamed = z.union(textStepSchema.options.map((step) => step.extend({ task: z.string() })));
const told = z.object({
  run: z.string(),
  status: z.enum(["loading", "running", "paused", "stopping"]),
  preparing: z.string().optional(),
  message: z.string().optional(),
  /** As in `RunState`. */
  unheard: z.string().optional(),
  concurrency: z.number(),
  overload: z.string().optional(),
  /** Length of the log before the texts were added to it. */
  bytes: z.int(),
  /** The ends of the texts that the run's models are streaming. */
  texts: z.array(streamed as z.ZodType<TextStep & { readonly task: string }>),
});
const reply = z.object({
  /** Present in an answer to a request; absent in updates sent to followers. */
  answer: z.literal(true).optional(),
  said: z.string().optional(),
  problem: z.string().optional(),
  process: z.int(),
  runs: z.array(told).readonly(),
});

/** A run that is being executed. */
export type ToldRun = Readonly<z.infer<typeof told>>;
/** An answer: a sentence about the action or the problem, and the running runs. */
export type SessionReply = Readonly<z.infer<typeof reply>>;

/** Throws `Error` if the line is not a valid request. */
export const readSessionRequest = (line: string): SessionRequest => read(request, line, "a request");

/** Throws `Error` if the line is not a valid reply. */
export const readSessionReply = (line: string): SessionReply => read(reply, line, "a reply");

const read = <T>(schema: z.ZodType<T>, line: string, what: string): T =>
  checkedValue(schema, JSON.parse(line) as unknown, ({ path, expected, got }) => {
    throw new Error(`Expected ${[what, ...path].join(".")} to be ${expected}, got \`${got}\``);
  });

/** Calls `take` with every complete line; ends a connection whose line is too long. */
export function onLines(socket: Socket, take: (line: string) => void): void {
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    if (rest.length > longestMessage) socket.destroy();
    for (const line of lines) take(line);
  });
}
