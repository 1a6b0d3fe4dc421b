/** One run on disk: its log, with an index of it and the rows it adds up to kept beside, so that large runs open at once. */
import { rmSync } from "node:fs";
import { join } from "node:path";
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
import type { Event, Row, TaskEvent } from "../types.ts";
import { atOnce, type Pieces, withPauses } from "../work/pieces.ts";
import { Problem } from "../problem.ts";

export type WriteGuard = { check(): void; checkInPlace(): void };

const unguarded: WriteGuard = { check: () => {}, checkInPlace: () => {} };

type StoreOptions = {
  /** Costs are folded with the prices of today: rows are not kept across a change of them. */
  readonly prices?: Prices;
  /** True where what was worked out at the opening may be written beside the log. */
  readonly keep?: boolean;
  readonly guard?: WriteGuard;
  /**
   * Given where somebody looks on, and told as reading goes on: where much of the log is in no rows yet, it is folded by
   * `catchUp`, not at the opening.
   */
  readonly reading?: (() => void) | undefined;
  /** Gets every new event, once it is in the rows. */
  readonly onEvent?: (event: Event) => void;
};

/** Rows that are read within a frame. */
const fewRows = 1000;

export class RunStore {
  readonly folder: string;
  readonly table: RowTable;
  readonly presence: LogPresence;
  /** What is known to be wrong with the log. */
  damage: LogDamage = unharmed;
  readonly #prices: Prices;
  readonly #keep: boolean;
  readonly #guard: WriteGuard;
  readonly #onEvent: StoreOptions["onEvent"];
  readonly #reading: StoreOptions["reading"];
  readonly #path: string;
  readonly #rowFile: RowFile;
  #index: LogIndex;
  #log: Log | undefined;
  #end: LogEnd = emptyLog;
  /** Knows what later lines refer to, for as long as the log is read on. */
  #decoder = new LogDecoder();

