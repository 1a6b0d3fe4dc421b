/** The one place that says what an event means: events in, rows out, incrementally. */
import { tokenCost } from "../settings/price.ts";
import type { TakenAnswers } from "./answer-source.ts";
import { unsetKind } from "./left-out.ts";
import { cachedReply, replyKinds, RunKinds } from "./run-warnings.ts";
import { noUsage, sumUsage } from "./task-usage.ts";
import { countedScore } from "./verdict.ts";
import type { Event, Limits, Price, Row, RunSpec, TaskEvent, TaskUsage } from "../types.ts";

type Changing = { -readonly [Key in keyof Row]: Row[Key] };

/** A request whose reply may still come: its model, whether it is answered by a saved reply, and whether it is the judge's. */
type OpenRequest = { readonly model: string; readonly saved: boolean; readonly judges: boolean };

const unused: Required<Limits> = { steps: 0, tokens: 0, seconds: 0, cost: 0 };

/** Prices by model name; undefined where unknown. */
export type Prices = (model: string) => Price | undefined;

export class RowTable {
  /** As of the last `run-started`; undefined before. */
  spec: RunSpec | undefined;
  run = "";
  total = 0;
  /** Warnings of the last `run-started`. */
  startWarnings: readonly string[] = [];
  /** How the last invocation ended; undefined while it runs or when it was killed. */
  ended: { readonly reason: "done" | "stopped" | "failed"; readonly message?: string } | undefined;
  /**
   * What all invocations together have used of the run's limits: requests that were sent, the cost of those with a price, and
   * the seconds in which any task was being executed.
   */
  used: Required<Limits> = unused;
  readonly #rows = new Map<string, Row>();
  /** The requests of each task being executed. */
  readonly #requests = new Map<string, Map<number, OpenRequest>>();
  /** When the last event was, in milliseconds since 1970. */
  #last = 0;
  readonly #prices: Prices;
  /** Request of each task whose reply has brought text or a call so far. */
  readonly #answered = new Map<string, number>();
  readonly #kinds = new RunKinds();
  #list: readonly Row[] | undefined;

  constructor(prices: Prices = () => undefined) {
    this.#prices = prices;
  }

  /** All rows in order of first appearance; the same array until something changes. */
  rows(): readonly Row[] {
    return (this.#list ??= [...this.#rows.values()]);
  }

  /** The warnings the run started with, and those its models' replies have given reason for since. */
  get warnings(): readonly string[] {
    return [...this.startWarnings, ...this.#kinds.warnings(this.spec)];
  }

  /** How many answers were taken over from which run. */
  get taken(): readonly TakenAnswers[] {
    return this.#kinds.taken();
  }

  row(task: string): Row | undefined {
    return this.#rows.get(task);
  }

  /** Puts rows back that were folded before (see `run-store.ts`). */
  restore(rows: readonly Row[]): void {
    for (const row of rows) this.#replace(row);
    this.#list = undefined;
  }

  /** As if nothing had been taken. */
  clear(): void {
    Object.assign(this, { spec: undefined, run: "", total: 0, startWarnings: [], ended: undefined, used: unused });
    this.#rows.clear();
    this.#requests.clear();
    this.#answered.clear();
    this.#kinds.clear();
    this.#list = undefined;
  }

  take(event: Event): void {
    if (event.type === "run-started") {
      this.spec = event.spec;
      this.run = event.run;
      this.total = event.total;
      this.startWarnings = event.warnings;
      this.ended = undefined;
      // Those of an invocation that was killed.
      this.#requests.clear();
      return;
    }
    if (event.type === "run-ended") {
      this.#requests.clear();
      this.ended = { reason: event.reason, ...(event.message === undefined ? {} : { message: event.message }) };
      return;
    }
    this.#list = undefined;
    // Scores worked out anew long after a run was killed are not its time.
    const own = event.type === "started" || this.#requests.has(event.task);
    if (own && this.#requests.size > 0) this.#use({ seconds: Math.max(0, event.at - this.#last) / 1000 });
    this.#last = Math.max(this.#last, event.at);
    if (event.type === "started") {
      const before = this.#rows.get(event.task);
      this.#replace(startedRow(this.run, event, before?.spent));
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
    Object.assign(row, row.counted);
    if (row.counts === before.counts && row.calls === before.calls) this.#rows.set(event.task, row);
    else this.#replace(row);
  }

  #replace(row: Row): void {
    const before = this.#rows.get(row.task);
    if (before !== undefined) this.#kinds.add(before, this.spec, -1);
    this.#kinds.add(row, this.spec);
    this.#rows.set(row.task, row);
  }

  /** Whether this comes from the judge, who was waited for until now. */
  #isJudging(event: Exclude<TaskEvent, { type: "started" }>): boolean {
    return "request" in event && this.#requests.get(event.task)?.get(event.request)?.judges === true;
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

  #apply(row: Changing, event: Exclude<TaskEvent, { type: "started" }>): void {
    switch (event.type) {
      case "prompt": {
        const { request, model, saved } = event;
        const judges = event.role === "judge";
        row.counts = counted(row.counts, `stage:${event.stage}`);
        const requests = this.#requests.get(event.task) ?? new Map<number, OpenRequest>();
        this.#requests.set(event.task, requests.set(request, { model, saved: saved !== undefined, judges }));
        add(row, { calls: 1 }, { sent: saved === undefined, judges });
        if (saved === undefined) this.#use({ steps: 1 });
        else if (saved === "cache") row.counts = counted(row.counts, cachedReply);
        else add(row, { seconds: saved / 1000 }, { sent: false, judges });
        return;
      }
      case "usage": {
        const { input, output, estimated, cached, reasoning } = event;
        const { model = "", saved = false, judges = false } = this.#requests.get(event.task)?.get(event.request) ?? {};
        const cost = tokenCost(event, this.#prices(model));
        const tokens = {
          input,
          output,
          estimated,
          ...(cached === undefined ? {} : { cached }),
          ...(reasoning === undefined ? {} : { reasoning }),
        };
        add(row, { tokens, cost }, { sent: !saved, judges });
        if (!saved) this.#use({ tokens: input + output, ...(cost === undefined ? {} : { cost }) });
        return;
      }
      case "retry": {
        const { saved = false, judges = false } = this.#requests.get(event.task)?.get(event.request) ?? {};
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
      case "note":
        row.counts = counted(row.counts, event.kind);
        return;
      case "scored":
        row.score = countedScore(event.score);
        row.state = "scored";
        this.#requests.delete(event.task);
        return;
      case "failed":
        row.failure = event.failure;
        if (row.state !== "scored") row.state = "failed";
        this.#requests.delete(event.task);
        return;
      case "finish": {
        const { model = "" } = this.#requests.get(event.task)?.get(event.request) ?? {};
        const answered = this.#answered.get(event.task) === event.request;
        this.#answered.delete(event.task);
        for (const kind of replyKinds(event, model, answered)) row.counts = counted(row.counts, kind);
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
    ...noUsage,
    counted: noUsage,
    spent,
    counts: Object.fromEntries((event.unset ?? []).map((setting) => [unsetKind(setting), 1])),
    from: event.at,
    to: event.at,
  };
}

function counted(counts: Row["counts"], kind: string): Row["counts"] {
  return { ...counts, [kind]: (counts[kind] ?? 0) + 1 };
}
