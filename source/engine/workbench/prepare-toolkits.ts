/** Making what the tasks of a run share, before the first of them. */
import type { LoadedSuite } from "../loaded-suite.ts";
import type { RunSpec, Task } from "../types.ts";

/** Makes it, such as the toolkits of a whole catalogue; a stop ends that without a failure. `progress` hears what is being done. */
export async function prepareToolkits(
  loaded: LoadedSuite,
  spec: RunSpec,
  tasks: readonly Task[],
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: (doing: string | undefined) => void },
): Promise<void> {
  if (loaded.toolkits === undefined || tasks.length === 0 || signal.aborted) return;
  try {
    await loaded.toolkits.prepare(spec, tasks, { signal, progress });
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  } finally {
    progress(undefined);
  }
}
