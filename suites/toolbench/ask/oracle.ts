/**
 * Builds perfect replies for built-in models. The answer key contains the facts to find and the functions that find them; but
 * functions, including broken ones, are called as by any model, and the answer is their result.
 */
import { asksForJson } from "../../../source/engine/run/reply-format.ts";
import { type Asked, callReply, type Reply, type Toolkit } from "../../../source/engine/protocol.ts";
import { field, isRecord, parseJson } from "../../../source/engine/text/json-record.ts";
import type { Json, Message, ToolCall, ToolSpec } from "../../../source/engine/types.ts";
import { listedIn } from "../../../source/engine/toolkits/plan.ts";
import { mentions } from "../score/answer-rule.ts";
import { finishTool } from "./finish.ts";
import type { Want } from "./wants.ts";

export type Known = {
  readonly wants: readonly Want[];
  readonly toolkits: readonly Toolkit[] | undefined;
  /** Texts that a right answer mentions, if known. */
  readonly expect: readonly string[];
};

/** Builds the perfect reply to this request. */
export function oracleReply({ wants, toolkits, expect }: Known, asked: Asked): Reply {
  const prompt = asked.messages.map(({ content }) => content).join("\n");
  switch (asked.stage) {
    case "plan":
    case "replan":
      return {
        text:
          asked.spec.strategy === "adaplanner" && !prompt.includes("[Toolkit ")
            ? apiPlan(wants, prompt)
            : plan(wants, toolkits ?? [], prompt, asksForJson(asked.spec)),
      };
    case "refine":
      return { text: refined(wants, prompt) };
    case "step":
      return asked.tools.some(({ name }) => name === finishTool.name)
        ? act(wants, asked)
        : single(wants, asked, prompt);
    case "foresee":
      return { text: foreseen(wants, prompt) };
    case "check":
      return { text: "Yes, it serves the step." };
    case "state":
      return { text: `Known now: ${after(prompt, "Response: ")}` };
    case "extract":
      return { text: JSON.stringify({ met: true, value: after(prompt, "Result: ") }) };
    case "final":
      return finishing(after(prompt, "What was found:\n"));
    case "simulate":
      return { text: JSON.stringify({ error: "", response: "The request was carried out." }) };
    case "judge-preference":
      return { text: JSON.stringify({ reason: "what is expected", better: better(prompt, expect) }) };
    case "judge-answer":
    case "judge-steps":
    case "judge-fac":
      return { text: verdict(mentions(after(prompt, "nswer: "), expect).every(Boolean)) };
    default:
      return { text: "Try another function of the same kind when one fails." };
  }
}

const verdict = (solved: boolean): string =>
  JSON.stringify({ reason: "what is expected", answer_status: solved ? "Solved" : "Unsolved" });

/** Compares how much of the expected content two answers mention; ties go to the first. */
function better(prompt: string, expect: readonly string[]): 1 | 2 {
  const mark = "\n\nAnswer 2:\n";
  const at = prompt.lastIndexOf(mark);
  const count = (answer: string) => mentions(answer, expect).filter(Boolean).length;
  const first = prompt.slice(prompt.indexOf("\n\nAnswer 1:\n"), at);
  return count(finalOf(prompt.slice(at))) > count(finalOf(first)) ? 2 : 1;
}

/** Returns only the final answer, because the steps below it also contain the facts that were found. */
const finalOf = (answer: string): string => answer.split("\nSteps:\n", 1)[0]!;

const after = (text: string, mark: string): string => {
  const at = text.lastIndexOf(mark);
  return at < 0 ? "" : text.slice(at + mark.length);
};

const finishing = (answer: string): Reply =>
  callReply(finishTool.name, { return_type: "give_answer", final_answer: answer });
export const givingUp = (): Reply => callReply(finishTool.name, { return_type: "give_up_and_restart" });

/** Plans, for each fact, the offered toolkit with the most functions that find it. */
function plan(wants: readonly Want[], toolkits: readonly Toolkit[], prompt: string, json: boolean): string {
  const offered = listedIn(prompt, toolkits);
  const steps = wants.flatMap((want) => {
    const id = servingToolkit(want, offered);
    return id === undefined ? [] : [{ [`Toolkit ${id}`]: want.goal }];
  });
  return JSON.stringify(json ? { plan: steps } : steps);
}

/** Returns the id of the first toolkit with the most functions that find the fact; undefined if none finds it. */
export function servingToolkit({ serves }: Want, offered: readonly Toolkit[]): number | undefined {
  const counts = offered.map(({ id, tools }) => ({
    id,
    count: tools.filter(({ name }) => serves(name) !== undefined).length,
  }));
  const best = counts.toSorted((one, other) => other.count - one.count)[0];
  return best === undefined || best.count === 0 ? undefined : best.id;
}

