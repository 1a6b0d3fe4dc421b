/** The figures of analysis cells, computed when looked at and kept until their rows change. */
import type { Worker } from "node:worker_threads";
import { planAnalysisCell, type PlannedAnalysis } from "../session/analysis-cell.ts";
import type { Analysis } from "../analysis.ts";
import { filledTables, TableProgress } from "./table-progress.ts";
import { AnalysisPace } from "./thread/analysis-pace.ts";
import { AnalysisThread, type RowSource } from "./thread/analysis-thread.ts";
import { FigureWork } from "./thread/figure-work.ts";
import type { ThreadJob, ThreadRun } from "./thread/thread-messages.ts";
import type { FilledShare } from "../measures/filled-share.ts";
import { type Claimant, NotebookClaims } from "./notebook-claims.ts";
import type { CellRuns } from "./cell-runs.ts";
import type { RunControl } from "./run-control.ts";
import { lookedThrough } from "../figures/looked-through.ts";
import type { Suite } from "../suite.ts";
import type { Task } from "../types.ts";
import { type Clock, machineClock, type Timer } from "../work/clock.ts";
import { analysisState, type AnalysisState, beforeFigures, withoutFigures } from "./analysis-state.ts";
import { FigureInputs } from "./figure-inputs.ts";
import { countOf, rowsKey, type WantedRun, wantedRuns } from "./wanted-runs.ts";
import { whyEmpty } from "./empty-analysis.ts";
import { pickedRuns } from "./picked-runs.ts";
import { type PoolableRun, pooledRuns, withDistinctLabels } from "./pooled-runs.ts";
import { withRunCells } from "./run-cells-choice.ts";
import type { CellProblem, SessionCell } from "./workbench.ts";

type Kept = {
  readonly source: string;
  /** Which rows, of each run. */
  readonly rows: readonly string[];
  readonly tasks: readonly (readonly Task[] | undefined)[];
  readonly reported: number;
  readonly at: number;
  readonly busy: boolean;
  /** All that is claimed in the notebook, of which rows; empty where the cell claims nothing. */
  readonly claims: string;
  readonly state: AnalysisState;
};

type ClaimingCell = Pick<Claimant, "source" | "claims"> & {
  readonly id: string;
  readonly wanted: readonly WantedRun[];
};

/** What a cell asks for, of which runs. */
type Asked = {
  readonly cell: SessionCell;
  readonly planned: PlannedAnalysis;
  readonly wanted: readonly WantedRun[];
  readonly claimed: readonly ClaimingCell[];
  readonly problems: readonly CellProblem[];
  readonly none: string;
  readonly busy: boolean;
};

/** What the thread is told of a run, whose rows it has. */
function threadRun(run: PoolableRun): ThreadRun {
  return { ...run, suite: run.suite.name, rows: [] };
}

/** While runs are running, figures are computed at most this often, in milliseconds. */
const pause = 400;

export class CellFigures {
  readonly #analyses: readonly Analysis[];
  readonly #runs: CellRuns;
  readonly #changed: () => void;
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  readonly #progress: TableProgress;
  readonly #inputs: FigureInputs;
  readonly #claims = new NotebookClaims();
  readonly #work = new FigureWork();
  readonly #pace = new AnalysisPace();
  #thread: AnalysisThread | undefined;
  readonly #loading = new Set<Promise<void>>();
  readonly #planned = new Map<string, PlannedAnalysis>();
  #timer: Timer | undefined;
  #reportedVersion = 0;

