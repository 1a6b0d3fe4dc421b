/** Computes the figures of analysis cells from available inputs and keeps them until these change. */
import type { Worker } from "node:worker_threads";
import { allAbove, planAnalysisCell, type PlannedAnalysis } from "../../session/analysis-cell.ts";
import type { Analysis, RunRows, Codebook } from "../../analysis.ts";
import type { ClaimSide } from "../../measures/claim.ts";
import { type ClaimPair, claimPairs } from "../../measures/claim-test.ts";
import type { PairedSides } from "../../run/interleaved-tasks.ts";
import { AnalysisPace, AnalysisThread, type RowSource } from "../thread/analysis-thread.ts";
import type { ThreadRun } from "../thread/thread-messages.ts";
import { isLookedAt } from "../../log/rows/stored-rows.ts";
import { numbersSlowly } from "../../measures/beside.ts";
import { unfinishedRun } from "../../measures/unfinished.ts";
import type { Claimant } from "./notebook-claims.ts";
import type { ClaimLog } from "../document/claim-log.ts";
import type { CellRuns } from "../runs/cell-runs.ts";
import type { RunControl } from "../runs/run-control.ts";
import { lookedThrough } from "../../figures/prepared-figure.ts";
import type { Suite } from "../../suite.ts";
import type { Row } from "../../types.ts";
import { type Clock, machineClock, type Timer } from "../../work/clock.ts";
import {
  AnalysisCells,
  type AnalysisJob,
  type AnalysisState,
  whyEmpty,
  withoutFigures,
  withRuns,
  type WorkedOut,
} from "./analysis-state.ts";
import { codesOfRuns } from "../../session/codes/task-codes.ts";
import { FigureInputs } from "./figure-inputs.ts";
import {
  countOf,
  endedOf,
  pickedRuns,
  pooledRuns,
  restingKey,
  rowsKey,
  type WantedRun,
  wantedRuns,
  withDistinctLabels,
} from "../runs/wanted-runs.ts";
import { SqlCells, sqlPane } from "../library/sql-cell.ts";
import type { WorkQueue } from "./work-queue.ts";
import type { CellProblem, SessionCell } from "../session-state.ts";

/**
 * The result for a cell: `key` differs if its figures would differ, `inputs` if they would differ by more than new rows. `open`
 * names runs with unscored tasks; `ended` is the number of ended tasks that the figures count.
 */
type Kept = Keys & {
  readonly source: string;
  readonly at: number;
  readonly ended: number;
  /** Milliseconds until figures may be computed again while runs are executing. */
  readonly pause: number;
  readonly state: AnalysisState;
  readonly open: readonly string[];
};

/** The state shown for a cell; the same object until a part of it changes. */
type Shown = { readonly of: AnalysisState; readonly beside: readonly unknown[]; readonly state: AnalysisState };

type ClaimingCell = Pick<Claimant, "source" | "claims"> & {
  readonly id: string;
  readonly wanted: readonly WantedRun[];
};

type Keys = { readonly key: string; readonly inputs: string };

/** The request of a cell and its runs. */
type Asked = Keys & {
  readonly cell: SessionCell;
  readonly planned: PlannedAnalysis;
  readonly wanted: readonly WantedRun[];
  readonly claimed: readonly ClaimingCell[];
  readonly problems: readonly CellProblem[];
  readonly none: string;
};

/** Returns the runs of a cell, and the runs of all claims that are tested together with the cell's claims. */
function allRuns({ wanted, claimed }: Pick<Asked, "wanted" | "claimed">): readonly WantedRun[] {
  return [...wanted, ...claimed.flatMap((other) => other.wanted)];
}

/**
 * While runs are executing, a figure is computed again after this many milliseconds, and after this many times what the slowest
 * figure took, so that figures cost a run a twentieth of its time, or a fifth of the time of another thread.
 */
const pause = 400;
const rarity = { here: 20, inThread: 5 };

/**
 * New rows of executing runs are a reason to compute a figure again if a tenth more tasks have ended: analyses that read all
 * rows then read each about eleven times, however many there are. If tasks end slowly, it is computed again after this many milliseconds.
 */
