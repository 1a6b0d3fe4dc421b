/** The one place that says what an event means: events in, rows out, incrementally. */
import { tokenCost } from "../../settings/price.ts";
import { sourceOf, type TakenAnswers, withNote } from "./row-notes.ts";
import { type SavedSums, type Sums, RunSums, noUsage, sumUsage } from "./run-sums.ts";
import { replyNotes, RunNotes, type SavedNotes } from "./run-warnings.ts";
import { countedScore, standingErrors } from "./verdict.ts";
import { field, textAt } from "../../text/json-record.ts";
import { atOnce, eachInTurn, type Pieces } from "../../work/pieces.ts";
import type { Event, Limits, Price, Row, RunSpec, Score, TaskEvent, TaskUsage } from "../../types.ts";

type Changing = { -readonly [Key in keyof Row]: Row[Key] };

/** A request whose reply may still come: its model, whether it is answered by a saved reply, and whether it is the judge's. */
type OpenRequest = { readonly model: string; readonly saved: boolean; readonly judges: boolean };

/** The kind of note that follows a prompt which was stopped before it was sent, with its request and stage. */
export const unsentNote = "unsent";

const unused: Required<Limits> = { steps: 0, tokens: 0, seconds: 0, cost: 0 };

/** How an invocation of a run ended. */
export type RunEnding = Pick<Extract<Event, { readonly type: "run-ended" }>, "reason" | "message" | "rule">;

/** Prices by model name; undefined where unknown. */
export type Prices = (model: string) => Price | undefined;

/** What a table says of its run without its rows. */
export type RunSummary = {
  readonly spec: RunSpec;
  readonly run: string;
  readonly total: number;
  readonly warnings: readonly string[];
  readonly ended: RowTable["ended"];
  readonly used: Required<Limits>;
  readonly sums: SavedSums;
  readonly notes: SavedNotes;
  /** Absent where there are none. */
  readonly refused?: number;
};

/** Events that change none of a run's sums but the seconds of its row. */
const unsummed: ReadonlySet<Event["type"]> = new Set(["text", "thinking", "call", "finish", "note", "node", "answer"]);

export class RowTable {
  /** As of the last `run-started`; undefined before. */
  spec: RunSpec | undefined;
  run = "";
  total = 0;
  /** Warnings of the last `run-started`. */
  startWarnings: readonly string[] = [];
  /** How the last invocation ended; undefined while it runs or when it was killed. */
  ended: RunEnding | undefined;
  /**
   * What all invocations together have used of the run's limits: requests that were sent, the cost of those with a price, and
   * the seconds in which any task was being executed.
   */
  used: Required<Limits> = unused;
  /** Messages of workers that were refused. */
  refused = 0;
  #rows = new Map<string, Row>();
  /** Reads the rows that were folded before; undefined once they are here. */
  #read: (() => readonly Row[]) | undefined;
  /** The requests of each task being executed. */
  #requests = new Map<string, Map<number, OpenRequest>>();
  /** When the last event was, in milliseconds since 1970. */
  #last = 0;
  readonly #prices: Prices;
  /** Request of each task whose reply has brought text or a call so far. */
  #answered = new Map<string, number>();
  #notes = new RunNotes();
  #sums = new RunSums();
  #list: readonly Row[] | undefined;
  /** Raised with every change of a row. */
  version = 0;
  readonly #watchers = new Set<(task: string) => void>();

  constructor(prices: Prices = () => undefined) {
    this.#prices = prices;
  }

