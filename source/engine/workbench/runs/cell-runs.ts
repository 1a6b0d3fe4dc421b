/** The runs of a session's cells: planned from the text of the cells, kept open by their hash, executed in order. */
import { setImmediate as nextIteration } from "node:timers/promises";
import { type AnswerTexts, readAnswers } from "./answer-texts.ts";
import { personName } from "../document/correct-run.ts";
import type { LoadedSuites } from "../document/loaded-suites.ts";
import type { Clusters } from "../../clusters.ts";
import type { TaskCorrection } from "../../log/corrections/correct-task.ts";
import { priceOf } from "../../run/run-models.ts";
import { answeredRuns, type SavedStart, savedStarts, startsAlike } from "../../session/answered-run.ts";
import { idWithoutChoice, runOfFolder } from "../../session/run-identity.ts";
import { runId } from "../../session/run-spec.ts";
import type { SavedRun } from "../../session/detectable.ts";
import { firstRequest, type FirstRequest } from "../../session/first-request.ts";
import { type Forecast, forecastCell, forecastRuns, type Learnt } from "../../session/forecast.ts";
import type { RunFloors, RunRows } from "../../analysis.ts";
import { floorSpec, scoreFloors } from "../../run/floor-scores.ts";
import { forkSource } from "../../session/fork-cell.ts";
import { forkedCellIn, mayForkCell, type OriginalRun } from "../../session/forked-cell.ts";
import { forkPoints } from "./fork-points.ts";
import { forkText } from "./fork-text.ts";
import type { GivenFields } from "../../session/fields/given-fields.ts";
import { CellTexts } from "../../session/fields/text-file.ts";
import type { NotebookFields } from "../../session/document/notebook-fields.ts";
import { codeIn, keepOlder, withdrawKept, withOlderRuns } from "../../session/older-code.ts";
import { unmergedKinds } from "../scanning/finding-codes.ts";
import { readKindsCell } from "../../session/codes/kinds-cell.ts";
import type { ScannedRun } from "../../session/scan-cell.ts";
import { type CellContext, planRunCell, type PlannedCell, type PlannedRun } from "../../session/run-cell.ts";
import { type ForkShare, forkShares } from "./fork-share.ts";
import type { RunContext } from "./run-context.ts";
import { RunControl } from "./run-control.ts";
import { watchFiles } from "./watched-files.ts";
import { type RunHome, type CellPlace, Turns } from "./run-home.ts";
import { writtenOptions } from "../../migration/run-options.ts";
import { Problem } from "../../problem.ts";
import type { Suite } from "../../suite.ts";
import type { Event, Facets, Replacement, Row, RunSpec, Task, TaskRef } from "../../types.ts";
import type { SessionCell } from "../session-state.ts";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { logSize } from "../../log/file/log-lines.ts";
import { RunStore } from "../../log/run-store.ts";
import { RunView } from "../../log/run-view.ts";
import { fitsFilter } from "../../run/sampling.ts";
import { attemptId, lastAttempt, savedRequests } from "../../run/saved-replies.ts";
import { SharedTasks } from "../../run/shared-tasks.ts";
import { fallback } from "../../work/fallback.ts";

/** The changes of a fork: a replaced text, and fields of the run. */
export type ForkChange = Replacement & {
  readonly model?: string;
  readonly strategy?: string;
  readonly temperature?: number;
  readonly seed?: number;
  readonly repeats?: number;
};

export class CellRuns {
  readonly #loadedSuites: LoadedSuites;
  readonly #context: RunContext;
  /** Settings that the notebook provides to its run cells. */
  readonly #notebook: NotebookFields;
  readonly #planned = new Map<
    string,
    {
      readonly given: GivenFields;
      readonly planned: PlannedCell;
      readonly texts: CellTexts;
      /** The runs for which a scan was planned, by the names of their cells. */
      readonly scans?: ReadonlyMap<string, string>;
    }
  >();
  readonly #controls = new Map<string, RunControl>();
  readonly #tasks = new Map<string, readonly Task[]>();

