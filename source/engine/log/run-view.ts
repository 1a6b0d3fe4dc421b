/**
 * Shows a cell its part of a run: the chosen tasks, from the run's folder and from other folders with answers of the same run. It
 * has the interface of a `RunStore`.
 */
import { basename } from "node:path";
import type { Facets, Row, RunSpec, TaskEvent } from "../types.ts";
import { counted } from "../text/counted.ts";
import type { Pieces } from "../work/pieces.ts";
import { sumDamage } from "./file/log-damage.ts";
import { originOf } from "./rows/row-notes.ts";
import type { ChosenPart, RowTable } from "./rows/rows.ts";
import { RunSums, type Sums } from "./rows/run-sums.ts";
import { RunNotes } from "./rows/run-warnings.ts";
import { isAnswered } from "./rows/task-counts.ts";
import type { RunStore } from "./run-store.ts";

export type ReadTable = Pick<
  RowTable,
  | "spec"
  | "total"
  | "ended"
  | "version"
  | "rows"
  | "row"
  | "sums"
  | "rate"
  | "speed"
  | "watch"
  | "warnings"
  | "taken"
  | "begun"
>;
export type ReadStore = Pick<
  RunStore,
  "hasRows" | "readRows" | "isBehind" | "catchUp" | "folded" | "damage" | "look" | "check" | "rowsOnDisk"
> &
  Pick<RunStore, "events" | "task" | "reader"> & {
    readonly table: ReadTable;
    readonly presence: { readonly gone: string | undefined };
    eachTask(ids: Iterable<string>): Iterable<readonly [string, readonly TaskEvent[]]>;
  };

export type ViewOptions = {
  /** The id of the cell's choice, under which the log records its ends. */
  readonly id: string;
  /** The folder to which the cell writes. */
  readonly home: RunStore;
  /** All runs that the view reads, in the order of their starts. */
  readonly parts: readonly RunStore[];
  /** False if the choice is all tasks. */
  readonly isPart: boolean;
  /** Returns whether a task with these facets is chosen, if the choice depends only on facets. */
  readonly fits?: ((facets: Facets) => boolean) | undefined;
};

export class RunView implements ReadStore {
  readonly table: ChosenRows;
  /** False if the choice is all tasks. */
  readonly isPart: boolean;
  readonly #home: RunStore;
  readonly #parts: readonly RunStore[];

  constructor(options: ViewOptions) {
    this.table = new ChosenRows(options);
    this.isPart = options.isPart;
    this.#home = options.home;
    this.#parts = options.parts;
  }

