/** Computes rows from events incrementally; no other code interprets events for rows. */
import { tokenCost } from "../../settings/price.ts";
import type { Benchmark } from "../../benchmark.ts";
import { Attempt, causeAfter, causeOf, isScoredAnyway } from "./cause.ts";
import { sourceOf, type TakenAnswers, withNote } from "./row-notes.ts";
import { type SavedSums, type Sums, RunSums, noUsage, sumUsage } from "./run-sums.ts";
import { replyNotes, RunNotes, type SavedNotes } from "./run-warnings.ts";
import { isStored, type PlacedRow, rowsOfBlock, type StoredRows } from "./stored-rows.ts";
import { countedScore, standingErrors } from "./verdict.ts";
import { field, textAt } from "../../text/json-record.ts";
import { atOnce, eachInTurn, type Pieces } from "../../work/pieces.ts";
import { wholeOf } from "../../work/whole-of.ts";
import type { Event, Limits, Price, Row, RunSpec, Score, TaskEvent, TaskUsage } from "../../types.ts";

type Changing = { -readonly [Key in keyof Row]: Row[Key] };

/** A request that may still be answered: its model, whether a saved reply answers it, and whether it is the judge's. */
type OpenRequest = { readonly model: string; readonly saved: boolean; readonly judges: boolean };

/** The kind of the note that follows a prompt stopped before it was sent, with its request and stage. */
export const unsentNote = "unsent";

const unused: Required<Limits> = { steps: 0, tokens: 0, seconds: 0, cost: 0 };

/** How an invocation of a run ended. */
export type RunEnding = Pick<Extract<Event, { readonly type: "run-ended" }>, "reason" | "message" | "rule">;

/** Returns the price of a model; undefined if unknown. */
export type Prices = (model: string) => Price | undefined;

/** The summary of a run without its rows. */
export type RunSummary = {
  readonly spec: RunSpec;
  readonly run: string;
  readonly total: number;
  readonly warnings: readonly string[];
  readonly ended: RowTable["ended"];
  /** Choices of tasks by cells; absent if no cell has chosen among the tasks. */
  readonly choices?: readonly (readonly [string, ChosenPart])[];
  readonly used: Required<Limits>;
  readonly sums: SavedSums;
  readonly notes: SavedNotes;
  /** Absent if zero. */
  readonly refused?: number;
};

/**
 * A cell's choice of tasks in the log: the ids of the tasks (absent if the cell chose all), their number, and how the choice
 * last ended.
 */
export type ChosenPart = {
  readonly tasks?: readonly string[] | undefined;
  readonly total: number;
  readonly ended?: RunEnding | undefined;
};

/** Rows of ended tasks on disk, for runs with many tasks. `grow` is true if this table moves its own rows to the disk. */
type OnDisk = { readonly rows: StoredRows; readonly grow: boolean };

type MovedRows = (rows: readonly Row[]) => void;

/** Kinds of the notes at the start and end of a pause of a task; the time between them does not count. */
export const heldNote = "held";
export const releasedNote = "released";

/** Events that change only the seconds of a row and no sums. */
const unsummed: ReadonlySet<Event["type"]> = new Set(["text", "thinking", "call", "finish", "note", "node", "answer"]);

/** Maximum number of rows of ended tasks in memory; beyond it, the rows that ended first are stored on disk. */
export const mostInMemory = 4096;

export class RowTable {
  /** As of the last `run-started`; undefined before. */
  spec: RunSpec | undefined;
  run = "";
  total = 0;
  /** Warnings of the last `run-started`. */
  startWarnings: readonly string[] = [];
  /** How the last invocation of all tasks ended; undefined while it runs, or if it was killed. */
  ended: RunEnding | undefined;
  /** By the ids of the choices. */
  choices: ReadonlyMap<string, ChosenPart> = new Map();
  /** The choices in execution according to the log; "" is all tasks. */
  #open: ReadonlySet<string> = new Set();
  /**
   * Usage of the run's limits by all invocations: requests sent, the cost of requests with a price, and the seconds in which any
   * task was running.
   */
  used: Required<Limits> = unused;
  /** Number of rejected messages of workers. */
  refused = 0;
  #rows = new Map<string, Row>();
  readonly #stored: OnDisk | undefined;
  /** Ended tasks whose rows are in memory, in the order in which they ended. */
  #ended: string[] = [];
  /** The place of each row in memory among all rows. */
  #places = new Map<string, number>();
  /** Reads the stored rows; undefined once they are loaded. */
  #read: (() => readonly Row[]) | undefined;
  /** Open requests of each running task. */
  #requests = new Map<string, Map<number, OpenRequest>>();
  /** Time of the last event, in milliseconds since 1970. */
  #last = 0;
  readonly #prices: Prices;
  /** For each task, the last request whose reply has started with text or a call. */
  #answered = new Map<string, number>();
  #notes = new RunNotes();
  #sums = new RunSums();
  /** The current attempts of the tasks being executed, which decide their causes. */
  #attempts = new Map<string, Attempt>();
  /** The task whose interrupted reply was just scored; the run records the timeout directly after the score. */
  #interrupted: string | undefined;
  readonly #form: Benchmark["form"];
  #list: readonly Row[] | undefined;
  /** Incremented whenever a row changes. */
  version = 0;
  readonly #watchers = new Set<{ readonly changed: (task: string) => void; readonly moved?: MovedRows }>();

