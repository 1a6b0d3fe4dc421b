/** Builds perfect replies and injected faults for built-in models. Reads the answer key. */
import { asksForJson } from "../../../source/engine/run/reply-format.ts";
import { type Asked, callReply, type Reply, type Toolkit } from "../../../source/engine/protocol.ts";
import { pick } from "../../../source/engine/statistics/random.ts";
import type { GoldApi, HubData, HubTask } from "../data/catalogue.ts";
import { listedIn } from "../../../source/engine/toolkits/plan.ts";
import { apiNamed, finishTool } from "./environment.ts";
import { answerText } from "./prompts.ts";

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

export const oracleReply = (known: Known, asked: Asked): Reply => replyWith(known, asked, known.task.answer);

/** Builds a reply whose chosen call has one mistake; returns undefined for requests that choose no call. */
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

/** Goal of a planned step: find the requested API or, if no offered API matches, look at any of them. */
const goals = { asked: "find the API", other: "look at an API of the hub" } as const;

function replyWith({ task, data, toolkits = [] }: Known, asked: Asked, chosen: GoldApi): Reply {
  const finish = () => callReply(finishTool.name, { api_call: chosen.api_call, domain: chosen.domain });
  const serves = (name: string) => apiNamed(data, name)?.api_call === task.answer.api_call;
  const prompt = asked.messages.map(({ content }) => content).join("\n");
  switch (asked.stage) {
    case "plan":
    case "replan": {
      if (!prompt.includes("[Toolkit ")) return apiPlan(prompt, data, serves);
      const shown = listedIn(prompt, toolkits);
      const { text } = toolkitPlan(shown, data, serves);
      return { text: asksForJson(asked.spec) ? `{"plan":${text}}` : text };
    }
    case "refine":
      return apiPlan(prompt, data, serves);
    case "step": {
      const tool = asked.tools.find(({ name }) => serves(name));
      const done = asked.messages.some(({ role }) => role === "tool");
      if (tool !== undefined && !done) return callReply(tool.name, { api_call: task.answer.api_call });
      if (canFinish(asked)) return finish();
      const other = prompt.includes(goals.other) ? asked.tools[0]?.name : undefined;
      const api = other === undefined ? undefined : apiNamed(data, other);
      return other === undefined || api === undefined
        ? { text: "This API does not serve the request." }
        : callReply(other, { api_call: api.api_call });
    }
    case "foresee":
      return { text: JSON.stringify([finishTool.name]) };
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

type Serves = (name: string) => boolean;

/** Plans one step with a toolkit that contains the requested API, otherwise with a toolkit that contains a callable API. */
function toolkitPlan(offered: readonly Toolkit[], data: HubData, serves: Serves): Reply {
  const holding = (fits: Serves) => offered.find(({ tools }) => tools.some(({ name }) => fits(name)));
  const home = holding(serves);
  const toolkit = home ?? holding((name) => isCallable(data, name)) ?? offered[0];
  const goal = home === undefined ? goals.other : goals.asked;
  return { text: toolkit === undefined ? "[]" : JSON.stringify([{ [`Toolkit ${toolkit.id}`]: goal }]) };
}

/** Plans one step with the requested API if it is listed, otherwise with a callable API. */
function apiPlan(prompt: string, data: HubData, serves: Serves): Reply {
  const listed = prompt
    .split("\n")
    .flatMap((line) => (line.startsWith("- api_") ? [line.slice(2).split(":")[0]!] : []));
  const found = listed.find(serves);
  const api = found ?? listed.find((name) => isCallable(data, name)) ?? listed[0] ?? "";
  const goal = found === undefined ? goals.other : goals.asked;
  return { text: JSON.stringify([{ goal, api, expect: "the right domain" }]) };
}

/** Returns whether any call can match this entry. Some entries do not even match their own call. */
const isCallable = (data: HubData, name: string): boolean =>
  data.keys[apiNamed(data, name)?.index ?? -1]?.usable === true;
