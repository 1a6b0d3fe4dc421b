/** Where in Redis everything lies. All keys begin alike, so that a Redis may serve others as well. */

/** One round of a run: what its coordinator gave to the workers at one time, until it has all come back or was stopped. */
export type RoundKeys = {
  /** A `Manifest`, as JSON: there as long as the round is open. */
  readonly manifest: string;
  /** A hash of the files the run needs: their bytes, in base64, by path. */
  readonly files: string;
  /** A stream of `Shipment`s, as JSON in the field `of`. */
  readonly events: string;
  /** A set of the tasks whose end is in the stream. */
  readonly ended: string;
  /** A hash, by task: `ATTEMPT|WORKER|EVENTS`, the present attempt, its process, and how many of its events are in the stream. */
  readonly attempts: string;
  /** A hash, by task: attempts whose worker process died, each with a comma behind it. */
  readonly deaths: string;
  /** A hash, by worker: why it does not take part. */
  readonly refused: string;
  /** A hash, by worker: the keys of the endpoints its models are at, with a blank between two. */
  readonly limits: string;
  /** There, for a while, when somebody looks on: pieces of text are then sent as they come. */
  readonly watched: string;
  /** There when tasks in flight are to be cut. */
  readonly cut: string;
  /**
   * A hash of who coordinates the round: its `token`, its `host`, the session's `folder` with its `inode`, when it was `heard` last, by
   * the clock of Redis in milliseconds; and, if somebody wants the round to end, `ended`.
   */
  readonly coordinator: string;
  /** A hash of what it took so far: `requests` sent, and `tokens` sent and received. */
  readonly spent: string;
};

const prefix = "planwright";
/** A sorted set of the rounds that are open, by when they were begun. */
export const roundsKey = `${prefix}:rounds`;
/** A channel on which is said that there is something new to look at: which round, or nothing. */
export const newsChannel = `${prefix}:news`;
/** A channel on which is said that a request is over for whose end others wait: to which endpoint, by its key. */
export const limitsChannel = `${prefix}:limits`;
/** Prefix of the keys of BullMQ. */
export const queuePrefix = `${prefix}:queue`;

export function roundKeys(round: string): RoundKeys {
  const key = (name: string) => `${prefix}:round:${round}:${name}`;
  return {
    manifest: key("manifest"),
    files: key("files"),
    events: key("events"),
    ended: key("ended"),
    attempts: key("attempts"),
    deaths: key("deaths"),
    refused: key("refused"),
    limits: key("limits"),
    watched: key("watched"),
    cut: key("cut"),
    coordinator: key("coordinator"),
    spent: key("spent"),
  };
}

/** There as long as a worker process lives and reaches Redis, and the time of a lock beyond that. */
export function aliveKey(worker: string): string {
  return `${prefix}:alive:${worker}`;
}

/** A set of the workers that live, and of some that have died since somebody looked. */
export const workersKey = `${prefix}:workers`;
/** The `WorkerPresence` of a worker process, as JSON: there, for a while, as long as the process lives and reaches Redis. */
export function presenceKey(worker: string): string {
  return `${prefix}:worker:${worker}`;
}

/** What all workers together have asked of an endpoint. */
export type LimitKeys = {
  /** A hash of the requests in flight, by id: the worker. */
  readonly flying: string;
  /** A sorted set of the requests of the last minute, by when they were admitted: `ID|TOKENS`. */
  readonly window: string;
  /** A hash: the `tokens` in the window; whether somebody is `waiting`; `most` in flight as configured; the fields of a `Tally`. */
  readonly state: string;
};

export function limitKeys(endpoint: string): LimitKeys {
  const key = (name: string) => `${prefix}:limit:${endpoint}:${name}`;
  return { flying: key("flying"), window: key("window"), state: key("state") };
}
