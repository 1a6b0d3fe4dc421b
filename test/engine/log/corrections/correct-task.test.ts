/** Corrections of errors that the scorer reports alike, and of errors that are gone. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Benchmark } from "../../../../source/engine/benchmark.ts";
import { correctTask, lastScore } from "../../../../source/engine/log/corrections/correct-task.ts";
import { writeOverrides } from "../../../../source/engine/log/corrections/overrides.ts";
import { RunStore } from "../../../../source/engine/log/run-store.ts";
import type { Mistake, Score } from "../../../../source/engine/types.ts";
import { spec } from "../made-log.ts";

let folder: string;
let store: RunStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-correct-"));
  store = new RunStore(folder, { keep: true });
  store.open().append({ type: "run-started", run: "r", spec, total: 1, warnings: [] });
  store.open().append({ type: "started", task: "t", facets: {}, question: "" });
  store.open().append({ type: "scored", task: "t", score: scored(), suiteRevision: 1 });
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const suite = {
  errorKinds: [{ name: "value" }, { name: "place" }, { name: "order" }],
  revision: 1,
} as unknown as Benchmark;
const place: Mistake = { kind: "place", step: 2, got: "here" };
const scored = (errors: readonly Mistake[] = [place, place]): Score => ({ value: 0, metrics: {}, checks: [], errors });
type Made = readonly [kind: string | undefined, source: string, reason: string];
/** Corrects the error at this place of the score that the log has. */
const correct = (at: number, [kind, source, reason]: Made, score = scored()) => {
  const error = lastScore(store, "t")!.errors[at] ?? { kind: "none" };
  return correctTask(store, suite, async () => score, { task: "t", error, kind, source, reason });
};
const file = () =>
  (JSON.parse(readFileSync(join(folder, "overrides.json"), "utf8")) as Record<string, unknown>[]).map(
    ({ number, kind, source, reason }) => [number, kind, source, reason],
  );

describe("the correction of one of two equal errors", () => {
  const first: Made = ["order", "ada", "so"];
  it.each<[string, Made]>([
    ["kind", ["value", "ada", "so"]],
    ["author", ["order", "bob", "so"]],
    ["reason", ["order", "ada", "thus"]],
  ])(
    "replaces the earlier correction of this error, even if the two corrections differ only in the %s",
    async (_, second) => {
      await correct(0, first);
      await correct(1, second);
      expect(file()).toEqual([
        [1, ...first],
        [2, ...second],
      ]);
      await correct(1, ["value", "cyd", "again"]);
      expect(file()).toEqual([
        [1, ...first],
        [2, "value", "cyd", "again"],
      ]);
      await correct(0, [undefined, "cyd", ""]);
      expect(file()).toEqual([[2, "value", "cyd", "again"]]);
      expect(lastScore(store, "t")!.errors.map(({ kind }) => kind)).toEqual(["place", "value"]);
    },
  );

  it("is refused if the error no longer exists, in the log or for the scorer", async () => {
    await expect(correct(2, first)).rejects.toThrow("This error no longer exists");
    await expect(correct(0, ["order", "ada", " "])).rejects.toThrow("Expected a reason");
    await correct(0, first);
    await expect(correct(1, first, scored([place]))).rejects.toThrow("The scorer no longer reports this error");
    expect(file()).toEqual([[1, ...first]]);
  });
});

it("corrections name the first kind that the suite lacks, and an empty list of them needs no file", () => {
  const made = { task: "t", source: "ada", reason: "so" };
  const unknown = ["value", "odd", "odder"].map((kind) => ({ ...made, kind }));
  expect(() => writeOverrides(folder, unknown, suite)).toThrow("got `odd`");
  writeOverrides(folder, [], suite);
  writeOverrides(folder, unknown.slice(0, 1), suite);
  expect(file()).toEqual([[undefined, "value", "ada", "so"]]);
  writeOverrides(folder, [], suite);
  expect(file).toThrow("ENOENT");
});