  /**
   * True if other cells have executed tasks of its run: rows are then in the order of the log until the chosen tasks are known.
   */
  get isShared(): boolean {
    return this.#parts.length > 1 || this.#home.table.choices.size > 1;
  }
  get hasRows(): boolean {
    return this.#parts.every(({ hasRows }) => hasRows);
  }
  async readRows(): Promise<void> {
    for (const part of this.#parts) await part.readRows();
  }
  get isBehind(): boolean {
    return !this.hasRows;
  }
  catchUp(): Promise<void> {
    return this.readRows();
  }
  get folded(): number {
    return Math.min(...this.#parts.map((part) => (part.isBehind ? part.folded : 1)));
  }
  get damage(): RunStore["damage"] {
    return this.#parts.map(({ damage }) => damage).reduce(sumDamage);
  }
  get presence(): ReadStore["presence"] {
    return this.#parts.find(({ presence }) => presence.gone !== undefined)?.presence ?? this.#home.presence;
  }
  look(): void {
    for (const part of this.#parts) part.look();
  }
  async check(): Promise<boolean> {
    const changed: boolean[] = [];
    for (const part of this.#parts) changed.push(await part.check());
    return changed.includes(true);
  }
  /** No file has exactly these rows. */
  rowsOnDisk(): undefined {
    return undefined;
  }

  /** The paths of the run's folders. */
  get folders(): readonly string[] {
    return this.#parts.map(({ folder }) => folder);
  }

  /** Returns the folder that holds the counted attempt at a task. */
  partOf(task: string): RunStore {
    return this.table.partOf(task) ?? this.#home;
  }
  events(task: string): Pieces<readonly TaskEvent[]> {
    return this.partOf(task).events(task);
  }
  readonly task = (id: string): readonly TaskEvent[] => this.partOf(id).task(id);
  reader(): (id: string) => readonly TaskEvent[] {
    const readers = new Map<RunStore, ReturnType<RunStore["reader"]>>();
    return (id) => {
      const part = this.partOf(id);
      const read = readers.get(part) ?? part.reader();
      readers.set(part, read);
      return read(id);
    };
  }
  eachTask(ids: Iterable<string>): ReturnType<ReadStore["eachTask"]> {
    const parts = Map.groupBy(ids, (id) => this.partOf(id));
    return parts.entries().flatMap(([part, own]) => part.eachTask(own));
  }
}

const noSums: Sums = new RunSums().read(0);

/** The rows of the chosen tasks. If there are several attempts at a task, the row of the counted attempt. */
class ChosenRows implements ReadTable {
  version = 0;
  readonly #options: ViewOptions;
  readonly #watchers = new Set<(task: string) => void>();
  #chosen: ReadonlySet<string> | undefined;
  #made: MadeRows | undefined;
  #list: readonly Row[] | undefined;
  #sums: Sums | undefined;

  constructor(options: ViewOptions) {
    this.#options = options;
    for (const { table } of options.parts)
      table.watch(
        (task) => this.#change(task),
        (rows) => this.#move(rows, table),
      );
  }

  /** Takes the ids of the chosen tasks, which depend on the data. */
  choose(tasks: ReadonlySet<string>): void {
    this.#chosen = tasks;
    this.#forget();
  }

  #forget(): void {
    this.#made = undefined;
    this.#list = undefined;
    this.#sums = undefined;
    this.version += 1;
  }

  get #part(): ChosenPart | undefined {
    const { id, home } = this.#options;
    return id === basename(home.folder) ? home.table : home.table.choices.get(id);
  }
  get #spec(): RunSpec | undefined {
    const { home, parts } = this.#options;
    return [home, ...parts].find(({ table }) => table.spec !== undefined)?.table.spec;
  }
  get spec(): RunSpec | undefined {
    return this.total > 0 ? this.#spec : this.#rowSpec;
  }
  get #rowSpec(): RunSpec | undefined {
    return this.sums().rows > 0 ? this.#spec : undefined;
  }
  get total(): number {
    return this.#part?.total ?? 0;
  }
  get ended(): ReadTable["ended"] {
    return this.#part?.ended;
  }