  /** Reads what is there: the rows beside the log where they fit it, else the log itself. */
  constructor(folder: string, options: StoreOptions = {}) {
    const { prices = () => undefined, keep = false, guard = unguarded, reading, onEvent } = options;
    this.#onEvent = onEvent;
    this.#reading = reading;
    this.folder = folder;
    this.#guard = guard;
    this.#prices = prices;
    this.#keep = keep;
    this.#path = join(folder, "events.jsonl");
    this.#rowFile = new RowFile(join(folder, "rows.jsonl"));
    this.table = new RowTable(prices);
    this.presence = new LogPresence(this.#path);
    // Before the log, which may be growing: it is never behind its index.
    this.#index = LogIndex.read(join(folder, indexName));
    if (!this.presence.isThere()) return;
    if (this.#checkEnd()) this.#restore();
    this.#isBehind = reading !== undefined && this.#isMuch(logSize(this.#path)! - this.#end.bytes);
    if (!this.#isBehind) this.#readOn();
  }

  /** Whether folding so much more takes long; the first event of it reads all rows there were. */
  #isMuch(bytes: number): boolean {
    return bytes > fewBytes || (bytes > 0 && this.table.sums().rows > fewRows);
  }

  /** True until a long log is folded: till then rows and counts are of its beginning. */
  get isBehind(): boolean {
    return this.#isBehind;
  }
  #isBehind = false;
  /** How much of the log is folded, from 0 to 1. */
  get folded(): number {
    return this.#foldedBytes / Math.max(1, logSize(this.#path) ?? 0);
  }
  #foldedBytes = 0;

  /**
   * Folds what of a long log is not yet in the rows, without holding the screen; does nothing where that is done. Rejects once
   * `leave` was called.
   */
  async catchUp(): Promise<void> {
    if (this.#isBehind) await (this.#catchingUp ??= this.#readRest());
  }
  #catchingUp: Promise<void> | undefined;
  readonly #leaving = new AbortController();

  async #readRest(): Promise<void> {
    // The rows before it: the first event of the rest would read them in one go.
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
    this.#isBehind = false;
    if (this.#keep) await withPauses(this.#saving(), { signal: this.#leaving.signal });
  }

  /** Ends what is done beside the screen; resolves when nothing is written any more. */
  async leave(): Promise<void> {
    this.#leaving.abort();
    await this.#catchingUp?.catch(() => {});
  }

  /** Looks whether the log is still in its place: `presence` then says so, and nothing is appended to one that is not. */
  look(): void {
    this.#log?.look();
    if (this.presence.wasThere) this.presence.look();
  }

  /** Looks at the length of the log and its last blocks, where a crash leaves its traces; true where all is well. */
  #checkEnd(): boolean {
    const index = this.#index.damaged;
    const cut = this.#index.cut(logSize(this.#path) ?? 0);
    const all = this.#index.blocks();
    const last = all.filter(({ to }, at) => at === all.length - 1 || to > this.#index.end - fewBytes);
    const changed = changedBlocks({ path: this.#path, blocks: last });
    this.damage = { ...unharmed, index, cut };
    if (changed.length > 0) this.#index = this.#emptyIndex([...this.#markedBlocks(), ...changed]);
    return !index && cut === 0 && changed.length === 0;
  }

  /** Blocks that were found changed before their index was made anew. */
  #markedBlocks(): readonly Stretch[] {
    return this.#index.blocks().filter(({ changed }) => changed === true);
  }

  #emptyIndex(changed: readonly Stretch[] = []): LogIndex {
    return new LogIndex(join(this.folder, indexName), changed);
  }

  /** Takes over the rows beside the log. Rows that do not fit it, or that the index does not reach, are passed over. */
  #restore(): void {
    const head = this.#rowFile.head();
    if (head === undefined || head.end.bytes > this.#index.end) return;
    try {
      if (head.prices !== pricesText(head.summary.spec, this.#prices)) return;
      this.table.restore(head.summary, () => this.#allRows());
      this.damage = sumDamage(this.damage, head.damage);
      this.#end = head.end;
    } catch {
      // Written by some other program.
      this.table.clear();
    }
  }

  /** Length of the log as far as it is folded, in bytes; where it is open here, of what is written of it. */
  get bytes(): number {
    return (this.#log?.end() ?? this.#end).bytes;
  }

  /**
   * Folds what another program has written into the log since, giving each event to `take` as well; true where there was anything.
   * A log that has become shorter is another one, and is folded from its beginning.
   */
  follow(take: (event: Event) => void): boolean {
    const size = logSize(this.#path) ?? 0;
    if (this.#isBehind || this.#log !== undefined || size === this.#seen) return false;
    if (!this.hasRows) {
      // The first event would read them in one go: the next look goes on with them.
      void this.readRows().catch(() => {});
      return false;
    }
    this.#seen = size;
    const { bytes } = this.#end;
    if (size < bytes) this.#forget();
    this.#readOn(take);
    return this.#end.bytes !== bytes;
  }
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

  /** Folds what of the log is not yet in the rows. */
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

  /** True where the rows are here, or so few that reading them holds nobody. */
  get hasRows(): boolean {
    return !this.#isBehind && (this.table.isComplete || this.table.sums().rows <= fewRows);
  }

  /** Reads the rows without holding the screen. */
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
   * Compares all of the log with its checksums, and folds it anew where a block is not what was written. Resolves to whether
   * that was so. A log that was written to in the meantime is left alone: its rows are folded anew the next time.
   */
  async check(compare = changedBlocksInThread): Promise<boolean> {
    await this.catchUp();
    if (this.#index.end <= fewBytes) return false;
    const changed = await compare({ path: this.#path, blocks: this.#index.blocks() });
    if (changed.length === 0) return false;
    const before = this.#end;
    const table = new RowTable(this.#prices);
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

  /** The rows beside the log, or, if these are not what was written, as the log gives them. */
  #allRows(): readonly Row[] {
    const rows = this.#rowFile.rows();
    if (rows !== undefined) return rows;
    const table = new RowTable(this.#prices);
    readLog(this.#path, (event) => table.take(event));
    return table.rows();
  }

  /** The same, yielding to the event loop. */
  async #allRowsSlowly(): Promise<readonly Row[]> {
    const rows = await this.#rowFile.rowsSlowly();
    if (rows !== undefined) return rows;
    const table = new RowTable(this.#prices);
    await readLogSlowly(this.#path, (event) => table.take(event));
    return table.rows();
  }

  /** The log, unpacked and opened for appending at the first call. Its events are folded as they come. */
  open(): Log {
    this.#guard.checkInPlace();
    const take = (event: Event) => {
      this.table.take(event);
      this.#onEvent?.(event);
    };
    const check = () => this.#guard.check();
    // One that is gone would begin in the middle.
    if (this.#log === undefined && this.presence.isThere()) unpackLog(this.#path);
    this.#log ??= new Log(this.#path, this.#end, { take, index: this.#index, check });
    this.presence.look();
    return this.#log;
  }

  /** All events of a task so far; `events` in pieces. */
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

  /** Gives all events of any task that has come so far, for who asks for many. */
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

  /** The events of those of these tasks that have any, one by one, in the order of the log, which is read once. */
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

  /** An index of the log as it is now, where a block turned out not to be what was written; throws all other errors. */
  #asItIs(error: unknown): LogIndex {
    if (!(error instanceof ChangedBlock)) throw error;
    this.damage = { ...this.damage, changed: Math.max(1, this.damage.changed) };
    return freshIndexOf(this.#path);
  }

  /** Writes what is pending and the rows beside the log; the store can be opened again. */
  close(): void {
    if (this.#closeLog()) atOnce(this.#saving());
  }

  /** The same without holding the screen while there are many rows. */
  async closeSlowly(): Promise<void> {
    if (this.#closeLog()) await withPauses(this.#saving());
  }

  /** True where the rows may be written: they must never tell of more than the log does. */
  #closeLog(): boolean {
    if (this.#log === undefined) return false;
    const { broken } = this.#log;
    this.#end = this.#log.end();
    this.#log.close();
    this.#log = undefined;
    return !broken;
  }

  /** Removes the log and what is kept beside it, also on disk; label corrections stay. */
  clear(): void {
    this.#guard.checkInPlace();
    this.#log?.close();
    this.#log = undefined;
    for (const name of ["events.jsonl", "events.jsonl.gz", indexName, "rows.jsonl", oldRows])
      rmSync(join(this.folder, name), { force: true });
    this.#forget();
  }

  /** What cannot be written is worked out again the next time: it never fails a run. What the log has gained meanwhile ends it. */
  *#saving(): Pieces<void> {
    const { spec } = this.table;
    if (spec === undefined) return;
    const end = this.#end;
    try {
      this.#guard.checkInPlace();
      this.#index.endBlock();
      this.#index.save();
      this.#index.close();
      // What a request had come to is in no row: a task that others go on with is folded from its events. Damage is kept in any case.
      const isWhole = damageText(this.damage) === undefined;
      if (isWhole && this.table.rows().some(({ state }) => state === "running")) return;
      const summary = yield* this.table.summary(spec);
      const head = { end, prices: pricesText(spec, this.#prices), damage: this.damage, summary };
      const isDue = () => {
        this.#guard.checkInPlace();
        return this.#end === end && this.#log === undefined;
      };
      yield* this.#rowFile.write(head, this.table.rows(), isDue);
      rmSync(join(this.folder, oldRows), { force: true });
    } catch {
      // As when the disk is full or read-only.
    }
  }

  /** The file that has these very rows; undefined while the log is open, and where the file is of other rows. */
  rowsOnDisk(): string | undefined {
    const head = this.#log === undefined && !this.#isBehind ? this.#rowFile.head() : undefined;
    const isOfLog = head?.end.bytes === this.#end.bytes && head.count === this.table.sums().rows;
    return isOfLog && head.prices === pricesText(head.summary.spec, this.#prices) ? this.#rowFile.path : undefined;
  }
}

/** Whether a run's log is still on disk: one that was taken away is not taken for one that never existed. */
class LogPresence {
  readonly #path: string;
  /** False where there never was one, or it began anew. */
  get wasThere(): boolean {
    return this.#wasThere;
  }
  #wasThere = false;
  #isGone = false;

  /** Of the log at this path, packed or not. */
  constructor(path: string) {
    this.#path = path;
    this.look();
  }

  /** Looks again; true where it is there. */
  look(): boolean {
    const isThere = logSize(this.#path) !== undefined;
    this.#wasThere ||= isThere;
    this.#isGone = this.#wasThere && !isThere;
    return isThere;
  }

  /** The same. Throws `Problem` where it was there before. */
  isThere(): boolean {
    const isThere = this.look();
    if (this.gone !== undefined) throw new Problem("stopped", this.gone);
    return isThere;
  }

  /** What is said of a log that was taken away, as of the last look; undefined where it was not. */
  get gone(): string | undefined {
    return this.#isGone ? "The log of the run is gone from disk" : undefined;
  }

  /** From now on there was none: it begins anew. */
  forget(): void {
    this.#wasThere = false;
    this.#isGone = false;
  }
}
