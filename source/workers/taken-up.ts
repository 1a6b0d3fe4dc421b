/** How far a round has come that another coordinator began, by the log and by what its Redis has. */
import type { RunStore } from "../engine/log/run-store.ts";
import { lastAttempt } from "../engine/run/saved-replies.ts";
import { FollowedAttempt } from "./followed-attempt.ts";
import type { Round } from "./rounds/round.ts";

export type TakenUp = {
  /** Tasks that have not come back. */
  readonly left: Set<string>;
  /** Those among them that have a score already: what the round brings is taken, and they are given to nobody again. */
  readonly awaited: ReadonlySet<string>;
  /** The present attempt at each of them, where one was begun. */
  readonly attempts: ReadonlyMap<string, FollowedAttempt>;
  /** Attempts that count no more. */
  readonly past: ReadonlySet<string>;
  /** Tasks whose attempt failed by a message that could not be read: they are to be asked again. */
  readonly refused: ReadonlySet<string>;
};

/** `tasks`: as the run's folder lists them, which may be anything; those with a score that the round was not given are left out. */
export async function takenUp(round: Round, store: RunStore, tasks: ReadonlySet<string>): Promise<TakenUp> {
  const isScored = (task: string) => store.table.row(task)?.state === "scored";
  const awaited = await round.has([...tasks].filter(isScored));
  const left = new Set([...tasks].filter((task) => awaited.has(task) || !isScored(task)));
  const attempts = new Map<string, FollowedAttempt>();
  const past = new Set<string>();
  const refused = new Set<string>();
  const ended = new Set(await round.redis.smembers(round.keys.ended));
  for (const [task, events] of store.eachTask(left)) {
    const own = events.flatMap((event) =>
      event.type === "started" && event.worker?.attempt.startsWith(`${round.id}.`) ? [event.worker.attempt] : [],
    );
    const present = own.pop();
    for (const attempt of own) past.add(attempt);
    const last = lastAttempt(events);
    if (present === undefined || last[0]?.type !== "started" || last[0].worker?.attempt !== present) continue;
    if (last.some((event) => event.type === "failed" && event.refused === true)) {
      past.add(present);
      refused.add(task);
      continue;
    }
    const followed = new FollowedAttempt(present, last[0].worker.name, last);
    if (followed.isOver && ended.has(task)) left.delete(task);
    else attempts.set(task, followed);
    if (!followed.isOver) store.table.goOn(task, last);
  }
  return { left, awaited, attempts, past, refused };
}
