/** Makes a workbench for one session folder. */
import type { CorrectedTo } from "../log/corrections/correct-task.ts";
import { basename, dirname, join } from "node:path";
import type { Analysis, LabelSample } from "../analysis.ts";
import { nextChoice, withChoice } from "../session/analysis-cell.ts";
import { LoadedSuites, taskView } from "./document/loaded-suites.ts";
import type { PairedSides } from "../run/interleaved-tasks.ts";
import { executeUntilDecided, pairOf } from "./runs/until-decided.ts";
import { ClaimLog } from "./document/claim-log.ts";
import { KeptFloors } from "./figures/kept-floors.ts";
import { CachedReplies } from "../run/cached-replies.ts";
import { CellFigures } from "./figures/cell-figures.ts";
import { CellRuns } from "./runs/cell-runs.ts";
import { executeQueued } from "./runs/queued-runs.ts";
import type { FigureLook } from "../figures/export-files.ts";
import { exportFigures, writeAnswers } from "./exports/session-exports.ts";
import type { ExportedPart, BoardTask, CellState, ExportFormat, RunExport, RunFormat } from "./session-state.ts";
import type { SessionCell } from "../session/cell.ts";
import { generateTasks, type TaskGeneration } from "./document/installed-data.ts";
import { questionFiles } from "../session/file-suite.ts";
import type { WriteGuard } from "../log/run-store.ts";
import { Problem } from "../problem.ts";
import { Notifier } from "./runs/notifier.ts";
import type { WhenFailing } from "./runs/run-activity.ts";
import type { RunControl } from "./runs/run-control.ts";
import type { OutsideChange } from "../session/document/outside-change.ts";
import { SessionCodes, type Tag } from "../session/codes/session-codes.ts";
import { codedRows, codedTasks } from "../session/codes/coded-rows.ts";
import { judgeChecks } from "../session/judging/judge-check.ts";
import { SessionKinds } from "../session/codes/session-kinds.ts";
import { personName } from "./document/correct-run.ts";
import { NotebookFields, unnamedProposal } from "../session/document/notebook-fields.ts";
import { sessionClusterModels, sessionModels } from "./document/session-models.ts";
import { SessionPrograms } from "./document/session-programs.ts";
import type { TypedText } from "../session/document/typed-text.ts";
import type { Opening } from "./opening.ts";
import { OpenNotebook } from "./document/open-notebook.ts";
import type { SettingsStore } from "../settings/settings.ts";
import type { SessionFolder } from "../session/session-folder.ts";
import type { Models } from "../models/models.ts";
import type { Suite } from "../suite.ts";
import type { TaskView } from "../loaded-suite.ts";
import { callsMade, type Trajectory } from "../log/trajectory.ts";
import { steer, type Steering } from "../run/steering.ts";
import { SessionSharing } from "./sharing/session-sharing.ts";
import type { SharedSession } from "./sharing/shared-session.ts";
import { keepFindings, proposedKinds } from "./scanning/finding-codes.ts";
import { scannedRun } from "./scanning/scan-suite.ts";
import { StrayRuns } from "./runs/stray-runs.ts";
import { WorkQueue } from "./figures/work-queue.ts";
import { WorkersChoice } from "./runs/workers-choice.ts";
import { type Clock, machineClock, repeatedly } from "../work/clock.ts";
import type { DataKind, Mistake, Row, TaskRef } from "../types.ts";

/** Milliseconds between two checks of the files of codes. */
const lookAtCodes = 1_000;
const noRows: readonly Row[] = [];

