import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PredictionProblem } from "../../../source/engine/prediction.ts";
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

it("a predictions file is rejected if a value has more than 1,000 nested levels", async () => {
  const path = at("deep.jsonl");
  const line = (levels: number) => `{"output": ${"[".repeat(levels)}${"]".repeat(levels)}}`;
  writeFileSync(path, `${line(3)}\n${line(999)}\n`);
  expect(await readPredictions(path)).toHaveLength(2);
  writeFileSync(path, `${line(3)}\n${line(1000)}\n`);
  await expect(readPredictions(path)).rejects.toThrow(`Expected line 2 of ${path} to have at most 1000 nested levels`);
  writeFileSync(path, `[${line(50_000)}]`);
  await expect(readPredictions(path)).rejects.toThrow("Expected line 1");
});

it("the reason for rejecting a line contains at most 1,000 characters of a long value", () => {
  expect(new PredictionProblem(7, "x".repeat(1000)).message).toBe(`Line 7: ${"x".repeat(1000)}`);
  expect(new PredictionProblem(7, "x".repeat(1001)).message).toBe(`Line 7: ${"x".repeat(1000)}...`);
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