  /** `form` is the suite's: causes depend on it. */
  constructor(prices: Prices = () => undefined, form?: Benchmark["form"], stored?: OnDisk) {
    this.#prices = prices;
    this.#form = form;
    this.#stored = stored;
  }

  /** Returns all rows in order of first appearance; the same array until something changes. */
  rows(): readonly Row[] {
    this.#complete();
    return (this.#list ??= [...this.#rows.values()]);
  }

  /** Returns counts of rows, the reason of the first failure, and the usage of all attempts. */
  sums(): Sums {
    return this.#sums.read(this.used.seconds);
  }

  /** Returns the tasks per minute that ended within the last minute; undefined before the first. */
  rate(now?: number): number | undefined {
    return this.#sums.rate(now);
  }

  /** Returns the output tokens per second within the last minute; undefined if no reply arrived in it. */
  speed(now?: number): number | undefined {
    return this.#sums.speed(now);
  }

  /**
   * Calls `changed` with the task of every changed row, and `moved` with unchanged rows that are on disk from now on. Returns a
   * function that stops these calls.
   */
  watch(changed: (task: string) => void, moved?: MovedRows): () => void {
    const watcher = { changed, ...(moved && { moved }) };
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Warnings from the start of the run, followed by the warnings that replies of its models caused. */
  get warnings(): readonly string[] {
    return [...this.startWarnings, ...this.#notes.warnings(this.spec)];
  }

  /** Number of answers reused from each run. */
  get taken(): readonly TakenAnswers[] {
    return this.#notes.taken();
  }

  row(task: string): Row | undefined {
    this.#complete();
    return this.#rows.get(task);
  }

  /** Returns the tasks begun since the last start of the run that have not ended. */
  begun(): readonly string[] {
    return [...this.#requests.keys()];
  }

  /** Returns the summary without rows. */
  *summary(spec: RunSpec): Pieces<RunSummary> {
    const rows = this.rows();
    // Rows on disk are not read again for the last digits of a sum.
    if (!this.isStored) yield* this.#sums.countAnew(rows, () => this.#list === rows);
    const { run, total, startWarnings: warnings, ended, used, refused } = this;
    const sums = { sums: this.#sums.saved(), notes: this.#notes.saved() };
    const choices = this.choices.size > 0 && { choices: [...this.choices] };
    return { spec, run, total, warnings, ended, ...choices, used, ...sums, ...(refused > 0 && { refused }) };
  }

  /** Restores a summary; `read` loads the rows on first access. */
  restore(summary: RunSummary, read: () => readonly Row[]): void {
    const { spec, run, total, warnings, ended, choices = [], used, sums, notes, refused = 0 } = summary;
    Object.assign(this, { spec, run, total, startWarnings: warnings, ended, choices: new Map(choices), used, refused });
    this.#open = new Set(ended === undefined && choices.length === 0 ? [""] : []);
    this.#sums.restore(sums);
    this.#notes.restore(notes);
    this.#read = read;
  }

  /** True if all rows are loaded. */
  get isComplete(): boolean {
    return this.#read === undefined;
  }

  /** Accepts the rows of the summary, unless they were loaded in the meantime. */
  *complete(rows: readonly Row[]): Pieces<void> {
    const known = new Map<string, Row>();
    yield* eachInTurn(rows, (row) => known.set(row.task, row));
    if (this.#read === undefined) return;
    this.#read = undefined;
    this.#rows = known;
    this.#findPlaces();
    this.#sums.complete(rows);
    this.#list = undefined;
  }

  #findPlaces(): void {
    if (this.#stored?.grow !== true) return;
    const places = this.#rows.values().map((row, place) => [row, place] as const);
    this.#places = new Map(places.filter(([row]) => !isStored(row)).map(([{ task }, place]) => [task, place]));
    this.#ended = [...this.#places.keys()];
  }

  /** True if rows are on disk. */
  get isStored(): boolean {
    return this.#stored !== undefined && this.#stored.rows.blocks.length > 0;
  }

  /** Moves a block of rows of ended tasks to the disk; returns false if no block is left. Throws file system errors. */
  storeBlock(): boolean {
    this.#storeFirst();
    return this.#ended.length > 0;
  }

  /** Moves the rows of the tasks that ended first to the disk; they stay in memory if they cannot be written. */
  #storeSome(): void {
    if (this.#ended.length < this.#most + rowsOfBlock) return;
    try {
      this.#storeFirst();
      this.#most = mostInMemory;
    } catch {
      this.#most += mostInMemory;
    }
  }
  #most = mostInMemory;

  #storeFirst(): void {
    const first = this.#ended.slice(0, rowsOfBlock);
    const moved = [...new Set(first)].flatMap((task): PlacedRow[] => {
      const [row, place] = [this.#rows.get(task), this.#places.get(task)];
      return row === undefined || place === undefined || row.state === "running" ? [] : [{ row, place }];
    });
    const rows = this.#stored!.rows.store(moved);
    this.#ended.splice(0, first.length);
    for (const row of rows) {
      this.#rows.set(row.task, row);
      this.#places.delete(row.task);
    }
    // The same rows, elsewhere.
    this.#list = undefined;
    for (const { moved: tell } of this.#watchers) tell?.(rows);
  }

  #complete(): void {
    if (this.#read !== undefined) atOnce(this.complete(this.#read()));
  }

  /** Resets the table to its initial state. */
  clear(): void {
    this.#stored?.rows.begin();
    this.become(new RowTable(this.#prices, this.#form));
  }

  /** Takes the contents of another table, which must not be used afterwards. */
  become(other: RowTable): void {
    const { spec, run, total, startWarnings, ended, choices, used, refused } = other;
    Object.assign(this, { spec, run, total, startWarnings, ended, choices, used, refused });
    this.#open = other.#open;
    const tasks = new Set([...this.#rows.keys(), ...other.#rows.keys()]);
    this.#rows = other.#rows;
    this.#findPlaces();
    this.#requests = other.#requests;
    this.#answered = other.#answered;
    this.#attempts = other.#attempts;
    this.#read = other.#read;
    this.#last = other.#last;
    this.#notes = other.#notes;
    this.#sums = other.#sums;
    for (const task of tasks) this.#changed(task);
    this.#storeSome();
  }

  /** Restores the open requests of a task whose attempt continues after its log was closed. */
  goOn(task: string, attempt: readonly TaskEvent[]): void {
    const requests = new Map<number, OpenRequest>();
    const begun = new Attempt(this.#rows.get(task)?.facets ?? {});
    this.#attempts.set(task, begun);
    for (const event of attempt) begun.take(event);
    for (const event of attempt)
      if (event.type === "prompt")
        requests.set(event.request, {
          model: event.model,
          saved: event.saved !== undefined,
          judges: event.role === "judge",
        });
    this.#requests.set(task, requests);
  }

  take(event: Event): void {
    this.#complete();
    if (event.type === "run-started") return this.#start(event);
    if (event.type === "run-ended") return this.#end(event);
    if (event.type === "shipment-refused") {
      this.refused += 1;
      return;
    }
    // Scoring a killed run later does not count as its time.
    const own = event.type === "started" || this.#requests.has(event.task);
    // Nor does the time in which a person holds a task.
    const isReleased = event.type === "note" && event.kind === releasedNote;
    if (own && this.#requests.size > 0 && !isReleased)
      this.#use({ seconds: Math.max(0, event.at - this.#last) / 1000 });
    this.#last = Math.max(this.#last, event.at);
    if (event.type === "started") {
      const before = this.#rows.get(event.task);
      this.#put(startedRow(this.run, event, before?.spent));
      this.#requests.set(event.task, new Map());
      this.#attempts.set(event.task, new Attempt(event.facets));
      if (this.#interrupted === event.task) this.#interrupted = undefined;
      return;
    }
    const known = this.#rows.get(event.task);
    if (known === undefined) return;
    const before = wholeOf(known);
    // Scoring again later does not count as running time of the task.
    const again = event.type === "scored" && before.state !== "running";
    const to = again ? before.to : Math.max(before.to, event.at);
    const row: Changing = { ...before, to };
    add(row, { seconds: isReleased ? 0 : (to - before.to) / 1000 }, { judges: this.#isJudging(event) });
    this.#apply(row, event);
    this.#explain(row, event);
    const calls = row.counted.calls !== before.counted.calls;
    this.#put(row, { notes: calls || row.notes !== before.notes, sums: calls || !unsummed.has(event.type) });
  }

  #start({ spec, run, total, warnings, choice, joins }: Extract<Event, { type: "run-started" }>): void {
    // Logs of other programs may lack warnings.
    Object.assign(this, { spec, run, startWarnings: warnings ?? [] });
    if (choice === undefined) Object.assign(this, { total, ended: undefined });
    else this.choices = new Map(this.choices).set(choice.id, { tasks: choice.tasks, total });
    // A killed invocation may have left requests.
    if (joins !== true) this.#close();
    this.#open = new Set(this.#open).add(choice?.id ?? "");
  }

  #end({ reason, message, rule, choice }: Extract<Event, { type: "run-ended" }>): void {
    const ended = { reason, ...(message !== undefined && { message }), ...(rule !== undefined && { rule }) };
    const part = choice === undefined ? undefined : this.choices.get(choice);
    if (choice === undefined) this.ended = ended;
    else this.choices = new Map(this.choices).set(choice, { total: 0, ...part, ended });
    const open = [...this.#open].filter((id) => id !== (choice ?? ""));
    if (open.length === 0) this.#close();
    this.#open = new Set(open);
  }

  #close(): void {
    this.#requests.clear();
    this.#attempts.clear();
    this.#open = new Set();
  }

  /** True if the log shows that tasks of a choice are being executed; the program that executes them may have been killed. */
  isOpen(choice = ""): boolean {
    return this.#open.has(choice);
  }

  /** Replaces a row; `changes` selects the totals that may change. */
  #put(row: Row, changes = { notes: true, sums: true }): void {
    const known = this.#rows.get(row.task);
    const before = known && wholeOf(known);
    if (this.#stored?.grow === true) this.#keepPlace(row, known);
    if (changes.notes && before !== undefined) this.#notes.add(before, this.spec, -1);
    if (changes.notes) this.#notes.add(row, this.spec);
    if (changes.sums) this.#sums.change(before, row);
    this.#rows.set(row.task, row);
    this.#changed(row.task);
    if (row.state !== "running") this.#storeSome();
  }

  #keepPlace({ task, state }: Row, before: Row | undefined): void {
    if (before === undefined) this.#places.set(task, this.#rows.size);
    else if (isStored(before)) this.#places.set(task, before.place);
    if (state !== "running" && (before?.state === "running" || isStored(before))) this.#ended.push(task);
  }

  #changed(task: string): void {
    this.#list = undefined;
    this.version += 1;
    for (const { changed } of this.#watchers) changed(task);
  }

  /** True if the event comes from the judge for which the task was waiting. */
  #isJudging(event: Exclude<TaskEvent, { type: "started" }>): boolean {
    return "request" in event && this.#request(event).judges;
  }

  /** Only sent requests count. */
  #takeBack(row: Changing, { task, data }: Extract<TaskEvent, { type: "note" }>): void {
    const { judges } = this.#request({ task, request: Number(field(data, "request")) });
    row.notes = withNote(row.notes, { type: "stage", stage: textAt(data, "stage") }, -1);
    add(row, { calls: -1 }, { judges });
    this.#use({ steps: -1 });
  }

  /** Computes the cause once the attempt ends. A later score changes only whether the task is right. */
  #explain(row: Changing, event: TaskEvent): void {
    if (this.#interrupted !== undefined && (event.type !== "failed" || event.task !== this.#interrupted)) {
      this.#attempts.delete(this.#interrupted);
      this.#interrupted = undefined;
    }
    const attempt = this.#attempts.get(event.task);
    if (event.type !== "scored" && event.type !== "failed") {
      attempt?.take(event);
      return;
    }
    const { score, failure, cause } = row;
    // An import records why a task ended, before its score.
    const isScoredNext = event.type === "failed" && isScoredAnyway(event.failure);
    if (event.type === "scored" && attempt?.isInterrupted === true) this.#interrupted = event.task;
    else if (!isScoredNext) this.#attempts.delete(event.task);
    const found =
      attempt === undefined || this.spec === undefined
        ? causeAfter(cause, { score, failure })
        : causeOf(attempt, { score, failure, spec: this.spec, form: this.#form });
    if (found !== undefined) row.cause = found;
  }

  #use(more: Limits): void {
    const { steps, tokens, seconds, cost } = this.used;
    this.used = {
      steps: steps + (more.steps ?? 0),
      tokens: tokens + (more.tokens ?? 0),
      seconds: (Math.round(seconds * 1000) + Math.round((more.seconds ?? 0) * 1000)) / 1000,
      cost: cost + (more.cost ?? 0),
    };
  }

  /** Returns the request of an event. */
  #request({ task, request }: { readonly task: string; readonly request: number }): OpenRequest {
    return this.#requests.get(task)?.get(request) ?? { model: "", saved: false, judges: false };
  }

  #applyPrompt(row: Changing, event: Extract<TaskEvent, { readonly type: "prompt" }>): void {
    const { request, model, saved } = event;
    const judges = event.role === "judge";
    row.notes = withNote(row.notes, { type: "stage", stage: event.stage });
    const requests = this.#requests.get(event.task) ?? new Map<number, OpenRequest>();
    this.#requests.set(event.task, requests.set(request, { model, saved: saved !== undefined, judges }));
    add(row, { calls: 1 }, { sent: saved === undefined, judges });
    if (saved === undefined) this.#use({ steps: 1 });
    else if (saved === "cache") row.notes = withNote(row.notes, { type: "reply", how: "cached" });
    else add(row, { seconds: saved / 1000 }, { sent: false, judges });
  }

  #applyUsage(row: Changing, event: Extract<TaskEvent, { readonly type: "usage" }>): void {
    const { input, output, estimated, cached, reasoning } = event;
    const { model, saved, judges } = this.#request(event);
    const cost = tokenCost(event, this.#prices(model));
    const tokens = {
      input,
      output,
      estimated,
      ...(cached !== undefined && { cached }),
      ...(reasoning !== undefined && { reasoning }),
    };
    add(row, { tokens, cost }, { sent: !saved, judges });
    if (!saved) this.#use({ tokens: input + output, ...(cost !== undefined && { cost }) });
  }

  #apply(row: Changing, event: Exclude<TaskEvent, { type: "started" }>): void {
    switch (event.type) {
      case "prompt":
        return this.#applyPrompt(row, event);
      case "usage":
        return this.#applyUsage(row, event);
      case "retry": {
        const { saved, judges } = this.#request(event);
        add(row, { retries: 1 }, { sent: !saved, judges });
        this.#answered.delete(event.task);
        if (event.usage !== undefined) {
          const { input, output } = event.usage;
          add(row, { tokens: { ...noUsage.tokens, failed: { input, output } } }, { judges });
        }
        return;
      }
      case "result":
        add(row, { toolCalls: 1, seconds: (event.saved ?? 0) / 1000 }, { sent: event.saved === undefined });
        return;
      case "note": {
        const source = sourceOf(event.kind);
        row.notes = withNote(
          row.notes,
          source === undefined ? { type: "note", kind: event.kind } : { type: "answer-from", ...source },
        );
        if (event.kind === unsentNote) this.#takeBack(row, event);
        return;
      }
      case "scored":
        row.score = withStandingErrors(countedScore(event.score));
        row.state = "scored";
        this.#requests.delete(event.task);
        return;
      case "failed":
        row.failure = event.failure;
        if (row.state !== "scored") row.state = "failed";
        this.#requests.delete(event.task);
        return;
      case "finish": {
        const { model } = this.#request(event);
        const answered = this.#answered.get(event.task) === event.request;
        this.#answered.delete(event.task);
        for (const note of replyNotes(event, model, answered)) row.notes = withNote(row.notes, note);
        return;
      }
      case "thinking":
        if (event.textBefore === true) this.#answered.delete(event.task);
        return;
      case "text":
      case "call":
        this.#answered.set(event.task, event.request);
        return;
      case "node":
      case "answer":
        return;
      default:
        event satisfies never;
    }
  }
}

/** Adds usage to the row, to the judge's share if it `judges`, and to the amount spent if it was `sent`. */
function add(row: Changing, more: Partial<TaskUsage>, { sent = true, judges = false } = {}): void {
  row.counted = sumUsage(row.counted, more);
  if (judges) row.judging = sumUsage(row.judging ?? noUsage, more);
  if (sent) row.spent = sumUsage(row.spent, more);
}

const startedRow = (run: string, event: Extract<TaskEvent, { type: "started" }>, spent: TaskUsage = noUsage): Row => ({
  run,
  task: event.task,
  question: event.question,
  facets: event.facets,
  state: "running",
  score: undefined,
  failure: undefined,
  counted: noUsage,
  spent,
  notes: (event.unset ?? []).map((setting) => ({ type: "unset", setting, times: 1 })),
  from: event.at,
  to: event.at,
});

/** Keeps only the errors that no person removed, because analyses count only these; the trajectory shows all. */
function withStandingErrors(score: Score): Score {
  const errors = standingErrors(score.errors);
  return errors === score.errors ? score : { ...score, errors };
}
