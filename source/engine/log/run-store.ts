/** One run on disk: its log, with an index and the rows stored next to it, so that large runs open quickly. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Benchmark } from "../benchmark.ts";
import { changedBlocks, changedBlocksInThread, fewBytes } from "./file/changed-blocks.ts";
import { ChangedBlock, freshIndexOf, IndexedLog, indexName } from "./file/indexed-log.ts";
import { damageText, type LogDamage, sumDamage, unharmed } from "./file/log-damage.ts";
import { LogIndex, type Stretch } from "./file/log-index.ts";
import { logSize } from "./file/log-lines.ts";
import { LogDecoder } from "./file/log-codec.ts";
import { emptyLog, type LogEnd, readLog, readLogSlowly } from "./file/log-reader.ts";
import { Log } from "./file/log.ts";
import { unpackLog } from "./file/packed-log.ts";
import { oldRows, pricesText, RowFile } from "./rows/row-file.ts";
import { RowTable, type Prices } from "./rows/rows.ts";
import { placedRows, storedRows, StoredRows } from "./rows/stored-rows.ts";
import type { Event, Row, TaskEvent } from "../types.ts";
import { atOnce, type Pieces, withPauses } from "../work/pieces.ts";
import { Problem } from "../problem.ts";

export type WriteGuard = { check(): void; checkInPlace(): void };

const unguarded: WriteGuard = { check: () => {}, checkInPlace: () => {} };

type StoreOptions = {
  /** Costs are computed with current prices, so stored rows are discarded if prices change. */
  readonly prices?: Prices;
  /** The suite's reader of replies; causes depend on it. */
  readonly form?: Benchmark["form"];
  /** True if files that make the next opening faster may be written next to the log. */
  readonly keep?: boolean;
  readonly guard?: WriteGuard;
  /**
   * Called as reading progresses, if a screen shows the run; a long unread part of the log is then read by `catchUp`, not when
   * the run is opened.
   */
  readonly reading?: (() => void) | undefined;
  /** Called with every new event after the rows include it. */
  readonly onEvent?: (event: Event) => void;
};

/** Number of rows that can be read within a frame. */
const fewRows = 1000;

export class RunStore {
  readonly folder: string;
  readonly table: RowTable;
  readonly presence: LogPresence;
  /** Known damage to the log. */
  damage: LogDamage = unharmed;
  readonly #newTable: () => RowTable;
  readonly #prices: Prices;
  readonly #keep: boolean;
  readonly #guard: WriteGuard;
  readonly #onEvent: StoreOptions["onEvent"];
  readonly #reading: StoreOptions["reading"];
  readonly #path: string;
  readonly #rowFile: RowFile;
  /** Rows of a large run on disk. */
  readonly #stored: StoredRows;
  /** True if the log existed before this program could write it. */
  readonly #existed: boolean;
  #index: LogIndex;
  #log: Log | undefined;
  #end: LogEnd = emptyLog;
  /** Keeps the messages that later lines refer to, while the log is being followed. */
  #decoder = new LogDecoder();

