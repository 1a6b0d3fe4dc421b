/** Reads the data folder. Published and sample folders have the same files. */
import { join } from "node:path";
import { checkedList, checkedRecord } from "../../../source/engine/text/checked-record.ts";
import { DataProblem, readJson } from "../../../source/engine/text/json-lines.ts";
import type { DataKind, Json } from "../../../source/engine/types.ts";
import { catalogueFile, type Catalogue } from "./catalogue.ts";
import { dataFiles } from "./data-files.ts";
import { type AppTask, type Category, type Sample, callsOf, categories, sample } from "./gold.ts";
import { needsOf, sequentialScale, topologyOf } from "./topology.ts";

export type Loaded = { readonly catalogue: Catalogue; readonly samples: ReadonlyMap<Category, readonly Sample[]> };

/**
 * Reads a folder. Throws `DataProblem`, with advice, for a missing, truncated or invalid file. The number of records must equal
 * that of the published files unless `part` permits fewer.
 */
export async function loadFolder(
  folder: string,
  data: DataKind,
  { part = data !== "published" }: { readonly part?: boolean } = {},
): Promise<Loaded> {
  const samples = new Map<Category, readonly Sample[]>();
  for (const category of categories) {
    const path = join(folder, `test_${category.toLowerCase()}.json`);
    samples.set(category, await read(path, data, part, (value) => checkedList(sample, value, path)));
  }
  const path = join(folder, "catalogue.json");
  const catalogue = await read(path, data, part, (value) => checkedRecord(catalogueFile, value, path));
  checkCalls(samples, catalogue, path);
  return { samples, catalogue };
}

/**
 * Rejects reference plans of another catalogue, which would make every plan wrong. Argument names are not checked because some
 * published names differ.
 */
function checkCalls(samples: Loaded["samples"], catalogue: Catalogue, path: string): void {
  const apis = new Map(catalogue.apps.map(({ name, apis: own }) => [name, new Set(own.map((each) => each.name))]));
  for (const [category, records] of samples)
    for (const [index, { output }] of records.entries())
      for (const [call, app] of output.used_app.entries()) {
        const names = Object.keys(output.used_api[call] ?? {});
        const unknown = apis.has(app) ? names.find((name) => !apis.get(app)!.has(name)) : app;
        if (unknown === undefined) continue;
        const what = unknown === app ? `the app \`${app}\`` : `the API \`${unknown}\` of \`${app}\``;
        throw new DataProblem(`Expected ${path} to have ${what}, which task ${index} of ${category} uses, found none`);
      }
}

const advice =
  "install the published files again with `planwright data add appbench --from DIR`; DIR must contain all of them";

async function read<Value extends { readonly length: number } | Catalogue>(
  path: string,
  data: DataKind,
  part: boolean,
  checked: (value: Json) => Value,
): Promise<Value> {
  try {
    const value = checked(await readJson(path));
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

/** Builds the tasks of one category, with ids such as `mm-010` from the index in the file. */
export const tasksOf = (category: Category, samples: readonly Sample[]): AppTask[] =>
  samples.map(({ input, output }, index) => {
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
