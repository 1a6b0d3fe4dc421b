/** Computes analyses of many rows in a thread, to which it sends the rows that the thread lacks. */
import type { Worker } from "node:worker_threads";
import { lookedThrough } from "../../figures/prepared-figure.ts";
import { FigureUnpacker } from "../../figures/packed-figures.ts";
import type { NumbersBeside } from "../../measures/beside.ts";
import type { Row, Task, TaskRef } from "../../types.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import { wholeOf } from "../../work/whole-of.ts";
import type { RunStore } from "../../log/run-store.ts";
import type { RowTable } from "../../log/rows/rows.ts";
import type { AnalysisState, WorkedOut } from "../figures/analysis-state.ts";
import type { FromThread, RunBlock, ThreadAnswer, ThreadJob, ToThread } from "./thread-messages.ts";

/** Number of rows and tasks in one message, which takes a few milliseconds to copy. */
const blockSize = 100;
/** Rows that are compared with those of the thread without a pause: a million take 100 ms. */
const comparedAtATime = 1_000;
/** Milliseconds for which aborted work may continue before the thread is ended, which loses the rows that it has read. */
const patience = 2_000;

/** The rows of a run, in any location. */
export type RowSource = {
  readonly run: string;
  readonly store: Pick<RunStore, "hasRows" | "rowsOnDisk" | "readRows"> & {
    readonly table: Pick<RowTable, "version" | "rows" | "watch"> & { sums(): { readonly rows: number } };
  };
  /** All tasks, if some have no score. */
  readonly open: readonly Task[] | undefined;
};

/** The thread's answer for a cell, without the fields that the screen adds. */
type AnsweredCell = Omit<WorkedOut, "state" | "rest"> &
  Pick<ThreadAnswer, "isFilledLater"> & { readonly state: Omit<AnalysisState, "analysis" | "runs"> };

/**
 * The rows of a run that were sent to the thread. Tasks are identified by name, because rows may have been removed from memory
 * since.
 */
type Sent = {
  readonly version: number;
  readonly count: number;
  readonly nameAt: (at: number) => string;
  /** Tasks whose rows changed since. */
  readonly changed: ReadonlySet<string>;
  readonly unwatch: () => void;
};

type Waiting = { readonly take: (message: FromThread) => void; readonly fail: (error: Error) => void };

type AnalysisWork = { readonly job: ThreadJob; readonly sources: readonly RowSource[] };

/** A suite and the seed of one of its runs. */
type BesideRun = { readonly suite: string; readonly seed: number };

export class AnalysisThread {
  readonly #start: () => Worker;
  #worker: Worker | undefined;
  #waiting: Waiting | undefined;
  #last: Promise<unknown> = Promise.resolve();
  readonly #sent = new Map<string, Sent>();
  readonly #sentTasks = new Map<string, readonly Task[]>();

  /** `start` starts a thread that answers by `serveAnalyses`. */
  constructor(start: () => Worker) {
    this.#start = start;
  }

  /**
   * Computes the figures of a cell after all earlier requests. Calls `progress` with the number of rows read. Rejects with the
   * signal's reason if it is aborted, and ends the thread if the work continues for long. Rejects with the thread's error if it
   * fails.
   */
  async answer({ job, sources }: AnalysisWork, signal: AbortSignal, progress: (rows: number) => void) {
    const message = await this.#asked({ type: "job", job }, sources, signal, progress);
    if (message.type !== "done") throw failure(message);
    return this.#unpacked(message.answer);
  }

  /** Returns the shares of the tables that the last answer for this cell left out. */
  async filled(cell: string, signal: AbortSignal): Promise<AnalysisState["filled"]> {
    const message = await this.#asked({ type: "filled", cell }, [], signal, () => {});
    if (message.type !== "filled") throw failure(message);
    return message.filled;
  }

