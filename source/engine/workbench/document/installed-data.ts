/** The folder of installed data of a suite: installs published and generated tasks, keeps what people put beside them. */
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

/** Where generated tasks lie beside published ones. */
export const beside = "generated";

/** Where data is installed by default. */
export const installFolder = (settingsPath: string, suite: string) => join(dirname(settingsPath), "data", suite);
export const ownFolder = (settingsPath: string, suite: string, name: string) =>
  join(dirname(settingsPath), "own-data", suite, name);

/**
 * Builds new data in place of what is installed in `target`: tasks come in place of `generated` ones, published files beside them,
 * and whatever else lies there stays. Resolves to where they are, and to what of the old could not be deleted. Throws as `build` does,
 * and where the folder cannot be replaced.
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

/** The same of data of the user's own, as a whole: nothing of what was there under this name stays. */
export async function installOwnData(
  target: string,
  build: (folder: string) => Promise<void>,
): Promise<{ readonly left: string | undefined }> {
  return alone(target, async () => ({
    left: await replaceFolder(target, build, (old, now) => ({ into: now, without: readdirSync(old) })),
  }));
}

/**
 * Reads all tasks of data in a suite's layout, and says which splits have none, as their files are not there. Throws `DataProblem`
 * for the first thing that is not as it should be, and where no split has a task.
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

/** What one program at a time does with a folder. Throws `Problem` where another one is at it. */
async function alone<Value>(target: string, act: () => Value | Promise<Value>): Promise<Value> {
  makeFolder(dirname(target));
  const lock = new FolderLock(`${target}.lock`);
  const holder = lock.take();
  if (holder !== undefined)
    throw new Problem("tool", `Another Planwright (${holder.name}) is changing the data in ${target}`);
  lock.watch(machineClock, () => {});
  try {
    return await act();
  } finally {
    lock.release();
  }
}

/**
 * Completes what programs that were killed while they installed data have begun. What another program is just doing is left to it,
 * and what cannot be completed to the next installation, which says why.
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
 * Generated tasks make room for new ones and, as a whole, for published files; a manifest belongs to the tasks it came with. All else
 * stays where it is.
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
 * Generates tasks of a suite and installs them as its published data, in place of those generated before; published files that
 * were brought in stay beside them. Resolves to the folder. Throws where the suite cannot generate tasks.
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
  // Without a settings folder there is no place for data, and nothing would find it again.
  if (settings.path === "") throw new SettingsProblem(settings.problem ?? "Settings cannot be saved");
  const own = installFolder(settings.path, name);
  const { [name]: installed = own } = settings.read().data;
  // Of a folder that is the user's, only the part that is for generated tasks is replaced.
  const target = installed === own ? own : join(installed, beside);
  const { folder } = await installData(suite, target, true, (out) => generate({ ...request, out }));
  settings.change((before) => ({ ...before, data: { ...before.data, [name]: installed } }));
  await loadedSuites.close();
  return folder;
}
