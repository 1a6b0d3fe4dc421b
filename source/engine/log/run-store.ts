/** One run on disk: its log, and the rows it adds up to, kept beside it so that large runs open at once. */
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../files/replace-file.ts";
import { emptyLog, Log, readLog, readTask, type LogEnd } from "./log.ts";
import { RowTable, type Prices } from "./rows.ts";
import { modelSettings } from "../run-settings.ts";
import { machineClock } from "../work/clock.ts";
import type { Event, Row, RunSpec, TaskEvent } from "../types.ts";

/** Raised when rows gain or change fields: older caches are then folded afresh from the log. */
const cacheVersion = 4;

type RowCache = LogEnd & {
  readonly version: number;
  readonly spec: RunSpec;
  /** Prices the costs were folded with. */
  readonly prices: string;
  readonly run: string;
  readonly total: number;
  readonly warnings: readonly string[];
  readonly ended: RowTable["ended"];
  readonly used: RowTable["used"];
  readonly rows: readonly Row[];
};

/** Throws `Problem` where nothing may be written any more: into files that are open, and by their paths. */
export type WriteGuard = { check(): void; checkInPlace(): void };

const unguarded: WriteGuard = { check: () => {}, checkInPlace: () => {} };

export class RunStore {
  readonly folder: string;
  readonly table: RowTable;
  /** Lines of the log that could not be read. */
  damaged = 0;
  readonly #prices: Prices;
  readonly #guard: WriteGuard;
  #log: Log | undefined;
  #end: LogEnd = emptyLog;

  /** Reads what is there. Rows are not kept across a change of prices: cost is folded with the prices of today. */
  constructor(folder: string, prices: Prices = () => undefined, guard: WriteGuard = unguarded) {
    this.folder = folder;
    this.#guard = guard;
    this.#prices = prices;
    this.table = new RowTable(prices);
    if (!existsSync(this.#path("events.jsonl"))) return;
    this.#restore();
    const { damaged, ...end } = readLog(this.#path("events.jsonl"), (event) => this.table.take(event), this.#end);
    this.#end = end;
    this.damaged = damaged;
  }

  /** The log, opened for appending at the first call. Its events are folded as they come. */
  open(): Log {
    this.#guard.checkInPlace();
    if (this.#log === undefined) {
      const take = (event: Event) => this.table.take(event);
      this.#log = new Log(this.#path("events.jsonl"), this.#end, take, machineClock, () => this.#guard.check());
    }
    return this.#log;
  }

  /** All events of a task so far. */
  task(id: string): readonly TaskEvent[] {
    this.#log?.flush();
    return readTask(this.#path("events.jsonl"), id);
  }

  /** The events of these tasks, in one pass over the log. */
  tasks(ids: ReadonlySet<string>): ReadonlyMap<string, readonly TaskEvent[]> {
    this.#log?.flush();
    const found = new Map<string, TaskEvent[]>();
    if (!existsSync(this.#path("events.jsonl"))) return found;
    readLog(this.#path("events.jsonl"), (event) => {
      if (!("task" in event) || !ids.has(event.task)) return;
      const events = found.get(event.task);
      if (events === undefined) found.set(event.task, [event]);
      else events.push(event);
    });
    return found;
  }

  /** Writes what is pending and the rows beside the log; the store can be opened again. */
  close(): void {
    if (this.#log === undefined) return;
    const { broken } = this.#log;
    this.#end = this.#log.end();
    this.#log.close();
    this.#log = undefined;
    // Rows must never tell of more than the log does.
    if (!broken) this.#save();
  }

  /** Removes the log and its rows, also on disk; label corrections stay. */
  clear(): void {
    this.#guard.checkInPlace();
    this.#log?.close();
    this.#log = undefined;
    for (const name of ["events.jsonl", "rows.json"]) rmSync(this.#path(name), { force: true });
    this.#end = emptyLog;
    this.damaged = 0;
    this.table.clear();
  }

  #save(): void {
    const { spec, run, total, startWarnings: warnings, ended, used } = this.table;
    if (spec === undefined) return;
    const cache: RowCache = {
      version: cacheVersion,
      ...this.#end,
      spec,
      prices: this.#pricesOf(spec),
      run,
      total,
      warnings,
      ended,
      used,
      rows: this.table.rows(),
    };
    try {
      this.#guard.checkInPlace();
      replaceFile(this.#path("rows.json"), JSON.stringify(cache), { durable: false });
    } catch {
      // Rows that are not kept are folded from the log the next time.
    }
  }

  /** A cache that does not fit its log is ignored: the log alone counts. */
  #restore(): void {
    const path = this.#path("rows.json");
    if (!existsSync(path)) return;
    let cache: RowCache | null;
    try {
      cache = JSON.parse(readFileSync(path, "utf8")) as RowCache | null;
    } catch {
      return;
    }
    if (cache?.version !== cacheVersion || cache.bytes > statSync(this.#path("events.jsonl")).size) return;
    if (cache.prices !== this.#pricesOf(cache.spec)) return;
    const { spec, run, total, warnings, ended, used, rows, bytes, torn, lastSeq } = cache;
    Object.assign(this.table, { spec, run, total, startWarnings: warnings, ended, used });
    this.table.restore(rows);
    this.#end = { bytes, torn, lastSeq };
  }

  #pricesOf(spec: RunSpec): string {
    const models = modelSettings.map((role) => spec[role]);
    return JSON.stringify(models.map((model) => (model === undefined ? null : (this.#prices(model) ?? null))));
  }

  #path(name: string): string {
    return join(this.folder, name);
  }
}
