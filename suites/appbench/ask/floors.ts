/** Trivial plans for comparison with results. */
import { type Floor, mostFrequent, usualFloors } from "../../../source/engine/loaded-suite.ts";
import type { Catalogue } from "../data/catalogue.ts";
import type { AppTask } from "../data/gold.ts";
import { referenceCalls } from "./reference-call.ts";

const planOf = (app: string, api: string) => `${app}: [${api}()]`;

export function floorsOf(tasks: readonly AppTask[], { apps }: Catalogue): readonly Floor<AppTask>[] {
  const [first] = apps;
  const plan = first === undefined ? "" : planOf(first.name, first.apis[0]?.name ?? "");
  const common = mostFrequent(tasks, ({ answer }) => referenceCalls(answer).map(({ app, api }) => planOf(app, api)));
  return [
    ...usualFloors,
    { name: "always the first app", answer: () => plan },
    { name: "the most frequent API", readsAnswerKey: true, answer: (task) => common(task) ?? "" },
  ];
}