/** Lists the calls that remain after the next call: a function for each fact not yet found, and `Finish`. */
function foreseen(wants: readonly Want[], prompt: string): string {
  const called = [...after(prompt, "Calls so far: ").matchAll(/^(?:\d{1,3}\. |Next call: )(\w{1,64})\(/gm)].map(
    ([, name]) => name!,
  );
  const offered = after(prompt, "Functions: ").split("\n", 1)[0]!.split(", ");
  const left = wants.flatMap(({ serves }) => {
    const done = called.some((name) => serves(name) !== undefined);
    const able = offered.find((name) => serves(name) !== undefined);
    return done || able === undefined ? [] : [able];
  });
  return JSON.stringify([...left, finishTool.name]);
}

const listedNames = (prompt: string): string[] =>
  prompt.split("\n").flatMap((line) => (line.startsWith("- ") ? [line.slice(2).split(":")[0]!] : []));

function apiPlan(wants: readonly Want[], prompt: string, avoid: readonly string[] = []): string {
  const names = listedNames(prompt);
  const steps = wants.flatMap(({ goal, serves }) => {
    const able = names.filter((name) => serves(name) !== undefined);
    const api = able.find((name) => !avoid.includes(name)) ?? able[0];
    return api === undefined ? [] : [{ goal, api, expect: "the value asked for" }];
  });
  return JSON.stringify(steps);
}

/** Plans the remaining steps from the failed one on, avoiding functions reported to have failed. */
function refined(wants: readonly Want[], prompt: string): string {
  const at = Number(/Step (\d{1,3}) failed: /.exec(prompt)?.[1] ?? 1);
  const failures = after(prompt, "Failed before:\n");
  const avoid = listedNames(prompt).filter(
    (name) => failures.includes(name) || after(prompt, " failed: ").includes(name),
  );
  return apiPlan(wants.slice(at - 1), prompt, avoid);
}

/** Calls the only function offered for a step, or declines if the function does not find the fact. */
function single(wants: readonly Want[], { tools }: Asked, prompt: string): Reply {
  const goal = after(prompt, "This step: ");
  const want = wants.find((one) => goal.startsWith(one.goal));
  const tool = tools[0];
  const input = tool === undefined ? undefined : want?.serves(tool.name);
  return tool === undefined || input === undefined
    ? { text: "This function does not serve the step." }
    : callReply(tool.name, input);
}

/** Makes the next call of a conversation: for the first open want, a function not tried yet. */
function act(wants: readonly Want[], { messages, tools }: Asked): Reply {
  const done = callsIn(messages);
  const good = done.filter(({ ok }) => ok);
  const found: string[] = [];
  for (const want of wants) {
    const answered = good.find(({ name, text }) => sameJson(want.serves(name), text));
    if (answered !== undefined) {
      found.push(answered.observation);
      continue;
    }
    const next = untried(want, tools, done, messages);
    return next === undefined ? givingUp() : callReply(next.name, want.serves(next.name)!);
  }
  return finishing(found.join("\n"));
}

function untried(
  want: Want,
  tools: readonly ToolSpec[],
  done: readonly Called[],
  messages: readonly Message[],
): ToolSpec | undefined {
  const hint = messages.at(-1)?.role === "user" ? messages.at(-1)!.content : "";
  const able = tools.filter(({ name }) => want.serves(name) !== undefined);
  const notTried = able.filter(
    ({ name }) => !done.some((one) => one.name === name && sameJson(want.serves(name), one.text)),
  );
  return notTried.find(({ name }) => !hint.includes(`"name": "${name}"`)) ?? notTried[0];
}

type Called = { readonly name: string; readonly text: string; readonly observation: string; readonly ok: boolean };

/** Returns the calls of a conversation with their results. */
export function callsIn(messages: readonly Message[]): readonly Called[] {
  const calls = new Map<string, ToolCall>();
  const done: Called[] = [];
  for (const message of messages) {
    if (message.role === "assistant") for (const call of message.calls ?? []) calls.set(call.id, call);
    if (message.role !== "tool") continue;
    const call = calls.get(message.callId);
    if (call !== undefined)
      done.push({ name: call.name, text: call.text, observation: message.content, ok: isGood(message.content) });
  }
  return done;
}

function isGood(observation: string): boolean {
  const value = parseJson(observation);
  // A long response is truncated and no longer JSON; its error is at the beginning.
  if (!isRecord(value)) return observation.startsWith('{"error": "", "response": ') && observation.endsWith("...");
  return field(value, "error") === "" && field(value, "response") !== "";
}

const sameJson = (value: Json | undefined, text: string): boolean =>
  value !== undefined && JSON.stringify(value) === JSON.stringify(parseJson(text));