  /** Reads the stored rows if they match the log, otherwise the log itself. */
  constructor(folder: string, options: StoreOptions = {}) {
    const { prices = () => undefined, form, keep = false, guard = unguarded, reading, onEvent } = options;
    this.#onEvent = onEvent;
    this.#reading = reading;
    this.folder = folder;
    this.#guard = guard;
    this.#prices = prices;
    this.#keep = keep;
    this.#path = join(folder, "events.jsonl");
    this.#rowFile = new RowFile(join(folder, "rows.jsonl"));
    this.#newTable = () => new RowTable(prices, form);
    this.#stored = new StoredRows(join(folder, storedRows), (task) => this.#rowOfLog(task));
    // A program that may not write reads them anyway.
    this.table = new RowTable(prices, form, { rows: this.#stored, grow: keep });
    this.presence = new LogPresence(this.#path);
    this.#existed = this.presence.wasThere;
    // Read before the log, which may be growing, so that the index never exceeds it.
    this.#index = LogIndex.read(join(folder, indexName));
    if (!this.presence.isThere()) return;
    this.#checkEnd();
    this.#restore();
    this.isBehind = reading !== undefined && this.#isMuch(logSize(this.#path)! - this.#end.bytes);
    if (!this.isBehind) this.#readOn();
  }

  /** True if reading this many more bytes takes long; the first of these events loads all stored rows. */
  #isMuch(bytes: number): boolean {
    return bytes > fewBytes || (bytes > 0 && this.table.sums().rows > fewRows);
  }

  /** True until a long log is read to its end; until then, rows and counts cover only its first part. */
  isBehind = false;
  /** The folded share of the log, from 0 to 1. */
  get folded(): number {
    const size = logSize(this.#path) || Infinity;
    return this.#foldedBytes / size;
  }
  #foldedBytes = 0;

  /**
   * Reads the rest of a long log without blocking the screen; does nothing if all of it is read. Rejects after `leave` was
   * called.
   */
  async catchUp(): Promise<void> {
    if (this.isBehind) await (this.#catchingUp ??= this.#readRest());
  }
  #catchingUp: Promise<void> | undefined;
  readonly #leaving = new AbortController();

  async #readRest(): Promise<void> {
    // Loads the stored rows first, because the first new event would load them in one step.
    await this.#complete();
    const { damage, ...end } = await readLogSlowly(this.#path, (event) => this.table.take(event), {
      after: this.#end,
      index: this.#index,
      decoder: this.#decoder,
      signal: this.#leaving.signal,
      progress: (bytes) => {
        this.#foldedBytes = bytes;
        this.#reading?.();
      },
    });
    this.#found(end, damage);
    this.isBehind = false;
    if (this.#keep) await withPauses(this.#saving(), { signal: this.#leaving.signal });
  }

  /** Ends background work; resolves when no file is being written any more. */
  async leave(): Promise<void> {
    this.#leaving.abort();
    await this.#catchingUp?.catch(() => {});
  }

  /** Checks that the log still exists and updates `presence`; nothing is appended to a missing log. */
  look(): void {
    this.#log?.look();
    if (this.presence.wasThere) this.presence.look();
  }

  /** Checks the length of the log and its last blocks, which a crash may have damaged; drops what is not intact from the index. */
  #checkEnd(): void {
    const index = this.#index.damaged;
    const cut = this.#index.cut(logSize(this.#path)!);
    const last = this.#index.blocks().filter(({ to }) => to > this.#index.end - fewBytes);
    const changed = changedBlocks({ path: this.#path, blocks: last });
    this.damage = { ...unharmed, index, cut };
    if (changed.length > 0) this.#index = this.#emptyIndex([...this.#markedBlocks(), ...changed]);
  }

  /** Returns blocks found changed before their index was rebuilt. */
  #markedBlocks(): readonly Stretch[] {
    return this.#index.blocks().filter(({ changed }) => changed === true);
  }

  #emptyIndex(changed: readonly Stretch[] = []): LogIndex {
    return new LogIndex(join(this.folder, indexName), changed);
  }

  /** Restores the stored rows; ignores them if they do not match the log or exceed the index. */
  #restore(): void {
    const head = this.#rowFile.head();
    if (head === undefined || head.end.bytes > this.#index.end) return;
    if (head.prices !== pricesText(head.summary.spec, this.#prices)) return;
    this.#stored.begin(head.blocks);
    this.table.restore(head.summary, () => this.#allRows());
    this.damage = sumDamage(this.damage, head.damage);
    this.#end = head.end;
  }

  /** The folded length of the log in bytes; for a log opened here, the written length. */
  get bytes(): number {
    return (this.#log?.end() ?? this.#end).bytes;
  }

  /**
   * Reads events that another program has appended and passes each to the followers; returns true if there were any. A log that
   * has become shorter was replaced, so it is read again from its start.
   */
  follow(): boolean {
    const size = logSize(this.#path) ?? 0;
    if (this.isBehind || this.#log !== undefined || size === this.#seen) return false;
    if (!this.hasRows) {
      // The first event would load the rows in one step, so the next look continues after loading them.
      void this.readRows().catch(() => {});
      return false;
    }
    this.#seen = size;
    const { bytes } = this.#end;
    if (size < bytes) this.#forget();
    this.#readOn((event) => {
      for (const take of this.followers) take(event);
    });
    return this.#end.bytes !== bytes;
  }
  readonly followers = new Set<(event: Event) => void>();
  /** Length of the log at the last look. */
  #seen: number | undefined;

  #forget(): void {
    this.presence.forget();
    this.#index = this.#emptyIndex();
    this.#end = emptyLog;
    this.#decoder = new LogDecoder();
    this.damage = unharmed;
    this.table.clear();
  }

  /** Applies log events not yet reflected in the rows. */
  #readOn(also: (event: Event) => void = () => {}): void {
    const { bytes } = this.#end;
    const take = (event: Event) => {
      this.table.take(event);
      also(event);
    };
    const { damage, ...end } = readLog(this.#path, take, {
      after: this.#end,
      index: this.#index,
      decoder: this.#decoder,
    });
    this.#found(end, damage);
    if (this.#keep && end.bytes > bytes) atOnce(this.#saving());
  }

  #found(end: LogEnd, damage: LogDamage): void {
    this.#end = end;
    this.damage = { ...sumDamage(this.damage, damage), changed: this.#markedBlocks().length };
  }

  /** True if the rows are loaded, or few enough to load without delay. */
  get hasRows(): boolean {
    return !this.isBehind && (this.table.isComplete || this.table.sums().rows <= fewRows);
  }

  /** Loads the rows without blocking the screen. */
  readRows(): Promise<void> {
    return (this.#readingRows ??= this.#rowsSlowly().finally(() => (this.#readingRows = undefined)));
  }
  #readingRows: Promise<void> | undefined;

  async #rowsSlowly(): Promise<void> {
    await this.catchUp();
    await this.#complete();
  }

  async #complete(): Promise<void> {
    if (this.table.isComplete) return;
    await withPauses(this.table.complete(await this.#allRowsSlowly()));
  }

  /**
   * Compares the whole log with its checksums, and reads it again if a block has changed; resolves to whether a block has. If the
   * log grew in the meantime, the next check reads its rows again. A log that this program began is not compared.
   */
  async check(): Promise<boolean> {
    await this.catchUp();
    if (!this.#existed || this.#index.end <= fewBytes) return false;
    const changed = await changedBlocksInThread({ path: this.#path, blocks: this.#index.blocks() });
    if (changed.length === 0) return false;
    const before = this.#end;
    const table = this.#newTable();
    const index = this.#emptyIndex([...this.#markedBlocks(), ...changed]);
    const { damage, ...end } = await readLogSlowly(this.#path, (event) => table.take(event), { index });
    this.damage = { ...this.damage, changed: changed.length };
    if (this.#log !== undefined || this.#end !== before) return true;
    this.#index = index;
    this.table.become(table);
    this.damage = unharmed;
    this.#found(end, damage);
    if (this.#keep) await withPauses(this.#saving(), { signal: this.#leaving.signal });
    return true;
  }

  /** Returns the stored rows, or reads the log again if they are damaged. */
  #allRows(): readonly Row[] {
    const rows = this.#stored.blocks.length > 0 ? placedRows(this.#stored) : this.#rowFile.rows();
    if (rows !== undefined) return rows;
    this.#stored.begin();
    const table = this.#newTable();
    readLog(this.#path, (event) => table.take(event));
    return table.rows();
  }

  /** Folds the log for a row whose block on disk was changed. */
  #rowOfLog(task: string): Row | undefined {
    if (this.#folded === undefined) {
      this.#folded = this.#newTable();
      this.#log?.flush();
      readLog(this.#path, (event) => this.#folded!.take(event));
    }
    return this.#folded.row(task);
  }
  #folded: RowTable | undefined;

  /** Loads the rows and yields to the event loop. */
  async #allRowsSlowly(): Promise<readonly Row[]> {
    const rows = this.#stored.blocks.length > 0 ? placedRows(this.#stored) : await this.#rowFile.rowsSlowly();
    if (rows !== undefined) return rows;
    this.#stored.begin();
    const table = this.#newTable();
    await readLogSlowly(this.#path, (event) => table.take(event));
    return table.rows();
  }

  /**
   * Opens the log for appending, unpacking it first if necessary; later calls return the same log. The rows include each event as
   * it is appended.
   */
  open(): Log {
    this.#guard.checkInPlace();
    const take = (event: Event) => {
      this.table.take(event);
      this.#onEvent?.(event);
    };
    const check = () => this.#guard.check();
    // A new log in place of a missing one would lack its beginning.
    if (this.#log === undefined && this.presence.isThere()) unpackLog(this.#path);
    this.#log ??= new Log(this.#path, this.#end, { take, index: this.#index, check });
    this.presence.look();
    return this.#log;
  }

  /** Returns all events of a task so far, at once. */
  readonly task = (id: string): readonly TaskEvent[] => atOnce(this.events(id));
  *events(id: string): Pieces<readonly TaskEvent[]> {
    if (!this.presence.isThere()) return [];
    this.#log?.flush();
    try {
      return yield* new IndexedLog(this.#path, this.#index).task(id);
    } catch (error) {
      return yield* new IndexedLog(this.#path, this.#asItIs(error)).task(id);
    }
  }

  /** Returns a reader of any task's events so far, for callers that request many tasks. */
  reader(): (id: string) => readonly TaskEvent[] {
    if (!this.presence.isThere()) return () => [];
    this.#log?.flush();
    let log = new IndexedLog(this.#path, this.#index);
    return (id) => {
      try {
        return log.oneOfMany(id);
      } catch (error) {
        log = new IndexedLog(this.#path, this.#asItIs(error));
        return log.oneOfMany(id);
      }
    };
  }

  /** Yields the events of those tasks that have events, in log order, reading the log once. */
  *eachTask(ids: Iterable<string>): Generator<readonly [string, readonly TaskEvent[]]> {
    if (!this.presence.isThere()) return;
    this.#log?.flush();
    const left = new Set(ids);
    try {
      for (const task of new IndexedLog(this.#path, this.#index).tasks(left)) {
        left.delete(task[0]);
        yield task;
      }
    } catch (error) {
      yield* new IndexedLog(this.#path, this.#asItIs(error)).tasks(left);
    }
  }

  /** Rebuilds the index if a block of the log has changed; rethrows all other errors. */
  #asItIs(error: unknown): LogIndex {
    if (!(error instanceof ChangedBlock)) throw error;
    this.damage = { ...this.damage, changed: Math.max(1, this.damage.changed) };
    return freshIndexOf(this.#path);
  }

  /** Writes pending events and the rows; the store can be opened again. */
  close(): void {
    if (this.#closeLog()) atOnce(this.#saving());
  }

  /** Closes without blocking the screen if there are many rows. */
  async closeSlowly(): Promise<void> {
    if (this.#closeLog()) await withPauses(this.#saving());
  }

  /** Closes the log; true if the rows may be written, because the rows must never contain more than the log. */
  #closeLog(): boolean {
    if (this.#log === undefined) return false;
    const { broken } = this.#log;
    this.#end = this.#log.end();
    this.#log.close();
    this.#log = undefined;
    return !broken;
  }

  /** Removes the log and the files derived from it, also on disk; keeps label corrections. */
  clear(): void {
    this.#guard.checkInPlace();
    this.#log?.close();
    this.#log = undefined;
    for (const name of ["events.jsonl", "events.jsonl.gz", indexName, "rows.jsonl", storedRows, oldRows])
      rmSync(join(this.folder, name), { force: true });
    this.#forget();
  }

  /** Failing to write never fails a run, because the rows can be computed again. Stops if the log grows meanwhile. */
  *#saving(): Pieces<void> {
    const { spec } = this.table;
    if (spec === undefined) return;
    const end = this.#end;
    try {
      this.#guard.checkInPlace();
      this.#index.endBlock();
      this.#index.save();
      this.#index.close();
      // Rows lack partial replies, so a task that another program continues is folded from its events. Damage is stored in any
      // case.
      const isWhole = damageText(this.damage) === undefined;
      if (isWhole && this.table.rows().some(({ state }) => state === "running")) return;
      if (this.table.isStored) while (this.table.storeBlock()) yield;
      const summary = yield* this.table.summary(spec);
      const blocks = this.table.isStored && { blocks: this.#stored.blocks };
      const head = { end, prices: pricesText(spec, this.#prices), damage: this.damage, ...blocks, summary };
      const isDue = () => {
        this.#guard.checkInPlace();
        return this.#end === end && this.#log === undefined;
      };
      yield* this.#rowFile.write(head, this.table.rows(), isDue);
      for (const name of [oldRows, ...(blocks === false ? [storedRows] : [])])
        rmSync(join(this.folder, name), { force: true });
    } catch {
      // For example, the disk is full or read-only.
    }
  }

  /** Returns the file with exactly these rows; undefined while the log is open, or if the file has other rows. */
  rowsOnDisk(): string | undefined {
    const head = this.#log === undefined && !this.isBehind ? this.#rowFile.head() : undefined;
    const isOfLog = head?.end.bytes === this.#end.bytes && head.count === this.table.sums().rows;
    return isOfLog && head.prices === pricesText(head.summary.spec, this.#prices) ? this.#rowFile.path : undefined;
  }
}

/** Tracks whether a run's log still exists, to distinguish a removed log from a log that never existed. */
class LogPresence {
  readonly #path: string;
  /** False if the log never existed or was restarted. */
  wasThere = false;
  #isGone = false;

  /** The log at this path, packed or not. */
  constructor(path: string) {
    this.#path = path;
    this.look();
  }

  /** Checks again; returns true if the log exists. */
  look(): boolean {
    const isThere = logSize(this.#path) !== undefined;
    this.wasThere ||= isThere;
    this.#isGone = this.wasThere && !isThere;
    return isThere;
  }

  /** Looks again and throws `Problem` if the log existed before. */
  isThere(): boolean {
    const isThere = this.look();
    if (this.gone !== undefined) throw new Problem("stopped", this.gone);
    return isThere;
  }

  /** The message about a removed log, as of the last check; undefined if it was not removed. */
  get gone(): string | undefined {
    return this.#isGone ? "The log of the run was removed from disk" : undefined;
  }

  /** Treats the log as never written, because its run starts again. */
  forget(): void {
    this.wasThere = false;
    this.#isGone = false;
  }
}