  readonly #cells: () => readonly SessionCell[];

  /** `cells` returns the cells of the notebook. */
  constructor(context: RunContext, notebook: NotebookFields, cells: () => readonly SessionCell[]) {
    this.#notebook = notebook;
    this.#cells = cells;
    this.#loadedSuites = context.loadedSuites;
    this.#context = context;
    this.#unwatch = watchFiles(context, {
      runs: () => this.all(),
      questions: () => this.#forgetPlans(({ planned }) => planned.problems.length > 0),
      texts: () => this.#forgetPlans(({ texts }) => texts.haveChanged),
    });
  }
  readonly #unwatch: () => void;

  /** Returns the plan of a run cell; the same text under the same name returns the same object until its inputs change. */
  plan({ name, source }: Pick<SessionCell, "name" | "source">): PlannedCell {
    const given = this.#notebook.given(name);
    // Forks of another cell's runs change with that cell.
    const others = mayForkCell(source) ? this.#cells().map((cell) => (cell.kind === "run" ? cell.source : "")) : [];
    const key = [name, source, ...others].join("\n");
    const kept = this.#planned.get(key);
    const scans = kept?.scans;
    const isCurrent = scans === undefined || [...scans].every(([other, runs]) => runs === this.#scannedKey(other));
    if (kept?.given === given && !kept.texts.haveChanged && isCurrent) return kept.planned;
    const scanned = new Map<string, string>();
    const proposedKinds = () => {
      const text = this.#notebook.proposedFor(name);
      scanned.set(`kinds ${name}`, text ?? "");
      return text === undefined ? undefined : readKindsCell(text).kinds;
    };
    const runsOf = (other: string) => {
      scanned.set(other, this.#scannedKey(other));
      return this.#scanned(other);
    };
    const unmerged = (runs: readonly PlannedRun[]) => {
      const key = `unmerged ${runs.map(({ run }) => run).join(" ")}`;
      scanned.set(key, this.#scannedKey(key));
      return scanned.get(key) || undefined;
    };
    const texts = new CellTexts(this.#context.folder.path);
    const reading = (suite: string) => (this.#context.patient ? this.#loadedSuites.reading(suite) : undefined);
    const reads = { text: texts.read, runsOf, proposedKinds, unmergedKinds: unmerged, reading };
    const cell = planRunCell(source, { ...this.#planContext(), given, ...reads });
    const planned = withOlderRuns(cell, this.#context.folder, (suite) => this.suite(suite));
    this.#planned.set(key, { given, planned, texts, ...(scanned.size > 0 && { scans: scanned }) });
    void planned.reading?.read.then(() => {
      if (this.#planned.get(key)?.planned === planned) this.#planned.delete(key);
      this.#context.changed();
    });
    // Every key press in an editor is a new text; besides texts with runs, only the latest texts are kept.
    const [oldest] = this.#planned.keys();
    if (this.#planned.size > 200 + this.#controls.size) this.#planned.delete(oldest!);
    return planned;
  }

  isReading = (cell: SessionCell): boolean => cell.kind === "run" && this.plan(cell).reading !== undefined;
  /** Resolves once the file that a cell's runs depend on has been read. */
  async read(cell: SessionCell): Promise<void> {
    while (this.isReading(cell)) await this.plan(cell).reading!.read;
  }

  /** Returns the runs of the cells with this name; empty for a scan, and undefined if the cell does not exist. */
  #scanned(name: string): readonly ScannedRun[] | undefined {
    const cells = this.#notebook.runCells(name);
    if (cells.length === 0) return undefined;
    return cells.flatMap((cell) =>
      /^scan:/m.test(cell.source)
        ? []
        : this.plan(cell).runs.map((run) => ({
            run: this.foldersOf(run)[0]!,
            label: this.plan(cell).runs.length === 1 ? name : `${name} ${run.label}`,
          })),
    );
  }
  #scannedKey = (name: string): string => {
    if (name.startsWith("kinds ")) return this.#notebook.proposedFor(name.slice("kinds ".length)) ?? "";
    if (name.startsWith("unmerged ")) return this.#unmergedKinds(name.slice("unmerged ".length).split(" "));
    return JSON.stringify(this.#scanned(name) ?? null);
  };
  /**
   * Returns the kinds that these runs named; empty if there are no kinds to merge. Reads them again only after the runs have
   * changed.
   */
  #unmergedKinds(runs: readonly string[]): string {
    const controls = runs.flatMap((run) => this.#controls.get(run) ?? []);
    if (controls.length < runs.length || controls.some(({ store }) => !store.hasRows)) return "";
    const key = controls.map(({ spec, store }) => `${spec.suite} ${store.table.version}`).join();
    if (this.#unmerged?.key !== key) this.#unmerged = { key, text: unmergedKinds(controls) ?? "" };
    return this.#unmerged.text;
  }
  #unmerged: { readonly key: string; readonly text: string } | undefined;
  #planContext(): CellContext {
    return {
      ...this.#loadedSuites.cellContext(),
      originals: (name) => this.#originals(name),
      cells: () => this.#cells().flatMap((cell) => (cell.kind === "run" && cell.name !== "" ? [cell.name] : [])),
    };
  }

  /** Plans these cells again at the next read; true if there are any. */
  #forgetPlans(isOld: (plan: { readonly planned: PlannedCell; readonly texts: CellTexts }) => boolean): boolean {
    const old = [...this.#planned].filter(([, plan]) => isOld(plan));
    for (const [key] of old) this.#planned.delete(key);
    return old.length > 0;
  }

  /** Returns the runs of a cell with their labels. Reads no log that is long enough to block the screen. */
  of(cell: SessionCell) {
    return this.plan(cell).runs.map((planned) => {
      let control = this.#controls.get(planned.run);
      if (control === undefined) {
        control = new RunControl(planned, this.#place(planned), this.#context);
        this.#controls.set(planned.run, control);
        this.#unchecked.push(control);
      }
      const { label, plainLabel, pool, named } = planned;
      return { label, plainLabel: plainLabel ?? label, pool, ...(named && { named }), control };
    });
  }

  readonly #turns = new Turns();
  readonly #homes = new Map<string, RunHome>();
  #starts: Map<string, readonly SavedStart[]> | undefined;

  /**
   * Returns the folder of a run: the folder that it had before, otherwise one among all folders with answers of the same run,
   * scored in the same way.
   */
  #place(planned: PlannedRun): CellPlace {
    const { run, stored, spec } = planned;
    const names = this.foldersOf(planned);
    const home = this.#home(names.includes(run) ? run : stored.folder, spec.suite);
    const choiceOf = ({ limit, filter, forks }: RunSpec) => [limit, filter, forks];
    const isPart = !isDeepStrictEqual(choiceOf(spec), choiceOf(stored.spec));
    const points = { ...this.#pointsOf(planned), ...this.#samplesOf(planned) };
    if (home.folder === run && names.length === 1) return { home, turns: this.#turns, ...points };
    const stores = names.map((name) => this.#home(name, spec.suite).store);
    const fits =
      spec.limit === 0 && spec.forks === undefined ? (facets: Facets) => fitsFilter(facets, spec.filter) : undefined;
    const view = new RunView({ id: run, home: home.store, parts: stores, isPart, fits });
    return { home, view, turns: this.#turns, ...points };
  }

  #pointsOf({ original, spec: { forks } }: PlannedRun): Pick<CellPlace, "points"> {
    if (original === undefined || forks === undefined) return {};
    const control = () => {
      const found = this.#controls.get(original);
      if (found === undefined) throw new Problem("tool", "Expected the cell of the forked run to be in the notebook");
      return found;
    };
    const version = () => this.#controls.get(original)?.store.table.version ?? -1;
    return { points: { version, read: () => forkPoints(control(), forks) } };
  }

  #samplesOf({ samples }: PlannedRun): Pick<CellPlace, "samples"> {
    if (samples === undefined) return {};
    // Runs of the same cell are opened before it.
    return { samples: () => samples.map((run) => ({ run, ...controlled(this.#controls.get(run)!) })) };
  }

  /** Returns the runs of the run cell of this name, each with the id of the run whose answers it shows. */
  #originals(name: string): readonly OriginalRun[] | undefined {
    const cell = this.#cells().find((each) => each.kind === "run" && each.name === name);
    if (cell === undefined || forkedCellIn(cell.source)) return undefined;
    const asking = this.of(cell).filter(({ control }) => control.planned.samples === undefined);
    return asking.map(({ control }) => ({ planned: control.planned, run: runOfFolder(control.home.folder) }));
  }

  /** Returns the names of the folders whose rows a run shows, in the order of their starts. */
  foldersOf({ run, stored, spec, predictions }: PlannedRun): readonly string[] {
    const { folder } = this.#context;
    if (logSize(join(folder.run(run), "events.jsonl")) !== undefined || predictions !== undefined) return [run];
    const suite = this.suite(spec.suite);
    this.#starts ??= this.#begun();
    const alike = startsAlike(this.#starts.get(idWithoutChoice(spec, suite)) ?? [], spec).map((each) => each.folder);
    return alike.includes(stored.folder) ? alike : [...alike, stored.folder];
  }

  #begun(): Map<string, readonly SavedStart[]> {
    // A suite may be of a program's extension, or of a file that is gone.
    return savedStarts(this.#context.folder.path, (name) => fallback(() => this.suite(name)));
  }

  #home(name: string, suite: string): RunHome {
    const known = this.#homes.get(name);
    if (known !== undefined) return known;
    const { folder, models, onEvent, patient, changed, writes } = this.#context;
    const { form } = this.suite(suite);
    const store = new RunStore(folder.run(name), {
      prices: (model) => priceOf(models, model),
      ...(form && { form }),
      keep: writes(),
      guard: folder,
      reading: patient ? changed : undefined,
      ...(onEvent && { onEvent: (event: Event) => onEvent(name, event) }),
    });
    const home = { folder: name, store, tasks: new SharedTasks() };
    this.#homes.set(name, home);
    return home;
  }

  /** Checks the logs of newly opened runs, one by one, without blocking the screen. */
  checkLogs(): void {
    for (const { store } of this.#unchecked.splice(0)) {
      const check = async () => {
        // The available state is shown first.
        await nextIteration();
        const { changed } = this.#context;
        await store.catchUp();
        changed();
        if (await store.check()) changed();
      };
      // The reader that needs an unreadable log reports it.
      this.#checking = this.#checking.then(check).catch(() => {});
    }
  }
  readonly #unchecked: RunControl[] = [];
  #checking: Promise<void> = Promise.resolve();

  /** Returns a run cell that forks a saved run, and the cell below which to insert it. Throws for a run that no cell contains. */
  fork(
    { run, task }: TaskRef,
    request: number,
    { message, result, reply, index, ...change }: ForkChange,
    cells: readonly SessionCell[],
  ): { readonly after: string; readonly source: string } {
    const control = this.control(run, task);
    const cell = cells.find(
      (each) => each.kind === "run" && this.plan(each).runs.some((planned) => planned.run === control?.planned.run),
    );
    if (cell === undefined || control === undefined)
      throw new RangeError(`Expected a run of this session, got \`${run}\``);
    if (control.planned.samples !== undefined)
      throw new Problem(
        "tool",
        "Expected the run of one sample, because an answer picked among samples cannot be forked",
      );
    const { spec } = control;
    const before = savedRequests(lastAttempt(control.store.task(task))).slice(0, request);
    const attempt = before.length === 0 ? {} : { attempt: attemptId(before) };
    const origin = runOfFolder(basename(control.folderOf(task)));
    const texts = Object.entries({ message, result, reply }).flatMap(([name, text]) =>
      text === undefined ? [] : [[name, forkText(this.#context.folder, name, text)] as const],
    );
    const replaced: Replacement = { ...Object.fromEntries(texts), ...(index !== undefined && { index }) };
    const fork = { run: origin, task, request, ...attempt, ...replaced };
    // The last line break of a file is no part of a prompt.
    const promptsOf = (own: RunSpec["prompts"] = {}) =>
      Object.entries(own).map(([name, text]) => [name, forkText(this.#context.folder, `prompt-${name}`, text, "\n")]);
    const prompts = Object.fromEntries([...promptsOf(spec.prompts), ...promptsOf(spec.judgePrompts)]);
    const { judgePrompts: _, vary, ...settings } = spec;
    const varied =
      vary?.questions === undefined
        ? vary
        : { questions: forkText(this.#context.folder, "questions", JSON.stringify(vary.questions)) };
    const written = {
      ...settings,
      ...(varied && { vary: varied as RunSpec["vary"] & object }),
      prompts,
      options: writtenOptions(this.suite(spec.suite), spec),
    };
    return { after: cell.id, source: forkSource(written, fork, change) };
  }

  /** Returns the results of the repeats of forks among the runs of a cell; undefined if there are none. */
  forks(runs: ReturnType<CellRuns["of"]>): { readonly forks?: readonly ForkShare[] } {
    if (runs.every(({ pool, control }) => pool === undefined || control.spec.fork === undefined)) return {};
    const rowOf = (control: RunControl | undefined) => (task: string) =>
      control?.store.hasRows === true ? control.store.table.row(task) : undefined;
    const forked = runs.map(({ label, pool, control }) => ({ label, pool, spec: control.spec, row: rowOf(control) }));
    return { forks: forkShares(forked, ({ fork }) => rowOf(this.control(fork!.run, fork!.task))(fork!.task)) };
  }

  suite(name: string): Suite {
    return this.#loadedSuites.suite(name);
  }

  /** Returns the toolkits of a run; undefined for runs without toolkits. */
  async clusters(spec: RunSpec): Promise<Clusters | undefined> {
    return (await this.#loadedSuites.open(spec.suite, spec.data)).toolkits?.clusters(spec);
  }

  /** Reads the data of a run, which determine its number of tasks; resolves to false if the number was known. */
  async count(control: RunControl): Promise<boolean> {
    const { run, predictions } = control.planned;
    if (predictions !== undefined) return false;
    try {
      this.#tasks.set(run, await control.tasks());
      return true;
    } catch {
      // The reader that needs the data reports the error.
      const isNew = !control.lacksTasks;
      control.lacksTasks = true;
      return isNew;
    }
  }

  /** Resolves when the rows of these cells' runs have been read, and their tasks if their data can be read. */
  async counted(cells: readonly SessionCell[]): Promise<void> {
    const runs = cells.filter(({ kind }) => kind === "run").flatMap((cell) => this.of(cell));
    // The reader that needs an unreadable log reports it.
    for (const { control } of runs) await control.store.readRows().catch(() => {});
    await Promise.all(runs.map(({ control }) => this.count(control)));
  }

  /** Returns the tasks of a run once they have been read. */
  tasks(run: string): readonly Task[] | undefined {
    return this.#tasks.get(run);
  }

  /** Returns the expected cost of a run cell with this text, and with this front matter if it would change. */
  forecast(source: string, frontMatter: string | undefined, cells: readonly SessionCell[]): Promise<Forecast> {
    const context = this.#contextWith(frontMatter);
    const saved = { runs: this.#saved(cells), answered: this.#answered, learnt: this.#learnt, places: this.#places };
    return forecastCell(source, context, this.#loadedSuites, this.#context.models, saved);
  }

  #contextWith(frontMatter: string | undefined): CellContext {
    const given = frontMatter === undefined ? this.#notebook.given("") : this.#notebook.givenWith(frontMatter);
    return { ...this.#planContext(), given };
  }

  /**
   * Returns the first request of the first run in this cell. Rejects with `Problem` if the cell has a mistake, or as
   * `firstRequest` does.
   */
  async firstRequest(source: string, frontMatter: string | undefined): Promise<FirstRequest> {
    const text = new CellTexts(this.#context.folder.path).read;
    const { runs, problems } = planRunCell(source, { ...this.#contextWith(frontMatter), text });
    if (runs[0] === undefined) throw new Problem("tool", problems[0]?.message ?? "This experiment has no run");
    return firstRequest(runs[0], this.#loadedSuites);
  }

  /** Returns the remaining work of these runs. */
  rest(runs: readonly string[]): Promise<Forecast> {
    const planned = runs.flatMap((run) => this.control(run)?.planned ?? []);
    return forecastRuns({ runs: planned, problems: [] }, this.#loadedSuites, this.#context.models, {
      runs: [],
      answered: this.#answered,
      learnt: this.#learnt,
      places: this.#places,
      isScored: (run, task) => this.control(run)?.store.table.row(task)?.state === "scored",
    });
  }

  readonly #places = async (planned: PlannedRun): Promise<readonly Task[]> =>
    (await this.#pointsOf(planned).points?.read()) ?? [];

  readonly #answered = (spec: RunSpec) => {
    const { models, folder } = this.#context;
    const suite = this.suite(spec.suite);
    // Its own folder holds no other run's answers, unless only other cells of the run were executed.
    const planned = runId(spec);
    const control = this.#controls.get(planned);
    const except = control?.hasBegun === false ? undefined : (control?.home.folder ?? planned);
    return answeredRuns(folder.path, spec, suite, { prices: (model) => priceOf(models, model), except });
  };

  /**
   * Reads the runs from which a forecast learns; runs that differ in more than data and settings need other numbers of requests.
   */
  readonly #learnt = async (run: string, spec: RunSpec): Promise<Learnt> => {
    const own: Row[] = [];
    const others: Row[] = [];
    for (const { planned, spec: saved, store } of this.all()) {
      const isAlike = (["suite", "model", "strategy"] as const).every((name) => saved[name] === spec[name]);
      const isFork = planned.run !== run && (saved.fork !== undefined || saved.forks !== undefined);
      if (!isAlike || isFork || planned.predictions !== undefined) continue;
      await store.readRows();
      (planned.run === run ? own : others).push(...store.table.rows());
    }
    return { own, others };
  };

  /** Returns the runs of all run cells, each once, by the names that analyses show. */
  #saved(cells: readonly SessionCell[]): readonly SavedRun[] {
    const saved = new Map<string, SavedRun>();
    for (const cell of cells.filter(({ kind }) => kind === "run")) {
      const runs = this.of(cell);
      for (const { label, control } of runs) {
        const { run } = control.planned;
        const name = cell.name === "" ? label : runs.length === 1 ? cell.name : `${cell.name}: ${label}`;
        const rows = () => control.store.readRows().then(() => control.rows());
        if (!saved.has(run)) saved.set(run, { run, label: name, spec: control.spec, rows });
      }
    }
    return [...saved.values()];
  }

  /** Returns statistics of the tasks in a run's split; undefined if its suite has none. */
  async statistics({ suite, data, split }: RunSpec): Promise<RunRows["statistics"]> {
    const loaded = await this.#loadedSuites.open(suite, data);
    return loaded.statistics?.(await loaded.tasks(split));
  }

  /** Returns the scores of trivial answers to the tasks of a run's split. */
  async floors(spec: RunSpec, signal: AbortSignal): Promise<RunFloors> {
    const { suite, data, split } = spec;
    const own = floorSpec(spec, this.suite(suite));
    return this.#context.floors.of([own, this.#loadedSuites.dataStamps(suite, data)], async () => {
      const [loaded, tasks] = await Promise.all([
        this.#loadedSuites.open(suite, data),
        this.#loadedSuites.tasks(suite, data, split),
      ]);
      return scoreFloors(loaded, tasks, own, signal);
    });
  }

  /** Reads the answers of a run that are not `known`. */
  answers(control: RunControl, known: AnswerTexts | undefined, signal: AbortSignal): Promise<AnswerTexts> {
    return readAnswers(control, this.#loadedSuites, known, signal);
  }

  /** Accepts results of older code for a run, with the reason; without a reason, withdraws the acceptance. Throws `Problem`. */
  keepOlder(run: string, older: string, reason: string | undefined): void {
    const planned = this.control(run)?.planned;
    const { folder } = this.#context;
    if (planned === undefined) throw new RangeError(`Expected a run of this session, got \`${run}\``);
    if (this.control(older)?.active === true)
      throw new Problem("stopped", "The run is not finished: stop it first, or wait");
    if (reason === undefined) withdrawKept(folder, older);
    else keepOlder(folder, older, planned.kept?.code ?? codeIn(planned.spec), { by: personName(), reason });
    // The older run may have been started before its identity was recorded.
    for (const [key, { home }] of this.#controls) if (home.folder === older) this.#controls.delete(key);
    this.#homes.delete(older);
    this.#planned.clear();
  }

  /**
   * Corrects the same error of the same answer under the scorings of other cells, if these report the same error and are not
   * executing.
   */
  async correctAlike(corrected: RunControl, correction: TaskCorrection): Promise<void> {
    const { task } = correction;
    const done = new Set([corrected.folderOf(task)]);
    for (const control of this.all()) {
      const folder = control.folderOf(task);
      if (done.has(folder) || control.asked !== corrected.asked) continue;
      done.add(folder);
      await control.correct(correction).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
      });
    }
  }

  /**
   * Returns the control of a cell's part of a run; for a run's id, returns the control of the first cell that requests the run
   * and contains the task.
   */
  control(run: string, task?: string): RunControl | undefined {
    const known = this.#controls.get(run);
    if (known !== undefined) return known;
    const all = this.all().filter(({ home }) => home.folder === run);
    return (
      all.find(({ store }) => task !== undefined && store.hasRows && store.table.row(task) !== undefined) ?? all[0]
    );
  }

  /** Returns names of the fields that the notebook sets for its run cells. */
  given(): ReadonlySet<string> {
    return new Set(Object.keys(this.#notebook.given("").defaults));
  }

  /** Closes a run that is not active; no part of it is read or written any more. */
  async close(run: string): Promise<void> {
    const store = this.#homes.get(run)?.store;
    for (const [key, { home }] of this.#controls) if (home.folder === run) this.#controls.delete(key);
    this.#homes.delete(run);
    this.#starts = undefined;
    await store?.leave();
    store?.close();
  }

  /** Waits until no run is read or written any more. */
  async closeAll(): Promise<void> {
    this.#unwatch();
    await Promise.all(this.all().map((control) => control.ended()));
    await Promise.all([...this.#homes.values()].map(({ store }) => store.leave()));
  }

  /** Returns true if workers at one of the user's addresses still have tasks of a run. */
  isOut(run: string): boolean {
    const { elsewhere, folder } = this.#context;
    return elsewhere?.out({ run, folder: folder.run(run) })?.url !== undefined;
  }

  all(): readonly RunControl[] {
    return [...this.#controls.values()];
  }

  /**
   * Collects results of these cells' runs that workers at one of the user's addresses may have; true if there are any. Starts no
   * new tasks. `again` is called for each cell whose file is being read now, once it has been read.
   */
  takeUp(cells: readonly SessionCell[], again: (cell: SessionCell) => unknown): boolean {
    if (!this.#context.writes()) return false;
    for (const cell of cells) if (this.isReading(cell)) void this.read(cell).then(() => again(cell));
    const runs = cells.filter(({ kind }) => kind === "run").flatMap((cell) => this.of(cell));
    const out = runs.filter(({ control }) => control.givenAway?.out?.url !== undefined);
    for (const { control } of out) void control.run({ isOpening: true });
    return out.length > 0;
  }

  /** Opens the runs again on their next read, because this program may now write them. None of them may be active. */
  openAnew(): void {
    this.#controls.clear();
    this.#homes.clear();
    this.forget();
  }

  /** Plans again, for example after data were installed. */
  forget(): void {
    this.#planned.clear();
    this.#tasks.clear();
    this.#starts = undefined;
  }
}

const controlled = ({ asked, store }: RunControl) => ({ asked, store });
