/** An attempt that a worker makes, as its coordinator sees and records it. */
import type { NewEvent } from "../engine/log/log.ts";
import type { Event, Score, TaskEvent } from "../engine/types.ts";
import type { ShippedEntry, TextStep } from "./messages.ts";

type Prompt = Extract<TaskEvent, { readonly type: "prompt" }>;

export class FollowedAttempt {
  readonly attempt: string;
  /** Name of its worker. */
  readonly worker: string;
  /** What is in the log: what was there before it was followed from here, and what came since. */
  readonly #logged: TaskEvent[];
  /** Pieces of text that are not in an event yet, by request. */
  readonly #pieces = new Map<number, TextStep[]>();
  readonly #prompts = new Map<number, Prompt>();
  /** Number of the next event. */
  #next: number;
  version = 0;
  /** True once it has a score, or failed; it may still be asked for again. */
  isOver = false;
  score: Score | undefined;

  constructor(attempt: string, worker: string, logged: readonly TaskEvent[] = []) {
    this.attempt = attempt;
    this.worker = worker;
    this.#logged = logged.filter(isStep);
    this.#next = logged.length;
    for (const event of logged) this.#learn(event);
  }

  /** Numbers begin with `from`; what is in the log already is passed over, else `append` writes it down. */
  take(from: number, entries: readonly ShippedEntry[], append: (event: NewEvent) => Event): void {
    let number = from;
    for (const entry of entries) {
      if ("piece" in entry) this.#takePiece(entry.piece);
      else if (number++ === this.#next) this.#record(append(entry.event) as TaskEvent);
      this.version += 1;
    }
  }

  #record(event: TaskEvent): void {
    this.#next += 1;
    // Text is written down as a whole, before anything else of its request.
    if ("request" in event) this.#pieces.delete(event.request);
    this.#learn(event);
    if (isStep(event)) this.#logged.push(event);
  }

  #learn(event: TaskEvent): void {
    if (event.type === "prompt") this.#prompts.set(event.request, event);
    if (event.type === "scored") this.score = event.score;
    if (!isStep(event)) this.isOver = true;
  }

  #takePiece(piece: TextStep): void {
    const pieces = this.#pieces.get(piece.request) ?? [];
    this.#pieces.set(piece.request, pieces);
    const last = pieces.at(-1);
    if (last?.type === piece.type) pieces[pieces.length - 1] = { ...last, text: last.text + piece.text };
    else pieces.push(piece);
  }

  get events(): readonly TaskEvent[] {
    if (this.#pieces.size === 0) return this.#logged;
    const { task, at } = this.#logged.at(-1) ?? { task: "", at: 0 };
    return [...this.#logged, ...this.unlogged().map((step) => ({ ...step, seq: -1, at, task }))];
  }

  unlogged(): readonly TextStep[] {
    return [...this.#pieces.values()].flat();
  }

  prompt(request: number): Prompt | undefined {
    return this.#prompts.get(request);
  }
}

function isStep({ type }: TaskEvent): boolean {
  return type !== "scored" && type !== "failed";
}
