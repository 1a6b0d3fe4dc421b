/** UltraTool bound to a data folder. */
import { toolOrder } from "../../source/engine/settings/varied.ts";
import { asksForJson } from "../../source/engine/run/reply-format.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type { LoadedSuite } from "../../source/engine/loaded-suite.ts";
import { aspectTitles, parseSplit, splitName } from "./data/aspects.ts";
import { Library } from "./data/library.ts";
import { listForm } from "./ask/lists.ts";
import { ultraFloors } from "./ask/floors.ts";
import { oracleReply } from "./ask/oracle.ts";
import { stageOf } from "./ask/prompts.ts";
import { judgings, scoreTask } from "./score/score-task.ts";
import { allowsFault, faultyReply } from "./ask/faults.ts";
import type { TestRow, UltraTask } from "./data/task.ts";
import { viewOf } from "./score/view.ts";
import type { DataKind } from "../../source/engine/types.ts";

/** Opens a data folder. Throws `DataProblem` if it lacks the worked examples. */
export async function openSuite(
  suite: Suite,
  folder: string,
  data: DataKind,
): Promise<LoadedSuite<UltraTask, "stages">> {
  const library = new Library(folder, data);
  const examples = new Map<string, TestRow>();
  return {
    suite,
    warnings: suite.remarks ?? [],
    runWarnings: ({ split }) => homeMadeWarnings(library, split),
    async tasks(name) {
      const split = parseSplit(name);
      examples.set(name, await library.example(split));
      return library.tasks(name);
    },
    // Every prompt has the worked example already, so there are no demonstrations to draw.
    shots: () => [],
    asks: {
      stages({ input }, spec) {
        const example = examples.get(splitName(input));
        if (example === undefined)
          throw new Error(`Expected the tasks of \`${splitName(input)}\` to be loaded before their prompts are built`);
        const wording = { lists: listForm(spec.options), json: asksForJson(spec) };
        const toolset = input.toolset && toolOrder(spec)(input.toolset, ({ name }) => name);
        return [stageOf({ ...input, toolset }, example, input, wording, spec)];
      },
    },
    variants: {
      // Requests of other abilities show a plan alone.
      question: (task, question) =>
        ["planning", "tool_usage"].includes(task.input.aspect)
          ? { ...task, question, input: { ...task.input, question } }
          : undefined,
    },
    score: scoreTask,
    judging: judgings,
    floors: ultraFloors,
    oracle: oracleReply,
    fault: faultyReply,
    allowsFault,
    describe: viewOf,
  };
}

function homeMadeWarnings(library: Library, split: string): readonly string[] {
  const { language, aspect } = parseSplit(split);
  if (library.data !== "published" || !library.missing(language).includes(aspect)) return [];
  return [
    `${aspectTitles[aspect]} (${language}): the published test set is not in the public files; these tasks are home-made, derived from the base file, and must not be compared with published numbers`,
  ];
}
