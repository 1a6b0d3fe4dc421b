/** Reads and checks rows of the published files. Errors name file, line and field. */
import { z } from "zod";
import { anyJson, checkedRecord, recordOf } from "../../../source/engine/text/checked-record.ts";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import type { Json } from "../../../source/engine/types.ts";
import type { Aspect } from "./aspects.ts";
import type { BaseRow, Reference, TestRow, ToolDescription } from "./task.ts";

const step = z.string();
const toolset = z.array(
  z.object({ name: z.string(), description: z.string(), arguments: anyJson, results: anyJson }),
) satisfies z.ZodType<ToolDescription[]>;
const baseRowSchema = z.object({
  question: z.string(),
  domain: z.string(),
  plan: z.array(z.object({ step, tool: z.string() })),
  tools: toolset,
});

const planningRow = z.object({ input: z.string(), reference: z.string() });
const listRow = z.object({
  question: z.string().optional(),
  input: z.array(z.object({ step, tool: z.string().optional(), param: z.string().optional() })),
  toolset: toolset.optional(),
  reference: anyJson,
});

const plan = z.string();
const names = z.array(z.object({ step, tool: z.string() }));
const tools = z.array(z.object({ step, tool: anyJson }));
const calls = z.array(z.object({ step, tool: z.string(), param: recordOf(z.string()) }));

/** Names file and line; called only for invalid rows. */
type Where = () => string;

/** Reads a base row. Throws `DataProblem`. */
export function baseRow(value: Json, where: Where): BaseRow {
  const row = checkedRecord(baseRowSchema, value, where);
  return {
    question: row.question,
    domain: row.domain,
    plan: row.plan.map(({ step, tool }) => ({ step, tool })),
    tools: row.tools,
  };
}

/** Reads a test row of an aspect. Throws `DataProblem`. */
export function testRow(value: Json | undefined, aspect: Aspect, where: Where): TestRow {
  if (aspect === "planning") {
    const { input: question, reference } = checkedRecord(planningRow, value, where);
    return { question, steps: [], toolset: undefined, reference: { aspect, plan: reference } };
  }
  const row = checkedRecord(listRow, value, where);
  const reference = referenceOf(row.reference, aspect, () => `\`reference\` of ${where()}`);
  checkSteps(row, reference, where);
  return {
    question: row.question ?? "",
    // Prompts show exactly these fields in this order.
    steps: row.input.map(({ step, tool, param }) => ({
      step,
      ...(tool === undefined ? {} : { tool }),
      ...(param === undefined ? {} : { param }),
    })),
    toolset: row.toolset,
    reference,
  };
}

/** Rejects a reference for other steps or tools than the row's, which would make every answer wrong. */
function checkSteps({ input, toolset: offered }: z.infer<typeof listRow>, reference: Reference, where: Where): void {
  if (reference.aspect === "planning") return;
  const asked = input.filter(({ tool }) => tool !== undefined);
  for (const [index, { step: text }] of reference.steps.entries())
    if (text !== asked[index]?.step)
      throw new DataProblem(
        `Expected \`reference.${index}.step\` of ${where()} to be a step of \`input\` with a tool, got \`${text}\``,
      );
  if (reference.aspect !== "tool_usage") return;
  const known = new Set(offered?.map(({ name }) => name));
  for (const { tool } of reference.steps)
    if (!known.has(tool))
      throw new DataProblem(`Expected \`toolset\` of ${where()} to have the tool \`${tool}\`, found none`);
}

/** Reads the reference of an aspect, also from a predictions file that repeats it. Throws `DataProblem`. */
export function referenceOf(value: Json | undefined, aspect: Aspect, where: Where): Reference {
  switch (aspect) {
    case "planning":
      return { aspect, plan: checkedRecord(plan, value, where) };
    case "tool_creation":
      return { aspect, steps: checkedRecord(tools, value, where).map(({ step, tool }) => ({ step, tool })) };
    case "tool_usage":
      return {
        aspect,
        steps: checkedRecord(calls, value, where).map(({ step, tool, param }) => ({ step, tool, param })),
      };
    case "tool_selection":
    case "tool_creation_awareness":
    case "tool_usage_awareness":
      return { aspect, steps: checkedRecord(names, value, where).map(({ step, tool }) => ({ step, tool })) };
    default:
      return aspect satisfies never;
  }
}
