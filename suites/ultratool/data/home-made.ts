/**
 * Builds test sets from the base file for the two aspects whose published sets are not in the public files. Their numbers are not
 * comparable with published numbers: the original toolsets, larger than any rebuild, cannot be derived.
 */
import { randomFrom, shuffled } from "../../../source/engine/statistics/random.ts";
import type { BaseRow, TestRow, ToolDescription, PlanRow } from "./task.ts";

type HomeMade = "tool_creation_awareness" | "tool_selection";

/** Minimum number of unrelated tools added to a toolset; otherwise as many as the sample's own tools. */
const fewestOthers = 2;

/** Builds one row for each base row, in order; equal on every machine and in both languages. */
export function homeMadeRows(base: readonly BaseRow[], aspect: HomeMade): TestRow[] {
  const catalogue = new Map<string, ToolDescription>();
  for (const { tools } of base) for (const tool of tools) if (!catalogue.has(tool.name)) catalogue.set(tool.name, tool);
  const all = [...catalogue.values()];
  return base.map((row, index) => {
    const random = randomFrom(`${aspect} ${index}`);
    return aspect === "tool_selection" ? selectionRow(row, all, random) : awarenessRow(row, all, random);
  });
}

/** Returns the plan, with an empty `tool` in steps that the reference answers. */
function asked(row: BaseRow, reference: readonly { readonly step: string }[]): TestRow["steps"] {
  const steps = new Set(reference.map(({ step }) => step));
  return row.plan.map(({ step }) => (steps.has(step) ? { step, tool: "" } : { step }));
}

function others(row: BaseRow, all: readonly ToolDescription[], count: number, random: () => number): ToolDescription[] {
  const own = new Set(row.tools.map((tool) => tool.name));
  const found: ToolDescription[] = [];
  // The number of draws is limited, because a small catalogue may lack unrelated tools.
  for (let draw = 0; draw < count * 20 && found.length < count; draw++) {
    const tool = all[Math.floor(random() * all.length)]!;
    if (own.has(tool.name)) continue;
    own.add(tool.name);
    found.push(tool);
  }
  return found;
}

/**
 * Combines the sample's own tools with as many unrelated ones, in random order. Calls of tools without a description
 * are omitted.
 */
function selectionRow(row: BaseRow, all: readonly ToolDescription[], random: () => number): TestRow {
  const names = new Set(row.tools.map((tool) => tool.name));
  const calls = callsOf(row).filter((call) => names.has(toolName(call.tool)));
  const steps = calls.map((call) => ({ step: call.step, tool: toolName(call.tool) }));
  const count = Math.max(fewestOthers, row.tools.length);
  const toolset = shuffled([...row.tools, ...others(row, all, count, random)], random);
  return { question: row.question, steps: asked(row, steps), toolset, reference: { aspect: "tool_selection", steps } };
}

/** Keeps each of the sample's tools with probability one half; a call whose tool is missing requires a new tool. */
function awarenessRow(row: BaseRow, all: readonly ToolDescription[], random: () => number): TestRow {
  const kept = row.tools.filter(() => random() < 0.5);
  const names = new Set(kept.map((tool) => tool.name));
  const steps = callsOf(row).map((call) => ({ step: call.step, tool: names.has(toolName(call.tool)) ? "0" : "1" }));
  const toolset = shuffled([...kept, ...others(row, all, fewestOthers, random)], random);
  return {
    question: row.question,
    steps: asked(row, steps),
    toolset,
    reference: { aspect: "tool_creation_awareness", steps },
  };
}

const noTool = new Set(["null", "No tool required", "不需要工具"]);

/** Returns true for a step with a call; false for parents and for steps without a tool. */
const isCall = (row: PlanRow): boolean => !noTool.has(row.tool);

/** Returns the text before the first bracket: `file_write` of `file_write(file_path='D:/a.txt')`. */
export function toolName(call: string): string {
  const bracket = call.indexOf("(");
  return (bracket === -1 ? call : call.slice(0, bracket)).trim();
}

/** Returns true if an argument is the result of an earlier step: `<...>` in the call. */
export function isNested(call: string): boolean {
  const open = call.indexOf("<");
  return open !== -1 && call.indexOf(">", open) > open + 1;
}

export const callsOf = (row: BaseRow): readonly PlanRow[] => row.plan.filter(isCall);
