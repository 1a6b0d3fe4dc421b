/** A hub's APIs, what the matcher derives from them, and the questions asked about them. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DataProblem, readJsonLines } from "../../../source/engine/text/json-lines.ts";
import { field } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import type { Hub } from "../score/extraction.ts";
import type { MatchKey } from "../score/matching.ts";

export type HubApi = {
  readonly index: number;
  readonly domain: string;
  readonly framework: string;
  readonly functionality: string;
  readonly api_name: string;
  readonly api_call: string;
  readonly description: string;
};
export type Question = {
  readonly question_id: number;
  readonly question: string;
  readonly gold_api_call: string;
  readonly gold_domain: string;
  readonly gold_catalogue_index: number | null;
  /** The data set's own answer. */
  readonly reference_answer?: string;
};
export type HubData = {
  readonly hub: Hub;
  readonly apis: readonly HubApi[];
  readonly keys: readonly MatchKey[];
  readonly questions: ReadonlyMap<number, Question>;
};

/** Reads one hub from a data folder (published or sample: the same layout). Throws `DataProblem` naming the file. */
export async function loadHub(folder: string, hub: Hub): Promise<HubData> {
  const [apis, keys, questions] = await Promise.all([
    read(folder, "catalogue", `${hub}_api`, ["api_call", "domain"]),
    read(folder, "catalogue", `${hub}_match_keys`, ["api_call", "domain"]),
    read(folder, "eval", `${hub}_eval`, ["question", "gold_api_call", "gold_domain"]),
  ]);
  const byId = new Map((questions as unknown as Question[]).map((question) => [question.question_id, question]));
  return { hub, apis: apis as unknown as HubApi[], keys: keys as unknown as MatchKey[], questions: byId };
}

async function read(folder: string, part: string, name: string, texts: readonly string[]): Promise<readonly Json[]> {
  const plain = join(folder, part, `${name}.jsonl`);
  const path = existsSync(plain) ? plain : `${plain}.gz`;
  const records = await readJsonLines(path);
  for (const [index, record] of records.entries())
    for (const text of texts)
      if (typeof field(record, text) !== "string")
        throw new DataProblem(`Expected record ${index + 1} of ${path} to have a text \`${text}\``);
  return records;
}
