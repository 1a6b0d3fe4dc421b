/**
 * The current attempt at each task of a round, followed and recorded by the coordinator. A shipment is recorded in full or
 * rejected.
 */
import type { NewEvent } from "../engine/log/file/log.ts";
import { LiveStream } from "../engine/log/live-stream.ts";
import { RowTable } from "../engine/log/rows/rows.ts";
import type { TaskEnd } from "../engine/run/task-end.ts";
import type { Event, Score, TaskEvent } from "../engine/types.ts";
import type { GivenAway } from "../engine/workbench/runs/run-context.ts";
import type { RefusedShipment, Shipment } from "./messages.ts";

/** Maximum number of refused messages recorded in a run's log. */
const mostRefused = 100;
/** Maximum characters recorded of each part of a refused message. */
const longest = 300;

/** An attempt executed by a worker. */
export class FollowedAttempt {
  readonly attempt: string;
  /** The worker's name. */
  readonly worker: string;
  readonly stream: LiveStream;
  /** Index of the next event. */
  #next: number;
  /** Rows of only this attempt's events; each shipment is tested on them before it is recorded. */
  readonly #trial = new RowTable();
  /** True once the attempt has a score or a failure; the task may still be executed again. */
  isOver = false;
  score: Score | undefined;

  constructor(named: Pick<Shipment, "task" | "attempt" | "worker">, logged: readonly TaskEvent[] = []) {
    this.attempt = named.attempt;
    this.worker = named.worker;
    this.stream = new LiveStream(named.task);
    this.#next = logged.length;
    for (const event of logged) {
      this.#learn(event);
      this.#trial.take(event);
    }
  }

  /** Index of the next expected event. */
  get next(): number {
    return this.#next;
  }

  /**
   * Returns why a shipment of this attempt cannot be accepted: it skips events, belongs to another attempt, ends without a score
   * or failure, or has inconsistent events. Returns undefined if it can be accepted. Call once before each `take`.
   */
  refusal({ task, from, entries, end }: Shipment): string | undefined {
    const events = entries.flatMap((entry) => ("event" in entry ? [entry.event] : []));
    if (from > this.#next) return `Expected event ${this.#next} next, got event ${from}`;
    const fresh = events.slice(this.#next - from).map((event) => ({ ...event, task, seq: 0 }) as TaskEvent);
    const begins = this.#next === 0;
    if ((begins && !this.#isStart(fresh[0])) || fresh.slice(begins ? 1 : 0).some(({ type }) => type === "started"))
      return "Expected an attempt to begin with one `started` event, with the attempt's name";
    const types = new Set(fresh.map(({ type }) => type));
    const isScored = this.score !== undefined || types.has("scored");
    if (end?.scored === true && !isScored) return "Expected the attempt's score before its end, got none";
    if (end !== undefined && !(this.isOver || isScored || types.has("failed")))
      return "Expected a score or a failure before the attempt's end, got neither";
    return this.#misfold(fresh);
  }

  #isStart(event: TaskEvent | undefined): boolean {
    return event?.type === "started" && event.worker?.attempt === this.attempt;
  }

  /** Returns the error of applying these events; undefined if there is none. */
  #misfold(events: readonly TaskEvent[]): string | undefined {
    try {
      for (const event of events) this.#trial.take(event);
      return undefined;
    } catch (error) {
      return `The worker's events contradict each other: ${(error as Error).message}`;
    }
  }

  /** The first entry has index `from`. Skips events that the log already has and passes the others to `append`. */
  take(from: number, entries: Shipment["entries"], append: (event: NewEvent) => Event): void {
    let number = from;
    for (const entry of entries)
      if ("piece" in entry) this.stream.take(entry);
      else if (number++ === this.#next) {
        this.#next += 1;
        this.#learn(append(entry.event) as TaskEvent);
      }
  }

  #learn(event: TaskEvent): void {
    if (event.type === "scored") this.score = event.score;
    if (event.type === "scored" || event.type === "failed") this.isOver = true;
    else this.stream.take({ event });
  }
}

export type Following = Pick<GivenAway, "log" | "store"> & {
  /** The round's id. */
  readonly round: string;
  /** Tasks without a result yet. */
  readonly left: ReadonlySet<string>;
  /** Called before a sent request is recorded; `written` is called with each event afterwards. */
  readonly asking: () => void;
  readonly written: (event: TaskEvent, attempt: FollowedAttempt) => void;
  readonly ended: (task: string, attempt: FollowedAttempt, end: TaskEnd) => void;
  /** Called when the task's attempt no longer counts, so that the task is executed again. */
  readonly again: (task: string) => void;
};

export class FollowedAttempts {
  readonly #following: Following;
  readonly #attempts = new Map<string, FollowedAttempt>();
  /** Attempts that no longer count. */
  readonly #past = new Set<string>();