  /** Where `startThread` is given, many rows are worked out in the thread it starts. */
  constructor(
    analyses: readonly Analysis[],
    runs: CellRuns,
    changed: () => void,
    {
      clock = machineClock,
      startThread,
    }: { readonly clock?: Clock; readonly startThread?: (() => Worker) | undefined } = {},
  ) {
    this.#thread = startThread && new AnalysisThread(startThread);
    this.#analyses = analyses;
    this.#runs = runs;
    this.#changed = changed;
    this.#clock = clock;
    this.#inputs = new FigureInputs(runs, {
      clock,
      load: (loading) => this.#load(loading),
      loaded: () => this.#loaded(),
      busy: () => this.#busy(),
      lookAgain: () => this.#lookAgain(),
    });
    this.#progress = new TableProgress(runs, (rest) => {
      const taken = rest.then((isNew) => {
        if (isNew) this.#loaded();
      });
      this.#load(taken);
    });
  }

  /** Why an analysis cell with this source, below that cell, would have nothing to show; undefined where it may have something. */
  whyEmpty(
    source: string,
    below: string | undefined,
    { cells, suites }: { readonly cells: readonly SessionCell[]; readonly suites: readonly Suite[] },
  ): string | undefined {
    const cell: SessionCell = { id: "", kind: "analysis", name: "", source };
    const at = cells.findIndex(({ id }) => id === below) + 1;
    const { planned, wanted, none } = this.#look(cell, cells.toSpliced(at, 0, cell));
    if (none !== "") return none;
    const runs = wanted.map((run) => {
      const hasResults = run.control.store.hasRows && run.control.rows().some(({ state }) => state !== "running");
      return { suite: run.suite, results: hasResults ? this.#inputs.poolable(run, undefined) : undefined };
    });
    const name = planned.analysis?.name ?? "";
    return whyEmpty(
      planned,
      runs,
      suites.some(({ analyses }) => analyses.includes(name)),
    );
  }

  state(cell: SessionCell, cells: readonly SessionCell[]): AnalysisState {
    return withRunCells(this.#state(cell, cells), this.#plan(cell.source).of, cells);
  }

  #state(cell: SessionCell, cells: readonly SessionCell[]): AnalysisState {
    const { planned, wanted, problems, none } = this.#look(cell, cells);
    const claimed = planned.claims.length > 0 ? this.#claimed(cells) : [];
    const claims = claimed.flatMap(({ id, source, wanted }) => [id, source, ...wanted.map(rowsKey)]).join("\n");
    const rows = wanted.map(rowsKey);
    const tasks = wanted.map(({ control }) => this.#runs.tasks(control.planned.run));
    const busy = this.#busy();
    const kept = this.#kept.get(cell.id);
    const same =
      kept?.source === cell.source && kept.reported === this.#reportedVersion && kept.rows.length === rows.length;
    const hasAll = same && kept.claims === claims && kept.rows.every((each, index) => each === rows[index]);
    if (same && busy && this.#clock.now() - kept.at < pause) {
      if (!hasAll) this.#lookAgain();
      return kept.state;
    }
    const isLasting = hasAll && kept.busy === busy;
    if (isLasting && kept.tasks.every((each, index) => each === tasks[index])) return kept.state;
    const asked = { cell, planned, wanted, claimed, problems, none, busy };
    const ids = wanted.map(({ control }) => control.planned.run);
    const bare = withoutFigures(planned.analysis, planned.chosen, kept?.state);
    const unfinished = { ...bare, runs: ids, problems, missing: undefined };
    const begun = this.#clock.now();
    const keep = (state: AnalysisState) => {
      const [at, reported] = [this.#clock.now(), this.#reportedVersion];
      this.#kept.set(cell.id, { source: cell.source, rows, tasks, reported, at, busy, claims, state });
      return state;
    };
    const thread = this.#threadFor(asked);
    if (thread === undefined) {
      const all = [...wanted, ...claimed.flatMap((other) => other.wanted)];
      if (this.#isUnread(all)) return { ...unfinished, missing: "Reading what the runs came to" };
      const state = this.#stateHere(asked);
      this.#pace.add(countOf(wanted), this.#clock.now() - begun);
      return keep(state);
    }
    const under = this.#work.shown(cell.id, cell.source);
    if (under !== undefined) return under;
    const shown = kept?.source === cell.source ? kept.state : unfinished;
    const work = (signal: AbortSignal, progress: (at: string) => void) =>
      this.#stateThere(thread, asked, signal, progress);
    const made = this.#work.begin(cell.id, cell.source, work, shown, this.#changed).then(
      (state) => {
        if (state === undefined) return;
        keep(state);
        this.#changed();
      },
      () => {
        // It is worked out here, which says what is wrong.
        this.#thread = undefined;
        this.#changed();
      },
    );
    this.#load(made);
    return this.#work.shown(cell.id, cell.source)!;
  }

  /** The thread, where these are so many rows that the screen would wait for them. */
  #threadFor({ wanted, claimed }: Asked): AnalysisThread | undefined {
    const count = countOf([...wanted, ...claimed.flatMap((cell) => cell.wanted)]);
    return count > this.#pace.most ? this.#thread : undefined;
  }

  #stateHere({ cell, planned, wanted, claimed, problems, none, busy }: Asked): AnalysisState {
    const claims =
      claimed.length > 0
        ? this.#claims.of(
            claimed.map((each) => this.#claimant(each)),
            cell.id,
          )
        : undefined;
    const wrong = [...problems, ...(claims?.problems ?? [])];
    const found = wanted.map((run) => this.#inputs.poolable(run, planned.analysis));
    const drawn = (runs: readonly PoolableRun[]) =>
      analysisState(beforeFigures(planned, withDistinctLabels(pooledRuns(runs)), wrong, none));
    const shown = drawn(found);
    const { filled, open } = filledTables(
      found,
      (run) => this.#runs.tasks(run),
      (runs) => drawn(runs).figures,
    );
    return {
      ...shown,
      figures: lookedThrough([...shown.figures, ...(claims?.figures ?? [])]),
      ...(claims !== undefined && { claims: claims.answers }),
      runs: found.map(({ run }) => run),
      ...this.#progressOf(cell.id, filled, open, busy),
    };
  }

  /** The same, worked out in the thread. */
  async #stateThere(
    thread: AnalysisThread,
    { cell, planned, wanted, claimed, problems, none, busy }: Asked,
    signal: AbortSignal,
    progress: (at: string) => void,
  ): Promise<AnalysisState> {
    const all = [...wanted, ...claimed.flatMap((other) => other.wanted)];
    const sources = [...new Map(all.map((run) => [run.control.planned.run, this.#source(run)])).values()];
    const runsOf = (runs: readonly WantedRun[], analysis: Analysis | undefined) =>
      runs.map((run) => threadRun(this.#inputs.poolable(run, analysis, [])));
    const job: ThreadJob = {
      cell: cell.id,
      source: cell.source,
      problems,
      none,
      runs: runsOf(wanted, planned.analysis),
      open: sources.flatMap(({ run, open }) => (open === undefined ? [] : [run])),
      claimants: claimed.map(({ id, source, claims, wanted }) => ({
        cell: id,
        source,
        rows: wanted.map(rowsKey),
        claims,
        runs: runsOf(wanted, undefined),
      })),
    };
    const count = countOf(wanted).toLocaleString("en");
    const read = (rows: number) => progress(`Reading the results: ${rows.toLocaleString("en")} of ${count} tasks`);
    const { state, labels, figures, claims, filled, open } = await thread.answer({ job, sources }, signal, read);
    const versions = new Map(wanted.map((run) => [run.control.planned.run, rowsKey(run)]));
    return {
      ...state,
      analysis: planned.analysis,
      ...(labels && { labels }),
      figures: lookedThrough(figures),
      ...(claims !== undefined && { claims }),
      runs: wanted.map(({ control }) => control.planned.run),
      ...this.#progressOf(
        cell.id,
        filled,
        open.map((run) => ({ run, rows: versions.get(run) })),
        busy,
      ),
    };
  }

  #progressOf(
    cell: string,
    filled: readonly FilledShare[],
    open: Parameters<TableProgress["rest"]>[1],
    busy: boolean,
  ): Pick<AnalysisState, "filled" | "rest"> {
    if (filled.length === 0) return {};
    const rest = busy ? undefined : this.#progress.rest(cell, open);
    return { filled, ...(rest === undefined ? {} : { rest }) };
  }

  /** Where the thread gets the rows of a run. */
  #source({ control }: WantedRun): RowSource {
    const { store, planned } = control;
    const { table } = store;
    const tasks = this.#runs.tasks(planned.run);
    const { right, wrong, unscored, rows } = table.sums();
    return {
      run: planned.run,
      count: rows,
      get version() {
        return table.version;
      },
      get hasRows() {
        return store.hasRows;
      },
      file: () => store.rowsOnDisk(),
      rows: () => table.rows(),
      readRows: () => store.readRows(),
      watch: (changed) => table.watch(changed),
      open: tasks !== undefined && right + wrong + unscored < tasks.length ? tasks : undefined,
    };
  }

  /** What an analysis cell asks for, and the runs it is of. */
  #look(cell: SessionCell, cells: readonly SessionCell[]) {
    const planned = this.#plan(cell.source);
    const { wanted, problems, none } = wantedRuns(planned.of, { cell, cells, runs: this.#runs });
    const { picked, problems: unpicked } = pickedRuns(wanted, planned.only);
    return { planned, wanted: picked, problems: [...planned.problems, ...problems, ...unpicked], none };
  }

  /** Whether rows have to be read from disk first, which is begun. */
  #isUnread(wanted: readonly WantedRun[]): boolean {
    const unread = wanted.filter(({ control }) => !control.store.hasRows);
    for (const { control } of unread) this.#readRows(control);
    return unread.length > 0;
  }

  /** The cells that claim anything, each with its runs. */
  #claimed(cells: readonly SessionCell[]): readonly ClaimingCell[] {
    return cells.flatMap((cell) => {
      if (cell.kind !== "analysis" || this.#plan(cell.source).claims.length === 0) return [];
      const { planned, wanted } = this.#look(cell, cells);
      return [{ id: cell.id, source: cell.source, claims: planned.claims, wanted }];
    });
  }

  #claimant({ id, source, claims, wanted }: ClaimingCell): Claimant {
    const runs = () => withDistinctLabels(pooledRuns(wanted.map((run) => this.#inputs.poolable(run, undefined))));
    return { cell: id, source, rows: wanted.map(rowsKey), claims, runs };
  }

  #busy(): boolean {
    return this.#runs.all().some((control) => control.active);
  }

  /** Read once per text, as a run cell's is: cells are looked at with every frame. */
  #plan(source: string): PlannedAnalysis {
    let planned = this.#planned.get(source);
    if (planned === undefined) {
      planned = planAnalysisCell(source, this.#analyses);
      // Every key press in an editor is a new text; only the latest ones are worth keeping.
      if (this.#planned.size > 200) this.#planned.clear();
      this.#planned.set(source, planned);
    }
    return planned;
  }

  /** One timer, however many cells and frames ask for it. */
  #lookAgain(): void {
    if (this.#timer !== undefined) return;
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = undefined;
      this.#changed();
    }, pause);
  }

  /** Once each, however many cells and frames ask for it. */
  #readRows(control: RunControl): void {
    if (this.#reading.has(control)) return;
    this.#reading.add(control);
    const ended = () => {
      this.#reading.delete(control);
      this.#changed();
    };
    this.#load(control.store.readRows().then(ended, ended));
  }
  readonly #reading = new Set<RunControl>();

  #loaded(): void {
    this.#reportedVersion += 1;
    this.#changed();
  }

  #load(loading: Promise<void>): void {
    this.#loading.add(loading);
    void loading.finally(() => this.#loading.delete(loading));
  }

  /** Ends the thread. */
  close(): void {
    this.#thread?.end();
  }

  /** Resolves when these analysis cells need nothing more to be loaded: headless programs wait for it. */
  async settled(cells: readonly SessionCell[]): Promise<void> {
    const analysisCells = cells.filter(({ kind }) => kind === "analysis");
    // What was loaded may show what else is needed.
    do {
      await Promise.all(this.#loading);
      for (const cell of analysisCells) this.state(cell, cells);
    } while (this.#loading.size > 0);
  }
}
