/** Trivial lists of steps, shown with results for comparison. Only a judge can score plans and created tools. */
import { type Floor, usualFloors } from "../../../source/engine/loaded-suite.ts";
import type { UltraTask } from "../data/task.ts";
import { shownList } from "./lists.ts";

/** Abilities with a flag for each step. */
const flagged: readonly string[] = ["tool_usage_awareness", "tool_creation_awareness"];

export function ultraFloors(tasks: readonly UltraTask[]): readonly Floor<UltraTask>[] {
  const has = (names: readonly string[]) => tasks.some(({ input: { aspect } }) => names.includes(aspect));
  return [
    ...usualFloors,
    ...(has(flagged)
      ? [
          { name: "no for every step", answer: (task: UltraTask) => flags(task, "0") },
          { name: "yes for every step", answer: (task: UltraTask) => flags(task, "1") },
        ]
      : []),
    ...(has(["tool_selection"]) ? [{ name: "always the first tool", answer: firstTool }] : []),
  ];
}

/** The answer for tasks of other abilities: an empty text. */
const nothing = "";

function flags({ input: { aspect, steps } }: UltraTask, tool: string): string {
  return flagged.includes(aspect) ? listOf(steps.map(({ step }) => ({ step, tool }))) : nothing;
}

function firstTool({ input: { aspect, steps, toolset = [] } }: UltraTask): string {
  const [first] = toolset;
  if (aspect !== "tool_selection" || first === undefined) return nothing;
  return listOf(steps.flatMap(({ step, tool }) => (tool === undefined ? [] : [{ step, tool: first.name }])));
}

const listOf = (steps: Parameters<typeof shownList>[0]) => shownList(steps, "python");
