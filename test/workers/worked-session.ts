/** A session whose runs are executed by workers, which are separate processes of the built program. */
import { publicRow } from "../../source/engine/log/rows/row-notes.ts";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analyses } from "../../analyses/index.ts";
import { readLog } from "../../source/engine/log/file/log-reader.ts";
import { SessionFolder } from "../../source/engine/session/session-folder.ts";
import { openSettings } from "../../source/engine/settings/settings.ts";
import type { Event, Row } from "../../source/engine/types.ts";
import { SessionWorkbench } from "../../source/engine/workbench/session-workbench.ts";
import type { RunState } from "../../source/engine/workbench/workbench.ts";
import { WorkersElsewhere } from "../../source/workers/workers-elsewhere.ts";
import { suites } from "../../suites/index.ts";
import { heldModels, type HeldModels } from "../held-models.ts";
import { builtProgram } from "../built-program.ts";

export type Started = {
  readonly process: ChildProcess;
  /** Output so far. */
  readonly printed: { readonly out: string; readonly err: string };
  /** Resolves to the exit status; null if the process was killed. */
  readonly ended: Promise<number | null>;
};

export class WorkedSession implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "planwright-worked-"));
  readonly #open = new Set<SessionWorkbench>();
  readonly #programs: ChildProcess[] = [];

  constructor() {
    // Workers compare their hash with this process, which knows the build's only if it exists when the hash is first computed.
    builtProgram();
  }

  /** Writes a document, with these files beside it. */
  write(name: string, text: string, files: Readonly<Record<string, string>> = {}): void {
    new SessionFolder(join(this.folder, name)).write(text);
    for (const [file, content] of Object.entries(files)) writeFileSync(join(this.folder, name, file), content);
  }

  /** Opens a session whose runs are executed by the workers at `url`, or in this process. */
  async open(name: string, url?: string): Promise<SessionWorkbench> {
    const settings = await openSettings(join(this.folder, "settings"));
    const folder = new SessionFolder(join(this.folder, name));
    const elsewhere = new WorkersElsewhere(settings, folder.path, url);
    const workbench = new SessionWorkbench({ folder, suites, analyses, settings, elsewhere });
    this.#open.add(workbench);
    return workbench;
  }

  /** Models whose replies are released by the test; the session and the workers know them as `held`. */
  held(name: string): Promise<HeldModels> {
    const session = join(this.folder, name);
    return heldModels(this.folder, { concurrency: 100, session, known: ["settings", "worker-settings"] });
  }

  /** Starts the built program with the settings of the session. */
  start(...args: readonly string[]): Started {
    return this.#start("settings", args);
  }

  /**
   * Starts a worker with its own settings. The default lock is longer than any test, because on a busy machine the worker would
   * lose a running task to another worker, which would ask again.
   */
  worker(url: string, ...args: readonly string[]): Started {
    return this.workerOf(builtProgram(), url, ...args);
  }

  /** Starts a worker of another build, whose first file is `entry`. */
  workerOf(entry: string, url: string, ...args: readonly string[]): Started {
    const all = ["worker", url, "--concurrency", "4", "--lock", "3000", ...args];
    return this.#start("worker-settings", all, entry);
  }

  #start(settings: string, args: readonly string[], entry = builtProgram()): Started {
    const child = spawn(process.execPath, [entry, ...args], {
      cwd: this.folder,
      env: { ...process.env, PLANWRIGHT_CONFIG_DIR: join(this.folder, settings) },
    });
    const printed = { out: "", err: "" };
    child.stdout.on("data", (data: Buffer) => (printed.out += data.toString()));
    child.stderr.on("data", (data: Buffer) => (printed.err += data.toString()));
    this.#programs.push(child);
    return { process: child, printed, ended: once(child, "close").then(([status]) => status as number | null) };
  }

  events(name: string, run: string): readonly Event[] {
    const events: Event[] = [];
    readLog(join(this.folder, name, "runs", run, "events.jsonl"), (event) => events.push(event));
    return events;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const workbench of this.#open) await workbench.close();
    for (const child of this.#programs)
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns the current state of the cell's only run. */
export function onlyRun(workbench: SessionWorkbench): RunState {
  workbench.refresh();
  const cell = workbench.cells().find(({ kind }) => kind === "run")!;
  const state = workbench.state(cell.id);
  if (state.kind !== "run" || state.runs.length !== 1) throw new Error("Expected a cell with one run");
  return state.runs[0]!;
}

/** Executes the session's run cells; resolves when they have ended. */
export async function execute(workbench: SessionWorkbench): Promise<void> {
  for (const { id, kind } of workbench.cells()) if (kind === "run") await workbench.run(id);
}

/** Returns the data behind figures: each task's score, failure and usage, but no times. */
export function results(workbench: SessionWorkbench): readonly unknown[] {
  const told = (row: Row) => {
    const { task, state, score, failure, counted, counts, facets } = publicRow(row);
    const { seconds: _, ...took } = counted;
    const { first_call: __, ...metrics } = score?.metrics ?? {};
    return { task, state, score: score && { ...score, metrics }, failure, took, counts, facets };
  };
  return [...workbench.rows(onlyRun(workbench).run)].map(told).sort((one, other) => (one.task < other.task ? -1 : 1));
}

/** Returns a run cell over the questions beside the document. */
export const cell = (...lines: readonly string[]): string =>
  ["```run main", "suite: own", "from: questions.jsonl", ...lines, "```", ""].join("\n");
/** A cell whose replies take a while, so that they can be watched and cut. */
export const slow = cell("model: builtin/oracle?pace=15");
/** A cell whose replies are released by the test. */
export const held = cell("model: held/oracle");

/** Returns questions that are each answered with ten words. */
export function questions(count: number): string {
  const words = (index: number) => Array.from({ length: 10 }, (_, word) => `word${index + word}`).join(" ");
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      id: `q${index}`,
      question: `Which ten words are number ${index}?`,
      answer: words(index),
      kind: index % 7,
    }),
  ).join("\n");
}

export const ended = ({ counts }: RunState): number => counts.right + counts.wrong + counts.unscored + counts.failed;
