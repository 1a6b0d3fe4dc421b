import { expect, test } from "vitest";
import { runCaveats } from "../../../source/terminal/drawing/task-mark.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";

test("in a few words a run says that its data are the user's own, and that its models know the answers", () => {
  const words = (data: RunSpec["data"], readsAnswerKey: boolean) =>
    runCaveats({ readsAnswerKey, spec: bareSpec("own", { data }) });
  expect(words("published", false)).toBe("");
  expect(words("sample", true)).toBe("reads the answer key");
  expect(words("own", false)).toBe("own data");
  expect(words("own/mine", true)).toBe("reads the answer key, own data");
});

test("it says that its answers were made elsewhere, or by older code", () => {
  const run = { readsAnswerKey: false, spec: bareSpec("appbench", { data: "published" }) };
  expect(runCaveats({ ...run, predictions: "predictions/log.eval" })).toBe("made elsewhere");
  const kept = { by: "me", reason: "Only a comment" };
  expect(runCaveats({ ...run, kept })).toBe("results of older code");
});
