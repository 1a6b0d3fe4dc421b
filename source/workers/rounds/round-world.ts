/** All that a worker needs to execute the tasks of one round: its own data, endpoints and programs, and the round's files. */
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { makeFolder } from "../../engine/files/make-folder.ts";
import { pathInside } from "../../engine/files/inside.ts";
import { replaceFile } from "../../engine/files/replace-file.ts";
import type { EndpointLimits } from "../../engine/models/limits/limiter.ts";
import { type Models, splitName } from "../../engine/models/models.ts";
import { Meter } from "../../engine/run/budget.ts";
import { CachedReplies } from "../../engine/run/cached-replies.ts";
import type { Execution } from "../../engine/run/execute-task.ts";
import { Agents } from "../../engine/run/agents/agents.ts";
import { Processes } from "../../engine/run/agents/processes.ts";
import { programIdentities } from "../../engine/run/programs/program-identity.ts";
import { notesOfPrograms } from "../../engine/run/programs/program-note.ts";
import { dataTask } from "../../engine/run/fork-point.ts";
import { roleModels } from "../../engine/run/run-models.ts";
import { ToolServers } from "../../engine/run/tool-servers/tool-servers.ts";
import { codeOfRun } from "../../engine/session/run-spec.ts";
import { familyName } from "../../engine/session/file-suite.ts";
import { SessionFolder } from "../../engine/session/session-folder.ts";
import type { SettingsStore } from "../../engine/settings/settings.ts";
import type { Suite } from "../../engine/suite.ts";
import type { Model, Price, RunSpec, Task } from "../../engine/types.ts";
import { machineClock } from "../../engine/work/clock.ts";
import { changedTask } from "../../engine/work/whole-of.ts";
import { LoadedSuites, type OwnParts } from "../../engine/workbench/document/loaded-suites.ts";
import { sessionClusterModels, sessionModels } from "../../engine/workbench/document/session-models.ts";
import type { Manifest } from "../manifest.ts";
import { RoundFolder } from "./round-folder.ts";
import { endpointKey } from "../shared-limits.ts";

/** The parts of a worker that all rounds share. */
export type WorkerParts = {
  readonly suites: readonly Suite[];
  readonly own?: OwnParts | undefined;
  /** The address of its Redis. */
  readonly url: string;
  readonly settings: SettingsStore;
  /** Shared by all rounds. */
  readonly limits: EndpointLimits;
};

