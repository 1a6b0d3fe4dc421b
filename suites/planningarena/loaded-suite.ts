/** PlanningArena bound to a data folder. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Suite } from "../../source/engine/suite.ts";
import type { LoadedSuite } from "../../source/engine/loaded-suite.ts";
import { describeTask } from "./score/view.ts";
import { dialogueOf } from "./ask/dialogue.ts";
import { judgings } from "./score/judge.ts";
import { floorsOf } from "./ask/floors.ts";
import { oracle } from "./ask/oracle.ts";
import { scoreTask } from "./score/score.ts";
import { allowsFault, fault } from "./ask/faults.ts";
import { generatedFolder } from "./data/generated-folder.ts";
import { readExamples, readGenerated } from "./data/task-files.ts";
import { statisticsOf } from "./data/statistics.ts";
import type { ArenaTask } from "./data/task.ts";
import type { DataKind } from "../../source/engine/types.ts";

const warnings = [
  "Plans are compared with one reference plan by rules: other good plans count as mistakes, so these numbers are lower bounds. A `judge` model adds an opinion in separate columns.",
];
const derived =
  "The authors' examples have no answer keys: the keys are extracted from the reference dialogues, which are model output.";

/** Opens a data folder. `tasks` throws `DataProblem` if the folder lacks the requested tasks. */
export async function openSuite(
  suite: Suite,
  { folder, data }: { readonly folder: string; readonly data: DataKind },
): Promise<LoadedSuite<ArenaTask, "dialogue">> {
  const loaded = new Map<string, Promise<readonly ArenaTask[]>>();
  const load = (split: string): Promise<readonly ArenaTask[]> => {
    if (split === "examples") return readExamples(folder);
    if (split === "generated") return readGenerated(generatedFolder(folder));
    throw new RangeError(`Expected \`split\` to be generated or examples, got \`${split}\``);
  };
  return {
    suite,
    warnings:
      data === "published" && existsSync(join(folder, "example-tasks.json")) ? [...warnings, derived] : warnings,
    async tasks(split) {
      const tasks = loaded.get(split) ?? load(split);
      loaded.set(split, tasks);
      return tasks;
    },
    shots: () => [],
    statistics: statisticsOf,
    asks: { dialogue: dialogueOf },
    variants: {
      // The words are those of the run's language.
      question: (task, query) => ({
        ...task,
        question: query,
        input: { ...task.input, head: { ...task.input.head, query }, queryZh: undefined },
      }),
    },
    judging: () => judgings,
    score: scoreTask,
    floors: floorsOf,
    oracle,
    fault,
    allowsFault,
    describe: describeTask,
  };
}
