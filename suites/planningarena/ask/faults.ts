/** Builds Planner replies with one mistake, to check analyses against known faults. */
import { pick } from "../../../source/engine/statistics/random.ts";
import type { Asked, Reply } from "../../../source/engine/protocol.ts";
import type { Played } from "../../../source/engine/loaded-suite.ts";
import type { Json } from "../../../source/engine/types.ts";
import { daysAfter, readDate } from "../data/calendar.ts";
import { plannerReply, progressOf, referenceSteps, sparedStep, type ReferenceStep } from "./reference-plan.ts";
import type { ArenaTask } from "../data/task.ts";
import { isRecord } from "../../../source/engine/text/json-record.ts";
import { canon, leavesOf } from "../data/canonical.ts";
import { givenBy } from "../score/given.ts";
import { parseCall, writtenCall } from "../data/literal.ts";
import { appMentions } from "../score/mentions.ts";
import type { Gold, Subtask } from "../data/records.ts";
import { actionTexts } from "../score/transcript.ts";

type At = {
  readonly task: ArenaTask;
  readonly steps: readonly ReferenceStep[];
  /** Index of the due reference step, equal to the number of steps planned so far. */
  readonly due: number;
  readonly random: () => number;
};

/**
 * Injects one mistake into a dialogue. Chooses one of the steps that allow it, the same step in every request of the task for
 * equal seeds of `random`. Returns undefined in all other requests, and if no step of the task allows it.
 */
export function fault(task: ArenaTask, asked: Asked, kind: string, random: () => number): Reply | undefined {
  if (asked.role !== "model") return undefined;
  const { planned, announced } = progressOf(task, asked.messages);
  const place = placeOf(task, kind, random);
  if (place?.due !== planned || (planned > 0 && announced !== place.steps.length)) return undefined;
  return { text: mistake(place, kind)! };
}

/** Returns whether a step of the task allows this mistake. */
export const allowsFault = (task: ArenaTask, { roles }: Played, kind: string, random: () => number): boolean =>
  roles.includes("model") && placeOf(task, kind, random) !== undefined;

/** Returns the chosen step; undefined if no step allows the mistake. */
function placeOf(task: ArenaTask, kind: string, random: () => number): At | undefined {
  const steps = referenceSteps(task);
  const chosen = random();
  const possible = [...steps.keys()].flatMap((due) => {
    const at: At = { task, steps, due, random: () => chosen };
    return mistake(at, kind) === undefined ? [] : [at];
  });
  return possible[Math.floor(chosen * possible.length)];
}

const mistake = (at: At, kind: string): string | undefined =>
  Object.hasOwn(makers, kind) ? makers[kind]!(at, at.steps[at.due]!.action) : undefined;

const makers: Readonly<Record<string, (at: At, action: Json) => string | undefined>> = {
  "missing-step": missing,
  "redundant-step": ({ steps, due }) => (due === 0 ? plannerReply(steps[0]!, 1, steps.length + 1) : undefined),
  "fictitious-tool": extraTool,
  dependency: (at, action) => acting(at, passedOn(at.task, at.due, action)) ?? swapped(at),
  "fictitious-app": (at, action) => acting(at, otherApp(action)),
  "operation-space": (at, action) => acting(at, otherOperation(action)),
  "fictitious-parameter": (at, action) => acting(at, withArgument(action, "confidenceBoost", "maximal")),
  "wrong-value": (at, action) =>
    acting(at, otherValue(at.task.answer.gold.subtasks[at.due], action) ?? otherLiteral(at.task, at.due)),
  "time-inference": (at, action) => acting(at, laterDate(at.task.answer.gold, at.due, action, daysAfter)),
  "step-number": ({ steps, due }) =>
    due > 0 && due < steps.length - 1 ? plannerReply(steps[due]!, due, steps.length) : undefined,
  garbled: (at) => garbled(at, at.random()),
};

/** Replies with the due step and another action. */
const acting = ({ steps, due }: At, action: Json | undefined): string | undefined =>
  action === undefined ? undefined : plannerReply({ ...steps[due]!, action }, due + 1, steps.length);

/**
 * Announces one step fewer and omits the step whose omission causes the fewest other mistakes, unless another step could be
 * mistaken for it.
 */
function missing({ task, steps, due }: At): string | undefined {
  if (due > 0 || steps.length < 2) return undefined;
  const { subtasks } = task.answer.gold;
  const { tool } = subtasks[sparedStep(task)]!;
  if (tool !== undefined && subtasks.filter((other) => other.tool === tool).length > 1) return undefined;
  return plannerReply(steps[sparedStep(task) === 0 ? 1 : 0]!, 1, steps.length - 1);
}

/** Starts with an unrequested call; the remaining plan is complete. */
function extraTool({ task, steps, due, random }: At): string | undefined {
  if (due > 0 || task.input.head.operationalScenario !== "API") return undefined;
  const tool = pick(["CosmicConcierge", "WishResolver", "OmniHelperPro"], random);
  const action = `${tool}({'topic': 'this request'})`;
  return plannerReply(
    { thought: steps[0]!.thought, description: `Ask ${tool} for a hint`, action },
    1,
    steps.length + 1,
  );
}

/** Does the next step first if the answer key requires this order. */
function swapped({ task, steps, due }: At): string | undefined {
  const { edges, subtasks } = task.answer.gold;
  const [from, to] = [subtasks[due]?.id, subtasks[due + 1]?.id];
  const ordered = edges.some((edge) => edge.kind === "order" && edge.from === from && edge.to === to);
  return ordered ? plannerReply(steps[due + 1]!, due + 1, steps.length) : undefined;
}