  /** All rows in order of first appearance; the same array until something changes. */
  rows(): readonly Row[] {
    this.#complete();
    return (this.#list ??= [...this.#rows.values()]);
  }

  /** Counts of rows, why the first that failed did, and what all attempts took. */
  sums(): Sums {
    return this.#sums.read(this.used.seconds);
  }

  /** Tasks a minute that ended within the last minute; undefined before the first. */
  rate(now?: number): number | undefined {
    return this.#sums.rate(now);
  }

  /** Calls `changed` with the task of every row that changes; returns the end of that. */
  watch(changed: (task: string) => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  /** The warnings the run started with, and those its models' replies have given reason for since. */
  get warnings(): readonly string[] {
    return [...this.startWarnings, ...this.#notes.warnings(this.spec)];
  }

  /** How many answers were taken over from which run. */
  get taken(): readonly TakenAnswers[] {
    return this.#notes.taken();
  }

  row(task: string): Row | undefined {
    this.#complete();
    return this.#rows.get(task);
  }

  /** Tasks that were begun since the run was started last, and have not ended. */
  begun(): readonly string[] {
    return [...this.#requests.keys()];
  }

  /** Without its rows. */
  *summary(spec: RunSpec): Pieces<RunSummary> {
    const rows = this.rows();
    yield* this.#sums.countAnew(rows, () => this.#list === rows);
    const { run, total, startWarnings: warnings, ended, used, refused } = this;
    const sums = { sums: this.#sums.saved(), notes: this.#notes.saved() };
    return { spec, run, total, warnings, ended, used, ...sums, ...(refused > 0 && { refused }) };
  }

  /** Goes on from a summary; `read` gives the rows, when they are first asked for. */
  restore(summary: RunSummary, read: () => readonly Row[]): void {
    const { spec, run, total, warnings, ended, used, sums, notes, refused = 0 } = summary;
    Object.assign(this, { spec, run, total, startWarnings: warnings, ended, used, refused });
    this.#sums.restore(sums);
    this.#notes.restore(notes);
    this.#read = read;
  }

  /** True where no rows are still to be read. */
  get isComplete(): boolean {
    return this.#read === undefined;
  }

  /** Takes the rows that the summary is of, where they are still missing once it has looked at them. */
  *complete(rows: readonly Row[]): Pieces<void> {
    const known = new Map<string, Row>();
    yield* eachInTurn(rows, (row) => known.set(row.task, row));
    if (this.#read === undefined) return;
    this.#read = undefined;
    this.#rows = known;
    this.#sums.complete(rows);
    this.#list = undefined;
  }

  #complete(): void {
    if (this.#read !== undefined) atOnce(this.complete(this.#read()));
  }

  /** As if nothing had been taken. */
  clear(): void {
    this.become(new RowTable(this.#prices));
  }

  /** Takes over all that another table, which is not used any more, was given. */
  become(other: RowTable): void {
    const { spec, run, total, startWarnings, ended, used, refused } = other;
    Object.assign(this, { spec, run, total, startWarnings, ended, used, refused });
    const tasks = new Set([...this.#rows.keys(), ...other.#rows.keys()]);
    this.#rows = other.#rows;
    this.#requests = other.#requests;
    this.#answered = other.#answered;
    this.#read = other.#read;
    this.#last = other.#last;
    this.#notes = other.#notes;
    this.#sums = other.#sums;
    for (const task of tasks) this.#changed(task);
  }

  /** Knows again which requests of a task were sent, whose attempt goes on after its log was closed. */
  goOn(task: string, attempt: readonly TaskEvent[]): void {
    const requests = new Map<number, OpenRequest>();
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
    if (event.type === "run-started") {
      this.spec = event.spec;
      this.run = event.run;
      this.total = event.total;
      // A log by another hand may lack them.
      this.startWarnings = event.warnings ?? [];
      this.ended = undefined;
      // Those of an invocation that was killed.
      this.#requests.clear();
      return;
    }
    if (event.type === "run-ended") {
      this.#requests.clear();
      const { reason, message, rule } = event;
      this.ended = { reason, ...(message !== undefined && { message }), ...(rule !== undefined && { rule }) };
      return;
    }
    if (event.type === "shipment-refused") {
      this.refused += 1;
      return;
    }
    // Scores worked out anew long after a run was killed are not its time.
    const own = event.type === "started" || this.#requests.has(event.task);
    if (own && this.#requests.size > 0) this.#use({ seconds: Math.max(0, event.at - this.#last) / 1000 });
    this.#last = Math.max(this.#last, event.at);
    if (event.type === "started") {
      const before = this.#rows.get(event.task);
      this.#put(startedRow(this.run, event, before?.spent));
      this.#requests.set(event.task, new Map());
      return;
    }
    const before = this.#rows.get(event.task);
    if (before === undefined) return;
    // Scoring again later does not count as running time of the task.
    const again = event.type === "scored" && before.state !== "running";
    const to = again ? before.to : Math.max(before.to, event.at);
    const row: Changing = { ...before, to };
    add(row, { seconds: (to - before.to) / 1000 }, { judges: this.#isJudging(event) });
    this.#apply(row, event);
    const calls = row.counted.calls !== before.counted.calls;
    this.#put(row, { notes: calls || row.notes !== before.notes, sums: calls || !unsummed.has(event.type) });
  }

  /** Puts a row in the place of the one before it; `changes` says which sums over all rows it may change. */
  #put(row: Row, changes = { notes: true, sums: true }): void {
    const before = this.#rows.get(row.task);
    if (changes.notes && before !== undefined) this.#notes.add(before, this.spec, -1);
    if (changes.notes) this.#notes.add(row, this.spec);
    if (changes.sums) this.#sums.change(before, row);
    this.#rows.set(row.task, row);
    this.#changed(row.task);
  }

  #changed(task: string): void {
    this.#list = undefined;
    this.version += 1;
    for (const changed of this.#watchers) changed(task);
  }

  /** Whether this comes from the judge, who was waited for until now. */
  #isJudging(event: Exclude<TaskEvent, { type: "started" }>): boolean {
    return "request" in event && this.#request(event).judges;
  }

  /** What is counted is what was sent. */
  #takeBack(row: Changing, { task, data }: Extract<TaskEvent, { type: "note" }>): void {
    const { judges } = this.#request({ task, request: Number(field(data, "request")) });
    row.notes = withNote(row.notes, { type: "stage", stage: textAt(data, "stage") }, -1);
    add(row, { calls: -1 }, { judges });
    this.#use({ steps: -1 });
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

  /** The request that an event belongs to. */
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

/** Adds to what counts, where the judge took it also to that, and, where it was `sent`, to what was spent. */
function add(row: Changing, more: Partial<TaskUsage>, { sent = true, judges = false } = {}): void {
  row.counted = sumUsage(row.counted, more);
  if (judges) row.judging = sumUsage(row.judging ?? noUsage, more);
  if (sent) row.spent = sumUsage(row.spent, more);
}

function startedRow(run: string, event: Extract<TaskEvent, { type: "started" }>, spent: TaskUsage = noUsage): Row {
  return {
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
  };
}

/** Analyses count what is a mistake; the trajectory keeps them all. */
function withStandingErrors(score: Score): Score {
  const errors = standingErrors(score.errors);
  return errors === score.errors ? score : { ...score, errors };
}
