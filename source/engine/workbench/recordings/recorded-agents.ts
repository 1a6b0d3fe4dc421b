/** Collects the requests of several agents, each with a separate conversation, as the events of one task. */
import type { Message, ToolCall, ToolSpec } from "../../types.ts";
import { type RecordedEvent, SentMessages } from "./recording.ts";

export type RecordedRequest = {
  /** The agent's own name; undefined if the task has only one agent. */
  readonly agent: string | undefined;
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  readonly thinking?: string;
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number } | undefined;
  readonly finish?: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
};

/** Longest note, in characters. */
const longestNote = 10_000;

export class RecordedAgents {
  readonly events: RecordedEvent[] = [];
  /** Number of entries that were not understood; each becomes a note. */
  unread = 0;
  readonly #sent = new SentMessages();
  #requests = 0;

  request({
    agent,
    model,
    messages,
    tools = [],
    thinking = "",
    text,
    calls,
    usage,
    finish,
    from,
    to,
  }: RecordedRequest): void {
    this.#sent.add(messages.length);
    const request = this.#requests++;
    const own = { request, at: to };
    this.events.push(
      {
        type: "prompt",
        at: from,
        request,
        role: "model",
        ...(agent !== undefined && { agent }),
        model,
        stage: "",
        messages,
        ...(tools.length > 0 && { tools }),
      },
      ...(thinking === "" ? [] : [{ type: "thinking", text: thinking, ...own } as const]),
      ...(text === "" ? [] : [{ type: "text", text, ...own } as const]),
      ...calls.map((call) => ({ type: "call", call, ...own }) as const),
      ...(usage === undefined ? [] : [{ type: "usage", ...usage, estimated: false, ...own } as const]),
      { type: "finish", reason: finish ?? "stop", ...own },
    );
  }

  result(callId: string, name: string, { ok, content, at }: { ok: boolean; content: string; at: number }): void {
    const result = { ok, observation: content, status: ok ? "ok" : "error" };
    this.events.push({ type: "result", at, callId, name, result });
  }

  note(kind: string, text: string, at: number): void {
    this.events.push({ type: "note", at, kind, text: text.slice(0, longestNote) });
  }

  /** Keeps unknown content as a note. */
  unknown(value: unknown, at: number): void {
    this.unread += 1;
    this.note("unread", typeof value === "string" ? value : JSON.stringify(value), at);
  }
}

/** Returns a finite number that is not negative; undefined for any other value. */
export const countIn = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : undefined;
};
