/** Suites bound to their data, opened when first needed and kept: the published data where it is installed, else the sample. */
import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { ClusterModels } from "../../clusters.ts";
import { DatasetIdentities } from "./dataset.ts";
import { pathInside } from "../../files/inside.ts";
import { fileSuite, ownData, ownName } from "../../session/file-suite.ts";
import { sampleOf } from "../../settings/package-folder.ts";
import { Problem } from "../../problem.ts";
import type { OwnCode } from "../../session/run-spec.ts";
import type { CellContext } from "../../session/run-cell.ts";
import type { EnvironmentSource, ToolSources } from "../../protocol.ts";
import { type ProgramIdentities, programIdentities } from "../../run/programs/program-identity.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Suite, Suites } from "../../suite.ts";
import { DataProblem } from "../../text/json-lines.ts";
import { type LoadedSuite, viewOf, type TaskView } from "../../loaded-suite.ts";
import type { RunSpec, Task, Json } from "../../types.ts";

/** What the user's own code brings beside suites and analyses: environments, by name, and which of all is its code. */
export type OwnParts = {
  readonly environments?: Readonly<Record<string, EnvironmentSource>>;
  readonly code?: OwnCode;
};

/** What suites are opened with beside the settings. */
type SuiteResources = OwnParts & {
  /** What tools may be grouped with, asked for when the first suite is opened. */
  readonly clusterModels?: () => Promise<ClusterModels>;
  /** The file in which the identities of data folders are kept. */
  readonly identities?: string | undefined;
  /** The folder of the session, in which users have files of their own. */
  readonly session?: string;
  /** Where the tools come from that runs name. */
  readonly toolSources?: ToolSources;
};

type Data = RunSpec["data"];

export class LoadedSuites implements Suites {
  readonly suites: readonly Suite[];
  readonly #settings: () => Settings;
  readonly #open = new Map<string, Promise<LoadedSuite>>();
  readonly #tasks = new Map<string, Promise<readonly Task[]>>();
  readonly #byId = new Map<string, Promise<ReadonlyMap<string, Task>>>();

  readonly #session: string | undefined;
  /** Suites of files in the session, by name. */
  readonly #ofFiles = new Map<string, Suite>();
  readonly #clusterModels: (() => Promise<ClusterModels>) | undefined;
  readonly #own: SuiteResources;
  readonly #identities: DatasetIdentities;
  /** The programs of the user's as they were when the first of the runs was planned that are not planned anew yet. */
  #programs: ProgramIdentities | undefined;
  /** The data set that the first of such runs was planned with, by suite and data. */
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

  /** Throws where no suite has this name. `own/FILE` is the suite of a file in the session. */
  suite(name: string): Suite {
    const suite = this.suites.find((each) => each.name === name) ?? this.#ofFile(name);
    if (suite !== undefined) return suite;
    const names = this.suites.map((each) => each.name).join(", ");
    throw new Problem("tool", `Expected a suite (${names}), got \`${name}\``);
  }

