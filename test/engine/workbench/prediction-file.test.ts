import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readPredictions } from "../../../source/engine/workbench/runs/prediction-run.ts";
import { temporaryFolder, typed } from "../../commands/typed.ts";
import { describePublished, shared } from "../../shared.ts";

const at = temporaryFolder();

it("a predictions file is one object over several lines or one object per line; other content is rejected", async () => {
  const path = at("labels.json");
  writeFileSync(path, JSON.stringify({ a: { b: 1 } }, null, 2));
  expect(await readPredictions(path)).toMatchObject([{ number: 1, value: { a: { b: 1 } } }]);
  writeFileSync(path, '{"a": 1}\n{"a": 2}\n');
  expect(await readPredictions(path)).toMatchObject([
    { number: 1, value: { a: 1 } },
    { number: 2, value: { a: 2 } },
  ]);
  writeFileSync(path, '{\n "a": 1\n}\n{\n');
  await expect(readPredictions(path)).rejects.toThrow("to be a JSON object or JSON Lines");
});

describePublished("StableToolBench's own file of judgements", () => {
  it("is scored as published", async () => {
    const name = ["pass_rate_results", "virtual_chatgpt_cot", "G1_instruction_virtual_chatgpt_cot.json.gz"];
    const path = shared("data", "toolbench", "examples", "stabletoolbench", ...name);
    const { out, status } = await typed("score", "toolbench", "--predictions", path, "--split", "passrate", "--json");
    expect(status).toBe(0);
    expect(JSON.parse(out).aggregate).toMatchObject({ printed: "Solve rate: 66.7% Std: 0.0%" });
  });
});
