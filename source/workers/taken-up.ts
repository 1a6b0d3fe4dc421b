/** How far a round has come that another coordinator began, by the log and by what its Redis has. */
import type { RunStore } from "../engine/log/run-store.ts";
import { lastAttempt } from "../engine/run/saved-replies.ts";
import type { TaskEvent } from "../engine/types.ts";
import { FollowedAttempt } from "./followed-attempts.ts";
import { readShipment } from "./messages.ts";
import type { Round } from "./rounds/round.ts";

export type TakenUp = {
  /** Tasks that have not come back. */
  readonly left: ReadonlySet<string>;
  /** Those among them that have a score already: what the round brings is taken, and they are given to nobody again. */
  readonly awaited: ReadonlySet<string>;
  /** The present attempt at each of them, if one was begun and can be followed. */
  readonly attempts: ReadonlyMap<string, FollowedAttempt>;
  /** Attempts that count no more. */
  readonly past: ReadonlySet<string>;
  /** Tasks to be asked again: a message about their attempt could not be read, or it is lost. */
  readonly again: ReadonlySet<string>;
};

/**
 * `tasks`: as the run's folder lists them, which may be anything; those with a score that the round was not given are left out.
 * `isOther`: the last coordinator was of another folder, whose log may have events that this one lacks.
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

/** The attempt of this round that an event begins. */
function attemptIn(event: TaskEvent, { id }: Round): string | undefined {
  if (event.type !== "started" || event.worker?.attempt.startsWith(`${id}.`) !== true) return undefined;
  return event.worker.attempt;
}

/**
 * Finds the tasks whose present attempt can no longer be followed, with that attempt: a coordinator of another folder has had its first
 * events, which are in that one's log alone. Reads the whole stream.
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
