/** Which request of a trajectory the cursor is on. */
import type { Trajectory, Turn } from "../../engine/log/trajectory.ts";

/** The request the block belongs to, or the last one before it; in sections without requests, the only one there is. */
export function turnAt({ entries }: Trajectory, block: string | undefined): Turn | undefined {
  const turns = entries.filter((entry) => entry.kind === "turn");
  const [, kind, number] = /^(step|request) (\d+)/.exec(block ?? "") ?? [];
  if (kind === "request") return turns[Number(number)];
  if (kind === "step") return entries.slice(0, Number(number) + 1).findLast((entry) => entry.kind === "turn");
  return block === "failure" ? turns.at(-1) : turns.length === 1 ? turns[0] : undefined;
}

/** The text a fork may change: the last user message of the request. */
export function lastUserMessage({ messages }: Turn): string {
  return messages.findLast(({ role }) => role === "user")?.content ?? "";
}