  /** Returns the numbers shown with a run of the named suite; otherwise like `answer`. */
  async numbers(source: RowSource, { suite, seed }: BesideRun, signal: AbortSignal): Promise<NumbersBeside> {
    const order = source.open === undefined ? undefined : seed;
    const asked = { type: "beside", run: source.run, suite, seed: order } as const;
    const message = await this.#asked(asked, [source], signal, () => {});
    if (message.type !== "numbers") throw failure(message);
    return message.numbers;
  }

  #asked(message: ToThread, sources: readonly RowSource[], signal: AbortSignal, progress: (rows: number) => void) {
    const answered = this.#last.then(async () => {
      signal.throwIfAborted();
      const leave = () => void (timer = setTimeout(() => this.end(), patience).unref());
      let timer: NodeJS.Timeout | undefined;
      signal.addEventListener("abort", leave, { once: true });
      try {
        let read = 0;
        for (const source of sources) {
          await this.#bring(source, signal, (rows) => progress(read + rows));
          read += source.store.table.sums().rows;
        }
        const answer = await this.#ask(message);
        signal.throwIfAborted();
        return answer;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
      }
    });
    this.#last = answered.catch(() => {});
    return answered;
  }

  /** Ends the thread during any work; it starts again with the next request. */
  end(): void {
    const worker = this.#worker;
    this.#lost(new Error("The analysis thread was stopped"));
    void worker?.terminate();
  }

  #lost(error: Error): void {
    this.#worker = undefined;
    for (const { unwatch } of this.#sent.values()) unwatch();
    this.#sent.clear();
    this.#sentTasks.clear();
    this.#waiting?.fail(error);
  }

  #begun(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = this.#start();
    this.#worker = worker;
    // A program that ends does not wait for it.
    worker.unref();
    const isOurs = () => this.#worker === worker;
    worker.on("message", (message: FromThread) => void (isOurs() && this.#waiting?.take(message)));
    worker.on("error", (error: Error) => void (isOurs() && this.#lost(error)));
    worker.on("exit", () => void (isOurs() && this.#lost(new Error("The analysis thread ended unexpectedly"))));
    return worker;
  }

  #post(message: ToThread): void {
    this.#begun().postMessage(message);
  }

  /** Resolves to the last message that answers this message. */
  #ask(message: ToThread, progress: (rows: number) => void = () => {}): Promise<FromThread> {
    this.#begun();
    const { promise, resolve, reject } = Promise.withResolvers<FromThread>();
    const take = (answer: FromThread) => (answer.type === "reading" ? progress(answer.rows) : resolve(answer));
    this.#waiting = { take, fail: reject };
    this.#post(message);
    return promise.finally(() => (this.#waiting = undefined));
  }

  async #bring(source: RowSource, signal: AbortSignal, progress: (rows: number) => void): Promise<void> {
    await this.#bringRows(source, signal, progress);
    const { run, open } = source;
    if (open === undefined || this.#sentTasks.get(run) === open) return;
    const tasks = open.map(({ id, question, facets }) => ({ id, question, facets }));
    await this.#inBlocks(tasks, signal, (some) => ({ run, tasks: some }));
    this.#sentTasks.set(run, open);
  }

  async #bringRows({ run, store }: RowSource, signal: AbortSignal, progress: (rows: number) => void): Promise<void> {
    const { table } = store;
    const before = this.#sent.get(run);
    if (before?.version === table.version) return;
    if (before === undefined && (await this.#readFile(run, store, progress))) return;
    if (!store.hasRows) await store.readRows();
    signal.throwIfAborted();
    const [rows, version] = [table.rows(), table.version];
    const changed = new Set<string>();
    const unwatch = table.watch((task) => void changed.add(task));
    const names: string[] = [];
    try {
      const others: (readonly [number, Row])[] = [];
      const yieldIfDue = eventLoopYielder(signal);
      // Most rows of a long run are there.
      for (const [at, row] of rows.entries()) {
        names.push(row.task);
        if (!isSent(before, row, at, rows.length)) others.push([at, row]);
        if (at % comparedAtATime === 0) await yieldIfDue();
      }
      const whole = (some: readonly (typeof others)[number][]) => some.map(([at, row]) => [at, wholeOf(row)] as const);
      await this.#inBlocks(others, signal, (some) => ({ run, rows: whole(some) }));
    } catch (error) {
      unwatch();
      throw error;
    }
    this.#post({ type: "rows", run, count: rows.length });
    before?.unwatch();
    this.#sent.set(run, { version, count: names.length, nameAt: (at) => names[at]!, changed, unwatch });
  }

  /** True if the thread has read the rows of a file. */
  async #readFile(run: string, store: RowSource["store"], progress: (rows: number) => void): Promise<boolean> {
    const { table } = store;
    const [path, version, count] = [store.rowsOnDisk(), table.version, table.sums().rows];
    if (path === undefined) return false;
    const changed = new Set<string>();
    const unwatch = table.watch((task) => void changed.add(task));
    const message = await this.#ask({ type: "file", run, path }, progress);
    const tasks = message.type === "read" ? message.tasks : undefined;
    if (tasks === undefined) return (unwatch(), false);
    let names: readonly string[] | undefined;
    const nameAt = (at: number) => (names ??= JSON.parse(tasks) as readonly string[])[at]!;
    this.#sent.set(run, { version, count, nameAt, changed, unwatch });
    return true;
  }

  async #inBlocks<Item>(items: readonly Item[], signal: AbortSignal, blockOf: (some: readonly Item[]) => RunBlock) {
    const yieldIfDue = eventLoopYielder(signal);
    for (let from = 0; from < items.length; from += blockSize) {
      this.#post({ type: "block", block: blockOf(items.slice(from, from + blockSize)) });
      await yieldIfDue();
    }
  }

  #unpacked({ figures, lists, claims, places, state, open, ended, isFilledLater }: ThreadAnswer): AnsweredCell {
    const named = places.map(({ run, count }) => ({ run, count, nameAt: this.#sent.get(run)!.nameAt }));
    const taskAt = (place: number): TaskRef => {
      let at = place;
      for (const { run, count, nameAt } of named) {
        if (at < count) return { run, task: nameAt(at) };
        at -= count;
      }
      throw new RangeError(`Expected the position of a task, got ${place}`);
    };
    const unpacker = new FigureUnpacker(lists, taskAt);
    const stated = claims?.map(({ deciding, ...claim }) => ({
      ...claim,
      // Made when they are asked for: there may be hundreds of thousands.
      get deciding() {
        return unpacker.tasks(deciding);
      },
    }));
    const whole = lookedThrough(figures.map((figure) => unpacker.figure(figure)));
    return {
      open,
      ended,
      isFilledLater,
      state: { ...state, figures: whole, ...(stated !== undefined && { claims: stated }) },
    };
  }
}

const failure = (message: FromThread): Error => new Error(message.type === "failed" ? message.message : message.type);

/** True if the thread has this row at this index. A table that has become shorter is a different table. */
function isSent(before: Sent | undefined, row: Row, at: number, count: number): boolean {
  if (before === undefined) return false;
  return at < before.count && count >= before.count && before.nameAt(at) === row.task && !before.changed.has(row.task);
}

/** Milliseconds of work that no key press notices. */
const unnoticed = 8;
/** Numbers of rows: never too many up to the first number, always too many from the second, however fast earlier rows were. */
const [least, largest] = [500, 20_000];
/** With fewer rows the time measures the layout of a figure rather than the reading of rows. */
const telling = 200;

export class AnalysisPace {
  /** Figures of more rows are computed in a thread. */
  most = 1_000;

  /** Records that this many rows took this many milliseconds in the thread of the screen. */
  add(rows: number, milliseconds: number): void {
    if (rows < telling || milliseconds <= 0) return;
    const measured = (rows * unnoticed) / milliseconds;
    this.most = Math.max(least, Math.min(largest, (this.most + measured) / 2));
  }
}
