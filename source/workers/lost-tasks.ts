/** What a round brought to the coordinator of another folder, and what this one can therefore not follow any more. */
import type { FollowedAttempt } from "./followed-attempt.ts";
import { readShipment } from "./read-shipment.ts";
import type { Round } from "./rounds/round.ts";

/**
 * Finds the tasks whose present attempt can no longer be followed, with that attempt: a coordinator of another folder has had its first
 * events, which are in that one's log alone. Reads the whole stream: needed only if the last coordinator was of another folder.
 */
export async function lostTasks(
  round: Round,
  tasks: ReadonlySet<string>,
  logged: ReadonlyMap<string, FollowedAttempt>,
): Promise<ReadonlyMap<string, string>> {
  const [attempts, ended] = await Promise.all([
    round.redis.hgetall(round.keys.attempts),
    round.redis.smembers(round.keys.ended),
  ]);
  const over = new Set(ended);
  const first = await firstInStream(round);
  const lost = new Map<string, string>();
  for (const [task, text] of Object.entries(attempts)) {
    const [attempt = "", , events] = text.split("|");
    const known = logged.get(task);
    const next = known?.attempt === attempt ? known.next : 0;
    const from = first.get(attempt);
    const isWhole = from === undefined ? Number(events) === next && !over.has(task) : from <= next;
    if (tasks.has(task) && !isWhole) lost.set(task, attempt);
  }
  return lost;
}

/** Entries read at a time. */
const page = 1000;

/** The number of the first event, of each attempt in the stream, that is still there. */
async function firstInStream({ redis, keys }: Round): Promise<ReadonlyMap<string, number>> {
  const first = new Map<string, number>();
  for (let after = "-"; ;) {
    const found = await redis.xrange(keys.events, after, "+", "COUNT", page);
    for (const [, [, text]] of found) {
      const came = readShipment(text ?? "");
      if (!("refused" in came) && !first.has(came.attempt)) first.set(came.attempt, came.from);
    }
    if (found.length < page) return first;
    after = `(${found.at(-1)![0]}`;
  }
}