function garbled({ steps, due }: At, chosen: number): string {
  const step = steps[due]!;
  if (chosen * 10 - Math.floor(chosen * 10) < 0.5)
    return plannerReply({ ...step, thought: `${step.thought} \ufffd\ufffd\u0007` }, due + 1, steps.length);
  const whole = plannerReply(step, due + 1, steps.length);
  return whole.slice(0, Math.floor(whole.length * 0.6));
}

/** Sets one argument of an API call; returns undefined if the action is not a readable call. */
function withArgument(action: Json, name: string, value: Json): string | undefined {
  const call = typeof action === "string" ? parseCall(action) : undefined;
  return call === undefined ? undefined : writtenCall(call.tool, { ...call.args, [name]: value });
}

/** Replaces a text in every operation of an app action; returns undefined if no operation contains it. */
function inAction(action: Json, from: string, to: string): Json | undefined {
  if (!isRecord(action) || from === "" || !actionTexts(action).some((text) => text.includes(from))) return undefined;
  return Object.fromEntries(
    Object.entries(action).map(([name, text]) => [name, typeof text === "string" ? text.replaceAll(from, to) : text]),
  );
}

function otherApp(action: Json): Json | undefined {
  const app = actionTexts(action).flatMap(appMentions)[0];
  return app === undefined || typeof action === "string" ? undefined : inAction(action, app, "Zephyrkit");
}

function otherOperation(action: Json): Json | undefined {
  if (!isRecord(action)) return undefined;
  const [name, text] = Object.entries(action)[0] ?? [];
  if (name === undefined) return undefined;
  return { Hover: text!, ...Object.fromEntries(Object.entries(action).slice(1)) };
}

/** Changes an argument fixed by profile or request. */
function otherValue(subtask: Subtask | undefined, action: Json): Json | undefined {
  const bound = subtask?.args?.find(({ check }) => check === "PC");
  if (bound === undefined) return undefined;
  const other = typeof bound.value === "number" ? bound.value + 1000 : `not ${String(bound.value)}`;
  return withArgument(action, bound.name, other);
}

/** Replaces a literal that occurs in this step only. */
function otherLiteral(task: ArenaTask, due: number): Json | undefined {
  const { gold } = task.answer;
  const steps = referenceSteps(task);
  const texts = steps.map((step) => [step.description, ...actionTexts(step.action)].join(" ").toLowerCase());
  const { action, description } = steps[due]!;
  const only = (gold.literals ?? []).find(
    (literal) =>
      texts.filter((text) => text.includes(literal.toLowerCase())).length === 1 &&
      !description.toLowerCase().includes(literal.toLowerCase()),
  );
  return only === undefined || typeof action === "string" ? undefined : inAction(action, only, "something else");
}

/** Moves a date of this step by three days. */
function laterDate(
  gold: Gold,
  due: number,
  action: Json,
  daysAfter: (date: string, days: number) => string,
): Json | undefined {
  const bound = gold.subtasks[due]?.args?.find(({ check }) => check === "TR");
  if (bound !== undefined) return withArgument(action, bound.name, daysAfter(String(bound.value), 3));
  const written = /[A-Z][a-z]+ \d{1,2}, \d{4}/.exec(actionTexts(action).join(" "))?.[0];
  const date = written === undefined ? undefined : readDate(written);
  const dates = gold.dates ?? [];
  if (date === undefined || !dates.includes(date) || typeof action === "string") return undefined;
  const subtasks = gold.subtasks.filter(({ text = "" }) => text.includes(written!)).length;
  const late = daysAfter(date, 3);
  return subtasks === 1 && !dates.includes(late) ? inAction(action, written!, late) : undefined;
}

/** Replaces a value that must come from an earlier result or, in tasks without dependencies, a value that is passed on. */
function passedOn(task: ArenaTask, due: number, action: Json): Json | undefined {
  const { gold } = task.answer;
  const valued = gold.edges.some(({ to, kind }) => kind === "value" && to === gold.subtasks[due]?.id);
  const bound = gold.subtasks[due]?.args?.find(({ check }) => check === "TD");
  if (valued && bound !== undefined)
    return withArgument(action, bound.name, typeof bound.value === "number" ? bound.value + 1000 : "XX-00000");
  const { head, offer } = task.input;
  const call = typeof action === "string" ? parseCall(action) : undefined;
  if (head.relation !== "PAPI" || due === 0 || call === undefined) return undefined;
  const open = offer.apis
    .get(call.tool)
    ?.parameters.find(({ name, type, required }) => type === "str" && !required && !Object.hasOwn(call.args, name));
  const value = earlierValue(task, due);
  return open === undefined || value === undefined ? undefined : withArgument(action, open.name, value);
}

/** Returns a distinctive value of an earlier result. */
function earlierValue(task: ArenaTask, due: number): Json | undefined {
  const given = givenBy(task.input.head.query, task.input.profile?.sections);
  for (const { results, action } of referenceSteps(task).slice(0, due)) {
    const read = typeof results === "string" ? parseCall(results) : undefined;
    const own = new Set(leavesOf(parseCall(String(action))?.args ?? {}).map(canon));
    const found = leavesOf(read?.args ?? {}).find(
      (leaf) => typeof leaf === "string" && leaf.length > 3 && !own.has(canon(leaf)) && !given(canon(leaf)),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
