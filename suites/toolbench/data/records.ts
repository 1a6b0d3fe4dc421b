/** Queries and catalogue entries of the published files and the sample. */
import { join } from "node:path";
import { z } from "zod";
import { checkedRecord, readJsonRecords, recordOf, type Fitting } from "../../../source/engine/text/checked-record.ts";
import { DataProblem, parsedLines, plainOrGzipped, readText } from "../../../source/engine/text/json-lines.ts";
import { field } from "../../../source/engine/text/json-record.ts";
import { eventLoopYielder } from "../../../source/engine/work/event-loop.ts";
import type { Json, Task, ToolSpec } from "../../../source/engine/types.ts";
import { functionSchema, toolSpec, type ApiRecord, apiRecord, parameters } from "../ask/function-schema.ts";
import { identifier, standardize, standardizeCategory } from "../ask/names.ts";
import { factOf } from "../../../source/engine/work/fact.ts";

/** A fact to find for a sample task: the family of APIs, and the given values. */
const need = z.object({
  family: z.string(),
  given: recordOf(z.union([z.string(), z.number()])),
  goal: z.string(),
});
export type Need = Fitting<typeof need>;
export type Query = {
  readonly query: string;
  readonly query_id: number;
  readonly api_list: readonly ApiRecord[];
  /** Pairs of tool and API name. */
  readonly relevant: readonly (readonly [string, string])[];
  /** Sample only. */
  readonly reference: readonly Need[];
  /** The items that a right answer mentions; only in the sample and in the user's own data. */
  readonly expect: readonly string[];
};

export type QueryTask = Task<{ readonly set: string; readonly id: number }, Query>;

/** One API that can be offered, with its names in every form. */
export type Api = {
  readonly record: ApiRecord;
  readonly category: string;
  readonly tool: string;
  readonly api: string;
  /** Text for clustering and retrieval. */
  readonly text: string;
  readonly spec: ToolSpec;
  /** Its record in the catalogue; absent for the APIs in a query. */
  readonly published?: { readonly [key: string]: Json };
};

export function apiOf(record: ApiRecord, described?: string): Api {
  const tool = standardize(record.tool_name);
  return {
    record,
    category: standardizeCategory(record.category_name),
    tool,
    api: identifier(record.api_name),
    text: `${record.api_name}. ${described ?? record.api_description}`,
    spec: toolSpec(functionSchema(record, tool, "stabletoolbench")),
  };
}

/** Returns the APIs of a query; cached, because built-in models look them up for every reply. */
export const apisOf = factOf((query: Query): readonly Api[] => query.api_list.map((record) => apiOf(record)));

/** Returns the path of a file of the data folder, with `.gz` if only the gzipped file exists, or neither does. */
export const dataPath = (folder: string, ...path: readonly string[]): string => plainOrGzipped(join(folder, ...path));

const queryRecord = z.object({
  query: z.string(),
  query_id: z.int().optional(),
  api_list: z.array(apiRecord),
  "relevant APIs": z.array(z.tuple([z.string(), z.string()])).optional(),
  reference: z.array(need).optional(),
  expect: z.array(z.string()).optional(),
});

/** Reads the queries of one set. Throws `DataProblem` with file, line and field. */
export async function readQueries(folder: string, set: string): Promise<readonly Query[]> {
  const path = dataPath(folder, "solvable_queries", `${set}.jsonl`);
  const records = await readJsonRecords(path, queryRecord);
  const queries = records.map(
    ({ query, query_id, api_list, "relevant APIs": relevant = [], reference = [], expect = [] }, index) => ({
      query,
      query_id: query_id ?? index,
      api_list,
      relevant,
      reference,
      expect,
    }),
  );
  for (const query of queries) checkRelevant(query, path);
  return queries;
}

/**
 * Rejects a query that does not offer its relevant APIs. The catalogue is not checked, because it lacks three of the
 * published APIs.
 */
function checkRelevant({ query_id, api_list, relevant }: Query, path: string): void {
  const missing = relevant.find(
    ([tool, api]) => !api_list.some(({ tool_name, api_name }) => tool_name === tool && api_name === api),
  );
  if (missing !== undefined)
    throw new DataProblem(
      `Expected \`api_list\` of query ${query_id} in ${path} to have the relevant API \`${missing.join(" / ")}\`, found none`,
    );
}

export type Scope = "query" | "solvable" | "pool" | "all";
const flags = { solvable: "in_solvable", pool: "in_pool_approx", all: undefined } as const;

const catalogueRecord = z.object({
  category: z.string(),
  tool_name: z.string(),
  api_name: z.string(),
  description: z.exactOptional(z.string()),
  /** A description written by a model, if any. */
  llm_description: z.exactOptional(z.string().nullable()),
  required_parameters: parameters,
  optional_parameters: parameters,
});

/**
 * Reads the catalogue's APIs of a scope in file order, skipping other scopes. Throws `DataProblem` like `readQueries`.
 */
export async function readCatalogue(folder: string, scope: Exclude<Scope, "query">): Promise<readonly Api[]> {
  const path = dataPath(folder, "catalogue", "apis.jsonl");
  const flag = flags[scope];
  const yieldIfDue = eventLoopYielder();
  const apis: Api[] = [];
  for (const { number, value } of parsedLines(await readText(path), path)) {
    await yieldIfDue();
    if (flag !== undefined && field(value, flag) !== true) continue;
    apis.push(catalogueApi(checkedRecord(catalogueRecord, value, () => `${path} line ${number}`)));
  }
  return apis;
}

function catalogueApi(published: Fitting<typeof catalogueRecord>): Api {
  const record: ApiRecord = {
    category_name: published.category,
    tool_name: published.tool_name,
    api_name: published.api_name,
    api_description: published.description ?? "",
    required_parameters: published.required_parameters ?? [],
    optional_parameters: published.optional_parameters ?? [],
  };
  return { ...apiOf(record, published.llm_description ?? undefined), published };
}

const toolRecord = z.object({ tool: z.string(), description: z.string().optional() });

/** Reads the descriptions of tools, by category and standardized name. */
export async function readToolDescriptions(folder: string): Promise<ReadonlyMap<string, string>> {
  const records = await readJsonRecords(dataPath(folder, "catalogue", "tools.jsonl"), toolRecord);
  return new Map(records.map(({ tool, description = "" }) => [tool, description]));
}
