/** How many tasks the values of a table rest on, where no column or row of it says so. */
import type { Cell, TableFigure } from "../figure.ts";

/** Titles of what says of how many a row is. */
export const countTitles: ReadonlySet<string> = new Set(["n", "tasks", "n / split"]);

/** Looks at the rows of a table one after the other. */
export class CountLook {
  #says: boolean;
  #least = Infinity;
  #most = 0;

  constructor(figure: TableFigure) {
    this.#says = figure.columns.some(({ title }) => countTitles.has(title));
  }

  look(row: readonly Cell[]): void {
    if (this.#says) return;
    for (const { text, value, n, reported } of row) {
      if (text === "n" && value === undefined) this.#says = true;
      if (n === undefined || reported === true || value === undefined) continue;
      [this.#least, this.#most] = [Math.min(this.#least, n), Math.max(this.#most, n)];
    }
  }

  /** `n: 8 to 48 for each value`, of values that no paper reports; undefined if the table says it, or none is known. */
  note(): string | undefined {
    const counts = this.#least === this.#most ? `${this.#least}` : `${this.#least} to ${this.#most}`;
    return this.#says || this.#least > this.#most ? undefined : `n: ${counts} for each value`;
  }
}
