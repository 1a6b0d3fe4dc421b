/**
 * The processes in the user's settings that provide their own tasks: one process for each run that uses it, while the run lasts.
 */
import { dirname, join } from "node:path";
import { Problem } from "../../problem.ts";
import type { AgentProgram, ProcessSource } from "../../protocol.ts";
import { modelSettings } from "../../run-settings.ts";
import type { SettingsStore } from "../../settings/settings.ts";
import { noSuchProgram, type UserProcess } from "../../settings/user-program.ts";
import { canonicalJson } from "../../text/json-record.ts";
import type { Json, Role, RunSpec } from "../../types.ts";
import { untilAborted } from "../../work/abort-listeners.ts";
import { identityOfProgram } from "../programs/program-identity.ts";
import type { ProgramPlace } from "../programs/started-program.ts";
import type { ServedProcess } from "./served-process.ts";

/** The process of one run. */
type Served = {
  process: Promise<ServedProcess> | undefined;
  /** Resolved when a place may have become free. */
  freed: PromiseWithResolvers<void>;
};

/** Returns the file with the tasks of a process, beside the settings. Throws `Problem` if settings cannot be saved. */
export function tasksFileOf(
  { path }: Pick<SettingsStore, "path">,
  { reported }: Pick<UserProcess, "reported">,
): string {
  if (path === "")
    throw new Problem(
      "tool",
      "Expected settings that can be saved, because the tasks of a process are saved next to the settings",
    );
  return join(dirname(path), "processes", `${reported.hash}.jsonl`);
}

export class Processes implements ProcessSource {
  readonly #settings: SettingsStore;
  readonly #place: ProgramPlace;
  readonly #check: (process: UserProcess) => void;
  readonly #served = new Map<string, Served>();

  /** `check` throws if a run may not use a process. */
  constructor(settings: SettingsStore, place: ProgramPlace, check: (process: UserProcess) => void) {
    this.#settings = settings;
    this.#place = place;
    this.#check = check;
  }

  identity = (name: string): string => identityOfProgram(this.#named(name));
  ownModels = (name: string): readonly string[] => this.#named(name).reported.models ?? [];
  atOnce = (name: string): number => this.#named(name).reported.atOnce;
  tasksFile = (name: string): string => tasksFileOf(this.#settings, this.#named(name));

  async open(name: string, task: string, spec: RunSpec, signal: AbortSignal): Promise<AgentProgram> {
    const process = this.#named(name);
    this.#check(process);
    const key = keyOf(name, spec);
    const served: Served = this.#served.get(key) ?? { process: undefined, freed: Promise.withResolvers() };
    this.#served.set(key, served);
    for (;;) {
      // A start is shared by all tasks that wait for it.
      const starting = (served.process ??= this.#start(process, served));
      const running = await untilAborted(starting, signal);
      if (running.hasRoom === true) return running.open(task, rolesOf(spec));
      if (running.hasRoom === false) await untilAborted(served.freed.promise, signal);
      else {
        await running.end();
        if (served.process === starting) served.process = undefined;
      }
    }
  }

  async ended(name: string, spec: RunSpec): Promise<void> {
    const key = keyOf(name, spec);
    const served = this.#served.get(key);
    this.#served.delete(key);
    await end(served);
  }

  async close(): Promise<void> {
    const all = [...this.#served.values()];
    this.#served.clear();
    await Promise.all(all.map(end));
  }

  #start(process: UserProcess, served: Served): Promise<ServedProcess> {
    const starting = started(process, this.#place, () => {
      served.freed.resolve();
      served.freed = Promise.withResolvers();
    });
    // The next task tries again.
    starting.catch(() => (served.process = undefined));
    return starting;
  }

  #named(name: string): UserProcess {
    const { processes = [] } = this.#settings.read();
    const process = processes.find((each) => each.name === name);
    if (process === undefined) throw new Problem("tool", noSuchProgram(processes, name, "a process"));
    return process;
  }
}

/**
 * Starts a process. Loads its server with the first process. Throws `Problem` if the process describes itself differently than in
 * its last test.
 */
async function started(process: UserProcess, place: ProgramPlace, freed: () => void): Promise<ServedProcess> {
  const { ServedProcess: Served } = await import("./served-process.ts");
  const running = await Served.start(process, place, freed);
  const { tasks: _, hash: __, ...reported } = process.reported;
  if (canonicalJson(running.hello as Json) === canonicalJson(reported as Json)) return running;
  await running.end();
  throw new Problem(
    "tool",
    `The process \`${process.name}\` has changed since its last test: \`planwright processes test ${process.name}\` accepts the change, and new results then belong to other runs`,
  );
}

const end = async (served: Served | undefined): Promise<void> =>
  served?.process?.then((process) => process.end()).catch(() => {});

const keyOf = (name: string, spec: RunSpec): string => canonicalJson([name, spec as unknown as Json]);

/** Roles that have a model in this run: actor and user fall back on the run's. */
const rolesOf = (spec: RunSpec): readonly Role[] =>
  modelSettings.filter((role) => ["model", "actor", "user"].includes(role) || spec[role] !== undefined);
