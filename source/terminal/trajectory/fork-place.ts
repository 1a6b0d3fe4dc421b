/** Finds the request at which a fork starts, and the texts that the fork can replace. */
import { messagesBefore, promptNews } from "../../engine/log/prompt-news.ts";
import { heldNote } from "../../engine/log/rows/rows.ts";
import type { Trajectory, Turn } from "../../engine/log/trajectory.ts";
import type { ScreenOf } from "../frame/screen.ts";

type ForkPlace = Omit<ScreenOf<"fork">, "kind" | "ref">;

/**
 * Returns the request of a fork from a block of the steps in this turn: for a tool's result, the request that received it; for a
 * message, a reply or any other block, the turn's request.
 */
export function forkPlace({ entries }: Trajectory, turn: Turn, block: string | undefined): ForkPlace {
  const [, number, part] = /^step (\d+) ?(.*)$/.exec(block ?? "") ?? [];
  const at = Number(number);
  const entry = number === undefined ? undefined : entries[at];
  const turns = entries.filter((each) => each.kind === "turn");
  if (entry?.kind === "result") {
    const next = entries.slice(at).find((each) => each.kind === "turn");
    const index = resultsBefore(entries, at).length;
    const replaced = { result: entry.result.observation, at: "result", index } as const;
    // Behind the last request there is nothing else to replace.
    if (next === undefined) return { request: turns.length, stage: turn.stage, message: "", ...replaced };
    return { ...placeOf(entries, next), ...replaced };
  }
  const place = placeOf(entries, turn);
  if (entry?.kind === "note" && entry.note === heldNote) {
    const result = resultsBefore(entries, at).at(-1);
    return { request: turns.length, stage: "held", message: "", ...(result !== undefined && { result }) };
  }
  if (/^(reply|call|finish)/.test(part ?? "")) return { ...place, at: "reply" };
  const message = /^message (\d+)/.exec(part ?? "")?.[1];
  const index = message === undefined ? undefined : messageIndex(entries, at, Number(message));
  const content = index === undefined ? undefined : turn.messages[index]?.content;
  return content === undefined ? place : { ...place, message: content, at: "message", index: index! };
}

function placeOf(entries: Trajectory["entries"], turn: Turn): ForkPlace {
  const { request, stage, messages, text, calls } = turn;
  const message = messages.findLast(({ role }) => role === "user")?.content ?? "";
  const written = calls.map(
    ({ name, text: given }) => `<tool_call>{"name": ${JSON.stringify(name)}, "arguments": ${given}}</tool_call>`,
  );
  const reply = [text, ...written].filter((each) => each !== "").join("\n");
  const result = resultsBefore(entries, entries.indexOf(turn)).at(-1);
  return { request, stage, message, reply, ...(result !== undefined && { result }) };
}

/** Returns the results since the request before this entry. */
function resultsBefore(entries: Trajectory["entries"], at: number): readonly string[] {
  const before = entries.slice(0, at);
  const from = before.findLastIndex(({ kind }) => kind === "turn");
  return before.slice(from + 1).flatMap((entry) => (entry.kind === "result" ? [entry.result.observation] : []));
}

/** Returns the index, in its request, of the message that the steps show as new message number `shown`. */
function messageIndex(entries: Trajectory["entries"], at: number, shown: number): number | undefined {
  const turn = entries[at];
  if (turn?.kind !== "turn") return undefined;
  const news = promptNews(turn.messages, messagesBefore(entries, at))[shown];
  const index = turn.messages.findLastIndex(({ role, content }) => role === news?.role && content === news.whole);
  return index < 0 ? undefined : index;
}
