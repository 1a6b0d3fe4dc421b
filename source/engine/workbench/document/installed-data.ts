/** Installs published and generated tasks into the data folder of a suite and keeps the user's own files in it. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { FolderLock } from "../../files/folder-lock.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { manifestFile } from "../../files/manifest.ts";
import { isUnfinished, mendFolder, replaceFolder, type Kept } from "../../files/replace-folder.ts";
import { bringBack, leftBehind } from "../../migration/installed-data.ts";
import { Problem } from "../../problem.ts";
import { type Settings, type SettingsStore, SettingsProblem } from "../../settings/settings.ts";
import type { Suite } from "../../suite.ts";
import { DataProblem, MissingFile } from "../../text/json-lines.ts";
import type { DataKind } from "../../types.ts";
import { machineClock } from "../../work/clock.ts";
import type { LoadedSuites } from "./loaded-suites.ts";

/** Folder of generated tasks within the published data. */
export const beside = "generated";

/** Default folder of installed data. */
export const installFolder = (settingsPath: string, suite: string) => join(dirname(settingsPath), "data", suite);
export const ownFolder = (settingsPath: string, suite: string, name: string) =>
  join(dirname(settingsPath), "own-data", suite, name);

/**
 * Builds new data in place of the data in `target`: tasks replace `generated` tasks, published files are added to them, and all
 * other files stay. Resolves to their folder and to old files that could not be deleted. Throws as `build` does, or if the folder
 * cannot be replaced.
 */
export async function installData(
  suite: Suite,
  target: string,
  generated: boolean,
  build: (folder: string) => Promise<void>,
): Promise<{ readonly folder: string; readonly left: string | undefined }> {
  return alone(target, async () => {
    mend(suite, target);
    const published = suite.data.files.some(({ path }) => existsSync(join(target, path)));
    const folder = generated && published && !onlyGenerated(suite, target) ? join(target, beside) : target;
    return { folder, left: await replaceFolder(folder, build, keptOf(suite)) };
  });
}

/** Installs the user's own data in place of all earlier data of this name. */
export async function installOwnData(target: string, build: (folder: string) => Promise<void>) {
  return alone(target, async () => ({
    left: await replaceFolder(target, build, (old, now) => ({ into: now, without: readdirSync(old) })),
  }));
}

/**
 * Reads all tasks of data in a suite's layout, and reports splits without tasks because their files are missing. Throws
 * `DataProblem` for the first error, or if no split has a task.
 */
export async function checkForm(
  suite: Suite,
  folder: string,
  data: DataKind,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const loaded = await suite.open({ folder, data, signal });
  let tasks = 0;
  try {
    for (const { name } of suite.splits) {
      try {
        tasks += (await loaded.tasks(name)).length;
      } catch (error) {
        if (!(error instanceof MissingFile)) throw error;
        report(`no split \`${name}\`: ${error.message}`);
      }
    }
  } finally {
    loaded.close?.();
  }
  if (tasks === 0) throw new DataProblem(`Expected tasks of ${suite.title} in ${folder}, found none`);
}

/** Runs work on a folder in only one program at a time. Throws `Problem` if another program holds it. */
async function alone<Value>(target: string, act: () => Value | Promise<Value>): Promise<Value> {
  makeFolder(dirname(target));
  const lock = new FolderLock(`${target}.lock`);
  const holder = lock.take();
  if (holder !== undefined)
    throw new Problem("tool", `Another Planwright process (${holder.name}) is changing the data in ${target}`);
  lock.watch(machineClock, () => {});
  try {
    return await act();
  } finally {
    lock.release();
  }
}

/**
 * Completes installations that killed programs left unfinished. Leaves another program's current installation alone, and leaves
 * an installation that cannot be completed to the next one, which reports why.
 */
export async function mendInstalled(
  suites: readonly Suite[],
  settings: Pick<SettingsStore, "path"> & { read(): Settings },
): Promise<void> {
  for (const suite of suites) {
    const installed = settings.read().data[suite.name];
    const own = settings.path === "" ? undefined : installFolder(settings.path, suite.name);
    for (const target of new Set([installed, own]))
      if (target !== undefined && needsMending(suite, target))
        await alone(target, () => mend(suite, target)).catch(() => {});
  }
}

const needsMending = ({ data: { kept = [] } }: Suite, target: string) =>
  placesIn(target).some(isUnfinished) || leftBehind(target, kept).length > 0;

const placesIn = (target: string) => [target, join(target, beside)];

function mend(suite: Suite, target: string): void {
  for (const folder of placesIn(target)) if (isUnfinished(folder)) mendFolder(folder, keptOf(suite));
  bringBack(target, suite.data.kept ?? []);
}

const onlyGenerated = (suite: Suite, folder: string) => existsSync(folder) && suite.isGenerated?.(folder) === true;

/**
 * Returns the files that stay: generated tasks are replaced by new generated tasks and, as a whole, by published files; a
 * manifest belongs to the tasks installed with it. All other files stay.
 */
function keptOf(suite: Suite): Kept {
  return (old, now) => {
    const manifests = [manifestFile, join(beside, manifestFile)];
    if (!onlyGenerated(suite, old)) return { into: now, without: manifests };
    if (onlyGenerated(suite, now)) return { into: now, without: [...manifests, beside] };
    return { into: join(now, beside), without: manifests };
  };
}

export type TaskGeneration = {
  readonly count: number;
  readonly seed: number;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
};

/**
 * Generates tasks of a suite and installs them as its published data in place of earlier generated tasks; added published files
 * stay. Resolves to the folder. Throws if the suite cannot generate tasks.
 */
export async function generateTasks(
  name: string,
  request: TaskGeneration,
  settings: SettingsStore,
  loadedSuites: LoadedSuites,
): Promise<string> {
  const suite = loadedSuites.suite(name);
  const { generate } = suite;
  if (generate === undefined) throw new Problem("tool", `Suite \`${name}\` cannot generate tasks`);
  // Without a settings folder there is no place where a later start would find data.
  if (settings.path === "") throw new SettingsProblem(settings.problem ?? "Settings cannot be saved");
  const own = installFolder(settings.path, name);
  const { [name]: installed = own } = settings.read().data;
  // In a folder of the user's, only the generated tasks are replaced.
  const target = installed === own ? own : join(installed, beside);
  const { folder } = await installData(suite, target, true, (out) => generate({ ...request, out }));
  settings.change((before) => ({ ...before, data: { ...before.data, [name]: installed } }));
  await loadedSuites.close();
  return folder;
}