export class SessionWorkbench {
  readonly suites: readonly Suite[];
  readonly analyses: readonly Analysis[];
  readonly loadedSuites: LoadedSuites;
  /** The user's tool servers and agents that runs name, with the user's permissions for this folder. */
  readonly programs: SessionPrograms;
  /** The choice of executor; undefined if there is only one. */
  readonly workers: WorkersChoice | undefined;
  readonly sharing: SessionSharing;
  /** Runs on disk that no run cell asks for. */
  readonly strayRuns: StrayRuns;
  /** The kinds that people and models have given to its tasks and to places in them. */
  readonly codes: SessionCodes;
  readonly #kinds = new SessionKinds();
  readonly #folder: SessionFolder;
  readonly #settings: SettingsStore;
  readonly #models: Models;
  readonly #notebook: OpenNotebook;
  readonly #fields: NotebookFields;
  readonly #notifier: Notifier;
  readonly #runs: CellRuns;
  readonly #queue: WorkQueue;
  readonly #figures: CellFigures;
  readonly #states = new Map<string, { readonly version: number; readonly state: CellState }>();
  readonly #unwatchSettings: () => void;
  readonly #unwatchCodes: () => void;
  readonly #exports: string | undefined;

  constructor(opening: Opening) {
    const { folder, suites, settings, drafts = false, clock = machineClock, onEvent, elsewhere, reading } = opening;
    this.#exports = opening.exports;
    this.#notifier = new Notifier(clock);
    this.#folder = folder;
    this.suites = suites;
    this.analyses = opening.analyses;
    this.#settings = settings;
    this.#unwatchSettings = settings.watch(() => this.#replan());
    this.programs = new SessionPrograms(folder.path, settings, clock, this.#specs, () => this.loadedSuites.programs);
    this.programs.notebook = opening.own?.notebook;
    const clusterModels = () => sessionClusterModels(this.#models, settings, folder);
    const identities = settings.path === "" ? undefined : join(dirname(settings.path), "data-identities.json");
    const cache = new CachedReplies(join(settings.path === "" ? folder.path : dirname(settings.path), "replies"));
    const { toolServers: toolSources, processes, agents } = this.programs;
    const resources = { clusterModels, identities, session: folder.path, toolSources, processes, ...opening.own };
    this.loadedSuites = new LoadedSuites(suites, () => settings.read(), resources);
    this.#models = opening.models?.(this.loadedSuites) ?? sessionModels(this.loadedSuites, settings, folder);
    const text = folder.exists() ? folder.read() : (opening.template ?? "");
    this.readOnly = folder.lock(opening.takeOver);
    folder.watch(clock, (why) => this.#lose(why));
    const watched = { folder, clock, drafts, mustWrite: () => this.#mustWrite(), changed: this.refresh };
    this.#notebook = new OpenNotebook(text, this.readOnly === undefined, watched);
    if (!folder.exists() && this.readOnly === undefined) folder.write(text);
    const [changed, writes] = [() => this.#notifier.soon(), () => this.readOnly === undefined];
    const givenAway = (cell: string) => this.#controls(cell).flatMap(({ control }) => control.givenAway ?? []);
    const worked = { folder: folder.path, settings, givenAway, takeUp: this.takeUp, changed: this.refresh };
    this.workers = elsewhere && new WorkersChoice({ ...worked, elsewhere });
    const floors = new KeptFloors(settings.path === "" ? undefined : join(dirname(settings.path), "floors"));
    const { startThread } = opening;
    const waiting = { patient: drafts, isThreaded: startThread !== undefined };
    const given = { folder, cache, floors, changed, clock, writes, ...waiting, onEvent, elsewhere, reading };
    const context = { ...given, models: this.#models, loadedSuites: this.loadedSuites, agent: agents.open };
    this.#fields = new NotebookFields(suites, () => this.cells());
    const row = ({ run, task }: TaskRef) => this.#control(run)?.store.table.row(task);
    const [kinds, checks] = [() => this.#kinds.all(this.cells()), () => judgeChecks(this.cells())];
    this.codes = new SessionCodes({ folder, person: () => settings.read().person ?? personName(), kinds, checks, row });
    this.#unwatchCodes = repeatedly(clock, lookAtCodes, () => this.codes.look() && this.refresh());
    this.#runs = new CellRuns(context, this.#fields, () => this.cells());
    this.strayRuns = new StrayRuns(this, this.#runs, folder);
    this.#queue = new WorkQueue(changed);
    const around = { queue: this.#queue, changed, clock, startThread, codes: this.codes, folder: folder.path };
    this.#figures = new CellFigures(this.analyses, this.#runs, { ...around, claimLog: new ClaimLog(folder, writes) });
    this.sharing = new SessionSharing(this.#shared(clock, changed), clock);
    if (this.readOnly !== undefined) void this.sharing.follow();
  }

  #shared(clock: Clock, changed: () => void): SharedSession {
    const takeOver = () => {
      this.readOnly = undefined;
      this.#folder.watch(clock, (why) => this.#lose(why));
      this.#runs.openAnew();
      this.#notebook.openAnew();
      this.takeUp();
      this.refresh();
    };
    const [cells, controls] = [() => this.cells(), () => this.#runs.all()];
    const steerCell = (cell: string, request: Steering) => this.#steer(cell, request);
    const reread = () => this.#notebook.reread();
    return { folder: this.#folder, cells, controls, steer: steerCell, reread, takeOver, changed };
  }

  /** Changes by other programs to the document while it is open on the screen; absent without a screen. */
  get outside(): OutsideChange | undefined {
    return this.#notebook.outside;
  }
  /** Why this program cannot change the session: from the start, or since another took it over or its folder was removed. */
  readOnly: string | undefined;
  /** True if another program has the session open, and may be executing its runs. */
  get openElsewhere(): boolean {
    return this.#folder.openElsewhere;
  }

  #lose(why: string): void {
    this.readOnly = why;
    for (const control of this.#runs.all()) control.leave();
    this.#notifier.now();
  }

  /** Returns the guard that must allow every write into the session's folder. */
  get guard(): WriteGuard {
    return this.#folder;
  }
  get title(): string {
    return this.#notebook.title ?? this.#folder.name;
  }
  /** Folder of the session. */
  get folder(): string {
    return this.#folder.path;
  }
  /** True when the document has changes that are not on disk. */
  get dirty(): boolean {
    return this.#notebook.dirty;
  }
  /** Returns the unsaved text of a cell that an ended program left; the editor opens with it. */
  get typed(): TypedText | undefined {
    return this.#notebook.typed;
  }
  get endpoints() {
    return this.#settings.read().endpoints;
  }
  /** Tasks that ended with a bug of Planwright while this program ran. */
  get bugs(): number {
    return this.#runs.all().reduce((sum, control) => sum + control.bugs, 0);
  }

  // Bound, as React calls them without their object.
  /** Called at most once per frame (about 50 ms) when anything below may have changed. */
  readonly subscribe = (listener: () => void): (() => void) => this.#notifier.subscribe(listener);
  readonly version = (): number => this.#notifier.version;
  /** Why the user's settings on disk are not used; undefined if they are. */
  readonly settingsTrouble = () => this.#settings.trouble;

  cells(): readonly SessionCell[] {
    return this.#notebook.cells();
  }

  /** Returns the state of a cell. Starts no work: missing inputs are only recorded. */
  state(id: string): CellState {
    const version = this.version();
    const kept = this.#states.get(id);
    if (kept?.version === version) return kept.state;
    const cell = this.#cell(id);
    const state = this.#stateOf(cell);
    this.#states.set(id, { version, state });
    return state;
  }

  #stateOf(cell: SessionCell): CellState {
    if (cell.kind === "note") {
      const problems = this.#notebook.strayBlocks(cell.id).map((message) => ({ message }));
      return { kind: "note", problems };
    }
    if (cell.kind === "front-matter")
      return { kind: "front-matter", problems: this.#fields.problems(this.programs.notebook?.unloaded?.why) };
    if (cell.kind === "kinds") {
      const { kinds, problems } = this.#kinds.of(cell);
      return { kind: "kinds", kinds, problems: [...problems, ...this.codes.problems.map((message) => ({ message }))] };
    }
    if (cell.kind === "analysis") return this.#figures.state(cell, this.cells());
    const { problems, filledIn = [], reading } = this.#runs.plan(cell);
    const runs = this.#runs.of(cell);
    const states = runs.map(({ label, control }) => control.state(label));
    for (const { control } of runs) this.#wantFor(control);
    return { kind: "run", problems, filledIn, runs: states, reading: reading?.file, ...this.#runs.forks(runs) };
  }

  /** Notes what the state of a run lacks. */
  #wantFor(control: RunControl): void {
    const { run } = control.planned;
    if (this.#runs.tasks(run) === undefined) this.#queue.want(`tasks ${run}`, "", () => this.#runs.count(control));
    this.#figures.wantNumbers(control);
  }

  /** Records that the rows of a run must be read; true if they are in memory. */
  #wantRows({ planned, store }: RunControl): boolean {
    if (!store.hasRows) this.#queue.want(`rows ${planned.run}`, "", () => store.readRows());
    return store.hasRows;
  }

  /** Starts to load and compute the inputs that requested states need; a screen calls it after drawing. */
  readonly prepare = (): void => {
    this.#runs.checkLogs();
    this.#figures.begin();
  };

  #cell(id: string): SessionCell {
    const cell = this.#notebook.cell(id);
    if (cell === undefined) throw new RangeError(`Expected a cell of this session, got \`${id}\``);
    return cell;
  }

  insert(kind: SessionCell["kind"], after: string | undefined, source: string, name = ""): string {
    return this.#notebook.insert(kind, after, source, name);
  }
  readonly edit = (cell: string, source: string): void => this.#notebook.edit(cell, source);
  /** Saves typed text that is not yet a cell's source for the next program; undefined if no text is being typed any more. */
  readonly keepTyped = (typed: TypedText | undefined): void => this.#notebook.keepTyped(typed);
  readonly remove = (cell: string): void => this.#notebook.remove(cell);
  /** Renames a cell, and changes the analyses that are `of` it. Throws for an invalid name. */
  readonly rename = (cell: string, name: string): void => this.#notebook.rename(cell, name);
  readonly move = (cell: string, by: 1 | -1): void => this.#notebook.move(cell, by);
  /** Combines these changes into one change, which one undo reverts. */
  readonly together = (changes: () => void): void => this.#notebook.together(changes);
  /** Undoes the last change of the document; false when there is none. */
  readonly undo = (): boolean => this.#notebook.undo();
  readonly redo = (): boolean => this.#notebook.redo();
  readonly save = (): void => this.#notebook.save();

  #mustWrite(): void {
    if (this.readOnly !== undefined) throw new Problem("stopped", `This session is read-only here. ${this.readOnly}`);
  }

  /**
   * Starts or resumes all runs of a run cell; `tasks` executes only these tasks again. Resolves when they have ended, to false if
   * the cell was stopped in the meantime.
   */
  async run(cell: string, tasks?: readonly TaskRef[], failing?: WhenFailing): Promise<boolean> {
    this.#mustWrite();
    this.programs.mustBeLoaded(cell);
    void this.sharing.host();
    const stops = this.#stops.get(cell);
    // Uses the present tasks, not the tasks at the opening of the session.
    if (this.#runs.isReading(this.#cell(cell))) await this.#runs.read(this.#cell(cell));
    const planned = this.#runs.plan(this.#cell(cell)).runs;
    const isScan = planned.some(({ spec }) => scannedRun(spec.suite) !== undefined);
    if (!this.#runs.all().some((control) => control.active) && (isScan || this.loadedSuites.haveChanged())) {
      await this.loadedSuites.close();
      this.#replan();
      await this.#runs.read(this.#cell(cell));
    }
    const runs = this.#controls(cell).flatMap(({ control }) => {
      const own = tasks?.filter(({ run }) => isOf(control, run));
      return own?.length === 0 ? [] : [{ control, only: own && new Set(own.map(({ task }) => task)) }];
    });
    const goesOn = () => !this.#closed && this.#stops.get(cell) === stops;
    const comparisons = tasks === undefined ? this.#comparisons(cell) : [];
    const given = { goesOn, failing, cache: this.#runs.plan(this.#cell(cell)).cache };
    const controls = runs.map(({ control }) => control);
    if (comparisons.length === 0) await executeQueued(runs, given);
    else await executeUntilDecided(controls, comparisons, given);
    if (isScan && this.readOnly === undefined) {
      await keepFindings(controls, this.loadedSuites, this.codes);
      // Kinds that were named are merged before they are proposed.
      const mergesNext = this.#runs.plan(this.#cell(cell)).runs.length > planned.length;
      if (mergesNext && goesOn() && tasks === undefined) return this.run(cell, tasks, failing);
      if (!mergesNext) this.#propose(this.#cell(cell), controls);
    }
    this.refresh();
    return goesOn();
  }
  /** Inserts the kinds that a scan proposed, under the name of the scan, for people to edit. */
  #propose({ id, name }: SessionCell, controls: readonly RunControl[]): void {
    const kinds = proposedKinds(controls);
    if (kinds === undefined) return;
    const proposal = name === "" ? unnamedProposal : name;
    this.insert("kinds", id, kinds, proposal);
    this.proposed.push(proposal);
  }
  /** Names of cells whose kinds were proposed while this program ran. */
  readonly proposed: string[] = [];
  #comparisons(id: string): readonly PairedSides[] {
    const { untilDecided, runs } = this.#runs.plan(this.#cell(id));
    if (untilDecided !== true) return this.#figures.deciding(this.#cell(id), this.cells());
    return [pairOf(runs, this.loadedSuites.suite(runs[0]!.spec.suite))];
  }
  /** Collects results of tasks that were given to workers. */
  readonly takeUp = (cells = this.cells()): void =>
    void (this.#runs.takeUp(cells, (cell) => this.#closed || this.takeUp([cell])) && this.sharing.host());
  /** The number of times that each cell was stopped: a stop also keeps the cell's remaining runs from being started. */
  readonly #stops = new Map<string, number>();
  #closed = false;

  /** Sends one more request of a task, and pauses it before the next; false if this program does not execute it. */
  readonly step = ({ run, task }: TaskRef): boolean => this.#control(run, task)?.step(task) === true;
  /** Lets a paused task continue; false if it is not paused. */
  readonly release = ({ run, task }: TaskRef): boolean => this.#control(run, task)?.release(task) === true;
  readonly pause = (cell: string): void => this.#steer(cell, { do: "pause" });
  readonly resume = (cell: string): void => this.#steer(cell, { do: "resume" });
  /** More or fewer tasks in flight, while it runs. */
  readonly setConcurrency = (cell: string, to: number): void => this.#steer(cell, { do: "concurrency", to });
  /** Stops all runs of a cell, including runs that have not started, or only this run. */
  readonly stop = (cell: string, run?: string): void =>
    this.#steer(cell, { do: "stop", ...(run !== undefined && { run }) });
  /** Sends a command of the user and shows its effect at once, because the next key may depend on it. */
  #steer(cell: string, request: Steering): void {
    const run = request.do === "stop" ? request.run : undefined;
    if (request.do === "stop" && run === undefined) this.#stops.set(cell, (this.#stops.get(cell) ?? 0) + 1);
    if (this.openElsewhere) void this.sharing.ask({ ...request, cells: [this.#cell(cell).name] });
    else
      for (const { control } of this.#controls(cell))
        if (run === undefined || isOf(control, run)) steer(control, request);
    this.refresh();
  }
  /** Returns why runs in execution cannot be controlled by this program; undefined if they can. */
  get unsteerable(): string | undefined {
    return this.openElsewhere ? this.sharing.unsteerable : undefined;
  }
  /** The runs of a cell that paused by themselves and have nothing in flight. */
  readonly atRest = (cell: string): readonly string[] =>
    this.#controls(cell).flatMap(({ control }) => (control.isAtRest ? [control.planned.run] : []));
  /** Scores saved answers again with the current scorer, without asking a model. */
  async rescore(cell: string): Promise<void> {
    this.#mustWrite();
    const stops = this.#stops.get(cell);
    for (const { control } of this.#controls(cell))
      if (!this.#closed && this.#stops.get(cell) === stops) await control.rescore();
  }
  /**
   * Corrects an error of a scored task: its kind (`no-mistake` if there is none), and the reason; undefined withdraws the
   * correction. Saves it in the run's `overrides.json`, and scores the task again without a model. Resolves to a message about
   * other corrections that were removed from that file; undefined if none were. Throws, without any change, if the session is
   * read-only, the run is not finished, the error does not (or no longer) belong to the task's score, or the file cannot be read
   * or written.
   */
  readonly correct = (ref: TaskRef, error: Mistake, kind: string | undefined, reason: string) =>
    this.#correct(ref, { error, kind, reason });
  /** Corrects the task's score in the same way; `value` is the right score, from 0 to 1. */
  readonly correctScore = (ref: TaskRef, value: number | undefined, reason: string) =>
    this.#correct(ref, { value, reason });
  /** Names the folder of an answer, which cells of several parts of a run share. */
  readonly #inFolder = ({ run, task }: TaskRef): TaskRef => {
    const folder = this.#control(run, task)?.folderOf(task);
    return { run: folder === undefined ? run : basename(folder), task };
  };
  /**
   * Gives tasks a kind, at a place or as a whole, or withdraws it if all of them have it from the user at this place and no
   * remark is given. Throws `Problem` if the session is read-only, a task has not started, or the file cannot be written.
   */
  readonly tag = (refs: readonly TaskRef[], tag: Tag) =>
    this.#code(() => this.codes.tag(refs.map(this.#inFolder), tag));
  /**
   * Records that the user has examined a task as a whole; if there is a sample, the task was drawn at random. Throws as `tag`.
   */
  readonly label = (ref: TaskRef, sample?: LabelSample) =>
    this.#code(() => this.codes.label(this.#inFolder(ref), sample));
  /** Reverts the last `tag` or `label`; false if there is none. Throws as `tag` does. */
  readonly untag = () => this.#code(() => this.codes.undo());
  #code<Result>(change: () => Result): Result {
    this.#mustWrite();
    const result = change();
    this.refresh();
    return result;
  }
  /**
   * Accepts for a run the results of an older run, which differs only in the user's own code; every figure shows the person and
   * the reason. Without a reason, the acceptance is withdrawn. Throws if the session is read-only.
   */
  keepOlder(run: string, older: string, reason: string | undefined): void {
    this.#mustWrite();
    this.#runs.keepOlder(run, older, reason);
    this.refresh();
  }
  async #correct({ run, task }: TaskRef, to: CorrectedTo): Promise<string | undefined> {
    this.#mustWrite();
    const control = this.#control(run, task);
    if (control === undefined) throw new RangeError(`Expected a run of this session, got \`${run}\``);
    const note = await control.correct({ task, ...to });
    if ("error" in to) await this.#runs.correctAlike(control, { task, ...to });
    this.refresh();
    return note;
  }
  #controls(cell: string) {
    const found = this.#cell(cell);
    return found.kind === "run" ? this.#runs.of(found) : [];
  }
  readonly #specs = (cell: string) => this.#controls(cell).map(({ control }) => control.spec);
  /** Adds a run cell that forks a saved trajectory at a request, with another model, strategy or message. */
  fork(ref: TaskRef, request: number, change: Parameters<CellRuns["fork"]>[2]): string {
    const { after, source } = this.#runs.fork(ref, request, change, this.cells());
    return this.insert("run", after, source, `fork-${this.cells().length}`);
  }

  /** Returns all tasks of a run, in the order of execution; empty until its rows are read, see `hasRows`. */
  board(run: string): readonly BoardTask[] {
    const control = this.#control(run);
    if (control === undefined) return [];
    this.#wantFor(control);
    return this.#wantRows(control) ? codedTasks(control.home.folder, control.board(), this.codes.codebook) : [];
  }
  /** Ids of the tasks of a run that are in execution, which a board of many costs more to find. */
  executed(run: string): readonly string[] {
    return this.#control(run)?.executed() ?? [];
  }
  /** Returns the rows at once, even if there are many that were not read yet. */
  rows(run: string): readonly Row[] {
    return codedRows(this.#control(run)?.listedRows() ?? noRows, this.codes.codebook);
  }
  /** Returns the name of the folder of a cell's run. */
  folderOf(run: string): string | undefined {
    return this.#control(run)?.home.folder;
  }
  /** Returns whether they have been read; if not, `prepare` reads them, and the workbench changes once they are. */
  hasRows(run: string): boolean {
    const control = this.#control(run);
    return control === undefined || this.#wantRows(control);
  }
  /**
   * Resolves to a task's trajectory: a live trajectory grows with every frame, a saved one is read without blocking the screen.
   * Resolves to undefined for a task that never started; rejects with the signal's reason if it is aborted.
   */
  async trajectory(ref: TaskRef, signal: AbortSignal = new AbortController().signal): Promise<Trajectory | undefined> {
    return this.live(ref) ?? this.#control(ref.run, ref.task)?.trajectory(ref.task, signal);
  }
  /** Returns the trajectory of a task that is being executed; undefined otherwise. */
  live({ run, task }: TaskRef): Trajectory | undefined {
    return this.#control(run, task)?.live(task)?.trajectory;
  }
  /** Returns the plan next to its reference; `known` is the trajectory, which is read if absent. */
  async taskView(ref: TaskRef, known?: Trajectory): Promise<TaskView | undefined> {
    const spec = this.#control(ref.run, ref.task)?.spec;
    const trajectory = known ?? (await this.trajectory(ref));
    const calls = trajectory && callsMade(trajectory);
    return spec && taskView(spec, this.loadedSuites, ref.task, { answer: trajectory?.answer, calls });
  }
  readonly #control = (run: string, task?: string): RunControl | undefined => this.#runs.control(run, task);
  /** Returns why an analysis cell with this source, below that cell, would have no figures; undefined if it may have some. */
  readonly whyEmpty = (source: string, below: string | undefined) =>
    this.#figures.whyEmpty(source, below, { cells: this.cells(), suites: this.suites });
  /** Sets one choice of an analysis cell, which changes the document; for a list, adds or removes one value. */
  choose(cell: string, name: string, value: string): void {
    const state = this.state(cell);
    const next = state.kind === "analysis" ? nextChoice(state, name, value) : value;
    this.edit(cell, withChoice(this.#cell(cell).source, name, next));
  }
  /** Sets fields of run cells like `--set`, until the session is closed. Throws `RangeError`. */
  setFields(written: readonly string[]): void {
    this.#fields.set(written);
    this.refresh();
  }

  /** Returns the expected cost of a run cell with this source, and with this front matter if it would change. */
  readonly forecast = (source: string, frontMatter?: string) => this.#runs.forecast(source, frontMatter, this.cells());
  /** Returns the first request of a cell with this source, without sending it. Rejects with `Problem` if it cannot be made. */
  readonly firstRequest = (source: string, frontMatter?: string) => this.#runs.firstRequest(source, frontMatter);
  /**
   * Writes an analysis cell's figures below the session's `exports/`; resolves to the paths written.
   */
  async export(id: string, format: ExportFormat, look: FigureLook = {}): Promise<readonly string[]> {
    await this.settled();
    const cell = this.#cell(id);
    return exportFigures(this, cell, this.#stateOf(cell), this.#exportFolder(), format, look);
  }
  /** Writes the answers of a run cell's runs in a publisher's format; resolves to the paths written. */
  readonly exportAnswers = (cell: string, format: string): Promise<readonly string[]> =>
    writeAnswers(this.#controls(cell), format, this.loadedSuites, this.#exportFolder());
  /** Returns the runs of these run cells that have started, as exports read them. */
  async exportedRuns(cells: readonly string[], part: ExportedPart = {}) {
    const { exportedRun } = await import("./exports/exported-run.ts");
    const found = cells.flatMap((id) => this.#controls(id).map((run) => ({ ...run, cell: this.#cell(id).name })));
    await this.#runs.counted(cells.map((id) => this.#cell(id)));
    const how = { ...part, codes: this.codes.codebook };
    const runs = found.map((run) => exportedRun(run, this.loadedSuites, how));
    return runs.filter(({ rows }) => rows.length > 0);
  }
  /**
   * Writes the runs of these run cells that have started, in a format of other programs; resolves to the paths of the files.
   * `least` is the minimum score of a training example, `only` restricts the export to one task; files with several runs have
   * `name` as a prefix. Rejects with the signal's reason if it is aborted; no file is then incomplete.
   */
  async exportRuns(cells: readonly string[], format: RunFormat, { only, signal, ...how }: RunExport = {}) {
    const { writeRuns } = await import("./exports/run-exports.ts");
    return writeRuns(await this.exportedRuns(cells, { only, signal }), format, this.#exportFolder(), how);
  }
  #exportFolder(): string {
    if (this.#exports !== undefined) return this.#exports;
    this.#folder.checkInPlace();
    return this.#folder.exports;
  }

  /** Generates tasks of a suite with a generator, and installs them; resolves to their folder. */
  async makeTasks(suite: string, request: TaskGeneration): Promise<string> {
    const folder = await generateTasks(suite, request, this.#settings, this.loadedSuites);
    this.#replan();
    return folder;
  }
  /** Runs depend on the current data and settings. */
  #replan(): void {
    this.#runs.forget();
    this.refresh();
  }

  /** Returns model names for lists: those of built-in models, and those that endpoints name. */
  readonly modelNames = (): readonly string[] => this.#models.names();
  /** Returns facets of a suite, also of a file (`own/questions.csv`); empty if the file does not exist. */
  readonly facetsOf = (suite: string): Suite["facets"] => this.loadedSuites.facetsOf(suite);
  /** Returns the files beside the document that may contain questions: CSV, JSON, JSON Lines. */
  readonly questionFiles = (): readonly string[] => questionFiles(this.folder);
  /** Returns `sample` and, if installed, `published`. */
  readonly dataOf = (suite: string): readonly DataKind[] => this.loadedSuites.dataOf(suite);

  /** Resolves when the rows of all runs are read and their tasks are known, if their data exist: see `RunTasks`. */
  readonly counted = (): Promise<void> => this.#runs.counted(this.cells()).then(() => this.refresh());
  /** Resolves when that and all that figures need has been loaded. */
  async settled(): Promise<void> {
    await this.counted();
    this.#runs.checkLogs();
    // Marks runs whose numbers must be computed again.
    for (const { id, kind } of this.cells()) if (kind === "run") this.state(id);
    await this.#figures.settled(this.cells());
  }

  /** States are computed afresh at the next look. */
  readonly refresh = (): void => this.#notifier.now();

  /** Stops the runs that this program executes, and starts no more; other programs continue their runs. */
  leave(): void {
    this.#closed = true;
    for (const control of this.#runs.all()) control.leave();
  }

  /** Ends runs, writes pending changes and releases the session. */
  async close(): Promise<void> {
    this.#unwatchSettings();
    this.#unwatchCodes();
    this.sharing.close();
    this.leave();
    this.#figures.close();
    await this.#runs.closeAll();
    await this.programs.close();
    this.#notifier.close();
    await this.loadedSuites.close();
    this.#notebook.close();
    this.#folder.unlock();
  }
}

/** True if a run's name refers to this cell's part of it. */
const isOf = ({ planned, home }: RunControl, run: string): boolean => run === planned.run || run === home.folder;
