/** Generating tasks from within the notebook, and installing them where runs find them. */
import { join } from "node:path";
import { beside, installData, installFolder } from "./installed-data.ts";
import type { LoadedSuites } from "./loaded-suites.ts";
import { Problem } from "../../problem.ts";
import { SettingsProblem, type SettingsStore } from "../../settings/settings.ts";

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
  if (settings.path === "") throw new SettingsProblem(settings.problem ?? "Settings cannot be kept");
  const own = installFolder(settings.path, name);
  const { [name]: installed = own } = settings.read().data;
  // Of a folder that is the user's, only the part that is for generated tasks is replaced.
  const target = installed === own ? own : join(installed, beside);
  const { folder } = await installData(suite, target, true, (out) => generate({ ...request, out }));
  settings.change((before) => ({ ...before, data: { ...before.data, [name]: installed } }));
  await loadedSuites.close();
  return folder;
}
