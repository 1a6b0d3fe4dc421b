/** Queries and catalogue entries as the published files (and the sample) hold them. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DataProblem, readJsonLines } from "../../../source/engine/text/json-lines.ts";
import { field } from "../../../source/engine/text/json-record.ts";
import { eventLoopYielder } from "../../../source/engine/work/event-loop.ts";
import type { Json, ToolSpec } from "../../../source/engine/types.ts";
import { functionSchema, toolSpec, type ApiRecord, type Parameter } from "../ask/function-schema.ts";
import { identifier, standardize, standardizeCategory } from "../ask/names.ts";

/** What has to be found out for a sample task: which family of APIs, given what. */
export type Need = {
  readonly family: string;
  readonly given: Readonly<Record<string, string | number>>;
  readonly goal: string;
};
export type Query = {
  readonly query: string;
  readonly query_id: number;
  readonly api_list: readonly ApiRecord[];
  /** Pairs of tool and API name. */
  readonly relevant: readonly (readonly [string, string])[];
  /** Sample only. */
  readonly reference: readonly Need[];
  /** Sample only: what a right answer mentions. */
  readonly expect: readonly string[];
};

/** One API that can be offered, with its names in every form. */
export type Api = {
  readonly record: ApiRecord;
  readonly category: string;
  readonly tool: string;
  readonly api: string;
  /** What clustering and retrieval read. */
  readonly text: string;
  readonly spec: ToolSpec;
  /** Its line of the catalogue; absent for the APIs a query brings along. */
  readonly line?: { readonly [key: string]: Json };
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

/** The path of a file of the data folder, plain or gzipped; the gzipped name where neither is there. */
export function dataPath(folder: string, ...path: readonly string[]): string {
  const plain = join(folder, ...path);
  return existsSync(plain) ? plain : `${plain}.gz`;
}

/** Queries of one set. Throws `DataProblem` naming file and record. */
export async function readQueries(folder: string, set: string): Promise<readonly Query[]> {
  const path = dataPath(folder, "solvable_queries", `${set}.jsonl`);
  const values = await readJsonLines(path);
  return values.map((value, index) => {
    const list = field(value, "api_list");
    if (typeof field(value, "query") !== "string" || !Array.isArray(list))
      throw new DataProblem(`Expected record ${index + 1} of ${path} to have a \`query\` and an \`api_list\``);
    return {
      query: field(value, "query") as string,
      query_id: Number(field(value, "query_id") ?? index),
      api_list: list as unknown as readonly ApiRecord[],
      relevant: (field(value, "relevant APIs") ?? []) as unknown as Query["relevant"],
      reference: (field(value, "reference") ?? []) as unknown as readonly Need[],
      expect: (field(value, "expect") ?? []) as unknown as readonly string[],
    };
  });
}

export type Scope = "query" | "solvable" | "pool" | "all";
const flags = { solvable: "in_solvable", pool: "in_pool_approx", all: undefined } as const;

/** The catalogue's APIs of a scope, in file order. */
export async function readCatalogue(folder: string, scope: Exclude<Scope, "query">): Promise<readonly Api[]> {
  const values = await readJsonLines(dataPath(folder, "catalogue", "apis.jsonl"));
  const flag = flags[scope];
  const kept = flag === undefined ? values : values.filter((value) => field(value, flag) === true);
  const yieldIfDue = eventLoopYielder();
  const apis: Api[] = [];
  for (const value of kept) {
    apis.push(catalogueApi(value));
    await yieldIfDue();
  }
  return apis;
}

function catalogueApi(value: Json): Api {
  const text = (name: string) => String(field(value, name) ?? "");
  const parameters = (name: string) => (field(value, name) ?? []) as unknown as readonly Parameter[];
  const record: ApiRecord = {
    category_name: text("category"),
    tool_name: text("tool_name"),
    api_name: text("api_name"),
    api_description: text("description"),
    required_parameters: parameters("required_parameters"),
    optional_parameters: parameters("optional_parameters"),
  };
  const described = field(value, "llm_description");
  const api = apiOf(record, typeof described === "string" ? described : undefined);
  return { ...api, line: value as { readonly [key: string]: Json } };
}

/** Descriptions of tools by category and standardised name. */
export async function readToolDescriptions(folder: string): Promise<ReadonlyMap<string, string>> {
  const values = await readJsonLines(dataPath(folder, "catalogue", "tools.jsonl"));
  return new Map(values.map((value) => [String(field(value, "tool")), String(field(value, "description") ?? "")]));
}
