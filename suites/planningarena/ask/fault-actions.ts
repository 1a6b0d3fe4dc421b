/** Actions changed in one thing each. Every function gives undefined where the change cannot be made. */
import { isRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { canon, leavesOf } from "../data/canonical.ts";
import { readDate } from "../data/calendar.ts";
import { givenBy } from "../score/given.ts";
import { parseCall } from "../data/literal.ts";
import { appMentions } from "../score/mentions.ts";
import { referenceSteps } from "./reference-plan.ts";
import type { Gold, Subtask } from "../data/records.ts";
import type { ArenaTask } from "../data/task.ts";
import { actionTexts } from "../score/transcript.ts";
import { writtenCall } from "./written-call.ts";

/** The call with one argument set, or an API action as it is when it cannot be read. */
function withArgument(action: Json, name: string, value: Json): string | undefined {
  const call = typeof action === "string" ? parseCall(action) : undefined;
  return call === undefined ? undefined : writtenCall(call.tool, { ...call.args, [name]: value });
}

/** The app action with a text replaced in every operation; undefined when it is in none. */
function inAction(action: Json, from: string, to: string): Json | undefined {
  if (!isRecord(action) || from === "" || !actionTexts(action).some((text) => text.includes(from))) return undefined;
  return Object.fromEntries(
    Object.entries(action).map(([name, text]) => [name, typeof text === "string" ? text.replaceAll(from, to) : text]),
  );
}

export function unknownParameter(action: Json): Json | undefined {
  return withArgument(action, "confidenceBoost", "maximal");
}

export function otherApp(action: Json): Json | undefined {
  const app = actionTexts(action).flatMap(appMentions)[0];
  return app === undefined || typeof action === "string" ? undefined : inAction(action, app, "Zephyrkit");
}

export function otherOperation(action: Json): Json | undefined {
  if (!isRecord(action)) return undefined;
  const [name, text] = Object.entries(action)[0] ?? [];
  if (name === undefined) return undefined;
  return { Hover: text!, ...Object.fromEntries(Object.entries(action).slice(1)) };
}

/** Another value for an argument that profile or request fix. */
export function otherValue(subtask: Subtask | undefined, action: Json): Json | undefined {
  const bound = subtask?.args?.find(({ check }) => check === "PC");
  if (bound === undefined) return undefined;
  const other = typeof bound.value === "number" ? bound.value + 1000 : `not ${String(bound.value)}`;
  return withArgument(action, bound.name, other);
}

/** Another text for a literal that occurs in this step only. */
export function otherLiteral(task: ArenaTask, due: number): Json | undefined {
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

/** A date of this step, three days late. */
export function laterDate(
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

/** A value that should come from an earlier result replaced; or, where nothing depends on anything, one passed on. */
export function passedOn(task: ArenaTask, due: number, action: Json): Json | undefined {
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

/** A telling value of an earlier result. */
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