/** Returns how to start a worker with the code of a run. */
function howToStart(url: string, { code }: Pick<RunSpec, "code">, { codeFiles = ["FILE"] }: Manifest): string {
  const word = (name: string) => (/^[\w.+-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);
  if (code === undefined) return `start the worker without files: \`planwright worker ${url}\``;
  const flags = codeFiles.map((name) => ` --with ${word(name)}`).join("");
  return `copy the notebook's files to the worker's machine, check them, and run \`planwright worker ${url}${flags}\``;
}

/** `files`: contents by path in the session's folder. */
export type RoundFiles = Readonly<Record<string, Buffer>>;

export class RoundWorld {
  readonly models: Models;
  readonly #parts: WorkerParts;
  readonly #manifest: Manifest;
  readonly #folder = new RoundFolder();
  /** The folder with the files; removed on close. */
  readonly folder = this.#folder.files;
  readonly #loadedSuites: LoadedSuites;
  readonly #toolServers: ToolServers;
  readonly #agents: Agents;
  readonly #processes: Processes;
  #tasks: ReadonlyMap<string, Task> | undefined;
  /** Programs and data that the settings named when `refusal` was called. */
  #named: unknown;

  /** Throws `Problem` if a file would be outside the folder. */
  constructor(manifest: Manifest, files: RoundFiles, parts: WorkerParts) {
    const { settings, suites, own, limits } = parts;
    this.#parts = parts;
    this.#manifest = manifest;
    try {
      this.#write(files);
    } catch (error) {
      this.#folder.remove();
      throw error;
    }
    const folder = new SessionFolder(this.folder);
    const place = { notes: notesOfPrograms(settings), clock: machineClock };
    // The user who started the worker named them in its settings, which no session can change.
    const allowed = () => {};
    this.#toolServers = new ToolServers(() => settings.read(), place, allowed);
    this.#agents = new Agents(() => settings.read(), place, allowed);
    this.#processes = new Processes(settings, place, allowed);
    this.#loadedSuites = new LoadedSuites(suites, () => settings.read(), {
      session: this.folder,
      toolSources: this.#toolServers,
      processes: this.#processes,
      clusterModels: () => sessionClusterModels(this.models, settings, folder),
      ...(settings.path !== "" && { identities: join(dirname(settings.path), "data-identities.json") }),
      ...own,
    });
    this.models = sessionModels(this.#loadedSuites, settings, folder, limits);
  }

  #write(files: RoundFiles): void {
    for (const [path, content] of Object.entries(files)) {
      const place = pathInside(path, new Map([[this.folder, "the folder of the round"]]));
      makeFolder(dirname(place));
      replaceFile(place, content, { durable: false });
    }
  }

  /** Returns why this worker cannot take part; undefined if it can. */
  async refusal(): Promise<string | undefined> {
    const { spec, toolkits } = this.#manifest;
    this.#named = this.#whatIsNamed();
    try {
      const difference = this.#difference(spec);
      // Finds unreadable data before the first task.
      if (difference !== undefined) return difference;
      const tasks = await this.#loadedSuites.tasks(spec.suite, spec.data, spec.split);
      const loaded = await this.#loadedSuites.open(spec.suite, spec.data);
      await loaded.toolkits?.take(spec, tasks, toolkits);
      return undefined;
    } catch (error) {
      // For example because a suite, a data set or a program is missing.
      return (error as Error).message;
    }
  }

  #difference(spec: RunSpec): string | undefined {
    const others = `the worker's \`--with\` files differ from the run's files: ${howToStart(this.#parts.url, spec, this.#manifest)}`;
    const family = familyName(spec.suite);
    if (spec.code?.["suite"] !== undefined && !this.#parts.suites.some(({ name }) => name === family)) return others;
    const suite = this.#loadedSuites.suite(spec.suite);
    const strategy = suite.strategies.find(({ name }) => name === spec.strategy);
    const { own, settings } = this.#parts;
    const code = own?.code && codeOfRun(own.code, spec, suite);
    if (!isDeepStrictEqual(code, spec.code)) return others;
    if (strategy === undefined) return `the worker has no strategy \`${spec.strategy}\` for \`${spec.suite}\``;
    if (suite.revision !== spec.suiteRevision) return `the worker has another revision of suite \`${spec.suite}\``;
    if (strategy.revision !== spec.strategyRevision)
      return `the worker has another revision of strategy \`${spec.strategy}\``;
    const dataset = this.#loadedSuites.dataset(spec.suite, spec.data);
    this.#loadedSuites.folder(spec.suite, spec.data);
    if (dataset !== spec.dataset) return `the worker's data for \`${spec.suite}\` differ from the run's data`;
    const { toolServers, agents } = programIdentities(settings.read());
    for (const [name, identity] of Object.entries(spec.toolServers ?? {}))
      if (own?.code?.environments.has(name) !== true && toolServers.get(name) !== identity)
        return `the worker's settings do not define the tool server \`${name}\` as the run does`;
    const agent = String(spec.options["agent"] ?? "");
    if (spec.agent !== undefined && agents.get(agent) !== spec.agent)
      return `the worker's settings do not define the agent \`${agent}\` as the run does`;
    return roleModels(spec).flatMap((name) => this.models.problem(name) ?? [])[0];
  }

  /** Returns the keys under which the limits of its models' endpoints are shared. */
  limits(): readonly string[] {
    const settings = this.#parts.settings.read();
    const asked = roleModels(this.#manifest.spec).filter((name) => !name.startsWith("builtin/"));
    return asked.map((name) => endpointKey(splitName(name, settings).endpoint));
  }

  /** Returns whether the settings, the programs they name, or the data have changed since `refusal` was called. */
  hasChanged(): boolean {
    return !isDeepStrictEqual(this.#whatIsNamed(), this.#named) || this.#loadedSuites.haveChanged();
  }
  #whatIsNamed() {
    const settings = this.#parts.settings.read();
    return { settings, programs: programIdentities(settings) };
  }

  /** Returns a task with all inputs of its execution. Throws `Problem` if the task does not exist. */
  async execution(task: string): Promise<{ readonly task: Task; readonly execution: Execution }> {
    const { spec, cache, prices } = this.#manifest;
    const loaded = await this.#loadedSuites.open(spec.suite, spec.data);
    const pool = await this.#loadedSuites.tasks(spec.suite, spec.data, spec.split);
    this.#tasks ??= new Map(pool.map((each) => [each.id, each]));
    const execution: Execution = {
      spec,
      loaded,
      pool,
      strategy: this.#strategy(spec),
      // A cost limit of a task must stop it at the same request on every worker.
      model: (name) => withPrice(this.models.model(name), prices[name]),
      // The coordinator checks the limits of the run.
      runMeter: new Meter(undefined, "run"),
      agent: this.#agents.open,
      ...(cache && { cache: this.#cache() }),
    };
    const id = dataTask(spec, task);
    const found = this.#tasks.get(id) ?? (await this.#loadedSuites.task(spec.suite, spec.data, spec.split, id));
    return { task: changedTask(found, { id: task }), execution };
  }

  #strategy(spec: RunSpec) {
    return this.#loadedSuites.suite(spec.suite).strategies.find(({ name }) => name === spec.strategy)!;
  }

  #cache(): CachedReplies {
    const { path } = this.#parts.settings;
    return new CachedReplies(join(path === "" ? this.folder : dirname(path), "replies"));
  }

  async close(): Promise<void> {
    const programs = [this.#toolServers, this.#agents, this.#processes];
    await Promise.allSettled([...programs.map((each) => each.close()), this.#loadedSuites.close()]);
    this.#folder.remove();
  }
}

function withPrice(model: Model, price: Price | undefined): Model {
  const { price: _, ...unpriced } = model;
  return price === undefined ? unpriced : { ...unpriced, price };
}
