/** The rows a log was folded to, as they are beside it; where these are not what was written, as the log gives them. */
import { readLog, readLogSlowly } from "../file/log-reader.ts";
import type { RowFile } from "./row-file.ts";
import { type Prices, RowTable } from "./rows.ts";
import type { Row } from "../../types.ts";

export class FoldedRows {
  readonly #file: RowFile;
  readonly #log: string;
  readonly #prices: Prices;

  /** Beside the log at this path; `prices` are those of today. */
  constructor(file: RowFile, log: string, prices: Prices) {
    this.#file = file;
    this.#log = log;
    this.#prices = prices;
  }

  all(): readonly Row[] {
    const rows = this.#file.rows();
    if (rows !== undefined) return rows;
    const table = new RowTable(this.#prices);
    readLog(this.#log, (event) => table.take(event));
    return table.rows();
  }

  /** The same, yielding to the event loop. */
  async allSlowly(): Promise<readonly Row[]> {
    const rows = await this.#file.rowsSlowly();
    if (rows !== undefined) return rows;
    const table = new RowTable(this.#prices);
    await readLogSlowly(this.#log, (event) => table.take(event));
    return table.rows();
  }
}
