/**
 * Answers the win rate compares with: ToolEval's reference, GPT-3.5 with plain ReAct, as the publisher converted them, or a
 * run of one's own, which `planwright export SESSION --format toolbench` writes.
 */
import { existsSync } from "node:fs";
import { DataProblem, readJson, readJsonLines } from "../../../source/engine/text/json-lines.ts";
import { field, isRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import type { ConvertedAnswer } from "../score/answer-conversion.ts";
import { finish } from "../ask/finish.ts";
import { dataPath } from "./records.ts";
import { usualReference } from "./reference-name.ts";

/** The sample's own. */
const sampleReference = "react";

export type References = ReadonlyMap<string, ConvertedAnswer>;

/**
 * Reference answers of a set by query id. The publisher's are of the original queries, of which only 6 are among the 765
 * solvable ones; none where their file is not there. Throws `DataProblem` where a named file is absent or holds no answers.
 */
export async function readReferences(
  folder: string,
  data: "sample" | "published",
  set: string,
  name: string,
): Promise<References> {
  if (name === usualReference && data === "published") return publishedReferences(folder, set);
  return ownReferences(folder, set, name === usualReference ? sampleReference : name);
}

async function publishedReferences(folder: string, set: string): Promise<References> {
  const path = dataPath(folder, "examples", "reference_gpt35_cot", `${set}.json`);
  if (!existsSync(path)) return new Map();
  const value = await readJson(path);
  const answers = Object.entries(isRecord(value) ? value : {});
  return new Map(answers.flatMap(([id, entry]) => converted(id, field(entry, "answer"))));
}

async function ownReferences(folder: string, set: string, name: string): Promise<References> {
  if (!/^\w[\w.-]{0,99}$/.test(name))
    throw new DataProblem(`Expected \`reference\` to be \`${usualReference}\` or the name of a file, got \`${name}\``);
  const path = dataPath(folder, "references", `${name}.jsonl`);
  if (!existsSync(path))
    throw new DataProblem(
      `Expected reference answers in ${path.replace(/\.gz$/, "")}, found none; \`planwright export SESSION --format toolbench\` writes them`,
    );
  const lines = await readJsonLines(path);
  const known = lines.flatMap((line) => {
    const id = String(field(line, "query_id"));
    return converted(id, field(line, "answer")).map((one) => ({ set: field(line, "set"), one }));
  });
  if (known.length === 0) throw new DataProblem(`Expected \`query_id\` and \`answer\` in the lines of ${path}`);
  return new Map(known.filter((each) => each.set === set).map(({ one }) => one));
}

function converted(id: string, answer: Json | undefined): readonly (readonly [string, ConvertedAnswer])[] {
  if (!isRecord(answer) || !Array.isArray(answer["answer_details"])) return [];
  const one = answer as unknown as ConvertedAnswer;
  const said = finish(String(one.final_answer));
  return [[id, { ...one, final_answer: said.answer ?? String(one.final_answer) }]];
}
