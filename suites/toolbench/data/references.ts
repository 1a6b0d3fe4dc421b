/**
 * Reads the answers with which the win rate compares: ToolEval's reference (GPT-3.5 with plain ReAct, converted by the
 * publisher), or the user's own run, written by `planwright export SESSION --format toolbench`.
 */
import { existsSync } from "node:fs";
import { z } from "zod";
import { anyJson, checkedRecord, readJsonRecords, recordOf } from "../../../source/engine/text/checked-record.ts";
import { DataProblem, readJson } from "../../../source/engine/text/json-lines.ts";
import type { DataKind, Json } from "../../../source/engine/types.ts";
import type { AnswerNode, ConvertedAnswer } from "../score/answer-conversion.ts";
import { finish } from "../ask/finish.ts";
import { dataPath } from "./records.ts";
import { usualReference } from "./reference-file.ts";

/** Reference that comes with the sample. */
const sampleReference = "react";

export type References = ReadonlyMap<string, ConvertedAnswer>;

/**
 * Reads the reference answers of a set by query id. The publisher's answers are for the original queries, and only 6 of these are
 * among the 765 solvable queries; the map is empty if their file is missing. Throws `DataProblem` if a named file is missing or
 * has no answers.
 */
export async function readReferences(folder: string, data: DataKind, set: string, name: string): Promise<References> {
  if (name === usualReference && data !== "sample") return publishedReferences(folder, set);
  return ownReferences(folder, set, name === usualReference ? sampleReference : name);
}

/** A child node. `checkedAnswer` checks nodes one by one, so that a deeply nested file cannot exhaust the stack. */
const nodeBelow = z.custom<AnswerNode>();
const answerNode: z.ZodType<AnswerNode> = z.object({
  role: z.enum(["system", "user", "tool", "assistant"]),
  message: z.union([z.string(), z.object({ name: z.string(), arguments: z.string(), response: z.string() })]),
  next: z.array(nodeBelow),
});
const convertedAnswer: z.ZodType<ConvertedAnswer> = z.object({
  method: z.string(),
  total_steps: z.number(),
  final_answer: z.string(),
  answer_details: z.array(nodeBelow),
});
const publishedFile = recordOf(z.object({ answer: anyJson }));
const ownRecord = z.object({ set: z.string(), query_id: z.union([z.int(), z.string()]), answer: anyJson });

async function publishedReferences(folder: string, set: string): Promise<References> {
  const path = dataPath(folder, "examples", "reference_gpt35_cot", `${set}.json`);
  if (!existsSync(path)) return new Map();
  const entries = Object.entries(checkedRecord(publishedFile, await readJson(path), path));
  return new Map(
    entries.map(([id, { answer }]) => [id, checkedAnswer(answer, `\`answer\` of query ${id} in ${path}`)]),
  );
}

async function ownReferences(folder: string, set: string, name: string): Promise<References> {
  if (!/^\w[\w.-]{0,99}$/.test(name))
    throw new DataProblem(`Expected \`reference\` to be \`${usualReference}\` or the name of a file, got \`${name}\``);
  const path = dataPath(folder, "references", `${name}.jsonl`);
  if (!existsSync(path))
    throw new DataProblem(
      `Expected reference answers in ${path.replace(/\.gz$/, "")}, found none; \`planwright export SESSION --format toolbench\` writes them`,
    );
  const records = await readJsonRecords(path, ownRecord);
  if (records.length === 0)
    throw new DataProblem(`Expected lines with \`query_id\` and \`answer\` in ${path}, found none`);
  const checked = records.map(({ set: of, query_id, answer }) => ({
    of,
    id: String(query_id),
    answer: checkedAnswer(answer, `\`answer\` of query ${query_id} in ${path}`),
  }));
  return new Map(checked.filter(({ of }) => of === set).map(({ id, answer }) => [id, answer]));
}

/** Checks all nodes of a converted answer and takes the final answer from its `Finish` call. */
function checkedAnswer(value: Json, where: string): ConvertedAnswer {
  const answer = checkedRecord(convertedAnswer, value, where);
  const open = [...answer.answer_details];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const child of checkedRecord(answerNode, node, `a node of ${where}`).next) open.push(child);
  return { ...answer, final_answer: finish(answer.final_answer).answer ?? answer.final_answer };
}
