import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { RunFloors } from "../../../source/engine/analysis.ts";
import { KeptFloors } from "../../../source/engine/workbench/figures/kept-floors.ts";

const folder = mkdtempSync(join(tmpdir(), "floors-"));
afterAll(() => rmSync(folder, { recursive: true }));

const nothing = {
  value: undefined,
  metrics: {},
  checks: [{ name: "app", kept: undefined }],
  errors: [{ kind: "none" }],
};
const right = {
  value: 1,
  metrics: { right: 1 },
  checks: [{ name: "app", kept: true }],
  errors: [],
  labels: { by: "rule" },
};
const floors: RunFloors = {
  floors: [
    {
      name: "nothing",
      scores: new Map([
        ["a", nothing],
        ["__proto__", nothing],
      ]),
    },
    { name: "most", readsAnswerKey: true, scores: new Map([["a", right]]) },
  ],
  unscored: ["filler"],
};

it("floors are scored once for the same inputs, even in several programs", async () => {
  let times = 0;
  const score = async () => ((times += 1), floors);
  const [one, other] = [new KeptFloors(folder), new KeptFloors(folder)];
  expect(await Promise.all([one.of(["x"], score), one.of(["x"], score)])).toEqual([floors, floors]);
  expect(await other.of(["x"], score)).toEqual(floors);
  expect(times).toBe(1);
  await other.of(["y"], score);
  expect(times).toBe(2);
});

it("floors are scored again if their file cannot be read", async () => {
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"tasks": 3}');
  expect(await new KeptFloors(folder).of(["x"], async () => floors)).toEqual(floors);
  // The file was repaired.
  expect(await new KeptFloors(folder).of(["x"], () => Promise.reject(new Error("scored again")))).toEqual(floors);
});

it("floors are not saved without a folder, and are scored again after a failure", async () => {
  const kept = new KeptFloors(undefined);
  await expect(kept.of(["x"], () => Promise.reject(new Error("no data")))).rejects.toThrow("no data");
  expect(await kept.of(["x"], async () => floors)).toBe(floors);
});
