/**
 * The present attempt at each task of a round, as its coordinator follows and records them: a shipment is written down whole or not
 * at all, and anything else is refused.
 */
import type { NewEvent } from "../engine/log/file/log.ts";
import { LiveStream } from "../engine/log/live-stream.ts";
import { RowTable } from "../engine/log/rows/rows.ts";
import type { TaskEnd } from "../engine/run/task-end.ts";
import type { Event, Score, TaskEvent } from "../engine/types.ts";
import type { GivenAway } from "../engine/workbench/runs/run-context.ts";
import type { RefusedShipment, Shipment } from "./messages.ts";

/** Messages that were refused, of which the log of a run tells. */
const mostRefused = 100;
/** Characters of each part of them that are told. */
const longest = 300;

/** An attempt that a worker makes. */
export class FollowedAttempt {
  readonly attempt: string;
  /** Name of its worker. */
  readonly worker: string;
  readonly stream: LiveStream;
  /** Number of the next event. */
  #next: number;
  /** Rows of its events alone: each is folded here before it is written down. */
  readonly #trial = new RowTable();
  /** True once it has a score, or failed; it may still be asked for again. */
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

  /** Number of the next event it needs. */
  get next(): number {
    return this.#next;
  }

  /**
   * Why a shipment of this attempt cannot be taken: it leaves something out, is of another attempt, says that it ends without what
   * ends it, or cannot be folded; undefined where it can. To be asked before `take`, once, and not to be taken where it cannot.
   */
  refusal({ task, from, entries, end }: Shipment): string | undefined {
    const events = entries.flatMap((entry) => ("event" in entry ? [entry.event] : []));
    if (from > this.#next) return `Expected events from number ${this.#next} on, got them from number ${from} on`;
    const fresh = events.slice(this.#next - from).map((event) => ({ ...event, task, seq: 0 }) as TaskEvent);
    const begins = this.#next === 0;
    if ((begins && !this.#isStart(fresh[0])) || fresh.slice(begins ? 1 : 0).some(({ type }) => type === "started"))
      return "Expected an attempt to begin with `started` and its own name, and once";
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

  /** What goes wrong where these are folded; undefined where nothing does. */
  #misfold(events: readonly TaskEvent[]): string | undefined {
    try {
      for (const event of events) this.#trial.take(event);
      return undefined;
    } catch (error) {
      return `Expected events that add up, got ${(error as Error).message}`;
    }
  }

  /** Numbers begin with `from`. Events that the log has already are skipped; `append` writes down the others. */
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
  /** Id of the round. */
  readonly round: string;
  /** Tasks that have not come back. */
  readonly left: ReadonlySet<string>;
  /** Called before a request that was sent is written down, and with each event once it is. */
  readonly asking: () => void;
  readonly written: (event: TaskEvent, attempt: FollowedAttempt) => void;
  readonly ended: (task: string, attempt: FollowedAttempt, end: TaskEnd) => void;
  /** The task's attempt counts no more: it is to be asked again. */
  readonly again: (task: string) => void;
};

export class FollowedAttempts {
  readonly #following: Following;
  readonly #attempts = new Map<string, FollowedAttempt>();
  /** Attempts that count no more. */
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

  /** Goes on with an attempt that was begun before. */
  follow(task: string, attempt: FollowedAttempt): void {
    this.#attempts.set(task, attempt);
  }
  /** Whatever comes of this attempt counts no more. */
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
    const refused = isOurs ? followed.refusal(came) : `Expected an attempt of round ${round}, got one of another`;
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

  /** Keeps what is no shipment out of the log, but for a word about it. The attempt it names is followed no further. */
  #refuse({ refused, ...named }: RefusedShipment): void {
    const { log, store, again } = this.#following;
    const message = cut(refused);
    const of = Object.fromEntries(Object.entries(named).map(([name, text]) => [name, cut(text)]));
    if (store.table.refused < mostRefused) log.append({ type: "shipment-refused", message, of });
    const found = [...this.#attempts].find(([, { attempt }]) => attempt === named.attempt);
    if (found === undefined) return;
    const [task, attempt] = found;
    // All but its end is here.
    if (attempt.score !== undefined) return this.#end(task, attempt, { scored: true, hopeless: false });
    this.#attempts.delete(task);
    this.pass(attempt.attempt);
    const why = `What worker ${attempt.worker} sent could not be read: ${message}`;
    log.append({ type: "failed", task, failure: { kind: "stopped", message: why }, refused: true });
    again(task);
  }
}

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 3)}...` : text);
