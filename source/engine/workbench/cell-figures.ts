/** The figures of analysis cells, computed when looked at and kept until their rows change. */
import { planAnalysisCell, type PlannedAnalysis } from "../session/analysis-cell.ts";
import { keptText } from "../session/older-code.ts";
import type { Analysis } from "../analysis.ts";
import { TableProgress } from "./table-progress.ts";
import { type CellClaims, type Claimant, NotebookClaims } from "./notebook-claims.ts";
import type { CellRuns } from "./cell-runs.ts";
import type { RunControl } from "./run-control.ts";
import type { Clusters } from "../clusters.ts";
import { lookedThrough } from "../figures/looked-through.ts";
import type { TableFigure } from "../figure.ts";
import type { PaperNumbers, Suite } from "../suite.ts";
import type { Row, RunSpec, Task } from "../types.ts";
import { type Clock, machineClock, type Timer } from "../work/clock.ts";
import { nextIteration } from "../work/event-loop.ts";
import { analysisState, type AnalysisState, beforeFigures, withoutFigures } from "./analysis-state.ts";
import { whyEmpty } from "./empty-analysis.ts";
import { whyNoRuns } from "./no-runs.ts";
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
  readonly claims: CellClaims | undefined;
  readonly state: AnalysisState;
};

/** A run an analysis is of, under the name that tells it from the others there. */
type WantedRun = {
  readonly control: RunControl;
  readonly spec: RunSpec;
  readonly suite: Suite;
  readonly label: string;
  readonly pool: PoolableRun["pool"];
};

/** Other rows have another one: those of another run as well. */
function rowsKey({ control, label }: WantedRun): string {
  return `${control.planned.run} ${control.store.table.version} ${control.isExecuted} ${label}`;
}

/** Toolkits of a run, with the rows there were when they were asked for. */
type KeptClusters = {
  readonly rows: readonly Row[];
  readonly at: number;
  readonly loading: boolean;
  /** Nothing was known before: the analysis says that they are being made. */
  readonly first: boolean;
  readonly found: Clusters | undefined;
};

/** While runs are running, figures are computed at most this often, in milliseconds, */
const pause = 400;
/** and toolkits that were not there are asked for again. */
const longPause = 5_000;

export class CellFigures {
  readonly #analyses: readonly Analysis[];
  readonly #runs: CellRuns;
  readonly #changed: () => void;
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  readonly #reported = new Map<string, PaperNumbers>();
  readonly #clusters = new Map<string, KeptClusters>();
  readonly #progress: TableProgress;
  readonly #claims = new NotebookClaims();
  readonly #statistics = new Map<string, TableFigure | undefined>();
  readonly #loading = new Set<Promise<void>>();
  readonly #planned = new Map<string, PlannedAnalysis>();
  #timer: Timer | undefined;
  #reportedVersion = 0;