  #ofFile(name: string): Suite | undefined {
    const known = this.#ofFiles.get(name);
    if (known !== undefined) return known;
    const { family, file } = fileSuite(name, this.suites);
    if (family?.ofFile === undefined || this.#session === undefined) return undefined;
    const suite = family.ofFile(this.#pathOf(file), file);
    this.#ofFiles.set(name, suite);
    return suite;
  }
  #pathOf(file: string): string {
    return pathInside(file, new Map([[this.#session!, "the folder of the session"]]));
  }

  /** Facets of a suite; none where it is that of a file that is not there, or cannot be read. */
  facetsOf(name: string): Suite["facets"] {
    try {
      return this.suite(name).facets;
    } catch (error) {
      if (error instanceof DataProblem || error instanceof Problem) return [];
      throw error;
    }
  }

  /** What there is for a suite; the first is the default. */
  dataOf(suite: string): readonly Data[] {
    if (this.suites.some(({ name, identity }) => name === suite && identity !== undefined)) return ["own"];
    if (this.suites.some(({ name, ofFile }) => ofFile !== undefined && suite.startsWith(`${name}/`))) return ["own"];
    const folder = this.#settings().data[suite];
    const own = this.#ownDataOf(suite).map(ownData);
    return folder !== undefined && existsSync(folder) ? ["published", "sample", ...own] : ["sample", ...own];
  }

  /** Names of data of the user's own in a suite's layout. */
  #ownDataOf(suite: string): readonly string[] {
    return Object.keys(this.#settings().ownData?.[suite] ?? {});
  }

  /** What run cells are read with. */
  cellContext(): CellContext {
    const defaultData = (suite: string) => this.dataOf(suite)[0]!;
    return {
      suites: this.suites,
      suite: (name) => this.suite(name),
      defaultData,
      dataset: (suite, data) => this.dataset(suite, data),
      ownData: (suite) => this.#ownDataOf(suite),
      programs: () => {
        const identities = programIdentities(this.#settings());
        this.#programs ??= identities;
        // Environments of the user's own are tools, too; what they are is their code, which is part of the run for itself.
        const environments = [...(this.#own.code?.environments.keys() ?? [])].map(
          (name) => [name, "environment"] as const,
        );
        return { ...identities, toolServers: new Map([...identities.toolServers, ...environments]) };
      },
      ...(this.#own.code && { code: this.#own.code }),
    };
  }

  /** What tells these tasks from others of the suite, as their files are now; undefined for those 0.1.0 knew. */
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
  /** What was identified in this turn of the event loop: a notebook may plan thousands of runs at once. */
  readonly #seen = new Map<string, string | undefined>();

  #identify(name: string, data: Data): string | undefined {
    const suite = this.suites.find((each) => each.name === name);
    if (suite?.identity !== undefined) return suite.identity();
    if (data === "own") return this.#identities.ofFile(this.#pathOf(fileSuite(name, this.suites).file));
    const folder = data === "sample" ? sampleOf(suite ?? { name }) : this.#installed(name, data);
    if (suite === undefined || folder === undefined || !existsSync(folder)) return undefined;
    if (ownName(data) !== undefined) return this.#identities.ofFolder(folder);
    const isOwn = this.#own.code?.suites.has(name) === true;
    return isOwn ? this.#identities.ofOwn(suite, data, folder) : this.#identities.of(suite, data, folder);
  }

  /** What the programs of the user's were for the runs that are planned; undefined where none was asked for. */
  get programs(): ProgramIdentities | undefined {
    return this.#programs;
  }

  /** Whether files, or programs that runs name, have changed since runs were planned: what is open then has to be closed. */
  haveChanged(): boolean {
    if (this.#programs !== undefined && !isDeepStrictEqual(programIdentities(this.#settings()), this.#programs))
      return true;
    return [...this.#planned.values()].some(({ suite, data, dataset }) => this.#identify(suite, data) !== dataset);
  }

  /** Throws where the published data is not installed, saying how to bring it in. */
  folder(suite: string, data: Data): string {
    if (data === "sample") return sampleOf(this.suites.find(({ name }) => name === suite) ?? { name: suite });
    if (data === "own") return this.#session!;
    const folder = this.#installed(suite, data);
    if (folder !== undefined && existsSync(folder)) return folder;
    const own = ownName(data);
    if (own !== undefined)
      throw new Problem(
        "tool",
        `There are no data \`${own}\` of your own for \`${suite}\`; bring them in with \`planwright data add ${suite} --own ${own} --from DIR\``,
      );
    throw new Problem(
      "tool",
      `The published data of \`${suite}\` is not installed; bring it in with \`planwright data add ${suite} --from DIR\``,
    );
  }

  #installed(suite: string, data: Data): string | undefined {
    const own = ownName(data);
    const { data: published, ownData: all = {} } = this.#settings();
    const named = all[suite] ?? {};
    return own === undefined ? published[suite] : Object.hasOwn(named, own) ? named[own] : undefined;
  }

  open(suite: string, data: Data): Promise<LoadedSuite> {
    return kept(this.#open, `${suite} ${data}`, async () => {
      const folder = this.folder(suite, data);
      const clusterModels = await this.#clusterModels?.();
      const { environments, toolSources } = this.#own;
      return this.suite(suite).open({
        folder,
        data,
        ...(clusterModels && { clusterModels }),
        ...(environments && { environments }),
        ...(toolSources && { toolSources }),
      });
    });
  }

  /** The tasks of a split, in file order. */
  tasks(suite: string, data: Data, split: string): Promise<readonly Task[]> {
    return kept(this.#tasks, `${suite} ${data} ${split}`, async () => (await this.open(suite, data)).tasks(split));
  }

  /** Throws where the split has no such task. */
  async task(suite: string, data: Data, split: string, id: string): Promise<Task> {
    const byId = await kept(this.#byId, `${suite} ${data} ${split}`, async () => {
      const tasks = await this.tasks(suite, data, split);
      return new Map(tasks.map((task) => [task.id, task]));
    });
    const task = byId.get(id);
    if (task === undefined)
      throw new Problem("tool", `Expected split \`${split}\` of \`${suite}\` to have a task \`${id}\`, found none`);
    return task;
  }

  /** Forgets what is open, for instance after data was brought in. */
  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#programs = undefined;
    for (const map of [this.#open, this.#tasks, this.#byId, this.#planned, this.#ofFiles]) map.clear();
    for (const loaded of open) await loaded.then((each) => each.close?.()).catch(() => {});
  }
}

/** A promise that failed is not kept: the next call tries again. */
function kept<Value>(map: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>): Promise<Value> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  made.catch(() => map.delete(key));
  return made;
}

/** The plan in the answer to a task beside its reference; undefined where the task is no longer in the data. */
export async function taskView(
  { suite, data, split }: RunSpec,
  loadedSuites: LoadedSuites,
  task: string,
  answer: Json | undefined,
): Promise<TaskView | undefined> {
  const loaded = await loadedSuites.open(suite, data);
  const found = await loadedSuites.task(suite, data, split, answeredTask(task)).catch(() => undefined);
  return found === undefined ? undefined : viewOf(loaded, found, answer);
}

/** The id of the task an answer is to: several answers to one task are distinguished by a number. */
export const answeredTask = (id: string): string => id.replace(/ \(\d+\)$/, "");
