/** A server that accepts some requests, holds them until a test releases their replies, and refuses the rest. */
import { refuses, says, scriptedServer, type ScriptedServer } from "./engine/models/scripted-server.ts";

export type RefusingServer = ScriptedServer & {
  /** Requests refused so far. */
  readonly refused: () => number;
  /** Replies to the held requests, and from now on accepts and answers all. */
  open(): void;
};

export async function refusingServer(places: number): Promise<RefusingServer> {
  let [taken, refused, isOpen] = [0, 0, false];
  const held: (() => void)[] = [];
  const busy = refuses(429, { error: { message: "Too many requests" } }, { "retry-after": "0.2" });
  const server = await scriptedServer((response, seen) => {
    if (isOpen) return says("Some words")(response, seen);
    if (taken >= places) {
      refused += 1;
      return busy(response, seen);
    }
    taken += 1;
    held.push(() => says("Some words")(response, seen));
  });
  return {
    ...server,
    refused: () => refused,
    open() {
      isOpen = true;
      for (const answer of held.splice(0)) answer();
    },
  };
}