const growth = 1.1;
const oldest = 30_000;

type Around = {
  /** Collects missing inputs of cells; reading a state starts nothing. */
  readonly queue: WorkQueue;
  readonly changed: () => void;
  /** The codes of the session, and a number that increases with every change of them. */
  readonly codes: { readonly codebook: Codebook; readonly version: number };
  readonly clock?: Clock;
  /** Records when claims are written; absent if this is not recorded. */
  readonly claimLog?: ClaimLog;
  /** Starts the thread that computes many rows; absent to compute all rows here. */
  readonly startThread?: (() => Worker) | undefined;
  /** The folder of the notebook. */
  readonly folder?: string;
};

export class CellFigures {
  readonly #analyses: readonly Analysis[];
  readonly #runs: CellRuns;
  readonly #queue: WorkQueue;
  readonly #changed: () => void;
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  readonly #shown = new Map<string, Shown>();
  /** The thread's progress for a cell, in words. */
  readonly #progress = new Map<string, string>();
  readonly #cells = new AnalysisCells();
  readonly #inputs: FigureInputs;
  readonly #codes: Around["codes"];
  readonly #pace = new AnalysisPace();
  #thread: AnalysisThread | undefined;
  readonly #sql: SqlCells;
  readonly #claimLog: ClaimLog | undefined;
  readonly #planned = new Map<string, PlannedAnalysis>();
  #isDue = false;
  #timer: Timer | undefined;

