/** Keys in Redis. All share one prefix, so that other programs may use the same Redis. */

/**
 * One round of a run: the tasks that a coordinator gives to workers at one time, until all have ended or the round is stopped.
 */
const roundNames = [
  /** A `Manifest` as JSON; exists while the round is open. */
  "manifest",
  /** A hash of the files that the run needs, by path: their bytes in base64. */
  "files",
  /** A stream of `Shipment`s, as JSON in the field `of`. */
  "events",
  /** A set of the tasks whose end is in the stream. */
  "ended",
  /** A hash by task: `ATTEMPT|WORKER|EVENTS`, the current attempt, its process, and the number of its events in the stream. */
  "attempts",
  /** A hash by task: the attempts whose worker process ended, each followed by a comma. */
  "deaths",
  /** A hash by worker: the reason why the worker does not take part. */
  "refused",
  /** A hash by worker: the keys of its models' endpoints, separated by spaces. */
  "limits",
  /** Exists, with an expiry, while a screen shows the round; workers then send parts of texts as they arrive. */
  "watched",
  /** Exists once tasks in flight must be aborted. */
  "cut",
  /**
   * A hash that identifies the coordinator: its `token`, its `host`, the session's `folder` with its `inode`, and the time of its
   * last heartbeat, `heard`, in milliseconds by the clock of Redis; also `ended` if the end of the round was requested.
   */
  "coordinator",
  /** A hash of the usage so far: `requests` sent, and `tokens` sent and received. */
  "spent",
] as const;
export type RoundKeys = Readonly<Record<(typeof roundNames)[number], string>>;

const prefix = "planwright";
/** A sorted set of the open rounds, by start time. */
export const roundsKey = `${prefix}:rounds`;
/** A channel that announces changes; the message is the round's id or empty. */
export const newsChannel = `${prefix}:news`;
/** A channel that announces the end of a request while other workers wait to send one; the message is the endpoint's key. */
export const limitsChannel = `${prefix}:limits`;
/** The prefix of BullMQ's keys. */
export const queuePrefix = `${prefix}:queue`;

export const roundKeys = (round: string): RoundKeys =>
  Object.fromEntries(roundNames.map((name) => [name, `${prefix}:round:${round}:${name}`])) as RoundKeys;

/** Exists while a worker process lives and reaches Redis, and for one lock period longer. */
export const aliveKey = (worker: string): string => `${prefix}:alive:${worker}`;

/** A set of the running workers, and of workers that ended since the last check. */
export const workersKey = `${prefix}:workers`;
/** The `WorkerPresence` of a worker process as JSON; expires soon after the process dies or loses Redis. */
export const presenceKey = (worker: string): string => `${prefix}:worker:${worker}`;

/** Requests of all workers to one endpoint. */
export type LimitKeys = {
  /** A hash of the requests in flight by id: the worker. */
  readonly flying: string;
  /** A sorted set of the requests of the last minute, by time of admission: `ID|TOKENS`. */
  readonly window: string;
  /**
   * A hash: the `tokens` in the window, `waiting` if a worker waits, `most` in flight as configured, and the fields of a `Tally`.
   */
  readonly state: string;
};

export function limitKeys(endpoint: string): LimitKeys {
  const key = (name: string) => `${prefix}:limit:${endpoint}:${name}`;
  return { flying: key("flying"), window: key("window"), state: key("state") };
}
