/** The one place that says what an event means: events in, rows out, incrementally. */
import { tokenCost } from "../settings/price.ts";
import { unsetKind } from "./left-out.ts";
import { replyKinds, RunKinds } from "./run-warnings.ts";
import { countedScore } from "./verdict.ts";
import type { Event, Price, Row, RowTokens, RunSpec, TaskEvent, TokenUsage } from "../types.ts";

type Changing = { -readonly [Key in keyof Row]: Row[Key] };

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
  readonly #rows = new Map<string, Row>();
  /** Model of each request in flight, per task, for prices. */
  readonly #models = new Map<string, Map<number, string>>();
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
    Object.assign(this, { spec: undefined, run: "", total: 0, startWarnings: [], ended: undefined });
    this.#rows.clear();
    this.#models.clear();
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
      return;
    }
    if (event.type === "run-ended") {
      this.ended = { reason: event.reason, ...(event.message === undefined ? {} : { message: event.message }) };
      return;
    }
    this.#list = undefined;
    if (event.type === "started") {
      this.#replace(startedRow(this.run, event));
      this.#models.delete(event.task);
      return;
    }
    const before = this.#rows.get(event.task);
    if (before === undefined) return;
    // Scoring again later does not count as running time of the task.
    const again = event.type === "scored" && before.state !== "running";
    const to = again ? before.to : Math.max(before.to, event.at);
    const row: Changing = { ...before, to, seconds: (to - before.from) / 1000 };
    this.#apply(row, event);
    if (row.counts === before.counts && row.calls === before.calls) this.#rows.set(event.task, row);
    else this.#replace(row);
  }

  #replace(row: Row): void {
    const before = this.#rows.get(row.task);
    if (before !== undefined) this.#kinds.add(before, this.spec, -1);
    this.#kinds.add(row, this.spec);
    this.#rows.set(row.task, row);
  }

  #apply(row: Changing, event: Exclude<TaskEvent, { type: "started" }>): void {
    switch (event.type) {
      case "prompt": {
        row.calls += 1;
        row.counts = counted(row.counts, `stage:${event.stage}`);
        const models = this.#models.get(event.task) ?? new Map<number, string>();
        this.#models.set(event.task, models.set(event.request, event.model));
        return;
      }
      case "usage": {
        row.tokens = withUsage(row.tokens, event);
        const model = this.#models.get(event.task)?.get(event.request) ?? "";
        const cost = tokenCost(event, this.#prices(model));
        row.cost = row.cost === undefined || cost === undefined ? undefined : row.cost + cost;
        return;
      }
      case "retry":
        row.retries += 1;
        this.#answered.delete(event.task);
        if (event.usage !== undefined) row.tokens = withFailed(row.tokens, event.usage);
        return;
      case "result":
        row.toolCalls += 1;
        return;
      case "note":
        row.counts = counted(row.counts, event.kind);
        return;
      case "scored":
        row.score = countedScore(event.score);
        row.state = "scored";
        this.#models.delete(event.task);
        return;
      case "failed":
        row.failure = event.failure;
        if (row.state !== "scored") row.state = "failed";
        this.#models.delete(event.task);
        return;
      case "finish": {
        const model = this.#models.get(event.task)?.get(event.request) ?? "";
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

function startedRow(run: string, event: Extract<TaskEvent, { type: "started" }>): Row {
  return {
    run,
    task: event.task,
    question: event.question,
    facets: event.facets,
    state: "running",
    score: undefined,
    failure: undefined,
    calls: 0,
    toolCalls: 0,
    retries: 0,
    tokens: { input: 0, output: 0, estimated: false },
    cost: 0,
    seconds: 0,
    counts: Object.fromEntries((event.unset ?? []).map((setting) => [unsetKind(setting), 1])),
    from: event.at,
    to: event.at,
  };
}

function withUsage(before: RowTokens, usage: TokenUsage): RowTokens {
  const cached = (before.cached ?? 0) + (usage.cached ?? 0);
  const reasoning = (before.reasoning ?? 0) + (usage.reasoning ?? 0);
  return {
    ...before,
    input: before.input + usage.input,
    output: before.output + usage.output,
    estimated: before.estimated || usage.estimated,
    ...(cached === 0 ? {} : { cached }),
    ...(reasoning === 0 ? {} : { reasoning }),
  };
}

function withFailed(before: RowTokens, { input, output }: TokenUsage): RowTokens {
  const failed = { input: (before.failed?.input ?? 0) + input, output: (before.failed?.output ?? 0) + output };
  return { ...before, failed };
}

function counted(counts: Row["counts"], kind: string): Row["counts"] {
  return { ...counts, [kind]: (counts[kind] ?? 0) + 1 };
}
