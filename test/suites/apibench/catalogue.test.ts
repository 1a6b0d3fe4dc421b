import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { loadHub } from "../../../suites/apibench/data/catalogue.ts";

/** The sample with one line of one file replaced. */
function sampleWith(file: string, line: number, change: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), "planwright-hub-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(sampleFolder("apibench"), folder, { recursive: true });
  const lines = readFileSync(join(folder, file), "utf8").split("\n");
  lines[line - 1] = JSON.stringify({ ...JSON.parse(lines[line - 1]!), ...change });
  writeFileSync(join(folder, file), lines.join("\n"));
  return folder;
}

it.each([
  ["catalogue/torchhub_api.jsonl", { description: null }, "Expected `description` in FILE line 2 to be text"],
  ["catalogue/torchhub_api.jsonl", { index: "1" }, "Expected `index` in FILE line 2 to be a number"],
  ["catalogue/torchhub_match_keys.jsonl", { needles: [5] }, "Expected `needles.0` in FILE line 2 to be text, got `5`"],
  ["catalogue/torchhub_match_keys.jsonl", { usable: 1 }, "Expected `usable` in FILE line 2 to be true or false"],
  ["eval/torchhub_eval.jsonl", { question_id: 1.5 }, "Expected `question_id` in FILE line 2 to be a whole number"],
  ["eval/torchhub_eval.jsonl", { gold_domain: undefined }, "Expected `gold_domain` in FILE line 2 to be text"],
])("a line of %s with %j is rejected", async (file, change, message) => {
  const folder = sampleWith(file, 2, change);
  await expect(loadHub(folder, "torchhub")).rejects.toThrow(message.replace("FILE", join(folder, file)));
});

it("a list of functionalities in one published catalogue entry is read unchanged", async () => {
  const folder = sampleWith("catalogue/huggingface_api.jsonl", 1, { functionality: ["Ranking", "Search"] });
  expect((await loadHub(folder, "huggingface")).apis[0]!.functionality).toEqual(["Ranking", "Search"]);
});
