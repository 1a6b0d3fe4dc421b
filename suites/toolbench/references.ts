/** Answers to compare with: ToolEval's reference, GPT-3.5 with plain ReAct, as the publisher converted them. */
import { existsSync } from "node:fs";
import { readJson } from "../../source/engine/json-lines.ts";
import { field, isRecord } from "../../source/engine/toolkits/json-record.ts";
import type { ConvertedAnswer } from "./answer-conversion.ts";
import { finish } from "./finish.ts";
import { dataPath } from "./records.ts";

/** Reference answers of a set by query id; none where the file is not there. */
export async function readReferences(folder: string, set: string): Promise<ReadonlyMap<string, ConvertedAnswer>> {
  const path = dataPath(folder, "examples", "reference_gpt35_cot", `${set}.json`);
  const answers = new Map<string, ConvertedAnswer>();
  if (!existsSync(path)) return answers;
  const value = await readJson(path);
  for (const [id, entry] of Object.entries(isRecord(value) ? value : {})) {
    const answer = field(entry, "answer");
    if (!isRecord(answer) || !Array.isArray(answer["answer_details"])) continue;
    const converted = answer as unknown as ConvertedAnswer;
    const said = finish(String(converted.final_answer));
    answers.set(id, { ...converted, final_answer: said.answer ?? String(converted.final_answer) });
  }
  return answers;
}
