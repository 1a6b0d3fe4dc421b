/**
 * The rows of a log as they are kept beside it, so that a run opens at once: `rows.jsonl`, a line for the run and a line for
 * each row. The log alone counts: a file that does not fit it is passed over.
 */
import { replaceFileInPieces } from "../../files/replace-file.ts";
import type { LogDamage } from "../file/log-damage.ts";
import { logLines, checkedLine, valueOfLine } from "../file/log-lines.ts";
import type { LogEnd } from "../file/log-reader.ts";
import { modelSettings } from "../../run-settings.ts";
import { formerHead, formerRow, formerVersion } from "./former-rows.ts";
import { rowSchema, rowsHeadSchema, rowsVersion } from "./row-schema.ts";
import type { Prices, RunSummary } from "./rows.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import type { Pieces } from "../../work/pieces.ts";
import type { Row, RunSpec } from "../../types.ts";

/** What the first line says. */
export type RowsHead = {
  /** The file's: of an older one this is the head as it is written today. */
  readonly version: number;
  /** Where the log ended when the rows were folded. */
  readonly end: LogEnd;
  /** Prices the costs were folded with. */
  readonly prices: string;
  readonly damage: LogDamage;
  /** How many rows follow. */
  readonly count: number;
  readonly summary: RunSummary;
};

/** Characters in one piece: the rows of a large run are more than one string can hold, and these are made and written in a few milliseconds. */
const chunkSize = 256 * 1024;

/** What version 0.1.0 kept beside a log instead. */
export const oldRows = "rows.json";

export class RowFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** What the rows are of; undefined where there is no file of this version. */
  head(): RowsHead | undefined {
    try {
      for (const line of logLines(this.path)) return headOf(line);
    } catch {
      // The log is read instead.
    }
    return undefined;
  }

  /** All rows; undefined where they are not what was written. Tells `progress` with each how many were read. */
  rows(progress: (count: number) => void = () => {}): readonly Row[] | undefined {
    const rows: Row[] = [];
    for (const row of this.#each()) {
      if (row === undefined) return undefined;
      progress(rows.push(row));
    }
    return rows;
  }

  /** The same, yielding to the event loop. */
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

  /** Row by row; undefined, and then no more, where the file is not what was written. */
  *#each(): Generator<Row | undefined> {
    let missing: number | undefined;
    let isFormer = false;
    try {
      for (const line of logLines(this.path)) {
        if (missing === undefined) {
          const head = headOf(line);
          if (head === undefined) break;
          missing = head.count;
          isFormer = head.version === formerVersion;
          continue;
        }
        const text = line.subarray(0, -1);
        const row = isFormer ? formerRow(text) : (valueOfLine(text, rowSchema) as Row | undefined);
        if (row === undefined) break;
        missing -= 1;
        yield row;
      }
    } catch {
      // The log is read instead.
      missing = undefined;
    }
    if (missing !== 0) yield undefined;
  }

  /** Replaces the file as a whole, where it `isDue` once it is written. Throws `Problem`, and then the old one is still there. */
  *write(
    head: Omit<RowsHead, "version" | "count">,
    rows: readonly Row[],
    isDue: () => boolean = () => true,
  ): Pieces<void> {
    yield* replaceFileInPieces(this.path, chunksOf(head, rows), isDue, { durable: false });
  }
}

function* chunksOf(head: Omit<RowsHead, "version" | "count">, rows: readonly Row[]): Generator<Buffer> {
  let text = checkedLine({ version: rowsVersion, ...head, count: rows.length } satisfies RowsHead);
  for (const row of rows) {
    text += checkedLine(row);
    if (text.length < chunkSize) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(text);
}

/** What the models of a run cost: rows that were folded with other prices are passed over. */
export function pricesText(spec: RunSpec, prices: Prices): string {
  const models = modelSettings.map((role) => spec[role]);
  return JSON.stringify(models.map((model) => (model === undefined ? null : (prices(model) ?? null))));
}

function headOf(line: Buffer): RowsHead | undefined {
  const text = line.subarray(0, -1);
  return (valueOfLine(text, rowsHeadSchema) ?? formerHead(text)) as RowsHead | undefined;
}
