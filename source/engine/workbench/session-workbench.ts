/** Makes a workbench for one session folder. */
import type { CorrectedTo } from "../corrections/correct-task.ts";
import { dirname, join } from "node:path";
import type { Analysis } from "../analysis.ts";
import { nextChoice, withChoice } from "../session/analysis-cell.ts";
import { LoadedSuites } from "./loaded-suites.ts";
import { CachedReplies } from "../run/cached-replies.ts";
import { CellFigures } from "./cell-figures.ts";
import { executeQueued } from "./cell-queue.ts";
import { CellRuns } from "./cell-runs.ts";
import type { DocumentHistory } from "../session/document-history.ts";
import { openDocument } from "../session/open-document.ts";
import { exportFigures, writeAnswers } from "./session-exports.ts";
import type { ExportedRun } from "./exports/exported-run.ts";
import type { RunFormat } from "./exports/run-format.ts";
import { generateTasks, type TaskGeneration } from "./generated-tasks.ts";
import { questionFiles } from "../session/file-suite.ts";
import { LiveTrajectories } from "./live-trajectories.ts";
import type { WriteGuard } from "../log/run-store.ts";
import type { Models } from "../models/models.ts";
import { Problem } from "../problem.ts";
import { Notifier } from "./notifier.ts";
import type { WhenFailing } from "./run-activity.ts";
import type { RunControl } from "./run-control.ts";
import type { OutsideChange } from "../session/outside-change.ts";
import { NotebookFields } from "../session/notebook-fields.ts";
import { renameCell } from "../session/rename-cell.ts";
import { editCell, insertCell, moveCell, removeCell, sessionTitle } from "../session/session-document.ts";
import type { SessionFolder } from "../session/session-folder.ts";
import { sessionClusterModels, sessionModels } from "./session-models.ts";
import type { TypedText } from "../session/typed-text.ts";
import type { Opening } from "./opening.ts";
import type { SettingsStore } from "../settings/settings.ts";
import type { Suite } from "../suite.ts";
import type { TaskView } from "../loaded-suite.ts";
import { taskView } from "./task-view.ts";
import type { Trajectory } from "../log/trajectory.ts";
import { machineClock } from "../work/clock.ts";
import type { DataKind, Row, TaskRef } from "../types.ts";
import type { BoardTask, CellState, ExportFormat, Forecast, SessionCell, Workbench } from "./workbench.ts";

export class SessionWorkbench implements Workbench {
  readonly suites: readonly Suite[];
  readonly analyses: readonly Analysis[];
  readonly loadedSuites: LoadedSuites;
  readonly #folder: SessionFolder;
  readonly #settings: SettingsStore;
  readonly #models: Models;
  readonly #history: DocumentHistory;
  readonly #fields: NotebookFields;
  readonly #notifier: Notifier;
  readonly #runs: CellRuns;
  readonly #figures: CellFigures;
  #cells: { readonly of: unknown; readonly cells: readonly SessionCell[] } | undefined;
  readonly #states = new Map<string, { readonly version: number; readonly state: CellState }>();
  readonly #live = new LiveTrajectories();
  readonly #unwatchSettings: () => void;
  readonly #exports: string | undefined;

