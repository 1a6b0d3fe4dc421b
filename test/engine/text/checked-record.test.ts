import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  anyJson,
  checkedList,
  checkedPrediction,
  checkedRecord,
  checkedValue,
  readJsonRecords,
  recordOf,
  type Misfit,
} from "../../../source/engine/text/checked-record.ts";
import { PredictionProblem } from "../../../source/engine/prediction.ts";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";

const tool = z.object({
  name: z.string().min(1),
  kind: z.enum(["read", "write"]),
  size: z.int().min(1).max(9),
  tags: z.array(z.string()),
  values: recordOf(z.union([z.string(), z.number()])),
  extra: anyJson.optional(),
});
const good = { zebra: 1, name: "get", kind: "read", size: 3, tags: ["a"], values: { b: 2, a: "x" }, extra: [null] };

describe("a valid record of a data set", () => {
  it("is returned as the same object, with its order of keys and its fields outside the schema", () => {
    const value = JSON.parse(JSON.stringify({ ...good, values: { b: 1, a: "x" } })) as unknown;
    expect(checkedRecord(tool, value, "tools.json")).toBe(value);
    expect(JSON.stringify(value)).toBe(JSON.stringify({ ...good, values: { b: 1, a: "x" } }));
  });

  it("does not cause the computation of its position for an error message", () => {
    const where = () => {
      throw new Error("asked");
    };
    expect(checkedRecord(tool, good, where)).toBe(good);
  });
});

describe("an invalid record of a data set", () => {
  it.each<[string, unknown, string]>([
    ["is not an object", 5, "Expected tools.json line 4 to be an object, got `5`"],
    ["lacks a field", { ...good, name: undefined }, "Expected `name` in tools.json line 4 to be text, got `nothing`"],
    [
      "has an empty name",
      { ...good, name: "" },
      "Expected `name` in tools.json line 4 to be text that is not empty, got ``",
    ],
    [
      "has an unknown kind",
      { ...good, kind: "x" },
      "Expected `kind` in tools.json line 4 to be one of read, write, got `x`",
    ],
    [
      "has a fractional size",
      { ...good, size: 1.5 },
      "Expected `size` in tools.json line 4 to be a whole number, got `1.5`",
    ],
    ["is too small", { ...good, size: 0 }, "Expected `size` in tools.json line 4 to be at least 1, got `0`"],
    ["is too large", { ...good, size: 10 }, "Expected `size` in tools.json line 4 to be at most 9, got `10`"],
    ["has no list", { ...good, tags: "a" }, "Expected `tags` in tools.json line 4 to be a list, got `a`"],
    [
      "has a number in a list",
      { ...good, tags: ["a", 7] },
      "Expected `tags.1` in tools.json line 4 to be text, got `7`",
    ],
    [
      "has a list instead of an object",
      { ...good, values: [] },
      "Expected `values` in tools.json line 4 to be an object, got `[]`",
    ],
    [
      "has a key `__proto__`",
      { ...good, values: JSON.parse('{"__proto__": null}') as unknown },
      'Expected `values` in tools.json line 4 to be an object without the key `__proto__`, got `{"__proto__":null}`',
    ],
    [
      "has a value that is neither text nor a number",
      { ...good, values: { a: null } },
      "Expected `values.a` in tools.json line 4 to be text or a number, got `null`",
    ],
  ])("is rejected because it %s", (_, value, message) => {
    expect(() => checkedRecord(tool, value, "tools.json line 4")).toThrow(new DataProblem(message));
    expect(() => checkedRecord(tool, value, () => "tools.json line 4")).toThrow(new DataProblem(message));
  });

  it("shows only the start of its value in the error", () => {
    expect(() => checkedRecord(tool, "x".repeat(5000), "tools.json")).toThrow(
      new DataProblem(`Expected tools.json to be an object, got \`${"x".repeat(77)}...\``),
    );
  });

  it("is reported by the mistake in the most similar shape of a union", () => {
    const either = z.object({ answer: z.union([z.string(), z.object({ steps: z.array(z.string()) })]) });
    expect(() => checkedRecord(either, { answer: { steps: ["a", 1] } }, "gold.json")).toThrow(
      new DataProblem("Expected `answer.steps.1` in gold.json to be text, got `1`"),
    );
  });

  it("can be reported as another error type", () => {
    const refuse = (misfit: Misfit): never => {
      throw new RangeError(JSON.stringify(misfit));
    };
    expect(checkedValue(tool, good, refuse)).toBe(good);
    expect(() => checkedValue(tool, { ...good, tags: ["a", 7] }, refuse)).toThrow(
      new RangeError('{"path":["tags",1],"expected":"text","got":"7"}'),
    );
  });
});

describe("a line of a predictions file", () => {
  const line = z.object({ output: z.string("the text of an answer") }, "an object such as {output}");

  it.each<[string, unknown, string]>([
    ["not an object", "text", "Line 3: Expected an object such as {output}, got `text`"],
    ["not text", { output: [1] }, "Line 3: Expected `output` to be the text of an answer, got `[1]`"],
  ])("is rejected with the number of the line, in the schema's words, if it is %s", (_, value, message) => {
    expect(() => checkedPrediction(line, value, 3)).toThrow(new PredictionProblem(3, message.slice("Line 3: ".length)));
    expect(() => checkedPrediction(line, value, 3)).toThrow(message);
  });

  it("is returned as the same object if it is valid", () => {
    const value = { output: "", id: 1 };
    expect(checkedPrediction(line, value, 3)).toBe(value);
  });
});

describe("lists and files with an invalid record", () => {
  it("are rejected with the index of the record", () => {
    expect(checkedList(z.string(), ["a", "b"], "names.json")).toEqual(["a", "b"]);
    expect(() => checkedList(z.string(), ["a", 2], "`names` in x.json")).toThrow(
      new DataProblem("Expected `names` in x.json item 1 to be text, got `2`"),
    );
    expect(() => checkedList(z.string(), undefined, "x.json")).toThrow(
      new DataProblem("Expected x.json to be a list, got `nothing`"),
    );
  });

  it("are rejected with the line number, which includes blank lines, gzipped or not", async () => {
    const folder = mkdtempSync(join(tmpdir(), "records-"));
    const plain = join(folder, "a.jsonl");
    const zipped = join(folder, "a.jsonl.gz");
    writeFileSync(plain, '"a"\n\n"b"\n');
    writeFileSync(zipped, gzipSync('"a"\n\n5\n'));
    expect(await readJsonRecords(plain, z.string())).toEqual(["a", "b"]);
    await expect(readJsonRecords(zipped, z.string())).rejects.toThrow(
      new DataProblem(`Expected ${zipped} line 3 to be text, got \`5\``),
    );
  });
});
