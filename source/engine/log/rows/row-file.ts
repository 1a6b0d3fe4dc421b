/**
 * Rows stored next to a log, so that a run opens quickly: `rows.jsonl` has a line for the run and a line per row, unless the rows
 * are in blocks (`stored-rows.ts`). The log has precedence: a file that does not match it is ignored.
 */
import { dirname, join } from "node:path";
import { replaceFileInPieces } from "../../files/replace-file.ts";
import type { LogDamage } from "../file/log-damage.ts";
import { checkedLine, valueOfLine } from "../file/checked-line.ts";
import { logLines } from "../file/log-lines.ts";
import type { LogEnd } from "../file/log-reader.ts";
import { formats } from "../../settings/format.ts";
import { modelSettings } from "../../run-settings.ts";
import { formerHead, formerRow, formerVersion } from "./former-rows.ts";
import { rowSchema, rowsHeadSchema, rowsVersion } from "./row-schema.ts";
import type { Prices, RunSummary } from "./rows.ts";
import { isStored, placedRows, type RowBlock, storedRows, StoredRows } from "./stored-rows.ts";
import { fallback } from "../../work/fallback.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import type { Pieces } from "../../work/pieces.ts";
import type { Row, RunSpec } from "../../types.ts";

/** The first line. */
export type RowsHead = {
  /** The format of the run's files; absent: 1. */
  readonly format?: number;
  /** Version of the file; a head of an older version is converted to today's form. */
  readonly version: number;
  /** The end of the log when the rows were folded. */
  readonly end: LogEnd;
  /** The prices that the costs were computed with. */
  readonly prices: string;
  readonly damage: LogDamage;
  /** Number of rows that follow, or that are in the blocks. */
  readonly count: number;
  /** The positions of a large run's rows in the second file. */
  readonly blocks?: readonly RowBlock[];
  readonly summary: RunSummary;
};

/**
 * Characters per piece: the rows of a large run exceed the length of a string, and a piece is written within a few milliseconds.
 */
const chunkSize = 256 * 1024;

/** The file in which version 0.1.0 stored rows. */
export const oldRows = "rows.json";

export class RowFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Returns the head of the file; undefined if there is no readable head. */
  head(): RowsHead | undefined {
    // Otherwise the log is read.
    return fallback(() => {
      for (const line of logLines(this.path)) return headOf(line);
      return undefined;
    });
  }

  /** Returns all rows; undefined if they are damaged. Calls `progress` after each row with the number read. */
  rows(progress: (count: number) => void = () => {}): readonly Row[] | undefined {
    const rows: Row[] = [];
    for (const row of this.#each()) {
      if (row === undefined) return undefined;
      progress(rows.push(row));
    }
    return rows;
  }

  /** Reads all rows and yields to the event loop. */
  async rowsSlowly(): Promise<readonly Row[] | undefined> {
    const yieldIfDue = eventLoopYielder();
    const rows: Row[] = [];
    for (const row of this.#each()) {
      if (row === undefined) return undefined;
      rows.push(row);
      await yieldIfDue();
    }
    return rows;
  }

  /** Yields the rows one by one; if the file is damaged, yields undefined and ends. */
  *#each(): Generator<Row | undefined> {
    let missing: number | undefined;
    let isFormer: boolean | undefined;
    try {
      for (const line of logLines(this.path)) {
        if (missing === undefined) {
          const head = headOf(line);
          if (head === undefined) break;
          missing = head.count;
          isFormer = head.version === formerVersion;
          if (head.blocks === undefined) continue;
          const stored = new StoredRows(join(dirname(this.path), storedRows), () => undefined, head.blocks);
          for (const row of placedRows(stored) ?? []) {
            missing -= 1;
            if (isStored(row)) row.keep();
            yield row;
          }
          break;
        }
        const text = line.subarray(0, -1);
        const row = isFormer === true ? formerRow(text) : (valueOfLine(text, rowSchema) as Row | undefined);
        if (row === undefined) break;
        missing -= 1;
        yield row;
      }
    } catch {
      // The log is read instead.
    }
    if (missing !== 0) yield undefined;
  }

  /**
   * Replaces the whole file if it is still `isDue` after it was written. Throws `Problem` and leaves the old file unchanged on
   * failure.
   */
  *write(
    head: Omit<RowsHead, "version" | "count">,
    rows: readonly Row[],
    isDue: () => boolean = () => true,
  ): Pieces<void> {
    yield* replaceFileInPieces(this.path, chunksOf(head, rows), isDue, { durable: false });
  }
}

function* chunksOf(head: Omit<RowsHead, "version" | "count">, rows: readonly Row[]): Generator<Buffer> {
  let text = checkedLine({ format: formats.run, version: rowsVersion, ...head, count: rows.length } satisfies RowsHead);
  for (const row of head.blocks === undefined ? rows : []) {
    text += checkedLine(row);
    if (text.length < chunkSize) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(text);
}

/** Describes the prices of a run's models. Rows computed with other prices are ignored. */
export function pricesText(spec: RunSpec, prices: Prices): string {
  const models = [...modelSettings.map((role) => spec[role]), ...(spec.judges ?? [])];
  return JSON.stringify(models.map((model) => (model === undefined ? null : (prices(model) ?? null))));
}

function headOf(line: Buffer): RowsHead | undefined {
  const text = line.subarray(0, -1);
  return (valueOfLine(text, rowsHeadSchema) ?? formerHead(text)) as RowsHead | undefined;
}
