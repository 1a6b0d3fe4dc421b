/** Opens suites with their data on first use and keeps them open: the published data if installed, otherwise the sample. */
import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { ClusterModels } from "../../clusters.ts";
import { DatasetIdentities } from "./dataset.ts";
import { pathInside } from "../../files/inside.ts";
import { readTextFile } from "../../session/fields/text-file.ts";
import { dataTask } from "../../run/fork-point.ts";
import { fileSuite, ownData, ownName } from "../../session/file-suite.ts";
import { scannedRun, scanSuite } from "../scanning/scan-suite.ts";
import { sampleOf } from "../../settings/package-folder.ts";
import { Problem } from "../../problem.ts";
import { variedTask } from "../../settings/varied.ts";
import type { OwnCode } from "../../session/run-spec.ts";
import type { CellContext } from "../../session/run-cell.ts";
import type { EnvironmentSource, ProcessSource, ToolSources } from "../../protocol.ts";
import { type ProgramIdentities, programIdentities } from "../../run/programs/program-identity.ts";
import type { Settings } from "../../settings/settings.ts";
import type { StandIn, Suite, Suites } from "../../suite.ts";
import { DataProblem } from "../../text/json-lines.ts";
import { type LoadedSuite, viewOf, type TaskView } from "../../loaded-suite.ts";
import type { RunSpec, Task, Json, ToolCall } from "../../types.ts";
import { keptPromise } from "../../work/kept-promise.ts";

/**
 * Additions of the user's own code besides suites and analyses: environments by name, and which of all definitions are its own.
 */
export type OwnParts = {
  readonly environments?: Readonly<Record<string, EnvironmentSource>>;
  readonly code?: OwnCode;
  readonly notebook?: NotebookCode;
};

/** The files of code that a notebook names in its front matter. */
export type NotebookCode = {
  readonly files: readonly string[];
  /**
   * Present if the files of code are not loaded: the reason, with how to allow them, and the hashes of the code with which runs
   * were made.
   */
  readonly unloaded?: { readonly why: string; readonly hashes: ReadonlySet<string> };
};

/** Dependencies with which suites are opened, besides the settings. */
type SuiteResources = OwnParts & {
  /** Groups tools; requested when the first suite is opened. */
  readonly clusterModels?: () => Promise<ClusterModels>;
  /** The cache file for identities of data folders. */
  readonly identities?: string | undefined;
  /** The folder of the session, which contains the user's own files. */
  readonly session?: string;
  /** Provides the tools that runs name. */
  readonly toolSources?: ToolSources;
  /** The user's processes that bring tasks. */
  readonly processes?: ProcessSource;
};

type Data = RunSpec["data"];

export class LoadedSuites implements Suites {
  readonly suites: readonly Suite[];
  readonly #settings: () => Settings;
  readonly #open = new Map<string, Promise<LoadedSuite>>();
  readonly #tasks = new Map<string, Promise<readonly Task[]>>();
  readonly #byId = new Map<string, Promise<ReadonlyMap<string, Task>>>();

  readonly #session: string | undefined;
  /** Suites made from files, by name and path, because the file with a process's tasks may move. */
  readonly #ofFiles = new Map<string, Suite>();
  readonly #clusterModels: (() => Promise<ClusterModels>) | undefined;
  readonly #own: SuiteResources;
  readonly #identities: DatasetIdentities;
  /** The user's programs at the time when the runs were planned; undefined if no run uses one. */
  programs: ProgramIdentities | undefined;
  /** The data set of the oldest of the current plans, by suite and data. */
  readonly #planned = new Map<
    string,
    { readonly suite: string; readonly data: Data; readonly dataset: string | undefined }
  >();

  constructor(suites: readonly Suite[], settings: () => Settings, resources: SuiteResources = {}) {
    this.suites = suites;
    this.#settings = settings;
    this.#own = resources;
    this.#session = resources.session;
    this.#clusterModels = resources.clusterModels;
    this.#identities = new DatasetIdentities(resources.identities);
  }

  /** Throws if no suite has this name. `own/FILE` is the suite of a file in the session. */
  suite(name: string): Suite {
    const suite = this.suites.find((each) => each.name === name) ?? this.#ofFile(name);
    if (suite !== undefined) return suite;
    const names = this.suites.map((each) => each.name).join(", ");
    throw new Problem("tool", `Expected a suite (${names}), got \`${name}\``);
  }

