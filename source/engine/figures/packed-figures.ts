/** Serializes figures for another thread: plain data, tasks as indexes into those of the runs, long lists in pages. */
import { deserialize, serialize } from "node:v8";
import { type Cell, type Figure, rowsBehind, type TableFigure, withListed } from "../figure.ts";
import type { TaskRef } from "../types.ts";
import { madeWhenRead } from "../work/made-when-read.ts";
import { lookedThrough, prepared, PreparedFigure, type TableLook } from "./prepared-figure.ts";

/**
 * Maximum number of items of a table or scatter plot that is sent whole; larger figures are sent in pages, and a page is unpacked
 * when one of its items is read.
 */
const mostWhole = 500;
const pageSize = 200;
/** Number of unpacked pages that are cached. */
const mostPages = 20;
/** Maximum length of a list of tasks in a cell; longer lists are sent once, even if many cells share them. */
const mostInCell = 8;

/** The tasks of a cell: the number of a list, positions, or the references themselves if their run was not sent. */
export type PackedTasks = number | { readonly places: readonly number[] } | { readonly refs: readonly TaskRef[] };
type PackedCell = Readonly<Record<string, unknown>> & { readonly tasks?: PackedTasks };
type Pages = { readonly count: number; readonly pages: readonly Uint8Array[] };

export type PackedFigure =
  | {
      readonly kind: "paged-table";
      readonly rest: Omit<TableFigure, "rows">;
      readonly rows: Pages;
      /** The result of reading all rows, so that the receiver need not read them. */
      readonly look: TableLook;
    }
  | { readonly kind: "paged-points"; readonly rest: Readonly<Record<string, unknown>>; readonly points: Pages }
  | { readonly kind: "whole"; readonly figure: unknown };

export type PackedFigures = { readonly figures: readonly PackedFigure[]; readonly lists: readonly Uint32Array[] };

/** Where the tasks of all runs are. */
export type TaskPlaces = {
  /** Returns a task's index among those of all runs; undefined if its run was not sent. */
  of(task: TaskRef): number | undefined;
  /** Returns the indexes of a list of which they are known; undefined for other lists. */
  listed?(tasks: readonly TaskRef[]): Uint32Array<ArrayBuffer> | undefined;
};

/** Packs the contents of one message. */
export class FigurePacker {
  readonly lists: Uint32Array<ArrayBuffer>[] = [];
  /** Buffers to transfer instead of copying. */
  readonly buffers: ArrayBuffer[] = [];
  readonly #places: TaskPlaces;
  readonly #numbers = new Map<readonly TaskRef[], number>();

  constructor(places: TaskPlaces) {
    this.#places = places;
  }

  figures(figures: readonly Figure[]): readonly PackedFigure[] {
    return lookedThrough(figures).map((figure) => this.#figure(figure));
  }

  tasks(tasks: readonly TaskRef[]): PackedTasks {
    const known = this.#numbers.get(tasks);
    if (known !== undefined) return known;
    const places = this.#places.listed?.(tasks) ?? this.#placesOf(tasks);
    if (places === undefined) return { refs: tasks.map(({ run, task }) => ({ run, task })) };
    if (tasks.length <= mostInCell) return { places: [...places] };
    this.buffers.push(places.buffer);
    const number = this.lists.push(places) - 1;
    this.#numbers.set(tasks, number);
    return number;
  }

  #placesOf(tasks: readonly TaskRef[]): Uint32Array<ArrayBuffer> | undefined {
    const places = new Uint32Array(tasks.length);
    for (let at = 0; at < tasks.length; at++) {
      const place = this.#places.of(tasks[at]!);
      if (place === undefined) return undefined;
      places[at] = place;
    }
    return places;
  }

  #figure(figure: Figure): PackedFigure {
    if (figure.kind === "table" && figure.rows.length > mostWhole) {
      const { rows, ...rest } = figure;
      return { kind: "paged-table", rest, rows: this.#paged(rows), look: prepared(figure).look };
    }
    if (figure.kind === "points" && figure.points.length > mostWhole) {
      const { points, ...rest } = figure;
      return { kind: "paged-points", rest, points: this.#paged(points) };
    }
    return { kind: "whole", figure: this.#plain(figure) };
  }

  #paged(items: readonly unknown[]): Pages {
    const pages: Uint8Array[] = [];
    for (let from = 0; from < items.length; from += pageSize) {
      const page = new Uint8Array(serialize(this.#plain(items.slice(from, from + pageSize))));
      this.buffers.push(page.buffer);
      pages.push(page);
    }
    return { count: items.length, pages };
  }

  /** Returns plain data with packed tasks and the same field order. */
  #plain(value: unknown): unknown {
    // Omits functions and symbols, which extensions may put into their figures.
    if (typeof value === "function" || typeof value === "symbol") return undefined;
    if (Array.isArray(value)) return value.map((each) => this.#plain(each));
    if (value === null || typeof value !== "object") return value;
    const plain: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      if (name === "tasks") plain[name] = this.#tasksOf(value as Cell);
      else plain[name] = this.#plain((value as Readonly<Record<string, unknown>>)[name]);
    }
    return plain;
  }

  #tasksOf(cell: Cell): PackedTasks | undefined {
    const tasks = cell[rowsBehind]?.() ?? cell.tasks;
    return tasks === undefined ? undefined : this.tasks(tasks);
  }
}

/** Unpacks one message; `taskAt` returns the task at a position. Task lists are made on first access. */
export class FigureUnpacker {
  readonly #lists: readonly Uint32Array[];
  readonly #taskAt: (place: number) => TaskRef;

  constructor(lists: readonly Uint32Array[], taskAt: (place: number) => TaskRef) {
    this.#lists = lists;
    this.#taskAt = taskAt;
  }

  figure(packed: PackedFigure): Figure {
    if (packed.kind === "whole") return this.#whole(packed.figure) as Figure;
    if (packed.kind === "paged-points")
      return { ...packed.rest, points: this.#unpaged(packed.points) } as unknown as Figure;
    const figure: TableFigure = { ...packed.rest, rows: this.#unpaged<readonly Cell[]>(packed.rows) };
    prepared.know(figure, new PreparedFigure(figure, packed.look));
    return figure;
  }

  tasks(tasks: PackedTasks): readonly TaskRef[] {
    if (typeof tasks === "object" && "refs" in tasks) return tasks.refs;
    const places = typeof tasks === "number" ? this.#lists[tasks]! : tasks.places;
    return Array.from(places, this.#taskAt);
  }

  #unpaged<Item>({ count, pages }: Pages): readonly Item[] {
    const unpacked = new Map<number, readonly Item[]>();
    const pageOf = (at: number) => {
      const known = unpacked.get(at);
      if (known !== undefined) return known;
      const page = this.#whole(deserialize(pages[at]!)) as readonly Item[];
      if (unpacked.size >= mostPages) unpacked.clear();
      unpacked.set(at, page);
      return page;
    };
    return madeWhenRead(count, (at) => pageOf(Math.floor(at / pageSize))[at % pageSize]!);
  }

  #whole(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#whole(each));
    if (value === null || typeof value !== "object") return value;
    const { tasks } = value as PackedCell;
    const whole: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(value)) whole[name] = name === "tasks" ? undefined : this.#whole(field);
    return tasks === undefined ? whole : withListed(whole as unknown as Cell, () => this.tasks(tasks));
  }
}
