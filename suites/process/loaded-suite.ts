/** The tasks of a process, played and scored by it. */
import type { LoadedSuite } from "../../source/engine/loaded-suite.ts";
import type { ProcessSource } from "../../source/engine/protocol.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { withEnvironments } from "../../source/engine/toolkits/offered-tools.ts";
import { Episodes } from "./ask/episodes.ts";
import type { ProcessTask, ProcessTasks } from "./data/tasks.ts";
import { scoreOutcome } from "./score/score.ts";

export function openProcess(
  suite: Suite<"process">,
  {
    name,
    source,
    read,
    from: { toolSources, environments },
  }: {
    readonly name: string;
    readonly source: ProcessSource;
    read(): ProcessTasks;
    readonly from: Parameters<Suite["open"]>[0];
  },
): LoadedSuite<ProcessTask, "process"> {
  const episodes = new Episodes(name, source, withEnvironments(toolSources, environments));
  return {
    suite,
    warnings: [],
    tasks: async () => read().tasks,
    shots: () => [],
    asks: { process: { open: (task, spec, signal) => episodes.open(task, spec, signal) } },
    atOnce: () => source.atOnce(name),
    score: (task, outcome, context) => scoreOutcome(task, outcome, context, { name, episodes }),
    // Only the process knows the score of a trivial answer.
    floors: () => [],
    ended: (spec) => source.ended(name, spec),
  };
}
