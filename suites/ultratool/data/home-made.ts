/**
 * Test sets for the two aspects whose published ones are not in the public files, built from the base file. Their numbers
 * are no published numbers: the original toolsets cannot be derived (publishers' files are larger than any rebuild).
 */
import { randomFrom, shuffled } from "../../../source/engine/statistics/random.ts";
import { callsOf, toolName } from "./calls.ts";
import type { BaseRow, TestRow, ToolDescription } from "./task.ts";

type HomeMade = "tool_creation_awareness" | "tool_selection";

/** Unrelated tools mixed into a toolset: as many as the sample has of its own, at least this many. */
const fewestOthers = 2;

/** One row for each base row, in order; the same on every machine and in both languages. */
export function homeMadeRows(base: readonly BaseRow[], aspect: HomeMade): TestRow[] {
  const catalogue = new Map<string, ToolDescription>();
  for (const { tools } of base) for (const tool of tools) if (!catalogue.has(tool.name)) catalogue.set(tool.name, tool);
  const all = [...catalogue.values()];
  return base.map((row, index) => {
    const random = randomFrom(`${aspect} ${index}`);
    return aspect === "tool_selection" ? selectionRow(row, all, random) : awarenessRow(row, all, random);
  });
}

/** The plan, with `tool` to fill in where the reference has an answer. */
function asked(row: BaseRow, reference: readonly { readonly step: string }[]): TestRow["steps"] {
  const steps = new Set(reference.map(({ step }) => step));
  return row.plan.map(({ step }) => (steps.has(step) ? { step, tool: "" } : { step }));
}

function others(row: BaseRow, all: readonly ToolDescription[], count: number, random: () => number): ToolDescription[] {
  const own = new Set(row.tools.map((tool) => tool.name));
  const found: ToolDescription[] = [];
  // A bounded number of draws: a small catalogue may not hold enough unrelated tools.
  for (let draw = 0; draw < count * 20 && found.length < count; draw++) {
    const tool = all[Math.floor(random() * all.length)]!;
    if (own.has(tool.name)) continue;
    own.add(tool.name);
    found.push(tool);
  }
  return found;
}

/** The sample's own tools and as many unrelated ones, in random order; calls of tools nobody described are left out. */
function selectionRow(row: BaseRow, all: readonly ToolDescription[], random: () => number): TestRow {
  const names = new Set(row.tools.map((tool) => tool.name));
  const calls = callsOf(row).filter((call) => names.has(toolName(call.tool)));
  const steps = calls.map((call) => ({ step: call.step, tool: toolName(call.tool) }));
  const count = Math.max(fewestOthers, row.tools.length);
  const toolset = shuffled([...row.tools, ...others(row, all, count, random)], random);
  return { question: row.question, steps: asked(row, steps), toolset, reference: { aspect: "tool_selection", steps } };
}

/** Each of the sample's tools stays or goes with even odds; a call whose tool is gone needs a new one. */
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
