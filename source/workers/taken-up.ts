/** Determines how far a round begun by another coordinator has progressed, from the log and from Redis. */
import type { RunStore } from "../engine/log/run-store.ts";
import { lastAttempt } from "../engine/run/saved-replies.ts";
import type { TaskEvent } from "../engine/types.ts";
import { FollowedAttempt } from "./followed-attempts.ts";
import { readShipment } from "./messages.ts";
import type { Round } from "./rounds/round.ts";

export type TakenUp = {
  /** Tasks without a result yet. */
  readonly left: ReadonlySet<string>;
  /** Those of these tasks that already have a score: results from the round are accepted, but the tasks are not queued again. */
  readonly awaited: ReadonlySet<string>;
  /** The current attempt at each task, if the task was started and can be followed. */
  readonly attempts: ReadonlyMap<string, FollowedAttempt>;
  /** Attempts that no longer count. */
  readonly past: ReadonlySet<string>;
  /** Tasks to execute again because a message about their attempt could not be read or is lost. */
  readonly again: ReadonlySet<string>;
};

/**
 * `tasks`: the ids in the run's folder, which may be any texts; tasks with a score that are not in the round are omitted.
 * `isOther`: the previous coordinator used another folder, whose log may have events that are missing in this one.
 */
export async function takenUp(
  round: Round,
  store: RunStore,
  tasks: ReadonlySet<string>,
  isOther: boolean,
): Promise<TakenUp> {
  const isScored = (task: string) => store.table.row(task)?.state === "scored";
  const awaited = await round.has([...tasks].filter(isScored));
  const left = new Set([...tasks].filter((task) => awaited.has(task) || !isScored(task)));
  const attempts = new Map<string, FollowedAttempt>();
  const past = new Set<string>();
  const again = new Set<string>();
  const ended = new Set(await round.redis.smembers(round.keys.ended));
  for (const [task, events] of store.eachTask(left)) {
    const own = events.flatMap((event) => attemptIn(event, round) ?? []);
    const present = own.pop();
    for (const attempt of own) past.add(attempt);
    const last = lastAttempt(events);
    const started = last[0]?.type === "started" ? last[0].worker : undefined;
    if (present === undefined || started?.attempt !== present) continue;
    if (last.some((event) => event.type === "failed" && event.refused === true)) {
      past.add(present);
      again.add(task);
      continue;
    }
    const followed = new FollowedAttempt({ task, attempt: present, worker: started.name }, last);
    if (followed.isOver && ended.has(task)) left.delete(task);
    else attempts.set(task, followed);
    if (!followed.isOver) store.table.goOn(task, last);
  }
  for (const [task, attempt] of isOther ? await lostAttempts(round, left, attempts, ended) : []) {
    if (awaited.has(task)) left.delete(task);
    attempts.delete(task);
    past.add(attempt);
    again.add(task);
  }
  return { left, awaited, attempts, past, again };
}

/** Returns the attempt of this round that an event starts. */
function attemptIn(event: TaskEvent, { id }: Round): string | undefined {
  if (event.type !== "started" || event.worker?.attempt.startsWith(`${id}.`) !== true) return undefined;
  return event.worker.attempt;
}

/**
 * Finds the tasks whose current attempt can no longer be followed, with that attempt, because only the log of a coordinator in
 * another folder has its first events. Reads the whole stream.
 */
async function lostAttempts(
  round: Round,
  tasks: ReadonlySet<string>,
  logged: ReadonlyMap<string, FollowedAttempt>,
  ended: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const attempts = await round.redis.hgetall(round.keys.attempts);
  const first = await firstInStream(round);
  const lost = new Map<string, string>();
  for (const [task, text] of Object.entries(attempts)) {
    const [attempt = "", , events] = text.split("|");
    const known = logged.get(task);
    const next = known?.attempt === attempt ? known.next : 0;
    const from = first.get(attempt);
    const isWhole = from === undefined ? Number(events) === next && !ended.has(task) : from <= next;
    if (tasks.has(task) && !isWhole) lost.set(task, attempt);
  }
  return lost;
}

/** Entries per read. */
const page = 1000;

/** Returns, for each attempt in the stream, the index of its first event that was not trimmed. */
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
