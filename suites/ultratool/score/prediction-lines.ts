/** Lines of a predictions file: ours (`{id, output}`, `{id, eval}`) and the publishers', which repeat the test row. */
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import { PredictionProblem, type PredictionRequest } from "../../../source/engine/prediction.ts";
import type { Json } from "../../../source/engine/types.ts";
import type { Split } from "../data/aspects.ts";
import { type Library, taskOf } from "../data/library.ts";
import { referenceOf } from "../data/rows.ts";
import type { Reference, UltraTask } from "../data/task.ts";

type Fields = Readonly<Record<string, Json>>;

export type PredictionLine = {
  readonly number: number;
  /** As written in the line; the row number where the line has none. */
  readonly id: string | number;
  readonly task: UltraTask;
  readonly output: string | undefined;
  readonly judgement: Json | undefined;
  /** The step a judgement of a created tool is about. */
  readonly step: string | undefined;
};

/**
 * Reads every line before any is scored. A line may carry its own `reference`; one without must name a row of the data.
 * Publishers' lines (`{data, "init output"}`) are matched by row order, else by their reference. Throws `PredictionProblem`.
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
  const line = fields(value);
  if (line === undefined) throw new PredictionProblem(number, "Expected an object such as {id, output}");
  // A judge's line holds the inference line, which holds the test row: {data: {data: row}, eval}.
  const outer = fields(line["data"]);
  const inner = outer === undefined ? undefined : fields(outer["data"]);
  const row = inner ?? outer ?? line;
  const output = line["output"] ?? line["init output"] ?? outer?.["init output"];
  if (output !== undefined && typeof output !== "string")
    throw new PredictionProblem(number, "Expected `output` to be the model's text");
  const id = line["id"];
  if (id !== undefined && typeof id !== "number" && typeof id !== "string")
    throw new PredictionProblem(number, "Expected `id` to be a row number from 0");
  const step = line["step"];
  return {
    number,
    id: id ?? index,
    output,
    judgement: line["eval"],
    step: typeof step === "string" ? step : undefined,
    reference: row["reference"] === undefined ? undefined : readReference(row["reference"], number, split),
  };
}

function readReference(value: Json, number: number, split: Split): Reference {
  try {
    return referenceOf(value, split.aspect, "the reference of this line");
  } catch (error) {
    if (error instanceof DataProblem) throw new PredictionProblem(number, error.message);
    throw error;
  }
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

function keyOf(reference: Reference): string {
  return reference.aspect === "planning" ? reference.plan : JSON.stringify(reference.steps);
}

function fields(value: Json | undefined): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
