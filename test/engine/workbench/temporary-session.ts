/** Sessions in a folder that is removed after the test. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { analyses as everyAnalysis } from "../../../analyses/index.ts";
import type { Opening } from "../../../source/engine/workbench/opening.ts";
import { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import { SessionFolder } from "../../../source/engine/session/session-folder.ts";
import type { Models } from "../../../source/engine/models/models.ts";
import { sessionModels } from "../../../source/engine/workbench/document/session-models.ts";
import { openSettings, type Settings } from "../../../source/engine/settings/settings.ts";
import type { Clock } from "../../../source/engine/work/clock.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import type { CellState, RunState } from "../../../source/engine/workbench/workbench.ts";
import { appbench } from "../../../suites/appbench/index.ts";

type OpenOptions = {
  readonly settings?: Partial<Settings>;
  readonly suites?: readonly Suite[];
  readonly analyses?: Opening["analyses"];
  readonly own?: Opening["own"];
  readonly clock?: Clock;
  readonly startThread?: Opening["startThread"];
  /** True keeps drafts, as a screen does. */
  readonly drafts?: boolean;
  /** Wraps the session's models. */
  readonly between?: (models: Models) => Models;
};

export class TemporarySessions {
  #folder: string | undefined;
  readonly #open: SessionWorkbench[] = [];

  /** A new folder after `end`. */
  get folder(): string {
    return (this.#folder ??= mkdtempSync(join(tmpdir(), "planwright-test-")));
  }

  get path(): string {
    return join(this.folder, "session");
  }

  /** Opens the session; writes `text` first if it is given. */
  async open(
    text?: string,
    {
      settings = {},
      suites = [appbench],
      analyses = everyAnalysis,
      own,
      clock,
      drafts,
      startThread,
      between,
    }: OpenOptions = {},
  ): Promise<SessionWorkbench> {
    const folder = new SessionFolder(this.path);
    if (text !== undefined) folder.write(text);
    const store = await openSettings(join(this.folder, "settings"));
    store.change((before) => ({ ...before, ...settings }));
    const workbench = new SessionWorkbench({
      folder,
      suites,
      analyses,
      settings: store,
      ...(own && { own }),
      ...(clock && { clock }),
      ...(drafts && { drafts }),
      ...(startThread && { startThread }),
      ...(between && { models: (loadedSuites) => between(sessionModels(loadedSuites, store, folder)) }),
    });
    this.#open.push(workbench);
    return workbench;
  }

  /** Removes a folder kept beside the settings. */
  forget(name: string): void {
    rmSync(join(this.folder, "settings", name), { recursive: true });
  }

  async end(): Promise<void> {
    for (const workbench of this.#open.splice(0)) await workbench.close();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}

/** Sessions for a file of tests or a `describe`: each test begins with an empty folder. */
export function temporarySessions(): TemporarySessions {
  const sessions = new TemporarySessions();
  afterEach(() => sessions.end());
  return sessions;
}

/** Returns the current states of a run cell's runs. */
export function runsOf(workbench: SessionWorkbench, name: string): readonly RunState[] {
  workbench.refresh();
  const state = workbench.state(cellNamed(workbench, name));
  if (state.kind !== "run") throw new Error(`Expected a run cell ${name}`);
  return state.runs;
}

export function analysisOf(workbench: SessionWorkbench, name: string): Extract<CellState, { kind: "analysis" }> {
  workbench.refresh();
  const state = workbench.state(cellNamed(workbench, name));
  if (state.kind !== "analysis") throw new Error(`Expected an analysis cell ${name}`);
  return state;
}

export function cellNamed(workbench: SessionWorkbench, name: string): string {
  const cell = workbench.cells().find((each) => each.name === name);
  if (cell === undefined) throw new Error(`Expected a cell ${name}`);
  return cell.id;
}