  constructor({ folder, suites, analyses, settings, template, models, drafts = false, clock, exports }: Opening) {
    this.#exports = exports;
    this.#notifier = new Notifier(clock);
    this.#folder = folder;
    this.suites = suites;
    this.analyses = analyses;
    this.#settings = settings;
    this.#unwatchSettings = settings.watch(() => this.#notifier.now());
    const clusterModels = () => sessionClusterModels(this.#models, settings, folder);
    const identities = settings.path === "" ? undefined : join(dirname(settings.path), "data-identities.json");
    const cache = new CachedReplies(join(settings.path === "" ? folder.path : dirname(settings.path), "replies"));
    this.loadedSuites = new LoadedSuites(suites, () => settings.read(), clusterModels, identities, folder.path);
    this.#models = models?.(this.loadedSuites) ?? sessionModels(this.loadedSuites, settings, folder);
    this.#readOnly = folder.lock();
    folder.watch(clock ?? machineClock, (why) => this.#lose(why));
    const ours = this.readOnly === undefined;
    const watched = { drafts: drafts && ours, writes: ours, clock, changed: () => this.#notifier.now() };
    ({ history: this.#history, outside: this.outside } = openDocument(folder, template, watched));
    const changed = () => this.#notifier.soon();
    const given = { loadedSuites: this.loadedSuites, models: this.#models, folder, cache };
    const context = { ...given, changed, writes: this.readOnly === undefined };
    this.#fields = new NotebookFields(suites, () => this.cells());
    this.#runs = new CellRuns(context, this.#fields);
    this.#figures = new CellFigures(analyses, this.#runs, changed, clock);
  }

  readonly outside: OutsideChange | undefined;

  /** Why nothing can be changed here: from the start, or since another program has taken the session or its folder is gone. */
  get readOnly(): string | undefined {
    return this.#readOnly;
  }
  #readOnly: string | undefined;
  /** True where that is because another program has the session open, and may be executing its runs. */
  get openElsewhere(): boolean {
    return this.#folder.openElsewhere;
  }

  #lose(why: string): void {
    this.#readOnly = why;
    for (const control of this.#runs.all()) control.stop();
    this.#notifier.now();
  }

  /** What everything asks that writes into the session's folder. */
  get guard(): WriteGuard {
    return this.#folder;
  }
  get title(): string {
    return sessionTitle(this.#history.document) ?? this.#folder.name;
  }
  get folder(): string {
    return this.#folder.path;
  }
  get dirty(): boolean {
    return this.#history.dirty;
  }
  get typed(): TypedText | undefined {
    return this.#history.typed;
  }
  get endpoints() {
    return this.#settings.read().endpoints;
  }
  /** Tasks that ended in a bug of ours while this program ran. */
  get bugs(): number {
    return this.#runs.all().reduce((sum, control) => sum + control.bugs, 0);
  }

  // Bound, as React calls them without their object.
  readonly subscribe = (listener: () => void): (() => void) => this.#notifier.subscribe(listener);
  readonly version = (): number => this.#notifier.version;

  cells(): readonly SessionCell[] {
    const { document } = this.#history;
    if (this.#cells?.of !== document) {
      const cells = document.segments.map(({ id, kind, name, source }) => ({ id, kind, name, source }));
      this.#cells = { of: document, cells };
    }
    return this.#cells!.cells;
  }

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
    if (cell.kind === "note") return { kind: "note" };
    if (cell.kind === "front-matter") return { kind: "front-matter", problems: this.#fields.problems() };
    if (cell.kind === "analysis") return this.#figures.state(cell, this.cells());
    const { problems, filledIn = [] } = this.#runs.plan(cell);
    const runs = this.#runs.of(cell);
    for (const { control } of runs) this.#count(control);
    return { kind: "run", problems, filledIn, runs: runs.map(({ label, control }) => control.state(label)) };
  }

  /** How many tasks a run has is known once its data is read; that is begun at the first look. */
  #count(control: RunControl): void {
    if (control.planned.predictions !== undefined) return;
    const { run } = control.planned;
    void control.tasks().then(
      (tasks) => {
        this.#runs.know(run, tasks);
        this.#notifier.once(`tasks ${run}`);
      },
      () => {},
    );
  }

  #cell(id: string): SessionCell {
    const cell = this.cells().find((each) => each.id === id);
    if (cell === undefined) throw new RangeError(`Expected a cell of this session, got \`${id}\``);
    return cell;
  }

  insert(kind: SessionCell["kind"], after: string | undefined, source: string, name = ""): string {
    const { document, id } = insertCell(this.#history.document, { kind, name, source }, after);
    this.#change(document);
    return id;
  }
  edit(cell: string, source: string): void {
    this.#change(editCell(this.#history.document, cell, source));
  }
  keepTyped(typed: TypedText | undefined): void {
    this.#history.keepTyped(typed);
  }
  remove(cell: string): void {
    this.#change(removeCell(this.#history.document, cell));
  }
  rename(cell: string, name: string): void {
    this.#change(renameCell(this.#history.document, cell, name));
  }
  move(cell: string, by: 1 | -1): void {
    this.#change(moveCell(this.#history.document, cell, by));
  }
  together(changes: () => void): void {
    this.#history.together(changes);
  }
  undo(): boolean {
    return this.#shown(this.#history.undo());
  }
  redo(): boolean {
    return this.#shown(this.#history.redo());
  }
  #shown(done: boolean): boolean {
    this.#notifier.now();
    return done;
  }
  save(): void {
    this.#mustWrite();
    this.outside?.mustBeDecided();
    this.#history.save((text) => this.#folder.write(text));
    this.#notifier.now();
  }

  #change(document: DocumentHistory["document"]): void {
    this.#mustWrite();
    this.#history.change(document);
    this.#notifier.now();
  }
  #mustWrite(): void {
    if (this.readOnly !== undefined) throw new Problem("stopped", `This session is read-only here. ${this.readOnly}`);
  }

  async run(cell: string, tasks?: readonly TaskRef[], failing?: WhenFailing): Promise<void> {
    this.#mustWrite();
    const stops = this.#stops.get(cell);
    // Tasks are those that are there now, not those that were when the session was opened.
    if (!this.#runs.all().some((control) => control.active) && this.loadedSuites.haveChanged()) {
      await this.loadedSuites.close();
      this.#runs.forget();
      this.refresh();
    }
    const { cache } = this.#runs.plan(this.#cell(cell));
    const runs = this.#controls(cell).flatMap(({ control }) => {
      const own = tasks?.filter(({ run }) => run === control.planned.run);
      return own?.length === 0 ? [] : [{ control, only: own && new Set(own.map(({ task }) => task)) }];
    });
    const goesOn = () => !this.#closed && this.#stops.get(cell) === stops;
    await executeQueued(runs, { goesOn, failing, cache });
    this.refresh();
  }
  /** How often each cell was stopped: a stop also keeps the cell's remaining runs from being started. */
  readonly #stops = new Map<string, number>();
  #closed = false;

  readonly pause = (cell: string): void => this.#steer(cell, (control) => control.pause());
  readonly resume = (cell: string): void => this.#steer(cell, (control) => control.resume());
  readonly setConcurrency = (cell: string, concurrency: number): void =>
    this.#steer(cell, (control) => control.setConcurrency(concurrency));
  stop(cell: string, run?: string): void {
    if (run !== undefined) return this.#steer(cell, (control) => control.planned.run === run && control.stop());
    this.#stops.set(cell, (this.#stops.get(cell) ?? 0) + 1);
    this.#steer(cell, (control) => control.active && control.stop());
  }
  /** Effects of a key are shown at once: the next key may depend on them. */
  #steer(cell: string, act: (control: RunControl) => unknown): void {
    for (const { control } of this.#controls(cell)) act(control);
    this.refresh();
  }
  async rescore(cell: string): Promise<void> {
    this.#mustWrite();
    const stops = this.#stops.get(cell);
    for (const { control } of this.#controls(cell))
      if (!this.#closed && this.#stops.get(cell) === stops) await control.rescore();
  }
  readonly correct: Workbench["correct"] = (ref, error, kind, reason) => this.#correct(ref, { error, kind, reason });
  readonly correctScore: Workbench["correctScore"] = (ref, value, reason) => this.#correct(ref, { value, reason });
  async #correct({ run, task }: TaskRef, to: CorrectedTo): Promise<string | undefined> {
    this.#mustWrite();
    const control = this.#control(run);
    if (control === undefined) throw new RangeError(`Expected a run of this session, got \`${run}\``);
    const note = await control.correct({ task, ...to });
    this.refresh();
    return note;
  }
  #controls(cell: string) {
    const found = this.#cell(cell);
    return found.kind === "run" ? this.#runs.of(found) : [];
  }

  fork(ref: TaskRef, request: number, change: Parameters<Workbench["fork"]>[2]): string {
    const { after, source } = this.#runs.fork(ref, request, change, this.cells());
    return this.insert("run", after, source, `fork-${this.cells().length}`);
  }

  board(run: string): readonly BoardTask[] {
    const control = this.#control(run);
    if (control === undefined) return [];
    this.#count(control);
    return control.board();
  }
  rows(run: string): readonly Row[] {
    return this.#control(run)?.rows() ?? [];
  }
  async trajectory({ run, task }: TaskRef): Promise<Trajectory | undefined> {
    return this.live({ run, task }) ?? this.#control(run)?.trajectory(task);
  }
  live({ run, task }: TaskRef): Trajectory | undefined {
    return this.#live.of({ run, task }, this.#control(run)?.live(task));
  }
  async taskView({ run, task }: TaskRef): Promise<TaskView | undefined> {
    const control = this.#control(run);
    return control === undefined ? undefined : taskView(control, this.loadedSuites, task);
  }
  #control(run: string): RunControl | undefined {
    return this.#runs.control(run);
  }

