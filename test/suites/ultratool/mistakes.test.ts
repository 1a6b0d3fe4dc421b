/** Mistakes of hand-written answers by name, and how they are shown. */
import { beforeAll, expect, test } from "vitest";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { ultratool } from "../../../suites/ultratool/index.ts";
import { scoreAnswer } from "../../../suites/ultratool/score/score-answer.ts";

const steps = ["1.1 Find the room", "1.2 Reserve it"].map((step) => ({ step, tool: "" }));

let loaded: LoadedSuite;
beforeAll(async () => {
  loaded = await ultratool.open({ folder: sampleFolder("ultratool"), data: "sample" });
});

test("a missed need for a tool is a different mistake from a needless request", () => {
  const reference = [
    { step: "1.1 Find the room", tool: "1" },
    { step: "1.2 Reserve it", tool: "0" },
  ];
  const output = "[{'step': '1.1 Find the room', 'tool': '0'}, {'step': '1.2 Reserve it', 'tool': '1'}]";
  const { score } = scoreAnswer(
    output,
    { aspect: "tool_usage_awareness", steps: reference },
    { steps, toolset: [] },
    "gpt",
  );
  expect(score.errors).toEqual([
    { kind: "missed-need", step: 0, expected: "1", got: "0" },
    { kind: "needless", step: 1, expected: "0", got: "1" },
  ]);
});

const call = "{'step': '1.1 Find the room', 'tool': 'find', 'param': {'seats': '4', 'colour': 'red'}}";
test.each([
  ["a list", `[${call}]`],
  ["a list in a list", `[[${call}]]`],
])("an unexpected argument is found in %s", (_, output) => {
  const reference = [{ step: "1.1 Find the room", tool: "find", param: { seats: "4" } }];
  const { score } = scoreAnswer(output, { aspect: "tool_usage", steps: reference }, { steps, toolset: [] }, "gpt");
  expect(score.errors).toEqual([{ kind: "extra-argument", step: 0, key: "colour" }]);
});

test("the first entry with arguments counts if a step has several entries, as in the official program", () => {
  const reference = [{ step: "1.1 Find the room", tool: "find", param: { seats: "4" } }];
  const bare = "{'step': '1.1 Find the room', 'tool': 'find'}";
  const other = call.replace("colour", "size");
  const { score } = scoreAnswer(
    `[${bare}, ${call}, ${other}]`,
    { aspect: "tool_usage", steps: reference },
    { steps, toolset: [] },
    "gpt",
  );
  expect(score.errors).toEqual([{ kind: "extra-argument", step: 0, key: "colour" }]);
});

test("every entry of an answer is shown with its arguments, or with the value in place of arguments", async () => {
  const [task] = await loaded.tasks("en/tool_usage");
  const output = `[${call}, {'step': '1.2 Reserve it', 'tool': 'reserve', 'param': 'all of them'}]`;
  const { plan } = loaded.describe!(task!, { output });
  expect(plan.map(({ title, lines }) => [title, lines])).toEqual([
    ["1.1 Find the room", ["find", "seats = 4", "colour = red"]],
    ["1.2 Reserve it", ["reserve", "all of them"]],
  ]);
});
