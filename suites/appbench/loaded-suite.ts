/** AppBench bound to a data folder. */
import { orderedCatalogue } from "./ask/ordered-catalogue.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type { LoadedSuite } from "../../source/engine/loaded-suite.ts";
import { type FaultName, faultKinds } from "./score/error-kinds.ts";
import { type AppTask, categories } from "./data/gold.ts";
import { loadFolder, tasksOf } from "./data/load.ts";
import { statisticsOf } from "./data/statistics.ts";
import { floorsOf } from "./ask/floors.ts";
import { perfectAnswer } from "./ask/reference-call.ts";
import { answerOf, scoreOf, stoppedAtApps, withoutApps } from "./score/score.ts";
import { remarksOf } from "./ask/remarks.ts";
import { shotsFor, stagesOf } from "./ask/stages.ts";
import { faultyPlan } from "./ask/faults.ts";
import { viewOf } from "./score/view.ts";
import type { DataKind } from "../../source/engine/types.ts";

/** Opens a data folder. Throws `DataProblem` if a file is missing or truncated. */
export async function openSuite(
  suite: Suite,
  { folder, data }: { readonly folder: string; readonly data: DataKind },
): Promise<LoadedSuite<AppTask, "stages">> {
  const { catalogue, samples } = await loadFolder(folder, data);
  const names = catalogue.apps.map((app) => app.name);
  const ordered = orderedCatalogue(catalogue);
  const tasks = new Map(categories.map((category) => [category, tasksOf(category, samples.get(category)!)]));
  return {
    suite,
    warnings: [],
    runWarnings: remarksOf,
    async tasks(split) {
      if (split === "all") return [...tasks.values()].flat();
      const category = categories.find((name) => name.toLowerCase() === split);
      if (category === undefined)
        throw new RangeError(`Expected \`split\` to be ss, sm, ms, mm or all, got \`${split}\``);
      return tasks.get(category)!;
    },
    shots: shotsFor,
    statistics: statisticsOf,
    asks: { stages: (task, spec, shots) => stagesOf(task, spec, shots, ordered(spec)) },
    variants: {
      question: (task, instruction) => ({ ...task, question: instruction, input: { ...task.input, instruction } }),
    },
    async score(task, { answer }) {
      const read = answerOf(answer);
      return stoppedAtApps(answer) ? withoutApps(read.apps) : scoreOf(read, task.answer, names);
    },
    floors: (all) => floorsOf(all, catalogue),
    oracle(task, { stage }) {
      const { apps, output } = perfectAnswer(task.answer);
      return { text: stage === "apps" ? apps : output };
    },
    fault(task, { stage }, kind, random) {
      if (stage !== "plan" || !isFault(kind)) return undefined;
      const text = faultyPlan(kind, task.answer, catalogue, random);
      return text === undefined ? undefined : { text };
    },
    describe: (task, answer) => viewOf(task, answer === undefined ? undefined : answerOf(answer), catalogue),
  };
}

const isFault = (kind: string): kind is FaultName => faultKinds.some(({ name }) => name === kind);
