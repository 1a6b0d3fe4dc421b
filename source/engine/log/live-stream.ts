/** An attempt in progress: its logged events, followed by text that is not logged yet. */
import { joins } from "../text/joined-text.ts";
import type { Step, TaskEvent } from "../types.ts";
import { type Trajectory, TrajectoryFold } from "./trajectory.ts";

/** Text as a model streams it. */
export type TextStep = Extract<Step, { readonly type: "text" | "thinking" }>;

/** One entry of a live stream: an event for the log, or a part of a text that a later event contains in full. */
export type StreamEntry<E = TaskEvent> = { readonly event: E } | { readonly piece: TextStep };

type Prompt = Extract<TaskEvent, { readonly type: "prompt" }>;

/**
 * The events and pending text of an attempt. Used wherever a task is executed or followed: in this program, in another program,
 * and by workers.
 */
export class LiveStream {
  readonly #task: string;
  /** Consecutive text is joined. */
  readonly #logged: TaskEvent[] = [];
  /**
   * Text that is not logged yet, by request. Text is logged before any other event of its request, so such an event removes it
   * from here.
   */
  readonly #tail = new Map<number, TextStep[]>();
  readonly #prompts = new Map<number, Prompt>();
  /** Made on first access, because most tasks are never viewed. */
  #fold: TrajectoryFold | undefined;
  #trajectory: Trajectory | undefined;

  constructor(task: string, logged: Iterable<TaskEvent> = []) {
    this.#task = task;
    for (const event of logged) this.take({ event });
  }

  take(entry: StreamEntry): void {
    this.#trajectory = undefined;
    if ("piece" in entry) this.#takePiece(entry.piece);
    else this.#takeEvent(entry.event);
  }

  #takePiece(piece: TextStep): void {
    const steps = this.#tail.get(piece.request) ?? [];
    this.#tail.set(piece.request, steps);
    const last = steps.at(-1);
    if (last !== undefined && joins(last, piece)) steps[steps.length - 1] = { ...last, text: last.text + piece.text };
    else steps.push(piece);
  }

  #takeEvent(event: TaskEvent): void {
    this.#fold?.take(event);
    if ("request" in event) this.#tail.delete(event.request);
    if (event.type === "prompt") this.#prompts.set(event.request, event);
    const last = this.#logged.at(-1);
    const isMore = isText(event) && isText(last) && last.request === event.request && joins(last, event);
    if (isMore) this.#logged[this.#logged.length - 1] = { ...last, text: last.text + event.text };
    else this.#logged.push(event);
  }

  /** Replaces all text that has no event yet. */
  replaceTail(steps: Iterable<TextStep>): void {
    this.#tail.clear();
    this.#trajectory = undefined;
    for (const piece of steps) this.#takePiece(piece);
  }

  /** Returns the text that is not logged yet, of one request or of all. */
  tail(request?: number): readonly TextStep[] {
    return request === undefined ? [...this.#tail.values()].flat() : (this.#tail.get(request) ?? []);
  }

  /** All events so far, as scorers read them. */
  get events(): readonly TaskEvent[] {
    return [...this.#logged, ...this.#unwritten()];
  }

  #unwritten(): readonly (TaskEvent & TextStep)[] {
    const { at = 0 } = this.#logged.at(-1) ?? {};
    return this.tail().map((step) => ({ ...step, seq: -1, at, task: this.#task }));
  }

  /** Returns the prompt of a request; undefined until it is sent. */
  prompt(request: number): Prompt | undefined {
    return this.#prompts.get(request);
  }

  /** The name of the worker that executes the attempt; undefined if no worker does. */
  get worker(): string | undefined {
    const [first] = this.#logged;
    return first?.type === "started" ? first.worker?.name : undefined;
  }

  /** The trajectory so far; the same object until something changes. Each event is read once. */
  get trajectory(): Trajectory {
    if (this.#fold === undefined) {
      this.#fold = new TrajectoryFold(this.#task);
      for (const event of this.#logged) this.#fold.take(event);
    }
    return (this.#trajectory ??= this.#fold.withText(this.#unwritten()));
  }
}

const isText = (event: TaskEvent | undefined): event is TaskEvent & TextStep =>
  event?.type === "text" || event?.type === "thinking";