  constructor(analyses: readonly Analysis[], runs: CellRuns, changed: () => void, clock: Clock = machineClock) {
    this.#analyses = analyses;
    this.#runs = runs;
    this.#changed = changed;
    this.#clock = clock;
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
      return { suite: run.suite, results: hasResults ? this.#poolable(run, undefined) : undefined };
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
    const isClaim = planned.claims.length > 0;
    const rows = wanted.map(rowsKey);
    const tasks = wanted.map(({ control }) => this.#runs.tasks(control.planned.run));
    const busy = this.#busy();
    const kept = this.#kept.get(cell.id);
    const same =
      kept?.source === cell.source && kept.reported === this.#reportedVersion && kept.rows.length === rows.length;
    const hasAll = same && kept.rows.every((each, index) => each === rows[index]);
    if (same && busy && this.#clock.now() - kept.at < pause) {
      // What is claimed elsewhere has its part in the answers.
      if (!hasAll || isClaim) this.#lookAgain();
      return kept.state;
    }
    const claims = isClaim ? this.#claims.of(this.#claimants(cells), cell.id) : undefined;
    const isLasting = hasAll && kept.claims === claims && kept.busy === busy;
    if (isLasting && kept.tasks.every((each, index) => each === tasks[index])) return kept.state;
    const wrong = [...problems, ...(claims?.problems ?? [])];
    const ids = wanted.map(({ control }) => control.planned.run);
    const unfinished = { ...withoutFigures(planned.analysis, planned.chosen, kept?.state), runs: ids, problems: wrong };
    if (this.#isUnread(wanted)) return { ...unfinished, missing: "Reading what the runs came to" };
    if (isClaim && claims === undefined)
      return kept?.source === cell.source ? kept.state : { ...unfinished, missing: "Working out what is claimed" };
    const found = wanted.map((run) => this.#poolable(run, planned.analysis));
    const drawn = (runs: readonly PoolableRun[]) =>
      analysisState(beforeFigures(planned, withDistinctLabels(pooledRuns(runs)), wrong, none));
    const state = this.#stateOf(cell.id, drawn, found, claims, busy);
    const [at, reported] = [this.#clock.now(), this.#reportedVersion];
    this.#kept.set(cell.id, { source: cell.source, rows, tasks, reported, at, busy, claims, state });
    return state;
  }

  #stateOf(
    cell: string,
    drawn: (runs: readonly PoolableRun[]) => AnalysisState,
    found: readonly PoolableRun[],
    claims: CellClaims | undefined,
    busy: boolean,
  ): AnalysisState {
    const shown = drawn(found);
    return {
      ...shown,
      figures: lookedThrough([...shown.figures, ...(claims?.figures ?? [])]),
      ...(claims !== undefined && { claims: claims.answers }),
      runs: found.map(({ run }) => run),
      ...this.#progress.of(cell, found, busy, (runs) => drawn(runs).figures),
    };
  }

  /** What an analysis cell asks for, and the runs it is of. */
  #look(cell: SessionCell, cells: readonly SessionCell[]) {
    const planned = this.#plan(cell.source);
    const { wanted, problems, none } = this.#wantedRuns(planned.of, cell, cells);
    const { picked, problems: unpicked } = pickedRuns(wanted, planned.only);
    return { planned, wanted: picked, problems: [...planned.problems, ...problems, ...unpicked], none };
  }

  /** Whether rows have to be read from disk first, which is begun. */
  #isUnread(wanted: readonly WantedRun[]): boolean {
    const unread = wanted.filter(({ control }) => !control.store.hasRows);
    for (const { control } of unread) this.#readRows(control);
    return unread.length > 0;
  }

  /** The cells that claim anything, each with its runs once their rows are read. */
  #claimants(cells: readonly SessionCell[]): readonly Claimant[] {
    return cells.flatMap((cell) => {
      if (cell.kind !== "analysis" || this.#plan(cell.source).claims.length === 0) return [];
      const { planned, wanted } = this.#look(cell, cells);
      const read = this.#isUnread(wanted) ? [] : wanted;
      const runs = () => withDistinctLabels(pooledRuns(read.map((run) => this.#poolable(run, undefined))));
      const count = read.reduce((sum, { control }) => sum + control.store.table.sums().rows, 0);
      return [{ cell: cell.id, source: cell.source, rows: read.map(rowsKey), count, claims: planned.claims, runs }];
    });
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

  #wantedRuns(
    names: readonly string[] | undefined,
    cell: SessionCell,
    cells: readonly SessionCell[],
  ): { wanted: WantedRun[]; problems: CellProblem[]; none: string } {
    const at = cells.findIndex(({ id }) => id === cell.id);
    const above = cells.slice(0, at).filter(({ kind }) => kind === "run");
    const runCells = cells.filter(({ kind }) => kind === "run");
    const problems: CellProblem[] = [];
    const from =
      names === undefined
        ? above
        : names.flatMap((name) => {
            const matching = runCells.filter((each) => each.name === name);
            if (matching.length === 0) {
              const known = runCells
                .map((each) => each.name)
                .filter((each) => each !== "")
                .join(", ");
              problems.push({
                message: `Expected \`of\` to name run cells of this session (${known || "none has a name"}), got \`${name}\``,
              });
            }
            return matching;
          });
    const wanted = from.flatMap((runCell) => {
      const runs = this.#runs.of(runCell);
      const whole = (label: string, siblings: number) => {
        if (from.length === 1 || runCell.name === "") return label;
        return siblings === 1 ? runCell.name : `${runCell.name}: ${label}`;
      };
      const pools = new Set(runs.map(({ pool, label }) => pool ?? label)).size;
      return runs.map(({ label, pool, control }) => ({
        control,
        spec: control.spec,
        suite: this.#runs.suite(control.spec.suite),
        label: whole(label, runs.length),
        pool: pool === undefined ? undefined : { key: `${runCell.id} ${pool}`, label: whole(pool, pools) },
      }));
    });
    // Cells are looked at with every frame: where there are runs nobody asks why there are none.
    const none = wanted.length > 0 ? "" : whyNoRuns(from, (runCell) => this.#runs.plan(runCell).problems);
    return { wanted, problems, none };
  }

  #poolable({ control, spec, suite, label, pool }: WantedRun, analysis: Analysis | undefined): PoolableRun {
    const { readsAnswerKey } = control;
    const { run, kept: ofOlder } = control.planned;
    const { warnings } = control.store.table;
    const rows = control.rows();
    const hasRows = rows.length > 0;
    const clusters = analysis?.needsClusters === true && hasRows ? this.#toolkits(run, spec, rows) : undefined;
    const statistics = analysis?.needsStatistics === true && hasRows ? this.#statisticsOf(spec) : undefined;
    const kept = this.#clusters.get(run);
    return {
      run,
      spec,
      warnings,
      readsAnswerKey,
      label,
      ...(pool === undefined ? {} : { pool }),
      ...(ofOlder && { notes: [keptText(ofOlder, spec)] }),
      suite,
      rows,
      isAtRest: !control.isExecuted,
      reported: this.#paper(suite),
      ...(clusters === undefined ? {} : { clusters }),
      ...(statistics === undefined ? {} : { statistics }),
      ...(kept?.loading === true && kept.first ? { clustersLoading: true } : {}),
    };
  }

  /** Empty at first; there with the next look once they are loaded. */
  #paper(suite: Suite): PaperNumbers {
    const known = this.#reported.get(suite.name);
    if (known !== undefined) return known;
    const none: PaperNumbers = { values: [], tables: [] };
    this.#reported.set(suite.name, none);
    const load = async () => {
      // The frame that asks is drawn before.
      await nextIteration();
      this.#reported.set(suite.name, (await suite.reported?.()) ?? none);
      this.#loaded();
    };
    // Without a paper's numbers everything else still works.
    this.#load(load().catch(() => {}));
    return none;
  }

  /** Undefined at first, as above. Tasks that cannot be read have no statistics: the run cell says why. */
  #statisticsOf(spec: RunSpec): TableFigure | undefined {
    const key = JSON.stringify([spec.suite, spec.data, spec.split, spec.dataset]);
    if (this.#statistics.has(key)) return this.#statistics.get(key);
    this.#statistics.set(key, undefined);
    const read = this.#runs.statistics(spec).catch(() => undefined);
    this.#load(
      read.then((found) => {
        this.#statistics.set(key, found);
        this.#loaded();
      }),
    );
    return undefined;
  }

  /** Undefined at first, as above, and where the run has none or they cannot be made without asking a model, until it is resumed. */
  #toolkits(run: string, spec: RunSpec, rows: readonly Row[]): Clusters | undefined {
    const known = this.#clusters.get(run);
    if (known !== undefined && (known.found !== undefined || known.loading || known.rows === rows)) return known.found;
    if (known !== undefined && this.#busy() && this.#clock.now() - known.at < longPause) {
      this.#lookAgain();
      return undefined;
    }
    const first = known === undefined;
    const asked = { rows, first, at: this.#clock.now() };
    this.#clusters.set(run, { ...asked, loading: true, found: undefined });
    const made = this.#runs.clusters(spec).catch(() => undefined);
    this.#load(
      made.then((found) => {
        this.#clusters.set(run, { ...asked, loading: false, found });
        // Figures stay as they are where there is nothing new to tell.
        if (first || found !== undefined) this.#loaded();
      }),
    );
    return undefined;
  }

  #loaded(): void {
    this.#reportedVersion += 1;
    this.#changed();
  }

  #load(loading: Promise<void>): void {
    this.#loading.add(loading);
    void loading.finally(() => this.#loading.delete(loading));
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
