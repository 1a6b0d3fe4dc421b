/**
 * Reads lines of a predictions file: in Planwright's form (`{id, output}`, `{id, eval}`) and in the publishers', which repeats
 * the test row.
 */
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import { PredictionProblem, type PredictionRequest } from "../../../source/engine/prediction.ts";
import { z } from "zod";
import { anyJson, checkedPrediction, readOfLine } from "../../../source/engine/text/checked-record.ts";
import { field, isRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import type { Split } from "../data/aspects.ts";
import { type Library, taskOf } from "../data/library.ts";
import { referenceOf } from "../data/rows.ts";
import type { Reference, UltraTask } from "../data/task.ts";

const modelText = z.string("the model's text").nullish();
const written = z.object(
  {
    id: z.union([z.number(), z.string()], "a row number from 0").optional(),
    output: modelText,
    "init output": modelText,
    eval: anyJson.optional(),
    step: anyJson.optional(),
    data: anyJson.optional(),
  },
  "an object such as {id, output}",
);
const innerOutput = z.object({ data: z.object({ "init output": modelText }) });

export type PredictionLine = {
  readonly number: number;
  /** The id in the line, or the row number if the line has no id. */
  readonly id: string | number;
  readonly task: UltraTask;
  readonly output: string | undefined;
  readonly judgement: Json | undefined;
  /** The step of the judged tool. */
  readonly step: string | undefined;
};

/**
 * Reads every line before scoring any. A line may contain its own `reference`; otherwise it must name a row of the data.
 * Publishers' lines (`{data, "init output"}`) are matched by row order, otherwise by their reference. Throws `PredictionProblem`.
 */
export async function readLines(
  request: PredictionRequest,
  library: Library,
  split: Split,
): Promise<readonly PredictionLine[]> {
  const raw = request.lines.map(({ number, value }, index) => rawLine(value, number, index, split));
  const tasks = await tasksOf(
    library,
    request.split,
    raw.every(({ reference }) => reference !== undefined),
  );
  const byReference = new Map<string, UltraTask>();
  for (const task of tasks) byReference.set(keyOf(task.answer), task);
  return raw.map((line) => ({ ...line, task: taskFor(line, tasks, byReference, split) }));
}

type RawLine = Omit<PredictionLine, "task"> & { readonly reference: Reference | undefined };

async function tasksOf(library: Library, split: string, selfContained: boolean): Promise<readonly UltraTask[]> {
  try {
    return await library.tasks(split);
  } catch (error) {
    if (selfContained && error instanceof DataProblem) return [];
    throw error;
  }
}

function rawLine(value: Json, number: number, index: number, split: Split): RawLine {
  const line = checkedPrediction(written, value, number);
  // A judge's line contains the inference line, which contains the test row: {data: {data: row}, eval}.
  const outer = isRecord(line.data) ? line.data : undefined;
  const inner = field(outer, "data");
  const reference = field(isRecord(inner) ? inner : (outer ?? value), "reference");
  const output = line.output ?? line["init output"];
  const outerOutput =
    outer === undefined ? undefined : checkedPrediction(innerOutput, value, number).data["init output"];
  return {
    number,
    id: line.id ?? index,
    output: output ?? outerOutput ?? undefined,
    judgement: line.eval,
    step: typeof line.step === "string" ? line.step : undefined,
    reference:
      reference === undefined
        ? undefined
        : readOfLine(number, () => referenceOf(reference, split.aspect, () => "`reference`")),
  };
}

function taskFor(
  line: RawLine,
  tasks: readonly UltraTask[],
  byReference: ReadonlyMap<string, UltraTask>,
  split: Split,
): UltraTask {
  const index = Number(line.id);
  const named = Number.isInteger(index) ? tasks[index] : undefined;
  if (line.reference === undefined) {
    if (named !== undefined) return named;
    const range = `a row number from 0 to ${tasks.length - 1}`;
    throw new PredictionProblem(line.number, `Expected \`id\` to be ${range}, got \`${line.id}\``);
  }
  const key = keyOf(line.reference);
  if (named !== undefined && keyOf(named.answer) === key) return named;
  const same = byReference.get(key);
  if (same !== undefined) return same;
  const row = { question: "", steps: [], toolset: undefined, reference: line.reference };
  return { ...taskOf(row, undefined, 0, split, "published"), id: `line ${line.number}` };
}

const keyOf = (reference: Reference): string =>
  reference.aspect === "planning" ? reference.plan : JSON.stringify(reference.steps);