  choose(cell: string, name: string, value: string): void {
    const state = this.state(cell);
    const next = state.kind === "analysis" ? nextChoice(state, name, value) : value;
    this.edit(cell, withChoice(this.#cell(cell).source, name, next));
  }
  /** Sets fields of run cells as `--set` says, until the session is closed. Throws `RangeError`. */
  setFields(written: readonly string[]): void {
    this.#fields.set(written);
    this.refresh();
  }

  forecast(source: string, frontMatter?: string): Promise<Forecast> {
    return this.#runs.forecast(source, frontMatter, this.cells());
  }
  async export(id: string, format: ExportFormat): Promise<readonly string[]> {
    await this.settled();
    const cell = this.#cell(id);
    const state = this.#stateOf(cell);
    if (state.kind !== "analysis") throw new Error("Expected an analysis cell to export");
    return exportFigures(this, cell, state, this.#exportFolder(), format);
  }
  /** Writes the answers of a run cell's runs in a publisher's format; resolves to the paths written. */
  async exportAnswers(cell: string, format: string): Promise<readonly string[]> {
    return writeAnswers(this.#controls(cell), format, this.loadedSuites, this.#exportFolder());
  }

  /** The runs of these run cells that have begun, as exports read them. */
  async exportedRuns(cells: readonly string[]): Promise<readonly ExportedRun[]> {
    const { exportedRun } = await import("./exports/exported-run.ts");
    const exported = (cell: string) =>
      this.#controls(cell).map(({ control }) => exportedRun(this.#cell(cell).name, control, this.loadedSuites));
    return cells.flatMap(exported).filter(({ rows }) => rows.length > 0);
  }
  /** Writes them in a format other programs read; `least` is the score from which a task is a training example. */
  async exportRuns(cells: readonly string[], format: RunFormat, least?: number): Promise<readonly string[]> {
    const { writeRuns } = await import("./exports/run-exports.ts");
    return writeRuns(await this.exportedRuns(cells), format, this.#exportFolder(), least);
  }
  #exportFolder(): string {
    if (this.#exports !== undefined) return this.#exports;
    this.#folder.checkInPlace();
    return this.#folder.exports;
  }

  async makeTasks(suite: string, request: TaskGeneration): Promise<string> {
    const folder = await generateTasks(suite, request, this.#settings, this.loadedSuites);
    this.#runs.forget();
    this.refresh();
    return folder;
  }

  modelNames(): readonly string[] {
    return this.#models.names();
  }
  facetsOf(suite: string): Suite["facets"] {
    return this.loadedSuites.facetsOf(suite);
  }
  questionFiles(): readonly string[] {
    return questionFiles(this.folder);
  }
  dataOf(suite: string): readonly DataKind[] {
    return this.loadedSuites.dataOf(suite);
  }

  /** Resolves when all that figures need has been loaded. */
  settled(): Promise<void> {
    return this.#figures.settled(this.cells());
  }

  /** States are computed afresh at the next look. */
  refresh(): void {
    this.#notifier.now();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unwatchSettings();
    for (const control of this.#runs.all()) control.stop();
    await Promise.all(this.#runs.all().map((control) => control.ended()));
    this.#notifier.close();
    await this.loadedSuites.close();
    this.outside?.close();
    this.#history.close();
    this.#folder.unlock();
  }
}