  #ofFile(name: string): Suite | undefined {
    const scanned = scannedRun(name);
    if (scanned !== undefined && this.#session !== undefined) return this.#scan(name, scanned, this.#session);
    const { family, file } = fileSuite(name, this.suites);
    if (family?.ofFile === undefined || this.#session === undefined) return undefined;
    const { processes } = this.#own;
    const path = family.tasksFrom === "process" ? processes?.tasksFile(file) : this.#pathOf(file);
    if (path === undefined) return undefined;
    const known = this.#ofFiles.get(`${name} ${path}`);
    if (known !== undefined) return known;
    const suite = family.ofFile(path, file, processes);
    this.#ofFiles.set(`${name} ${path}`, suite);
    return suite;
  }
  #scan(name: string, run: string, session: string): Suite {
    const known = this.#ofFiles.get(name);
    if (known !== undefined) return known;
    const suite = scanSuite(run, session) as unknown as Suite;
    this.#ofFiles.set(name, suite);
    return suite;
  }
  #pathOf(file: string): string {
    return pathInside(file, new Map([[this.#session!, "the folder of the session"]]));
  }

  /**
   * Returns a promise that resolves once a thread has read the large file of a suite, and never rejects; undefined if there is nothing
   * to wait for.
   */
  reading(name: string): Promise<unknown> | undefined {
    const { family, file } = fileSuite(name, this.suites);
    const read = this.#ofFile(name)?.reading?.();
    // Whoever needs the file reports why it cannot be read.
    const identified = () => family?.tasksFrom === undefined && this.#identities.readFile(this.#pathOf(file));
    return read && Promise.allSettled([read, identified()]);
  }

  /** Returns the facets of a suite; empty if its file is missing or unreadable. */
  facetsOf(name: string): Suite["facets"] {
    try {
      return this.suite(name).facets;
    } catch (error) {
      if (error instanceof DataProblem || error instanceof Problem) return [];
      throw error;
    }
  }

  /** Returns the available data of a suite; the first entry is the default. */
  dataOf(suite: string): readonly Data[] {
    if (this.suites.some(({ name, identity }) => name === suite && identity !== undefined)) return ["own"];
    if (scannedRun(suite) !== undefined) return ["own"];
    if (this.suites.some(({ name, ofFile }) => ofFile !== undefined && suite.startsWith(`${name}/`))) return ["own"];
    const folder = this.#settings().data[suite];
    const own = this.#ownDataOf(suite).map(ownData);
    return folder !== undefined && existsSync(folder) ? ["published", "sample", ...own] : ["sample", ...own];
  }

  /** Returns the names of the user's own data in a suite's layout. */
  #ownDataOf(suite: string): readonly string[] {
    return Object.keys(this.#settings().ownData?.[suite] ?? {});
  }

  /** The context in which run cells are read. */
  cellContext(): CellContext {
    const session = this.#session;
    const defaultData = (suite: string) => this.dataOf(suite)[0]!;
    return {
      suites: this.suites,
      suite: (name) => this.suite(name),
      ...(session !== undefined && { text: (file: string) => readTextFile(file, session) }),
      defaultData,
      dataset: (suite, data) => this.dataset(suite, data),
      standIn: (spec) => this.#standIn(spec),
      ownData: (suite) => this.#ownDataOf(suite),
      programs: () => {
        const identities = programIdentities(this.#settings());
        this.programs ??= identities;
        // Environments of the user's own also count as tools; their identity is their code, which is a separate part of the run.
        const environments = [...(this.#own.code?.environments.keys() ?? [])].map(
          (name) => [name, "environment"] as const,
        );
        return { ...identities, toolServers: new Map([...identities.toolServers, ...environments]) };
      },
      ...(this.#own.code && { code: this.#own.code }),
      unloaded: this.#own.notebook?.unloaded?.why,
    };
  }

  #standIn(spec: RunSpec): StandIn | undefined {
    if (spec.data !== "published") return undefined;
    const suite = this.suites.find(({ name }) => name === spec.suite);
    return suite?.standIn?.(spec, this.folder(spec.suite, spec.data));
  }

  /**
   * Returns an identifier of these tasks by the current files; undefined for data that version 0.1.0 identified without files.
   */
  dataset(suite: string, data: Data): string | undefined {
    const key = `${suite} ${data}`;
    if (!this.#seen.has(key)) {
      if (this.#seen.size === 0) queueMicrotask(() => this.#seen.clear());
      this.#seen.set(key, this.#identify(suite, data));
    }
    const dataset = this.#seen.get(key);
    if (!this.#planned.has(key)) this.#planned.set(key, { suite, data, dataset });
    return dataset;
  }
  /** Identities computed in this turn of the event loop, because a notebook may plan thousands of runs at once. */
  readonly #seen = new Map<string, string | undefined>();

  #identify(name: string, data: Data): string | undefined {
    // The name is that of a run, which is the hash of its settings.
    if (scannedRun(name) !== undefined) return undefined;
    const suite = this.suites.find((each) => each.name === name);
    const identity = (suite ?? this.#ofFile(name))?.identity;
    if (identity !== undefined) return identity();
    if (data === "own") return this.#identities.ofFile(this.#pathOf(fileSuite(name, this.suites).file));
    const folder = data === "sample" ? sampleOf(suite ?? { name }) : this.#installed(name, data);
    if (suite === undefined || folder === undefined || !existsSync(folder)) return undefined;
    if (ownName(data) !== undefined) return this.#identities.ofFolder(folder);
    const isOwn = this.#own.code?.suites.has(name) === true;
    return isOwn ? this.#identities.ofOwn(suite, data, folder) : this.#identities.of(suite, data, folder);
  }

  /** Returns stamps that identify the files of a suite's data without reading them. `dataset` alone identifies the user's data. */
  dataStamps(suite: string, data: Data): string {
    return data === "own" ? "" : this.#identities.stampsIn(this.folder(suite, data));
  }

  /** Returns true if files or programs of runs have changed since the runs were planned; open suites must then be closed. */
  haveChanged(): boolean {
    if (this.programs !== undefined && !isDeepStrictEqual(programIdentities(this.#settings()), this.programs))
      return true;
    return [...this.#planned.values()].some(({ suite, data, dataset }) => this.#identify(suite, data) !== dataset);
  }

  /** Throws if the published data are not installed, with the command that installs them. */
  folder(suite: string, data: Data): string {
    if (data === "sample") return sampleOf(this.suites.find(({ name }) => name === suite) ?? { name: suite });
    if (data === "own") return this.#session!;
    const folder = this.#installed(suite, data);
    if (folder !== undefined && existsSync(folder)) return folder;
    const own = ownName(data);
    if (own !== undefined)
      throw new Problem(
        "tool",
        `You have no data \`${own}\` for \`${suite}\`; add them with \`planwright data add ${suite} --own ${own} --from DIR\``,
      );
    throw new Problem(
      "tool",
      `The published data of \`${suite}\` are not installed; install them with \`planwright data add ${suite} --from DIR\``,
    );
  }

  #installed(suite: string, data: Data): string | undefined {
    const own = ownName(data);
    const { data: published, ownData: all = {} } = this.#settings();
    const named = all[suite] ?? {};
    return own === undefined ? published[suite] : Object.hasOwn(named, own) ? named[own] : undefined;
  }

  open(suite: string, data: Data): Promise<LoadedSuite> {
    return keptPromise(this.#open, `${suite} ${data}`, async () => {
      const folder = this.folder(suite, data);
      const clusterModels = await this.#clusterModels?.();
      const { environments, toolSources } = this.#own;
      return this.suite(suite).open({ folder, data, clusterModels, environments, toolSources });
    });
  }

  /** Returns the tasks of a split, in file order. */
  tasks(suite: string, data: Data, split: string): Promise<readonly Task[]> {
    return keptPromise(this.#tasks, `${suite} ${data} ${split}`, async () =>
      (await this.open(suite, data)).tasks(split),
    );
  }

  /** Throws if the split does not contain the task. */
  async task(suite: string, data: Data, split: string, id: string): Promise<Task> {
    const byId = await keptPromise(this.#byId, `${suite} ${data} ${split}`, async () => {
      const tasks = await this.tasks(suite, data, split);
      return new Map(tasks.map((task) => [task.id, task]));
    });
    const task = byId.get(id);
    if (task === undefined)
      throw new Problem("tool", `Expected split \`${split}\` of \`${suite}\` to have a task \`${id}\`, found none`);
    return task;
  }

  /** Closes the open suites, for example after data were installed. */
  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.programs = undefined;
    for (const map of [this.#open, this.#tasks, this.#byId, this.#planned, this.#ofFiles]) map.clear();
    for (const loaded of open) await loaded.then((each) => each.close?.()).catch(() => {});
  }
}

/** Returns the plan in an answer next to its reference; undefined if the data no longer contain the task. */
export async function taskView(
  spec: RunSpec,
  loadedSuites: LoadedSuites,
  task: string,
  { answer, calls }: { readonly answer: Json | undefined; readonly calls: readonly ToolCall[] | undefined },
): Promise<TaskView | undefined> {
  const { suite, data, split } = spec;
  const loaded = await loadedSuites.open(suite, data);
  const found = await loadedSuites
    .task(suite, data, split, dataTask(spec, answeredTask(task)))
    .then((own) => variedTask(loaded, spec, own))
    .catch(() => undefined);
  return found === undefined ? undefined : viewOf(loaded, found, answer, calls);
}

/** Returns the task id of an answer; several answers to one task are distinguished by a number. */
export const answeredTask = (id: string): string => id.replace(/ \(\d+\)$/, "");
