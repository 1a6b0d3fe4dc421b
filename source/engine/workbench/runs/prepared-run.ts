/** Prepares the parts that all tasks of a run share, before the first task is executed. */
import { lackingForAll, type LoadedSuite } from "../../loaded-suite.ts";
import { Problem } from "../../problem.ts";
import { lackingVariant } from "../../settings/varied.ts";
import type { RunSpec, Task } from "../../types.ts";

/**
 * Makes resources that the tasks share, such as the toolkits of a whole catalogue; a stop ends this without a failure. Reports to
 * `progress`. Rejects with `Problem` if the data lack a part that every request needs.
 */
export async function prepareRun(
  loaded: LoadedSuite,
  spec: RunSpec,
  tasks: readonly Task[],
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: (doing: string | undefined) => void },
): Promise<void> {
  if (tasks.length === 0 || signal.aborted) return;
  const lacking = lackingForAll(loaded, tasks, spec) ?? lackingVariant(loaded, tasks, spec);
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
