/** Trivial answers for comparison with results. */
import { type Floor, mostFrequent, usualFloors } from "../../../source/engine/loaded-suite.ts";
import type { HubTask } from "../data/catalogue.ts";
import type { MatchKey } from "../score/extraction.ts";
import { answerText } from "./prompts.ts";

/** Returns the floors of a hub; `keysOf` returns the calls that its matcher knows. */
export function floorsOf(
  tasks: readonly HubTask[],
  keysOf: (task: HubTask) => readonly MatchKey[],
): readonly Floor<HubTask>[] {
  const ofHub = Map.groupBy(tasks, ({ input: { hub } }) => hub);
  const common = (valueOf: (task: HubTask) => string) => {
    const byHub = new Map([...ofHub].map(([hub, own]) => [hub, mostFrequent(own, (task) => [valueOf(task)])]));
    return (task: HubTask) => byHub.get(task.input.hub)!(task);
  };
  const [domainOf, callOf] = [common(({ answer }) => answer.domain), common(({ answer }) => answer.api_call)];
  const reply = (task: HubTask, fits: (key: MatchKey) => boolean) => {
    const key = keysOf(task).find((each) => each.usable && fits(each));
    return key === undefined ? "" : answerText(key.api_call, key.domain);
  };
  return [
    ...usualFloors,
    { name: "always the first API", answer: (task) => reply(task, () => true) },
    {
      name: "an API of the most frequent domain",
      readsAnswerKey: true,
      answer: (task) => reply(task, ({ domain }) => domain === domainOf(task)),
    },
    {
      name: "the most frequent API",
      readsAnswerKey: true,
      answer: (task) => reply(task, ({ api_call }) => api_call === callOf(task)),
    },
  ];
}