  constructor(following: Following) {
    this.#following = following;
  }

  get size(): number {
    return this.#attempts.size;
  }
  get(task: string): FollowedAttempt | undefined {
    return this.#attempts.get(task);
  }
  running(): readonly string[] {
    return [...this.#attempts].flatMap(([task, attempt]) => (attempt.isOver ? [] : [task]));
  }

  /** Continues an attempt that was begun earlier. */
  follow(task: string, attempt: FollowedAttempt): void {
    this.#attempts.set(task, attempt);
  }
  /** Ignores further messages of this attempt. */
  pass(attempt: string): void {
    this.#past.add(attempt);
  }

  take(came: Shipment | RefusedShipment): void {
    if ("refused" in came) return this.#refuse(came);
    const { task, attempt, worker, from, entries, end } = came;
    const { left, round, log, asking, written } = this.#following;
    if (!left.has(task) || this.#past.has(attempt)) return;
    const present = this.#attempts.get(task);
    const followed = present?.attempt === attempt ? present : new FollowedAttempt(came);
    const isOurs = attempt.startsWith(`${round}.`);
    const refused = isOurs ? followed.refusal(came) : `Expected an attempt of round ${round}, got one of another round`;
    if (refused !== undefined) return this.#refuse({ task, attempt, worker, refused });
    if (present !== undefined && present !== followed) this.pass(present.attempt);
    this.follow(task, followed);
    followed.take(from, entries, (event) => {
      if (event.type === "prompt" && event.saved === undefined) asking();
      const taken = log.append({ ...event, task } as NewEvent) as TaskEvent;
      written(taken, followed);
      return taken;
    });
    if (end !== undefined) this.#end(task, followed, end);
  }

  #end(task: string, attempt: FollowedAttempt, end: TaskEnd): void {
    this.#attempts.delete(task);
    this.pass(attempt.attempt);
    this.#following.ended(task, attempt, end);
  }

  /** Records only that a message is unreadable, without its content, and stops following the attempt that it names. */
  #refuse({ refused, ...named }: RefusedShipment): void {
    const { log, store, again } = this.#following;
    const message = cut(refused);
    const of = Object.fromEntries(Object.entries(named).map(([name, text]) => [name, cut(text)]));
    if (store.table.refused < mostRefused) log.append({ type: "shipment-refused", message, of });
    const found = [...this.#attempts].find(([, { attempt }]) => attempt === named.attempt);
    if (found === undefined) return;
    const [task, attempt] = found;
    // Only the end of the attempt is missing.
    if (attempt.score !== undefined) return this.#end(task, attempt, { scored: true, hopeless: false });
    this.#attempts.delete(task);
    this.pass(attempt.attempt);
    const why = `A message from worker ${attempt.worker} could not be read: ${message}`;
    log.append({ type: "failed", task, failure: { kind: "stopped", message: why }, refused: true });
    again(task);
  }
}

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 3)}...` : text);