  constructor(
    analyses: readonly Analysis[],
    runs: CellRuns,
    { queue, changed, codes, clock = machineClock, startThread, claimLog, folder = "." }: Around,
  ) {
    this.#claimLog = claimLog;
    this.#sql = new SqlCells(folder, queue);
    this.#thread = startThread && new AnalysisThread(startThread);
    this.#analyses = analyses;
    this.#runs = runs;
    this.#queue = queue;
    this.#changed = changed;
    this.#clock = clock;
    const [busy, lookAgain] = [() => this.#busy(), () => void (this.#isDue = true)];
    this.#codes = codes;
    this.#inputs = new FigureInputs(runs, { clock, queue, codes: () => codes.codebook, busy, lookAgain });
  }

  /** Returns why an analysis cell with this source, below that cell, would have no figures; undefined if it may have some. */
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

  /** Returns the state of a cell from available inputs. Notes missing ones in the queue. */
  state(cell: SessionCell, cells: readonly SessionCell[]): AnalysisState {
    const plan = this.#plan(cell.source);
    if (plan.analysis?.name === sqlPane) return this.#sql.state(cell, plan);
    const asked = this.#asked(cell, cells);
    const kept = this.#kept.get(cell.id);
    const isCurrent = kept?.source === cell.source && kept.key === asked.key;
    if (isCurrent) return this.#finished(asked, kept, cells);
    if (kept?.source === cell.source && !this.#isOld(kept, asked)) {
      this.#isDue = true;
      return this.#finished(asked, kept, cells);
    }
    const { made, doing } = this.#made(asked, kept);
    return this.#finished(asked, made, cells, doing);
  }

  /** Returns true if these figures are to be computed again for other rows or inputs. */
  #isOld({ at, inputs, ended }: Kept, asked: Asked): boolean {
    if (!this.#isLive(asked)) return true;
    const age = this.#clock.now() - at;
    if (age < this.#pause()) return false;
    return inputs !== asked.inputs || age >= oldest || endedOf(asked.wanted) >= Math.max(1, ended * growth);
  }

  /** Another program may execute the runs. */
  #isLive({ wanted }: Asked): boolean {
    return this.#busy() || wanted.some(({ control }) => control.isExecuted);
  }

  #pause(): number {
    return Math.max(pause, ...[...this.#kept.values()].map((kept) => kept.pause));
  }

  #asked(cell: SessionCell, cells: readonly SessionCell[]): Asked {
    const { planned, wanted, problems, none } = this.#look(cell, cells);
    const claimed = planned.claims.length > 0 ? this.#claimed(cells) : [];
    this.#noteClaims(claimed);
    const inputs = [
      ...wanted.map(
        (run) =>
          `${restingKey(run)} ${this.#inputs.key(run, planned.analysis)} ${this.#runs.tasks(run.control.planned.run)?.length}`,
      ),
      ...claimed.flatMap(({ id, source, claims, wanted }) => [
        id,
        source,
        ...claims.map(({ written }) => written?.at ?? ""),
        ...wanted.map(restingKey),
      ]),
      none,
      `codes ${this.#codes.version}`,
    ].join("\n");
    const read = wanted.map((run) => `${rowsKey(run)} ${this.#inputs.answersKey(run)}`);
    const key = [inputs, ...read, ...claimed.flatMap((other) => other.wanted.map(rowsKey))].join("\n");
    return { cell, planned, wanted, claimed, problems, none, inputs, key };
  }

  /** Returns the cell's figures, or why they are not available yet; `doing` is the current work. */
  #made(asked: Asked, kept: Kept | undefined): { readonly made: Kept; readonly doing?: string } {
    const { cell } = asked;
    const all = allRuns(asked);
    const awaiting = all.filter(({ control }) => control.awaitsTasks);
    for (const { control } of awaiting)
      this.#queue.want(`tasks ${control.planned.run}`, "", () => this.#runs.count(control));
    if (awaiting.length > 0) return { made: this.#before(asked, kept), doing: "Loading tasks" };
    const tasks = all.reduce((sum, { control }) => sum + (this.#runs.tasks(control.planned.run)?.length ?? 0), 0);
    // Progress is computed from a row for each task, begun or not.
    const count = Math.max(countOf(all), tasks);
    const thread = count > this.#pace.most ? this.#thread : undefined;
    if (thread !== undefined) {
      this.#queue.want(`figures ${cell.id}`, cell.source, (signal) => this.#work(thread, asked, signal));
      const doing = this.#progress.get(cell.id) ?? "Computing figures";
      return { made: this.#before(asked, kept), doing };
    }
    const unread = all.filter(({ control }) => !control.store.hasRows);
    for (const { control } of unread)
      this.#queue.want(`rows ${control.planned.run}`, "", () => control.store.readRows());
    if (unread.length > 0) return { made: this.#before(asked, kept), doing: "Loading results" };
    const begun = this.#clock.now();
    const worked = this.#cells.workOut(asked.planned, this.#job(asked), (run) => this.#runs.tasks(run));
    const figures = lookedThrough(worked.state.figures);
    const cost = this.#clock.now() - begun;
    this.#pace.add(countOf(asked.wanted), cost);
    return { made: this.#keep(asked, { ...worked, state: { ...worked.state, figures } }, rarity.here * cost) };
  }

  #keep({ cell, key, inputs }: Keys & Pick<Asked, "cell">, worked: WorkedOut, rest = 0): Kept {
    const kept = { source: cell.source, key, inputs, at: this.#clock.now(), pause: rest, ...worked };
    this.#kept.set(cell.id, kept);
    return kept;
  }

  /** Returns the figures of this text so far; without figures, the earlier choices. */
  #before(asked: Asked, kept: Kept | undefined): Kept {
    const { cell, planned, wanted, problems } = asked;
    if (kept?.source === cell.source) return kept;
    const bare = withoutFigures(planned.analysis, planned.chosen, kept?.state);
    const runs = wanted.map(({ control }) => control.planned.run);
    const state = { ...bare, runs, problems, missing: undefined };
    return this.#keep({ cell, key: "", inputs: "" }, { state, open: [], ended: 0 });
  }

  /**
   * Adds the choice of run cells, the forecast of the remaining work and, while runs execute, the number of ended tasks that the
   * figures count. If there are no figures yet, also adds the current work.
   */
  #finished(asked: Asked, kept: Kept, cells: readonly SessionCell[], doing?: string): AnalysisState {
    const { cell, planned, wanted } = asked;
    const { filled = [], figures } = kept.state;
    const isExecuted = wanted.some(({ control }) => control.isExecuted);
    const ended = figures.length > 0 && isExecuted ? endedOf(wanted) : undefined;
    const rest = filled.length > 0 && !this.#busy() ? this.#inputs.rest(cell.id, kept.open, kept.key) : undefined;
    const missing = figures.length > 0 ? kept.state.missing : (doing ?? kept.state.missing);
    const names = cells.flatMap(({ kind, name }) => (kind === "run" && name !== "" ? [name] : []));
    const beside = [rest, missing, names.join("\n"), planned.of?.join("\n"), ended];
    const shown = this.#shown.get(cell.id);
    if (shown?.of === kept.state && beside.every((each, at) => each === shown.beside[at])) return shown.state;
    const counted = ended !== undefined && { counted: { of: kept.ended, ended } };
    const state = withRunCells({ ...kept.state, missing, ...counted, ...(rest && { rest }) }, names, planned.of);
    this.#shown.set(cell.id, { of: kept.state, beside, state });
    return state;
  }

  async #work(thread: AnalysisThread, asked: Asked, signal: AbortSignal): Promise<void> {
    const { id } = asked.cell;
    const begun = this.#clock.now();
    const progress = (at: string) => {
      if (signal.aborted) return;
      this.#progress.set(id, at);
      this.#changed();
    };
    try {
      const { isFilledLater, ...worked } = await this.#workOutThere(thread, asked, signal, progress);
      const keep = (filled = worked.state.filled) => {
        const state = { ...worked.state, ...(filled && { filled }) };
        if (!signal.aborted) this.#keep(asked, { ...worked, state }, rarity.inThread * (this.#clock.now() - begun));
      };
      keep();
      if (!isFilledLater || signal.aborted) return;
      this.#changed();
      const filled = await thread.filled(id, signal);
      if (filled !== undefined && filled.length > 0) keep(filled);
    } catch {
      // Computed here, because this reports the error.
      if (!signal.aborted) this.#thread = undefined;
    } finally {
      if (!signal.aborted) this.#progress.delete(id);
    }
  }

  /** The requests of these rows; if absent, the requests of each run. */
  #job({ cell, planned, wanted, claimed, problems, none }: Asked, rows?: readonly Row[]): AnalysisJob {
    const runsOf = (runs: readonly WantedRun[], analysis: Analysis | undefined) =>
      runs.map((run) => this.#inputs.poolable(run, analysis, rows));
    const claimants = claimed.map(({ id, source, claims, wanted: runs }) => ({
      cell: id,
      source,
      rows: runs.map(rowsKey),
      claims,
      runs: runsOf(runs, undefined),
    }));
    return { cell: cell.id, source: cell.source, problems, none, runs: runsOf(wanted, planned.analysis), claimants };
  }

  /** Computes like `AnalysisCells.workOut`, in the thread. */
  async #workOutThere(thread: AnalysisThread, asked: Asked, signal: AbortSignal, progress: (at: string) => void) {
    const { planned, wanted } = asked;
    const all = allRuns(asked).map(({ control }) => [control.planned.run, this.#source(control)] as const);
    const sources = [...new Map(all).values()];
    const job = withRuns(this.#job(asked, []), (run): ThreadRun => {
      const { codes: _, ...rest } = run;
      return { ...rest, suite: run.suite.name };
    });
    const codebook = codesOfRuns(this.#codes.codebook, sources);
    const key = [this.#codes.version, ...sources.map(({ run }) => run)].join(" ");
    const codes = codebook && { key, codebook };
    const open = sources.flatMap(({ run, open: tasks }) => (tasks === undefined ? [] : [run]));
    const count = countOf(wanted).toLocaleString("en");
    const read = (rows: number) => progress(`Loading results: ${rows.toLocaleString("en")} of ${count} tasks`);
    const answer = await thread.answer({ job: { ...job, open, ...(codes && { codes }) }, sources }, signal, read);
    const runs = wanted.map(({ control }) => control.planned.run);
    return { ...answer, state: { ...answer.state, analysis: planned.analysis, runs } };
  }

  /** Notes that the numbers of a run are older than its rows. */
  wantNumbers(control: RunControl): void {
    const { planned, beside, store } = control;
    if (!beside.lacking) return;
    this.#queue.want(`beside ${planned.run}`, "", async (signal) => {
      const suite = this.#runs.suite(control.spec.suite);
      const of = { suite: suite.name, seed: control.spec.seed };
      const source = this.#source(control);
      const rows = store.table.rows();
      // Rows of a run that was executed here would be in the thread a second time.
      const thread = isLookedAt(rows[0]) || store.rowsOnDisk() === undefined ? undefined : this.#thread;
      const there = await thread?.numbers(source, of, signal).catch(() => undefined);
      const unfinished = source.open && unfinishedRun(source.open, rows, of.seed);
      beside.take(there ?? (await numbersSlowly(signal, suite, rows, unfinished)));
    });
  }

  /** Returns the rows of a run for the thread. */
  #source({ store, planned: { run } }: RunControl): RowSource {
    const tasks = this.#runs.tasks(run);
    const { right, wrong, unscored } = store.table.sums();
    return { run, store, open: tasks !== undefined && right + wrong + unscored < tasks.length ? tasks : undefined };
  }

  /** Returns the request of an analysis cell and its runs. */
  #look(cell: SessionCell, cells: readonly SessionCell[]) {
    const planned = this.#plan(cell.source);
    const { wanted, problems, none } = wantedRuns(planned.of, { cell, cells, runs: this.#runs });
    const { picked, problems: unpicked } = pickedRuns(wanted, planned.only);
    const found = [...planned.problems, ...problems, ...unpicked];
    const undecidable = found.length === 0 ? this.#undecidable(planned, picked, cells) : [];
    return { planned, wanted: picked, problems: [...found, ...undecidable], none };
  }

  /**
   * Returns the comparisons of claims that decide when this run cell has executed enough tasks; an empty list if no claim does.
   */
  deciding(runCell: SessionCell, cells: readonly SessionCell[]): readonly PairedSides[] {
    const own = new Set(this.#runs.of(runCell).map(({ control }) => control));
    return cells.flatMap((cell) => {
      if (cell.kind !== "analysis" || this.#plan(cell.source).untilDecided !== true) return [];
      const { planned, wanted, problems } = this.#look(cell, cells);
      if (problems.length > 0 || !wanted.every(({ control }) => own.has(control))) return [];
      const sides = this.#claimSides(planned, wanted);
      return "problem" in sides ? [] : sides;
    });
  }

  /** Returns the comparisons of a cell's claims, or why tasks cannot be executed until they are decided. */
  #claimSides(
    { claims }: PlannedAnalysis,
    wanted: readonly WantedRun[],
  ): readonly PairedSides[] | { readonly problem: string } {
    const runs = wanted.map((run) => this.#inputs.poolable(run, undefined, []));
    if (new Set(runs.map(({ spec }) => `${spec.suite} ${spec.split} ${spec.seed}`)).size > 1)
      return {
        problem: "Expected the claims with `until: decided` to be about runs of the same tasks in the same order",
      };
    const named = withDistinctLabels(pooledRuns(runs));
    const idsOf = (run: RunRows) => {
      const pool = runs.find((each) => each.run === run.run)?.pool?.key;
      return runs.filter((each) => each.run === run.run || (pool !== undefined && each.pool?.key === pool));
    };
    const sideOf = (run: RunRows, { field, value }: ClaimSide) => ({
      name: `${field}=${value}`,
      runs: idsOf(run).map((each) => each.run),
    });
    const found = claims.map((claim) => ({ claim, pairs: claimPairs(claim, named) }));
    const wrong = found.find(({ pairs }) => "problem" in pairs)?.pairs;
    if (wrong !== undefined && "problem" in wrong) return wrong;
    return found.flatMap(({ claim, pairs }) =>
      (pairs as readonly ClaimPair[]).map(({ label, more, less, measure }) => ({
        label,
        sides: [sideOf(more, claim.more), sideOf(less, claim.less)] as const,
        each: (row: Row) => measure.each(row),
      })),
    );
  }

  /** Returns why the claims of a cell cannot decide when its runs have executed enough tasks. */
  #undecidable(planned: PlannedAnalysis, wanted: readonly WantedRun[], cells: readonly SessionCell[]): CellProblem[] {
    if (planned.untilDecided !== true || wanted.length === 0) return [];
    const isIn = (cell: SessionCell) => {
      const own = new Set(this.#runs.of(cell).map(({ control }) => control));
      return wanted.every(({ control }) => own.has(control));
    };
    if (!cells.some((cell) => cell.kind === "run" && isIn(cell)))
      return [{ message: "Expected `of` to name one run cell, because `until: decided` ends the runs of that cell" }];
    const sides = this.#claimSides(planned, wanted);
    return "problem" in sides ? [{ message: sides.problem }] : [];
  }

  /** Returns the cells with claims, each with its runs. */
  #claimed(cells: readonly SessionCell[]): readonly ClaimingCell[] {
    return cells.flatMap((cell) => {
      if (cell.kind !== "analysis" || this.#plan(cell.source).claims.length === 0) return [];
      const { planned, wanted } = this.#look(cell, cells);
      const claims = planned.claims.map((claim) => {
        const written = this.#claimLog?.of(claim.text);
        return written === undefined ? claim : { ...claim, written };
      });
      return [{ id: cell.id, source: cell.source, claims, wanted }];
    });
  }

  /** Records new claims, each with the number of its tasks that currently have a result. */
  #noteClaims(claimed: readonly ClaimingCell[]): void {
    const log = this.#claimLog;
    const fresh = claimed.flatMap(({ claims, wanted }) =>
      claims.flatMap(({ text }) => (log?.lacks(text) === true ? [{ text, wanted }] : [])),
    );
    if (log === undefined || fresh.length === 0) return;
    this.#queue.want("claims", fresh.map(({ text }) => text).join("\n"), async () => {
      const seen = fresh.map(async ({ text, wanted }) => {
        const counts = wanted.map(async ({ control }) => {
          await control.store.readRows().catch(() => {});
          const { right, wrong, unscored } = control.store.table.sums();
          const tasks = await control.tasks().catch(() => undefined);
          return { known: right + wrong + unscored, of: tasks?.length ?? control.store.table.total };
        });
        const all = await Promise.all(counts);
        return {
          text,
          known: Math.max(0, ...all.map((each) => each.known)),
          of: Math.max(0, ...all.map(({ of }) => of)),
        };
      });
      log.note(await Promise.all(seen));
    });
  }

  #busy(): boolean {
    return this.#runs.all().some((control) => control.active);
  }

  /** Parses each text once, because cells are read with every frame. */
  #plan(source: string): PlannedAnalysis {
    let planned = this.#planned.get(source);
    if (planned === undefined) {
      planned = planAnalysisCell(source, this.#analyses);
      // Every key press in an editor is a new text; only the latest ones are kept.
      if (this.#planned.size > 200) this.#planned.clear();
      this.#planned.set(source, planned);
    }
    return planned;
  }

  /** Ends the thread. */
  close(): void {
    this.#thread?.end();
    this.#clock.clearTimeout(this.#timer);
  }

  /** Starts the missing work of cells that were read. */
  begin(): void {
    this.#queue.begin();
    if (this.#isDue && this.#timer === undefined)
      this.#timer = this.#clock.setTimeout(() => {
        this.#timer = undefined;
        this.#changed();
      }, pause);
    this.#isDue = false;
  }

  /** Resolves when these analysis cells need no further input; headless programs wait for it. */
  async settled(cells: readonly SessionCell[]): Promise<void> {
    const analysisCells = cells.filter(({ kind }) => kind === "analysis");
    // A loaded input may require others.
    do for (const cell of analysisCells) this.state(cell, cells);
    while (await this.#queue.finish());
  }
}

/** Returns the choice of run cells, the first list of every analysis cell; `of` absent: all above. */
function withRunCells(state: AnalysisState, names: readonly string[], of: readonly string[] | undefined) {
  if (names.length === 0) return state;
  const list = { values: [allAbove, ...new Set(names)], standard: [allAbove], alone: [allAbove] };
  return { ...state, lists: { of: list, ...state.lists }, listed: { of: of ?? [allAbove], ...state.listed } };
}