  /** Rows in the order of the chosen tasks, because other cells may have executed some of them first. */
  rows(): readonly Row[] {
    if (this.#list !== undefined) return this.#list;
    const { byTask } = this.#rows();
    const chosen = [...(this.#chosen ?? [])].flatMap((task) => byTask.get(task) ?? []);
    const others = chosen.length === byTask.size ? [] : byTask.values().filter(({ task }) => !this.#chosen?.has(task));
    return (this.#list = [...chosen, ...others]);
  }
  row(task: string): Row | undefined {
    return this.#rows().byTask.get(task);
  }
  partOf(task: string): RunStore | undefined {
    return this.#rows().parts.get(task);
  }
  sums(): Sums {
    if (!this.#options.parts.every(({ hasRows }) => hasRows)) return noSums;
    return (this.#sums ??= this.#rows().sums.read(runningSeconds(this.rows())));
  }
  rate(now?: number): number | undefined {
    return this.#rows().sums.rate(now);
  }
  speed(now?: number): number | undefined {
    return this.#rows().sums.speed(now);
  }
  watch(changed: (task: string) => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }
  get warnings(): readonly string[] {
    const { home, parts } = this.#options;
    const { startWarnings } = [home, ...parts].find(({ table }) => table.spec !== undefined)?.table ?? home.table;
    const { notes, several } = this.#rows();
    const times = several.size;
    const said = `${counted(times, "task")} ${times === 1 ? "has" : "have"} several answers in \`runs\`: the answers of the earliest run count`;
    return [...startWarnings, ...notes.warnings(this.#spec), ...(times === 0 ? [] : [said])];
  }
  get taken(): ReadTable["taken"] {
    return this.#rows().notes.taken();
  }
  begun(): readonly string[] {
    return this.#options.home.table.begun().filter((task) => this.row(task) !== undefined);
  }

  #change(task: string): void {
    const before = this.#made?.byTask.get(task);
    const after = this.#made && this.#counted(task, this.#made);
    if (this.#made !== undefined && before === after) return;
    if (before !== undefined && after === undefined) this.#forget();
    else if (this.#made !== undefined) put(this.#made, before, after!, this.#spec);
    this.#list = undefined;
    this.#sums = undefined;
    this.version += 1;
    for (const changed of this.#watchers) changed(task);
  }

  /** Replaces rows by copies that are on disk from now on, so that the old rows do not stay in memory. */
  #move(rows: readonly Row[], table: RowTable): void {
    const { byTask, parts } = this.#made ?? {};
    for (const row of rows) if (parts?.get(row.task)?.table === table) byTask?.set(row.task, row);
    this.#list = undefined;
  }

  #rows(): MadeRows {
    if (this.#made !== undefined) return this.#made;
    const { parts } = this.#options;
    const made = {
      byTask: new Map(),
      parts: new Map(),
      several: new Set<string>(),
      sums: new RunSums(),
      notes: new RunNotes(),
    };
    for (const { table } of parts)
      for (const { task } of table.rows()) {
        const row = made.byTask.has(task) ? undefined : this.#counted(task, made);
        if (row !== undefined) put(made, undefined, row, this.#spec);
      }
    return (this.#made = made);
  }

  /**
   * Returns the row of a chosen task. An attempt with an answer has precedence over an attempt without one, and an earlier answer
   * over a later one; a copy in the cell's own folder replaces the original.
   */
  #counted(task: string, made: MadeRows): Row | undefined {
    const { parts, home } = this.#options;
    const found = parts.flatMap((part) => {
      const row = part.table.row(task);
      return row === undefined || !this.#isChosen(row) ? [] : [{ part, row, isHome: part === home }];
    });
    const answers = found.filter(({ row }) => isAnswered(row));
    const origins = answers.map(({ part, row }) => originOf(row) ?? basename(part.folder));
    const [own] = answers.filter(({ isHome }, at) => isHome && origins[at] === origins[0]);
    const [atHome] = found.filter(({ isHome }) => isHome);
    const best = own ?? answers[0] ?? atHome ?? found[0];
    if (best === undefined) return undefined;
    made.parts.set(task, best.part);
    if (new Set(origins).size > 1) made.several.add(task);
    return best.row;
  }

  #isChosen({ task, facets }: Row): boolean {
    const { isPart, fits } = this.#options;
    if (!isPart) return true;
    // Without the data, the log or the facets decide.
    const known = this.#chosen ?? this.#recorded;
    return known?.has(task) ?? fits?.(facets) ?? false;
  }
  get #recorded(): ReadonlySet<string> | undefined {
    const tasks = this.#part?.tasks;
    if (tasks === undefined) return undefined;
    if (this.#kept?.of !== tasks) this.#kept = { of: tasks, as: new Set(tasks) };
    return this.#kept.as;
  }
  #kept: { readonly of: readonly string[]; readonly as: ReadonlySet<string> } | undefined;
}

type MadeRows = {
  readonly byTask: Map<string, Row>;
  readonly parts: Map<string, RunStore>;
  /** Tasks with different answers. */
  readonly several: Set<string>;
  readonly sums: RunSums;
  readonly notes: RunNotes;
};

function put({ byTask, sums, notes }: MadeRows, before: Row | undefined, after: Row, spec: RunSpec | undefined): void {
  if (before !== undefined) notes.add(before, spec, -1);
  notes.add(after, spec);
  sums.change(before, after);
  byTask.set(after.task, after);
}

/** Returns the seconds during which at least one of the last attempts was running. */
export function runningSeconds(rows: readonly Pick<Row, "from" | "to">[]): number {
  let [end, sum] = [-Infinity, 0];
  for (const { from, to } of rows.toSorted((one, other) => one.from - other.from)) {
    sum += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return sum / 1000;
}
