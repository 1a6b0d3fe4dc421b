/** An attempt that a worker makes, as its coordinator sees and records it. */
import type { NewEvent } from "../engine/log/file/log.ts";
import { RowTable } from "../engine/log/rows/rows.ts";
import { joins } from "../engine/text/joined-text.ts";
import type { Event, Score, TaskEvent } from "../engine/types.ts";
import type { ShippedEntry, Shipment, TextStep } from "./messages.ts";

type Prompt = Extract<TaskEvent, { readonly type: "prompt" }>;

export class FollowedAttempt {
  readonly attempt: string;
  /** Name of its worker. */
  readonly worker: string;
  /** What is in the log: what was there before it was followed from here, and what came since. */
  readonly #logged: TaskEvent[];
  /** Pieces of text that are not in an event yet, by request. */
  readonly #pieces = new Map<number, TextStep[]>();
  #events: TaskEvent[] = [];
  readonly #prompts = new Map<number, Prompt>();
  /** Number of the next event. */
  #next: number;
  /** Rows of its events alone: each is folded here before it is written down. */
  readonly #trial = new RowTable();
  version = 0;
  /** True once it has a score, or failed; it may still be asked for again. */
  isOver = false;
  score: Score | undefined;

  constructor(attempt: string, worker: string, logged: readonly TaskEvent[] = []) {
    this.attempt = attempt;
    this.worker = worker;
    this.#logged = logged.filter(isStep);
    this.#next = logged.length;
    for (const event of logged) {
      this.#learn(event);
      this.#trial.take(event);
    }
    this.#lookAnew();
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
    const streamed = "request" in event ? this.#unloggedOf(event.request) : "";
    // Text is written down as a whole, before anything else of its request.
    if ("request" in event) this.#pieces.delete(event.request);
    this.#learn(event);
    if (!isStep(event)) return;
    this.#logged.push(event);
    if (!isText(event) || streamed === "") this.#show(event);
    else if (!event.text.startsWith(streamed)) this.#lookAnew();
    else if (event.text !== streamed) this.#show({ ...event, text: event.text.slice(streamed.length) });
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
    this.#show(this.#unstamped(piece));
  }

  /** As a live view reads them: the same list as long as it only grows, the text of its last event included. */
  get events(): readonly TaskEvent[] {
    return this.#events;
  }

  /** What was streamed before somebody looked on comes into the middle of what was seen. */
  #lookAnew(): void {
    this.#events = [];
    for (const event of [...this.#logged, ...this.unlogged().map((step) => this.#unstamped(step))]) this.#show(event);
  }

  #show(event: TaskEvent): void {
    const last = this.#events.at(-1);
    const goesOn = isText(event) && isText(last) && last.request === event.request && joins(last, event);
    // The last event is this list's own as long as it is text.
    if (goesOn) (last as { text: string }).text += event.text;
    else this.#events.push(isText(event) ? { ...event } : event);
  }

  #unstamped(step: TextStep): TaskEvent {
    const { task, at } = this.#logged.at(-1) ?? { task: "", at: 0 };
    return { ...step, seq: -1, at, task };
  }

  #unloggedOf(request: number): string {
    return (this.#pieces.get(request) ?? []).map(({ text }) => text).join("");
  }

  unlogged(): readonly TextStep[] {
    return [...this.#pieces.values()].flat();
  }

  prompt(request: number): Prompt | undefined {
    return this.#prompts.get(request);
  }
}

function isText(event: TaskEvent | undefined): event is TaskEvent & TextStep {
  return event?.type === "text" || event?.type === "thinking";
}

function isStep({ type }: TaskEvent): boolean {
  return type !== "scored" && type !== "failed";
}
