/** Runs on disk that no run cell of the notebook requests because its cell was changed, deleted or never saved. */
import { createReadStream, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { leadsOut } from "../../files/inside.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { replaceFileAsItComes } from "../../files/replace-file.ts";
import { logSize } from "../../log/file/log-lines.ts";
import { storedRows } from "../../log/rows/stored-rows.ts";
import { Problem } from "../../problem.ts";
import { idOfAnswers, runOfFolder } from "../../session/run-identity.ts";
import { runSource } from "../../session/fork-cell.ts";
import { codeIn, idWithoutCode, startOf } from "../../session/older-code.ts";
import type { PlannedCell } from "../../session/run-cell.ts";
import { writtenOptions } from "../../migration/run-options.ts";
import type { SessionFolder } from "../../session/session-folder.ts";
import type { RunSpec } from "../../types.ts";
import type { OpenNotebook } from "../document/open-notebook.ts";
import type { CellRuns } from "./cell-runs.ts";
import type { ReadSession, SessionCell, StrayRun } from "../session-state.ts";

type Notebook = Pick<ReadSession, "cells"> &
  Pick<OpenNotebook, "dirty" | "insert"> & { readonly readOnly: string | undefined; refresh(): void };
type Plan = { readonly cell: SessionCell; readonly plan: PlannedCell };

/** Largest number of milliseconds since 1970 that is a valid date. */
const latest = 8.64e15;

/** Files of a run that another notebook can use: its log, files derived from it, and corrections. */
const brought = ["events.jsonl", "events.jsonl.gz", "events.index", "rows.jsonl", storedRows, "overrides.json"];

export class StrayRuns {
  readonly #notebook: Notebook;
  readonly #runs: CellRuns;
  readonly #folder: SessionFolder;

  constructor(notebook: Notebook, runs: CellRuns, folder: SessionFolder) {
    this.#notebook = notebook;
    this.#runs = runs;
    this.#folder = folder;
  }

  /**
   * Returns all stray runs, sorted by id. Omits results of older code, which their cell shows. Reads only first lines of logs.
   */
  list(): readonly StrayRun[] {
    const cells = this.#notebook.cells().filter(({ kind }) => kind === "run");
    const plans = cells.map((cell) => ({ cell, plan: this.#runs.plan(cell) }));
    // Runs of a cell whose file is being read are not known yet.
    if (plans.some(({ plan }) => plan.reading !== undefined)) return [];
    const planned = plans.flatMap(({ plan }) => plan.runs);
    const asked = new Set(planned.flatMap((each) => this.#runs.foldersOf(each)));
    const ownCode = new Set(
      planned.flatMap(({ spec, stored }) =>
        codeIn(spec) === undefined ? [] : [idWithoutCode(spec), idWithoutCode(stored.spec)],
      ),
    );
    const strays = this.#folder.runs().flatMap((run) => {
      if (asked.has(run) || run.startsWith(".") || logSize(this.#log(run)) === undefined) return [];
      const start = this.#start(run);
      const isOlder = start && codeIn(start.spec) !== undefined && ownCode.has(idWithoutCode(start.spec));
      return isOlder === true ? [] : [{ run, start }];
    });
    const forks = [...planned, ...strays.flatMap(({ run, start }) => (start ? [{ run, spec: start.spec }] : []))];
    const suites = new Map(planned.map(({ spec }) => [spec.suite, this.#runs.suite(spec.suite)]));
    const idAsked = (spec: RunSpec) => idOfAnswers(spec, suites.get(spec.suite) ?? { options: [], strategies: [] });
    const scored = new Set(planned.map(({ spec }) => idAsked(spec)));
    const undecided = strays.length === 0 ? undefined : this.#undecided(plans);
    return strays.map(({ run, start }) => ({
      run,
      at: start?.at,
      source: start && this.#source(start.spec),
      needed:
        undecided ??
        this.#held(run) ??
        forkOf(run, forks) ??
        (start !== undefined && scored.has(idAsked(start.spec))
          ? "A run that differs only in its choice of tasks or in how answers are scored reuses these answers"
          : undefined),
    }));
  }

  /** Returns why the saved notebook's runs are unknown, or why no run can be removed. */
  #undecided(plans: readonly Plan[]): string | undefined {
    const { readOnly, dirty } = this.#notebook;
    if (readOnly !== undefined) return `This session is read-only here. ${readOnly}`;
    if (dirty) return "Save the session first, because the saved version may request other runs";
    if (leadsOut(this.#folder.path, join(this.#folder.path, "runs")) !== undefined)
      return "`runs` is a link to another folder, which other notebooks may need";
    const wrong = plans.find(({ plan }) => plan.problems.length > 0);
    if (wrong !== undefined)
      return `The runs of \`${wrong.cell.name}\` are unknown: ${wrong.plan.problems[0]!.message}`;
    if (plans.some(({ plan }) => plan.filledIn?.some(({ from }) => from === "command")))
      return "Open the session without `--set`, which changes its runs";
    return undefined;
  }

  #held(run: string): string | undefined {
    if (this.#runs.control(run)?.active === true) return "The run is not finished: stop it first, or wait";
    if (this.#runs.isOut(run)) return "Workers have tasks of this run";
    if (existsSync(join(this.#folder.run(run), "kept.json")))
      return "You declared the results of this run valid for the present code. Keep the run, then press `O` on its cell to withdraw the declaration";
    return undefined;
  }

  #log(run: string): string {
    return join(this.#folder.path, "runs", run, "events.jsonl");
  }

  /** Returns how a run was started; undefined if its log does not contain a valid record of its start. */
  #start(run: string): { readonly spec: RunSpec; readonly at: number } | undefined {
    const start = startOf(this.#log(run));
    const { spec, at }: { readonly spec?: unknown; readonly at?: unknown } = start ?? {};
    return typeof spec === "object" && spec !== null && typeof at === "number" && Math.abs(at) <= latest
      ? start
      : undefined;
  }

  /** Returns the identifier of the tasks of a run; undefined if the suite is not available. */
  #source(spec: RunSpec): string | undefined {
    try {
      const given = this.#runs.given();
      const named = Object.entries(spec.options).filter(([name]) => given.has(name));
      const options = { ...writtenOptions(this.#runs.suite(spec.suite), spec), ...Object.fromEntries(named) };
      return runSource({ ...spec, options }, given);
    } catch {
      return undefined;
    }
  }

  /**
   * Adds a run cell for a stray run below this cell, and returns its id. Throws `RangeError` for other runs, and `Problem` if no
   * cell can describe the run: answers made by other programs, one trial of several, or changed settings, data or code.
   */
  keep(run: string, after: string | undefined): string {
    const { source } = this.#stray(run);
    const asksForIt =
      source !== undefined &&
      this.#runs.plan({ name: "", source }).runs.some((each) => this.#runs.foldersOf(each).includes(run));
    if (!asksForIt)
      throw new Problem(
        "stopped",
        "This run cannot be kept, because the saved settings request another run; the results stay on disk",
      );
    return this.#notebook.insert("run", after, source, "");
  }

  /**
   * Copies a run of another notebook, whose folder is `from`, into this notebook, adds a run cell for it below a cell, and
   * returns the cell's id. Rejects as `keep` throws, and with `Problem` if this notebook has a run with the same settings.
   */
  async bring(run: string, from: string, after: string | undefined): Promise<string> {
    this.#folder.checkInPlace();
    const own = this.#folder.run(run);
    if (existsSync(own)) throw new Problem("stopped", "This notebook has a run with the same settings");
    makeFolder(own);
    try {
      for (const name of brought)
        if (existsSync(join(from, name)))
          await replaceFileAsItComes(join(own, name), createReadStream(join(from, name)));
      return this.keep(run, after);
    } catch (error) {
      rmSync(own, { recursive: true, force: true });
      throw error;
    }
  }

  /**
   * Removes a stray run from disk with its results and corrections; this cannot be undone. Rejects with `RangeError` for other
   * runs, with `Problem` if it is needed or cannot be removed.
   */
  async remove(run: string): Promise<void> {
    this.#mayRemove(run);
    await this.#runs.close(run);
    // The notebook may have changed meanwhile.
    this.#mayRemove(run);
    this.#folder.checkInPlace();
    rmSync(this.#folder.run(run), { recursive: true });
    this.#notebook.refresh();
  }

  #mayRemove(run: string): void {
    const { needed } = this.#stray(run);
    if (needed !== undefined) throw new Problem("stopped", needed);
  }

  #stray(run: string): StrayRun {
    const found = this.list().find((each) => each.run === run);
    if (found !== undefined) return found;
    throw new RangeError(`Expected a run of this session that no cell requests, got \`${run}\``);
  }
}

function forkOf(run: string, others: readonly { readonly run: string; readonly spec: RunSpec }[]): string | undefined {
  const fork = others.find(({ spec }) => (spec.fork?.run ?? spec.forks?.of) === runOfFolder(run));
  return fork && `Run ${fork.run} is a fork of this run`;
}
