/** Generating tasks from within the notebook, and installing them where runs find them. */
import { renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LoadedSuites } from "./loaded-suites.ts";
import { Problem } from "../problem.ts";
import type { SettingsStore } from "../settings/settings.ts";

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
  if (suite.generate === undefined) throw new Problem("tool", `Suite \`${name}\` cannot generate tasks`);
  const installed = settings.read().data[name];
  const own = join(dirname(settings.path), "data", name);
  const whole = installed === undefined || (installed === own && suite.isGenerated?.(own) === true);
  const target = whole ? own : join(installed, "generated");
  const next = `${target}.new`;
  rmSync(next, { recursive: true, force: true });
  try {
    await suite.generate({ ...request, out: next });
    rmSync(target, { recursive: true, force: true });
    renameSync(next, target);
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
  const folder = whole ? own : installed;
  settings.change((before) => ({ ...before, data: { ...before.data, [name]: folder } }));
  await loadedSuites.close();
  return target;
}
