import { expect, test } from "vitest";
import { runNames } from "../../../source/terminal/drawing/run-names.ts";
import { runCaveats } from "../../../source/terminal/drawing/task-mark.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";

const labels = ["slips?rate=0.2", "slips?rate=0.5"].flatMap((model) =>
  ["hierarchical", "flat"].map((prompting) => `${model}, ${prompting}, 0 shots`),
);

test("the names of runs have their distinguishing values aligned", () => {
  expect(runNames(labels, 40).names).toEqual([
    "slips?rate=0.2  hierarchical  0 shots",
    "slips?rate=0.2  flat          0 shots",
    "slips?rate=0.5  hierarchical  0 shots",
    "slips?rate=0.5  flat          0 shots",
  ]);
  expect(runNames(["one, two", "three"], 8).names).toEqual(["one, two", "three"]);
});

test("the names of runs with built-in models contain the options that change results, if these distinguish the runs", () => {
  const own = ["0.2", "0.5"].map((rate) => `builtin/slips?rate=${rate}&pace=8 · flat`);
  expect(runNames(own, 40).names).toEqual(["slips(20 %)  flat", "slips(50 %)  flat"]);
  const several = ["builtin/slips?rate=1&seed=2", "builtin/slips?rate=0&seed=2"];
  expect(runNames(several, 40).names).toEqual(["slips(100 %, seed 2)", "slips(0 %, seed 2)"]);
  const paced = ["8", "40"].map((pace) => `builtin/slips?pace=${pace}`);
  expect(runNames(paced, 40).names).toEqual(paced);
  expect(runNames(["lab/a · x", "lab/b · x"], 6)).toMatchObject({ names: ["a  x", "b  x"] });
});

test("the names of runs are shortened one by one if there is little room", () => {
  expect(runNames(labels, 28).names).toEqual([
    "slip…0.2  hier…ical  0 shots",
    "slip…0.2  flat       0 shots",
    "slip…0.5  hier…ical  0 shots",
    "slip…0.5  flat       0 shots",
  ]);
});

test("the caveats of a run state that its data are the user's own, and that its models know the answers", () => {
  const words = (data: RunSpec["data"], readsAnswerKey: boolean) =>
    runCaveats({ readsAnswerKey, spec: bareSpec("own", { data, model: "builtin/oracle" }), warnings: [] });
  expect(words("published", false)).toBe("");
  expect(words("sample", true)).toBe("reads the answer key");
  expect(words("own", false)).toBe("own data");
  expect(words("own/mine", true)).toBe("reads the answer key, own data");
});

test("the caveats of a run name the role whose model reads the answer key", () => {
  const warnings = ["Your own data", "builtin/responder reads the answer key"];
  const run = { readsAnswerKey: true, spec: bareSpec("planningarena", { data: "published", model: "lab/small" }) };
  expect(runCaveats({ ...run, warnings })).toBe("builtin/responder reads the answer key");
  expect(runCaveats({ ...run, warnings: [] })).toBe("another role reads the answer key");
});

test("the caveats of a run state that its answers come from a file, or from older code", () => {
  const run = { readsAnswerKey: false, spec: bareSpec("appbench", { data: "published" }), warnings: [] };
  expect(runCaveats({ ...run, predictions: "predictions/log.eval" })).toBe("made elsewhere");
  const kept = { by: "me", reason: "Only a comment" };
  expect(runCaveats({ ...run, kept })).toBe("results of older code");
});
