/** PlanBench bound to a data folder. */
import type { LoadedSuite } from "../../source/engine/loaded-suite.ts";
import { stagedOutput } from "../../source/engine/strategies/direct.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type { RunSpec } from "../../source/engine/types.ts";
import { floorSteps, textFloors } from "./ask/floor.ts";
import { faultyReply, perfectReply } from "./ask/oracle.ts";
import { stageOf } from "./ask/prompts.ts";
import { PlanbenchFolder } from "./data/folder.ts";
import { readTasks, type PlanTask } from "./data/tasks.ts";
import { extractors, type ExtractorName } from "./score/record.ts";
import { scoreReply } from "./score/score.ts";
import { viewOf } from "./score/view.ts";

export function openSuite(
  suite: Suite,
  { folder }: Parameters<Suite["open"]>[0],
): LoadedSuite<PlanTask, "stages" | "baseline"> {
  const data = new PlanbenchFolder(folder);
  return {
    suite,
    warnings: [],
    tasks: (split) => readTasks(data, split),
    // The prompts hold their examples.
    shots: () => [],
    asks: { stages: (task, spec) => [stageOf(task, spec)], baseline: (task, spec) => floorSteps(task, spec) },
    score: async (task, outcome, { spec }) => scoreReply(task, stagedOutput(outcome.answer), extractorOf(spec)),
    floors: textFloors,
    oracle: (task) => perfectReply(task),
    fault: faultyReply,
    describe: (task, answer) => viewOf(task, stagedOutput(answer)),
  };
}

function extractorOf({ options }: RunSpec): ExtractorName {
  return extractors.find((name) => name === options?.["extractor"]) ?? "official";
}
