/** Floors in words: the best trivial answer to the tasks of a value, and the values that are not above theirs. */
import { type Cell, floorName, type TableFigure } from "../figure.ts";
import { columnName } from "./column-heads.ts";
import { shownInPercent } from "./interval-text.ts";

const percent = (value: number) => (value * 100).toFixed(2);

/** Returns text such as `floor 12.50 (filler): not above the floor, difference +1.00 (95 % interval -2.00 to 4.00)`; undefined without a floor. */
export function floorText({ text, value, floor }: Pick<Cell, "text" | "value" | "floor">): string | undefined {
  if (floor === undefined || value === undefined) return undefined;
  const shown = `floor ${percent(floor.gets)} (${floorName(floor)})`;
  const { difference } = floor;
  if (difference === undefined || difference.isAbove || !shownInPercent({ text, value })) return shown;
  const { from, to } = difference;
  const ends = from === undefined || to === undefined ? "" : ` (95 % interval ${signed(from)} to ${signed(to)})`;
  return `${shown}: not above the floor, difference ${signed(difference.by)}${ends}`;
}

const signed = (value: number) => `${value > 0 ? "+" : ""}${percent(value)}`;

/** Returns the names of the floors of these cells, each once, such as `floor (nothing, filler)`; undefined without floors. */
export function floorLegend(cells: readonly Cell[]): string | undefined {
  const names = new Set(
    cells.flatMap((cell) => (cell.floor === undefined || cell.value === undefined ? [] : floorName(cell.floor))),
  );
  return names.size === 0 ? undefined : `floor (${[...names].join("; ")})`;
}

/** The largest number of named values; the others are counted. */
const mostNamed = 6;

/** Collects, row by row, the scores of trivial answers and the values that are not above them. */
export class FloorLook {
  readonly #columns: readonly string[];
  readonly #naming: readonly number[];
  /** The columns whose value is not above its floor, for each row name. */
  readonly #below = new Map<string, string[]>();
  readonly #floors = new Map<string, Set<string>>();

  constructor({ columns }: TableFigure) {
    this.#columns = columns.map(columnName);
    const values = columns.findIndex(({ align }) => align === "right");
    this.#naming = [...columns.keys()].slice(0, Math.max(1, values));
  }

  look(row: readonly Cell[]): void {
    for (const [at, cell] of row.entries()) {
      // Rows of an extension may be short.
      const { floor, value } = cell ?? {};
      if (floor === undefined || value === undefined) continue;
      const column = this.#columns[at] ?? "";
      const known = this.#floors.get(column) ?? new Set<string>();
      if (known.size <= mostNamed) known.add(`${percent(floor.gets)} (${floorName(floor)})`);
      this.#floors.set(column, known);
      if (floor.difference?.isAbove !== false) continue;
      const name = this.#naming.flatMap((each) => row[each]?.text.trim() || []).join(", ");
      const below = this.#below.get(name) ?? [];
      below.push(column);
      this.#below.set(name, below);
    }
  }

  /**
   * Returns a note that names the values that are not above their floor; undefined if all values are above it. Complete after all
   * rows have been read.
   */
  note(): string | undefined {
    if (this.#below.size === 0) return undefined;
    const names = [...this.#below].map(([name, columns]) => {
      const [named, more] = [columns.slice(0, 3), columns.length - 3];
      const titled = named.filter((title) => !/^%?$/.test(title));
      return `${name}${titled.length === 0 ? "" : ` (${titled.join(", ")}${more > 0 ? ` and ${more} more` : ""})`}`;
    });
    const more = names.length - mostNamed;
    return `Not above the floor at 95 %: ${names.slice(0, mostNamed).join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
  }

  /** Describes the scores of the best trivial answers, by column. */
  floors(): string | undefined {
    if (this.#floors.size === 0) return undefined;
    const of = [...this.#floors].map(([column, values]) => {
      const shown = [...values].slice(0, mostNamed).join(", ");
      return `${/^%?$/.test(column) ? "" : `${column} `}${shown}${values.size > mostNamed ? ", ..." : ""}`;
    });
    return `Floor, in %: ${of.join("; ")}`;
  }
}
