/** What has to be there before the first task of a run. */
import { lackingForAll, type LoadedSuite, type MadeToolkits } from "../../loaded-suite.ts";
import { Problem } from "../../problem.ts";
import type { RunSpec, Task } from "../../types.ts";

/**
 * Makes what the tasks share, such as the toolkits of a whole catalogue; a stop ends that without a failure. `progress` hears
 * what is being done. Throws `Problem` where the data lack what each of the tasks would be asked with.
 */
export async function prepareRun(
  loaded: LoadedSuite,
  spec: RunSpec,
  tasks: readonly Task[],
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: (doing: string | undefined) => void },
): Promise<void> {
  if (tasks.length === 0 || signal.aborted) return;
  const lacking = lackingForAll(loaded, tasks, spec);
  if (lacking !== undefined) throw new Problem("tool", lacking);
  if (loaded.toolkits === undefined) return;
  try {
    await loaded.toolkits.prepare(spec, tasks, { signal, progress });
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  } finally {
    progress(undefined);
  }
}

/** The same, for tasks that are executed elsewhere: what was made for them; what this program has made already is not made again. */
export async function preparedRun(...run: Parameters<typeof prepareRun>): Promise<MadeToolkits> {
  await prepareRun(...run);
  const [loaded, spec, tasks] = run;
  return loaded.toolkits?.made(spec, tasks) ?? {};
}
