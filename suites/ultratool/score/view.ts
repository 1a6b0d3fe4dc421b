/** Plan trees for the trajectory screen: reference and answer, aligned by step number. */
import type { PlanStep, TaskView } from "../../../source/engine/loaded-suite.ts";
import type { Json } from "../../../source/engine/types.ts";
import { ladderOf } from "../data/aspects.ts";
import { cleanPlan } from "./judge.ts";
import { shown } from "./mistakes.ts";
import { planSteps, depthOf, stepNumber } from "./steps.ts";
import { entryOf, isDict, isList, type PythonDict, type PythonValue } from "../../../source/engine/python/value.ts";
import { readOfficial } from "./reading.ts";
import { outputOf } from "./score-task.ts";
import type { Reference, UltraTask } from "../data/task.ts";

/** Maximum number of entries shown; a hostile answer may have millions. */
const most = 500;
/** Maximum number of characters of an answer shown as written. */
const longest = 50_000;

export function viewOf(task: UltraTask, answer: Json | undefined): TaskView {
  const output = outputOf(answer);
  const reference = referenceSteps(task);
  const plan = task.answer.aspect === "planning" ? textSteps(cleanPlan(output)) : listSteps(task.answer, output);
  return { reference, plan, matches: matchesOf(reference, plan), background: background(task, output) };
}

const textSteps = (plan: string): PlanStep[] =>
  planSteps(plan)
    .slice(0, most)
    .map((title) => ({ title, lines: [], needs: [], depth: depthOf(title) - 1 }));

/** Builds the whole plan given to the model; requested steps carry their expected answer. */
function referenceSteps({ answer, input }: UltraTask): PlanStep[] {
  if (answer.aspect === "planning") return textSteps(answer.plan);
  const byNumber = new Map<string, readonly string[]>();
  for (const step of answer.steps) byNumber.set(stepNumber(step.step), expectedLines(step));
  const steps = input.steps.length > 0 ? input.steps : answer.steps;
  return steps.map(({ step }) => ({
    title: step,
    lines: byNumber.get(stepNumber(step)) ?? [],
    needs: [],
    depth: depthOf(step) - 1,
  }));
}

function expectedLines(step: { readonly tool: unknown; readonly param?: Readonly<Record<string, string>> }): string[] {
  const tool = typeof step.tool === "string" ? step.tool : JSON.stringify(step.tool);
  return [tool, ...Object.entries(step.param ?? {}).map(([key, value]) => `${key} = ${value}`)];
}

function listSteps(reference: Exclude<Reference, { aspect: "planning" }>, output: string): PlanStep[] {
  const { value } = readOfficial(output, ladderOf[reference.aspect], "gpt");
  const list = isList(value) && isList(value[0]) ? value[0] : value;
  if (!isList(list)) return [];
  return list.filter(isDict).slice(0, most).map(answeredStep);
}

function answeredStep(entry: PythonDict): PlanStep {
  const step = entryOf(entry, "step");
  const title = step === undefined ? "(no step)" : shown(step);
  const tool = entryOf(entry, "tool");
  const param = entryOf(entry, "param");
  return {
    title,
    lines: [...(tool === undefined ? [] : [shown(tool)]), ...(param === undefined ? [] : paramLines(param))],
    needs: [],
    depth: depthOf(title) - 1,
  };
}

function paramLines(param: PythonValue): string[] {
  if (!isDict(param)) return [shown(param)];
  return Array.from(param.entries.values(), ({ key, value }) => `${shown(key)} = ${shown(value)}`);
}

/** Matches each reference step with the first answered step of its number, like the scorers. */
function matchesOf(reference: readonly PlanStep[], plan: readonly PlanStep[]): [number, number][] {
  const first = new Map<string, number>();
  for (const [index, { title }] of plan.entries()) {
    const number = plainNumber(title);
    if (!first.has(number)) first.set(number, index);
  }
  return reference.flatMap(({ title }, index): [number, number][] => {
    const found = first.get(plainNumber(title));
    return found === undefined ? [] : [[index, found]];
  });
}

/** Treats `1` and `1.` as one position in the tree, unlike the scorers. */
const plainNumber = (title: string): string => stepNumber(title).replace(/\.$/, "");

function background({ question, input }: UltraTask, output: string): NonNullable<TaskView["background"]> {
  const tools = (input.toolset ?? []).map((tool) => `${tool.name}: ${tool.description}`).join("\n");
  return [
    { title: "Request", text: question },
    ...(tools === "" ? [] : [{ title: "Toolset", text: tools }]),
    ...(input.edition === "home-made" ? [{ title: "Home-made task", text: "Not the published test set" }] : []),
    { title: "Answer as written", text: output.length > longest ? `${output.slice(0, longest)}...` : output },
  ];
}
