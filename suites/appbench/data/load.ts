/** Reading the data folder, published or sample: both have the same files. */
import { join } from "node:path";
import { DataProblem, readJson } from "../../../source/engine/text/json-lines.ts";
import { isRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import type { Catalogue } from "./catalogue.ts";
import { dataFiles } from "./data-files.ts";
import type { AppTask, Category, Sample } from "./gold.ts";
import { callsOf, categories } from "./gold.ts";
import { needsOf, sequentialScale, topologyOf } from "./topology.ts";

export type Loaded = { readonly catalogue: Catalogue; readonly samples: ReadonlyMap<Category, readonly Sample[]> };

/**
 * Throws `DataProblem`, with what to do, for a file that is missing, truncated or not what it should be. The number of
 * records is held to that of the published files unless `part` says that a part of them will do.
 */
export async function loadFolder(
  folder: string,
  data: "sample" | "published",
  { part = data === "sample" }: { readonly part?: boolean } = {},
): Promise<Loaded> {
  const samples = new Map<Category, readonly Sample[]>();
  for (const category of categories) {
    const path = join(folder, `test_${category.toLowerCase()}.json`);
    samples.set(category, await read(path, data, part, asSamples));
  }
  return { samples, catalogue: await read(join(folder, "catalogue.json"), data, part, asCatalogue) };
}

const advice =
  "bring the published files in again with `planwright data add appbench --from DIR`, DIR being a complete copy of them";

async function read<Value extends { readonly length: number } | Catalogue>(
  path: string,
  data: "sample" | "published",
  part: boolean,
  as: (value: Json, path: string) => Value,
): Promise<Value> {
  try {
    const value = as(await readJson(path), path);
    const expected = dataFiles.find((file) => path.endsWith(file.path));
    const found = "apps" in value ? value.apps.length : value.length;
    if (!part && expected?.count !== undefined && found !== expected.count) {
      throw new DataProblem(`Expected ${expected.count} ${expected.of} in ${path}, found ${found}`);
    }
    return value;
  } catch (error) {
    if (!(error instanceof DataProblem)) throw error;
    throw new DataProblem(data === "published" ? `${error.message}; ${advice}` : error.message);
  }
}

function asSamples(value: Json, path: string): readonly Sample[] {
  if (!Array.isArray(value)) throw new DataProblem(`Expected ${path} to be a list of tasks`);
  for (const [index, item] of value.entries()) {
    if (!isSample(item)) {
      throw new DataProblem(
        `Expected task ${index} of ${path} to have \`input\` and an \`output\` with \`used_app\`, \`used_api\`, \`result_arguments\`, \`api_results\` and \`user_aware_arguments\``,
      );
    }
  }
  return value as unknown as readonly Sample[];
}

function isTexts(value: Json | undefined): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isValues(value: Json | undefined): boolean {
  return isRecord(value) && Object.values(value).every((item) => typeof item === "string");
}

function isSample(item: Json): boolean {
  if (!isRecord(item) || typeof item["input"] !== "string" || !isRecord(item["output"])) return false;
  const { used_app, used_api, result_arguments, api_results, user_aware_arguments } = item["output"];
  return (
    isTexts(used_app) &&
    isTexts(api_results) &&
    isValues(user_aware_arguments) &&
    Array.isArray(result_arguments) &&
    result_arguments.every(isTexts) &&
    Array.isArray(used_api) &&
    used_api.every((call) => isRecord(call) && Object.values(call).every(isValues))
  );
}

function asCatalogue(value: Json, path: string): Catalogue {
  const apps = isRecord(value) ? value["apps"] : undefined;
  const date = isRecord(value) ? value["current_date"] : undefined;
  if (typeof date !== "string" || !Array.isArray(apps) || !apps.every(isApp)) {
    throw new DataProblem(
      `Expected ${path} to have \`current_date\` and \`apps\`, each with \`name\`, \`description\` and \`apis\``,
    );
  }
  return value as unknown as Catalogue;
}

function isApp(app: Json): boolean {
  return isRecord(app) && typeof app["name"] === "string" && Array.isArray(app["apis"]) && app["apis"].every(isApi);
}

function isApi(api: Json): boolean {
  if (!isRecord(api) || typeof api["name"] !== "string") return false;
  return ["required_arguments", "optional_arguments", "result_arguments"].every((list) => Array.isArray(api[list]));
}

/** Tasks of one category with ids such as `mm-010`, the index being that in its file. */
export function tasksOf(category: Category, samples: readonly Sample[]): AppTask[] {
  return samples.map(({ input, output }, index) => {
    const calls = callsOf(output);
    const topology = topologyOf(calls.map((call) => call.text));
    return {
      id: `${category.toLowerCase()}-${String(index).padStart(3, "0")}`,
      question: input,
      input: { instruction: input, category },
      answer: output,
      facets: {
        category,
        apps: new Set(output.used_app).size,
        calls: calls.length,
        parallel: topology.sizes.length,
        sequential: sequentialScale(topology),
        references: calls.reduce((sum, call) => sum + needsOf(call.text).length, 0),
      },
    };
  });
}
