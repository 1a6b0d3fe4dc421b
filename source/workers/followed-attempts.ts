/**
 * The present attempt at each task of a round, as its coordinator follows them: a shipment is written down whole or not at all, and
 * what is none is refused.
 */
import type { NewEvent } from "../engine/log/file/log.ts";
import type { TaskEnd } from "../engine/run/task-end.ts";
import type { TaskEvent } from "../engine/types.ts";
import type { GivenAway } from "../engine/workbench/runs/run-context.ts";
import { FollowedAttempt } from "./followed-attempt.ts";
import type { Shipment, TextStep } from "./messages.ts";
import type { RefusedShipment } from "./read-shipment.ts";

/** Messages that were refused, of which the log of a run tells. */
const mostRefused = 100;
/** Characters of each part of them that are told. */
const longest = 300;

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
  unlogged(): readonly (TextStep & { readonly task: string })[] {
    return [...this.#attempts].flatMap(([task, attempt]) => attempt.unlogged().map((step) => ({ task, ...step })));
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
    const followed = present?.attempt === attempt ? present : new FollowedAttempt(attempt, worker);
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
