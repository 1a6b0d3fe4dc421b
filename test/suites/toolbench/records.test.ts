import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import { readCatalogue, readQueries, readToolDescriptions } from "../../../suites/toolbench/data/records.ts";
import { readReferences } from "../../../suites/toolbench/data/references.ts";
import { ResponseCache } from "../../../suites/toolbench/data/response-cache.ts";

/** A data folder with one file, one JSON value a line. */
function folderWith(file: string, lines: readonly unknown[]): string {
  const folder = mkdtempSync(join(tmpdir(), "planwright-records-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return folder;
}

const parameter = { name: "city", type: "STRING", description: "A city" };
const api = { category_name: "Weather", tool_name: "Sky", api_name: "now", api_description: "The weather now" };
const query = { query: "What is the weather?", query_id: 3, api_list: [{ ...api, required_parameters: [parameter] }] };

it("missing fields of queries are read as empty", async () => {
  const { query_id: _, ...unnumbered } = query;
  const folder = folderWith("solvable_queries/G1_tool.jsonl", [query, unnumbered]);
  expect(await readQueries(folder, "G1_tool")).toEqual([
    { ...query, relevant: [], reference: [], expect: [] },
    { ...query, query_id: 1, relevant: [], reference: [], expect: [] },
  ]);
});

it.each([
  [{ ...query, query: 5 }, "Expected `query` in FILE line 2 to be text, got `5`"],
  [{ ...query, api_list: "none" }, "Expected `api_list` in FILE line 2 to be a list, got `none`"],
  [{ ...query, api_list: [{ ...api, tool_name: null }] }, "Expected `api_list.0.tool_name` in FILE line 2 to be text"],
  [
    { ...query, api_list: [{ ...api, optional_parameters: [{ ...parameter, description: 1 }] }] },
    "Expected `api_list.0.optional_parameters.0.description` in FILE line 2 to be text, got `1`",
  ],
  [
    { ...query, "relevant APIs": [["Sky"]] },
    "Expected `relevant APIs.0` in FILE line 2 to be a list of at least 2 items",
  ],
  [
    { ...query, reference: [{ family: "weather", given: {} }] },
    "Expected `reference.0.goal` in FILE line 2 to be text",
  ],
  [{ ...query, expect: "sunny" }, "Expected `expect` in FILE line 2 to be a list, got `sunny`"],
  [[], "Expected FILE line 2 to be an object, got `[]`"],
])("a malformed query is reported by line and field: %j", async (broken, message) => {
  const file = "solvable_queries/G1_tool.jsonl";
  const folder = folderWith(file, [query, broken]);
  const reading = readQueries(folder, "G1_tool");
  await expect(reading).rejects.toThrow(DataProblem);
  await expect(reading).rejects.toThrow(message.replace("FILE", join(folder, file)));
});

const entry = { category: "Weather", tool_name: "Sky", api_name: "now", description: "The weather now" };

it("a malformed catalogue entry is reported when its group is read", async () => {
  const broken = { ...entry, in_pool_approx: true, required_parameters: [{ ...parameter, name: 7 }] };
  const folder = folderWith("catalogue/apis.jsonl", [{ ...entry, in_solvable: true }, broken]);
  expect((await readCatalogue(folder, "solvable")).map(({ api: name }) => name)).toEqual(["now"]);
  for (const scope of ["pool", "all"] as const)
    await expect(readCatalogue(folder, scope)).rejects.toThrow(
      `Expected \`required_parameters.0.name\` in ${join(folder, "catalogue/apis.jsonl")} line 2 to be text, got \`7\``,
    );
});

it("a parameter without a type is offered as text", async () => {
  const folder = folderWith("catalogue/apis.jsonl", [
    { ...entry, required_parameters: [{ ...parameter, type: null }] },
  ]);
  const [read] = await readCatalogue(folder, "all");
  expect(read!.spec.parameters).toMatchObject({ properties: { city: { type: "string" } } });
});

it("a malformed tool or cached response is reported with its line", async () => {
  const tools = folderWith("catalogue/tools.jsonl", [{ tool: "sky", description: "Weather" }, { description: "?" }]);
  await expect(readToolDescriptions(tools)).rejects.toThrow(/^Expected `tool` in .*tools\.jsonl line 2 to be text/);
  const cached = { c: "Weather", t: "sky", a: "now", key: "{}", input: {}, error: "", response: "sunny" };
  const cache = folderWith("response_cache/solvable_cache.jsonl", [cached, { ...cached, key: {} }]);
  await expect(ResponseCache.read(cache)).rejects.toThrow(
    /^Expected `key` in .*solvable_cache\.jsonl line 2 to be text, got `\{\}`$/,
  );
});

const node = { role: "tool", message: { name: "now", arguments: "{}", response: "sunny" }, next: [] };
const answer = { method: "react", total_steps: 3, final_answer: "Sunny.", answer_details: [node] };

it.each([
  [{ set: "G1_tool", query_id: 1, answer: { ...answer, final_answer: 1 } }, "Expected `final_answer` in `answer` of"],
  [{ set: "G1_tool", query_id: 1 }, "Expected `answer` in "],
  [
    {
      set: "G1_tool",
      query_id: 1,
      answer: { ...answer, answer_details: [{ ...node, next: [{ ...node, role: "me" }] }] },
    },
    "Expected `role` in a node of `answer` of query 1 in ",
  ],
])("a malformed reference answer is reported: %j", async (broken, message) => {
  const folder = folderWith("references/mine.jsonl", [{ set: "G1_tool", query_id: 2, answer }, broken]);
  await expect(readReferences(folder, "sample", "G1_tool", "mine")).rejects.toThrow(message);
});

it("deeply nested reference answers are read without an error", async () => {
  let deep = `{"role":"assistant","message":"","next":[]}`;
  const depth = 20_000;
  deep = `${`{"role":"assistant","message":"","next":[`.repeat(depth)}${deep}${"]}".repeat(depth)}`;
  const folder = folderWith("references/mine.jsonl", []);
  const line = JSON.stringify({ set: "G1_tool", query_id: 2, answer: { ...answer, answer_details: ["DEEP"] } });
  writeFileSync(join(folder, "references/mine.jsonl"), line.replace('"DEEP"', deep));
  expect((await readReferences(folder, "sample", "G1_tool", "mine")).get("2")!.final_answer).toBe("Sunny.");
});
