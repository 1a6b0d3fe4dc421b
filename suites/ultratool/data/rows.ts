/** Rows of the published files, checked at the door: a row that does not fit is named by file and line. */
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import type { Json } from "../../../source/engine/types.ts";
import type { Aspect } from "./aspects.ts";
import type { BaseRow, InputStep, Reference, TestRow, ToolDescription } from "./task.ts";

type Fields = Readonly<Record<string, Json>>;

/** The base row in `value`. Throws `DataProblem`; `where` names file and line. */
export function baseRow(value: Json, where: string): BaseRow {
  const row = fields(value, where);
  return {
    question: text(row["question"], `${where}: question`),
    domain: text(row["domain"], `${where}: domain`),
    plan: list(row["plan"], `${where}: plan`).map((step) => {
      const part = fields(step, `${where}: plan`);
      return { step: text(part["step"], `${where}: step`), tool: text(part["tool"], `${where}: tool`) };
    }),
    tools: toolset(row["tools"], where),
  };
}

/** The test row of an aspect in `value`. Throws `DataProblem`; `where` names file and line. */
export function testRow(value: Json, aspect: Aspect, where: string): TestRow {
  const row = fields(value, where);
  if (aspect === "planning") {
    const plan = text(row["reference"], `${where}: reference`);
    const question = text(row["input"], `${where}: input`);
    return { question, steps: [], toolset: undefined, reference: { aspect, plan } };
  }
  return {
    question: row["question"] === undefined ? "" : text(row["question"], `${where}: question`),
    steps: list(row["input"], `${where}: input`).map((step) => inputStep(step, where)),
    toolset: row["toolset"] === undefined ? undefined : toolset(row["toolset"], where),
    reference: referenceOf(row["reference"], aspect, where),
  };
}

/** The reference of an aspect, also where a predictions file repeats it. Throws `DataProblem`. */
export function referenceOf(value: Json | undefined, aspect: Aspect, where: string): Reference {
  if (aspect === "planning") return { aspect, plan: text(value, `${where}: reference`) };
  const steps = list(value, `${where}: reference`).map((entry) => {
    const part = fields(entry, `${where}: reference`);
    const step = text(part["step"], `${where}: reference step`);
    if (aspect === "tool_creation") return { step, tool: part["tool"] };
    const tool = text(part["tool"], `${where}: reference tool`);
    return aspect === "tool_usage" ? { step, tool, param: texts(part["param"], where) } : { step, tool };
  });
  // Every branch above gives the steps its aspect asks for.
  return { aspect, steps } as Reference;
}

function inputStep(value: Json, where: string): InputStep {
  const part = fields(value, `${where}: input`);
  const step = text(part["step"], `${where}: input step`);
  return {
    step,
    ...(typeof part["tool"] === "string" ? { tool: part["tool"] } : {}),
    ...(typeof part["param"] === "string" ? { param: part["param"] } : {}),
  };
}

function toolset(value: Json | undefined, where: string): ToolDescription[] {
  return list(value, `${where}: tools`).map((tool) => {
    const part = fields(tool, `${where}: tool`);
    text(part["name"], `${where}: tool name`);
    return part as ToolDescription;
  });
}

function texts(value: Json | undefined, where: string): Readonly<Record<string, string>> {
  const part = fields(value, `${where}: param`);
  for (const [key, held] of Object.entries(part)) text(held, `${where}: param ${key}`);
  return part as Readonly<Record<string, string>>;
}

function fields(value: Json | undefined, where: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new DataProblem(`Expected an object at ${where}`);
}

function list(value: Json | undefined, where: string): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  throw new DataProblem(`Expected a list at ${where}`);
}

function text(value: Json | undefined, where: string): string {
  if (typeof value === "string") return value;
  throw new DataProblem(`Expected text at ${where}`);
}
