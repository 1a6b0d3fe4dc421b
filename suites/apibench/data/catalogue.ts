/** A hub's APIs, the keys that the matcher derives from them, and the questions about them. */
import { join } from "node:path";
import { z } from "zod";
import type { Task } from "../../../source/engine/types.ts";
import { readJsonRecords, type Fitting } from "../../../source/engine/text/checked-record.ts";
import { DataProblem, plainOrGzipped } from "../../../source/engine/text/json-lines.ts";
import { matchKey, type Hub, type MatchKey } from "../score/extraction.ts";

export type HubApi = Fitting<typeof hubApi>;
export type Question = Fitting<typeof questionRecord>;
export type HubData = {
  readonly hub: Hub;
  readonly apis: readonly HubApi[];
  readonly keys: readonly MatchKey[];
  readonly questions: ReadonlyMap<number, Question>;
};

const hubApi = z.object({
  index: z.int(),
  domain: z.string(),
  framework: z.string(),
  /** A list for one published entry; shown joined with commas. */
  functionality: z.union([z.string(), z.array(z.string())]),
  api_name: z.string(),
  api_call: z.string(),
  description: z.string(),
});
const questionRecord = z.object({
  question_id: z.int(),
  question: z.string(),
  gold_api_call: z.string(),
  gold_domain: z.string(),
  gold_catalogue_index: z.int().nullable(),
  /** The data set's own answer. */
  reference_answer: z.exactOptional(z.string()),
});

/**
 * Reads one hub from a data folder (published or sample, same layout). Throws `DataProblem` with file, line and field.
 */
export async function loadHub(folder: string, hub: Hub): Promise<HubData> {
  const [apis, keys, questions] = await Promise.all([
    readJsonRecords(plainOrGzipped(join(folder, "catalogue", `${hub}_api.jsonl`)), hubApi),
    readJsonRecords(plainOrGzipped(join(folder, "catalogue", `${hub}_match_keys.jsonl`)), matchKey),
    readJsonRecords(plainOrGzipped(join(folder, "eval", `${hub}_eval.jsonl`)), questionRecord),
  ]);
  checkRows({ apis, keys, questions }, folder, hub);
  const byId = new Map(questions.map((question) => [question.question_id, question]));
  return { hub, apis, keys, questions: byId };
}

type Rows = {
  readonly apis: readonly HubApi[];
  readonly keys: readonly MatchKey[];
  readonly questions: readonly Question[];
};

/** Rejects match keys or questions of another catalogue, which would make every answer wrong. */
function checkRows({ apis, keys, questions }: Rows, folder: string, hub: Hub): void {
  const other = apis.findIndex(({ index, api_call }, row) => index !== row || keys[row]?.api_call !== api_call);
  if (other >= 0 || keys.length !== apis.length) {
    const row = other >= 0 ? other : apis.length;
    throw new DataProblem(
      `Expected the match keys of ${hub} in ${folder} to match its APIs, but the keys of row ${row} do not`,
    );
  }
  const asks = ({ gold_catalogue_index: row, gold_api_call }: Question) =>
    row === null || apis[row]?.api_call === gold_api_call;
  const question = questions.find((each) => !asks(each));
  if (question !== undefined)
    throw new DataProblem(
      `Expected row ${question.gold_catalogue_index} of the ${hub} catalogue in ${folder} to be the API of question ${question.question_id}, \`${question.gold_api_call}\``,
    );
}

/** The part of the answer key that built-in models and the strict reading use. */
export type GoldApi = { readonly api_call: string; readonly domain: string; readonly index: number | null };
export type HubTask = Task<{ readonly hub: Hub; readonly id: number }, GoldApi>;

export function taskOf(hub: Hub, question: Question): HubTask {
  const { question_id: id, gold_api_call: api_call, gold_domain: domain, gold_catalogue_index: index } = question;
  return {
    id: `${hub}-${id}`,
    question: question.question,
    input: { hub, id },
    answer: { api_call, domain, index },
    facets: { hub, domain },
  };
}
