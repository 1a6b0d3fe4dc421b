/** A setting whose row was added after notebooks wrote it as a field of `request`. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { ReadCell } from "./added-rows.ts";

const ids = ({ runs }: ReadCell) => runs.map(({ run }) => run);

/** The ids of cells from before the rows were added. */
const before: readonly (readonly [string, readonly string[]])[] = [
  ["request: {top_k: 20}", ["691edf36e518b7c0"]],
  ["request: {reasoning_effort: low, top_k: 20}", ["ad17abfefc84c8dd"]],
  ["request: [{}, {top_k: 20}, {top_k: 40, a: 1}]", ["fc0914e690606c7d", "691edf36e518b7c0", "eeff99b9107c7d60"]],
  ["request: {top_k: -1}", ["5cb055a1d9cb1809"]],
  ["request: {bad_words: x}", ["8179995ec0a2317b"]],
];

const all = [
  ...before.map(([cell]) => cell),
  "topK: 20",
  "topK: 20\nrequest: {top_k: 20}",
  "topK: 20\nrequest: {reasoning_effort: low}",
  "topK: 20\nrequest: {top_k: -1}",
  "topK: [20, 40]\nrequest: {top_k: 20}",
  "request: {bad_words: [x]}",
  "request: {reasoning_effort: low, top_k: 20} # mine",
  "strategy: [random, direct]\ntopK: [20, 40]",
];

/** All cells, as a program reads them that has rows for `top_k` and `bad_words`. One start reads all, because it loads the sources. */
const cells = new Map<string, ReadCell>();
beforeAll(() => {
  const program = fileURLToPath(new URL("./added-rows.ts", import.meta.url));
  const input = JSON.stringify(all.map((each) => `suite: frozen\nmodel: lab/m\n${each}\n`));
  const found = JSON.parse(execFileSync(process.execPath, [program], { input, encoding: "utf8" })) as ReadCell[];
  for (const [index, fields] of all.entries()) cells.set(fields, found[index]!);
});

const read = (...fields: readonly string[]): readonly ReadCell[] => fields.map((each) => cells.get(each)!);

describe("a new setting for a field of `request`", () => {
  it("keeps the ids of older cells", () => {
    const older = read(...before.map(([cell]) => cell));
    expect(older.flatMap(({ problems }) => problems)).toEqual([]);
    expect(older.map(ids)).toEqual(before.map(([, runs]) => runs));
  });

  it("has one run id and one request body, as a setting or as a field of `request`", () => {
    const [field, setting, both, beside] = read(
      "request: {top_k: 20}",
      "topK: 20",
      "topK: 20\nrequest: {top_k: 20}",
      "topK: 20\nrequest: {reasoning_effort: low}",
    );
    expect(setting!.runs).toEqual(field!.runs);
    expect(both!.runs).toEqual(field!.runs);
    expect(ids(field!)).toEqual(["691edf36e518b7c0"]);
    expect(ids(beside!)).toEqual(["ad17abfefc84c8dd"]);
    // Replies are cached by the text of the body, in which a field of `request` comes first.
    expect(setting!.runs[0]!.body).toMatch(/^\{"top_k":20,"model":"m",/);
  });

  it("is read from the field, and a note reports where it was found", () => {
    const [cell] = read("request: {reasoning_effort: low, top_k: 20}");
    expect(cell!.runs[0]!.spec).toMatchObject({ topK: 20, request: { reasoning_effort: "low" } });
    expect(cell!.notes).toEqual(["from `request`: topK: 20"]);
    expect(cell!.runs[0]!.source).toContain('request: {reasoning_effort: "low"}\n');
    expect(cell!.runs[0]!.source).toContain("topK: 20\n");
  });

  it("leaves an invalid value among the fields of `request`", () => {
    const [number, text, list] = read("request: {top_k: -1}", "request: {bad_words: x}", "request: {bad_words: [x]}");
    expect(number!.runs[0]!.spec.request).toEqual({ top_k: -1 });
    expect(number!.runs[0]!.body).toContain('"top_k":-1');
    expect(text!.runs[0]!.spec.request).toEqual({ bad_words: "x" });
    expect(list!.runs[0]!.spec.badWords).toEqual(["x"]);
    expect([...number!.notes, ...text!.notes]).toEqual([]);
  });

  it("rejects different values in the setting and in `request`", () => {
    const [grid, unread] = read("topK: [20, 40]\nrequest: {top_k: 20}", "topK: 20\nrequest: {top_k: -1}");
    const expected = "Expected one value for `topK`, got";
    expect(grid!.problems).toEqual([{ message: `${expected} \`40\` and \`request: {"top_k":20}\``, line: 4 }]);
    expect(unread!.problems).toEqual([{ message: `${expected} \`20\` and \`request: {"top_k":-1}\``, line: 4 }]);
  });

  it("makes no second run if the strategy uses no model", () => {
    const [cell] = read("strategy: [random, direct]\ntopK: [20, 40]");
    expect(cell!.runs.map(({ label }) => label)).toEqual(["random", "direct · topK 20", "direct · topK 40"]);
  });

  it("appears in the form, which leaves `request` unchanged until the setting changes", () => {
    const [cell] = read("request: {reasoning_effort: low, top_k: 20} # mine");
    expect(cell).toMatchObject({ kept: true, fields: ["suite", "model", "request", "topK"] });
    expect(cell!.edited).toBe("suite: frozen\nmodel: lab/m\nrequest: {reasoning_effort: low} # mine\ntopK: [5, 40]\n");
  });
});
