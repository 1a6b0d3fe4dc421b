/** Trivial dialogues, shown beside results. */
import { fillerText, type Floor, mostFrequent } from "../../../source/engine/loaded-suite.ts";
import type { Json } from "../../../source/engine/types.ts";
import { writtenCall } from "../data/literal.ts";
import type { ArenaTask } from "../data/task.ts";

export function floorsOf(tasks: readonly ArenaTask[]): readonly Floor<ArenaTask>[] {
  const ofOffer = Map.groupBy(tasks, offerOf);
  const common = new Map([...ofOffer].map(([offer, own]) => [offer, mostFrequent(own, toolsOf)]));
  return [
    { name: "nothing", answer: () => undefined },
    { name: "filler", answer: () => ({ dialogue: [], unread: fillerText }) },
    { name: "always the first tool", answer: (task) => stepWith(task, firstTool(task)) },
    {
      name: "the most frequent tool",
      readsAnswerKey: true,
      answer: (task) => stepWith(task, common.get(offerOf(task))!(task)),
    },
  ];
}

const offerOf = ({ input: { head, offer } }: ArenaTask): string => `${head.operationalScenario} ${offer.name}`;

function firstTool({ input: { offer } }: ArenaTask): string | undefined {
  return offer.apps[0] ?? offer.apis.keys().next().value;
}

/** The tools of a plan: APIs, or the apps that it opens. */
function toolsOf({ answer: { gold } }: ArenaTask): readonly string[] {
  return gold.subtasks.flatMap(({ tool, text = "" }) => tool ?? /^open (.{1,80})$/i.exec(text)?.[1] ?? []);
}

/** Returns a dialogue of one step: a call without arguments, or an app that is opened. */
function stepWith({ input: { head } }: ArenaTask, tool: string | undefined): Json | undefined {
  if (tool === undefined) return undefined;
  const isApi = head.operationalScenario === "API";
  const [description, action, results] = isApi
    ? [`Use ${tool}`, writtenCall(tool, {}), writtenCall(tool, {})]
    : [`Open ${tool}`, { Tap: tool }, { Status: "Success", Response: {} }];
  const detail = { StepNumber: 1, Description: description, Action: action, Results: results };
  return { dialogue: [{ GlobalThought: "", OrderSteps: { TotalSteps: 1, StepDetail: detail } }] };
}
