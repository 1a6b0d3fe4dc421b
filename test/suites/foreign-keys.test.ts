/** Tasks and catalogue of a data folder belong together: everything a task names must exist when the data are opened. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sampleFolder } from "../../source/engine/settings/package-folder.ts";
import { suites } from "../../suites/index.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-keys-"))));
afterEach(() => rmSync(folder, { recursive: true }));

async function tasksOf(name: string, split: string) {
  const suite = suites.find((each) => each.name === name)!;
  const loaded = await suite.open({ folder, data: "sample" });
  try {
    return await loaded.tasks(split);
  } finally {
    loaded.close?.();
  }
}

const cases: readonly (readonly [suite: string, split: string, file: string, was: string, is: string, says: RegExp])[] =
  [
    [
      "ultratool",
      "en/tool_usage",
      "en/tool_usage.jsonl",
      '"toolset": [{"name": "',
      '"toolset": [{"name": "other_',
      /Expected `toolset` of .*tool_usage\.jsonl line 1 to have the tool `\w+`, found none/,
    ],
    [
      "ultratool",
      "en/tool_usage_awareness",
      "en/tool_usage_awareness.jsonl",
      '"reference": [{"step": "',
      '"reference": [{"step": "Not ',
      /Expected `reference\.0\.step` of .* to be a step of `input` with a tool, got `Not /,
    ],
    [
      "appbench",
      "ss",
      "catalogue.json",
      '"name": "',
      '"name": "Un',
      /catalogue\.json to have the app `\w+`, which task \d+ of S/,
    ],
    [
      "toolbench",
      "G1_instruction",
      "solvable_queries/G1_instruction.jsonl",
      '"relevant APIs": [["',
      '"relevant APIs": [["No ',
      /Expected `api_list` of query \d+ in .* to have the relevant API `No /,
    ],
    [
      "apibench",
      "torchhub",
      "eval/torchhub_eval.jsonl",
      '"gold_catalogue_index": 0',
      '"gold_catalogue_index": 1',
      /Expected row 1 of the torchhub catalogue in .* to be the API of question \d+/,
    ],
    [
      "apibench",
      "torchhub",
      "catalogue/torchhub_match_keys.jsonl",
      '"api_call": "',
      '"api_call": "another',
      /Expected the match keys of torchhub in .* to match its APIs, but the keys of row 0 do not/,
    ],
    ["travelplanner", "train", "queries/train.jsonl", '"org": "', '"org": "New ', /Expected the tables to have `New /],
    [
      "planningarena",
      "generated",
      "tasks.jsonl",
      '"gold": {"subtasks": [{"id": "s1", "tool": "',
      '"gold": {"subtasks": [{"id": "s1", "tool": "no_',
      /Expected the catalogue to have the tool `no_/,
    ],
  ];

test.each(cases)(
  "%s, %s: data in which %s refers to something that does not exist are rejected",
  async (suite, split, file, was, is, says) => {
    cpSync(sampleFolder(suite), folder, { recursive: true });
    await expect(tasksOf(suite, split)).resolves.not.toHaveLength(0);
    const text = readFileSync(join(folder, file), "utf8");
    const loose = new RegExp(was.replaceAll(/[[\]{}]/g, "\\$&").replaceAll(" ", "\\s*"));
    expect(text).toMatch(loose);
    writeFileSync(join(folder, file), text.replace(loose, is));
    await expect(tasksOf(suite, split)).rejects.toThrow(says);
  },
);
