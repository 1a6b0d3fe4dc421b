import { mistakeText } from "../../../source/engine/log/rows/mistake-text.ts";
import { expect, test } from "vitest";
import { mistakesOf } from "../../../suites/planningarena/score/error-kinds.ts";
import { measures } from "../../../suites/planningarena/score/measures.ts";

test("a measure says what it counts where its name alone does not", () => {
  const notes = new Map(measures.map((measure) => [measure.name, measure.note]));
  expect(notes.get("lpr")).toBe("SER times DA");
  expect(notes.get("SC")).toBe("no step is missing");
  expect(notes.get("FD-API")).toBe("no tool that was not offered; API tasks only");
  expect(notes.has("ser")).toBe(true);
  expect(notes.get("ser")).toBeUndefined();
});

test("a mistake names its argument, else the subtask it is about, else nothing", () => {
  expect(
    mistakesOf([
      { check: "PC", step: 0, subtask: "s1", key: "city", expected: "Rome", got: "Paris", text: "value" },
      { check: "PC", step: 1, key: "colour", text: "unknown parameter" },
      { check: "SC", subtask: "s2", text: "nobody does it" },
      { check: "SR", step: 2, text: "no subtask needs this step" },
    ]),
  ).toEqual([
    { kind: "fictitious parameter", step: 0, key: "city", expected: "Rome", got: "Paris (value)" },
    { kind: "fictitious parameter", step: 1, key: "colour", note: "unknown parameter" },
    { kind: "missing step", key: "s2", note: "nobody does it" },
    { kind: "redundant step", step: 2, note: "no subtask needs this step" },
  ]);
  // Where nothing came, nobody is said to have got the scorer's words.
  const silent = mistakesOf([{ check: "PC", expected: "Rome", text: "not said anywhere in the plan" }])[0]!;
  expect(mistakeText(silent, { errorKinds: [] })).toBe(
    "fictitious parameter: expected Rome, not said anywhere in the plan",
  );
});
