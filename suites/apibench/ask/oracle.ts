/** Perfect replies and injected faults, for built-in models. Reads the answer key. */
import type { Toolkit } from "../../../source/engine/protocol.ts";
import { pick } from "../../../source/engine/statistics/random.ts";
import type { Asked, Reply } from "../../../source/engine/protocol.ts";
import type { Json } from "../../../source/engine/types.ts";
import type { HubData } from "../data/catalogue.ts";
import { finishTool, toolName } from "./environment.ts";
import { answerText } from "./prompts.ts";
import type { GoldApi, HubTask } from "../data/tasks.ts";

export type Known = {
  readonly task: HubTask;
  readonly data: HubData;
  readonly toolkits: readonly Toolkit[] | undefined;
};

export const faultKinds = [
  { name: "wrong-domain", title: "Chooses an API of another domain" },
  { name: "other-api", title: "Chooses another API of the same domain" },
  { name: "api-hallucinated", title: "Makes up a function" },
  { name: "no-api-call", title: "Gives no call at all", errors: ["no-api-call", "api-hallucinated"] },
] as const;

export function oracleReply(known: Known, asked: Asked): Reply {
  return replyWith(known, asked, known.task.answer);
}

/** A reply with one mistake in the call it chooses; undefined in requests that choose none. */
export function faultyReply(known: Known, asked: Asked, kind: string, random: () => number): Reply | undefined {
  const chooses = asked.stage === "answer" || asked.stage === "final" || canFinish(asked);
  if (!chooses) return undefined;
  const { answer } = known.task;
  const others = known.data.keys.filter((key) => key.usable && key.api_call !== answer.api_call);
  const among = (same: boolean) => others.filter((key) => (key.domain === answer.domain) === same);
  switch (kind) {
    case "wrong-domain":
    case "other-api": {
      const choices = among(kind === "other-api");
      return choices.length === 0 ? undefined : replyWith(known, asked, { ...pick(choices, random), index: null });
    }
    case "api-hallucinated":
      return replyWith(known, asked, { ...answer, api_call: "made.up.loader('no/such-model')", index: null });
    case "no-api-call":
      return asked.stage === "answer" ? { text: "Any model of this hub will do." } : undefined;
    default:
      return undefined;
  }
}

const canFinish = ({ tools, stage }: Asked): boolean =>
  stage === "step" && tools.some(({ name }) => name === finishTool.name);

function replyWith({ task, data, toolkits = [] }: Known, asked: Asked, chosen: GoldApi): Reply {
  const finish = () => calling(finishTool.name, { api_call: chosen.api_call, domain: chosen.domain });
  const api = task.answer.index === null ? undefined : data.apis[task.answer.index];
  const name = api === undefined ? undefined : toolName(api);
  const goal = "find the API";
  switch (asked.stage) {
    case "plan":
    case "replan": {
      const home = toolkits.find(({ tools }) => tools.some((tool) => tool.name === name)) ?? toolkits[0];
      if (asked.messages.some(({ content }) => content.includes("[Toolkit ")))
        return { text: home === undefined ? "[]" : JSON.stringify([{ [`Toolkit ${home.id}`]: goal }]) };
      return apiPlan(asked, name, goal);
    }
    case "refine":
      return apiPlan(asked, name, goal);
    case "step": {
      const tool = asked.tools.find((one) => one.name === name);
      const done = asked.messages.some(({ role }) => role === "tool");
      if (tool !== undefined && !done) return calling(tool.name, { api_call: task.answer.api_call });
      return canFinish(asked) ? finish() : { text: "This API does not serve the request." };
    }
    case "check":
      return { text: "Yes, it serves the step." };
    case "state":
      return { text: "The API was found." };
    case "extract":
      return { text: '{"met": true, "value": "The API was found."}' };
    case "final":
      return finish();
    case "judge-preference":
      return { text: '{"reason": "equal", "better": 1}' };
    case "reflect":
      return { text: "Choose an API whose document names the domain asked for." };
    default:
      return { text: answerText(chosen.api_call, chosen.domain) };
  }
}

/** A plan of one step, with the API where it is offered, else with the first one listed. */
function apiPlan(asked: Asked, name: string | undefined, goal: string): Reply {
  const listed = asked.messages
    .flatMap(({ content }) => content.split("\n"))
    .flatMap((line) => (line.startsWith("- api_") ? [line.slice(2).split(":")[0]!] : []));
  const api = listed.find((one) => one === name) ?? listed[0] ?? "";
  return { text: JSON.stringify([{ goal, api, expect: "the right domain" }]) };
}

function calling(name: string, value: { readonly [name: string]: Json }): Reply {
  return {
    text: "",
    calls: [{ id: `call-${name}`.slice(0, 60), name, text: JSON.stringify(value), arguments: value }],
  };
}
