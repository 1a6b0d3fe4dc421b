/** The one place that says what an event means: events in, rows out, incrementally. */
import { tokenCost, type Price } from "../settings/price.ts";
import type { RefusableSetting } from "../run-settings.ts";
import type { Event, Limits, Row, RunSpec, TaskEvent, TaskUsage } from "../types.ts";
import { noUsage, sumUsage } from "./task-usage.ts";

type Changing = { -readonly [Key in keyof Row]: Row[Key] };

/** A request whose reply may still come: its model, and whether it is answered by a saved reply. */
type OpenRequest = { readonly model: string; readonly saved: boolean };

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
  /** Which settings were not sent to which models, as counted in the rows; undefined where they have to be looked through. */
  #without: Set<string> | undefined;
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
    // Looked at with every frame of a run, which may have a hundred thousand rows.
    this.#without ??= new Set(this.rows().flatMap(withoutKinds));
    return [...this.startWarnings, ...withoutSettings(this.#without, this.spec)];
  }

  row(task: string): Row | undefined {
    return this.#rows.get(task);
  }

  /** Puts rows back that were folded before (see `run-store.ts`). */
  restore(rows: readonly Row[]): void {
    for (const row of rows) this.#rows.set(row.task, row);
    this.#list = undefined;
    this.#without = undefined;
  }

  /** As if nothing had been taken. */
  clear(): void {
    Object.assign(this, { spec: undefined, run: "", total: 0, startWarnings: [], ended: undefined, used: unused });
    this.#rows.clear();
    this.#requests.clear();
    this.restore([]);
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
      if (before !== undefined && withoutKinds(before).length > 0) this.#without = undefined;
      this.#rows.set(event.task, startedRow(this.run, event, before?.spent));
      this.#requests.set(event.task, new Map());
      return;
    }
    const before = this.#rows.get(event.task);
    if (before === undefined) return;
    // Scoring again later does not count as running time of the task.
    const again = event.type === "scored" && before.state !== "running";
    const to = again ? before.to : Math.max(before.to, event.at);
    const row: Changing = { ...before, to };
    add(row, { seconds: (to - before.to) / 1000 });
    this.#apply(row, event);
    this.#rows.set(event.task, Object.assign(row, row.counted));
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
        row.counts = counted(row.counts, `stage:${event.stage}`);
        const requests = this.#requests.get(event.task) ?? new Map<number, OpenRequest>();
        this.#requests.set(event.task, requests.set(request, { model, saved: saved !== undefined }));
        add(row, { calls: 1 }, saved === undefined);
        if (saved === undefined) this.#use({ steps: 1 });
        else add(row, { seconds: saved / 1000 }, false);
        return;
      }
      case "usage": {
        const { input, output, estimated } = event;
        const { model = "", saved = false } = this.#requests.get(event.task)?.get(event.request) ?? {};
        const cost = tokenCost(event, this.#prices(model));
        add(row, { tokens: { input, output, estimated }, cost }, !saved);
        if (!saved) this.#use({ tokens: input + output, ...(cost === undefined ? {} : { cost }) });
        return;
      }
      case "retry":
        add(row, { retries: 1 }, this.#requests.get(event.task)?.get(event.request)?.saved !== true);
        return;
      case "result":
        add(row, { toolCalls: 1 }, event.saved !== true);
        return;
      case "note":
        row.counts = counted(row.counts, event.kind);
        return;
      case "scored":
        row.score = event.score;
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
        for (const setting of event.without ?? []) {
          const kind = `${without}${setting}:${model}`;
          row.counts = counted(row.counts, kind);
          this.#without?.add(kind);
        }
        return;
      }
      case "text":
      case "call":
      case "node":
      case "answer":
        return;
      default:
        event satisfies never;
    }
  }
}

/** Adds to what counts, and, where it was `sent`, to what was spent. */
function add(row: Changing, more: Partial<TaskUsage>, sent = true): void {
  row.counted = sumUsage(row.counted, more);
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
    counts: {},
    from: event.at,
    to: event.at,
  };
}

const without = "without:";

const withoutKinds = ({ counts }: Row): readonly string[] =>
  Object.keys(counts).filter((kind) => kind.startsWith(without));

/** A run must not pass for one at a temperature that was never sent to its model. */
function withoutSettings(kinds: ReadonlySet<string>, spec: RunSpec | undefined): readonly string[] {
  return [...kinds].map((kind) => {
    const [setting, ...model] = kind.slice(without.length).split(":");
    return `${model.join(":")} takes no ${setting}: its own default was used, not ${spec?.[setting as RefusableSetting]}`;
  });
}

function counted(counts: Row["counts"], kind: string): Row["counts"] {
  return { ...counts, [kind]: (counts[kind] ?? 0) + 1 };
}
