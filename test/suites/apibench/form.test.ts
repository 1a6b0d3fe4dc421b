import { expect, test } from "vitest";
import type { FormQuestion } from "../../../source/engine/benchmark.ts";
import { hubForm } from "../../../suites/apibench/score/form.ts";
import { bareSpec } from "../../bare-spec.ts";

const asked = (hub: string): FormQuestion => ({
  stage: "answer",
  spec: bareSpec("apibench"),
  facets: { hub },
  score: undefined,
});
const extentOf = (text: string, hub = "torchhub") => hubForm(text, asked(hub))?.extent;
const call = "<<<domain>>>: Sound\n<<<api_call>>>: torch.hub.load('a', 'b')";

test.each([
  ["its line ended", `${call}\n<<<expl`, "closed"],
  ["the provider follows", `${call}, <<<api_provider>>>: PyTo`, "closed"],
  ["it is the end of the reply", call, "open"],
  ["its line continues", `${call}.cuda`, "open"],
  ["a later line has another bracket", `${call}\nm.eval()`, "open"],
])("a call is complete if %s", (_, text, extent) => {
  expect(extentOf(text)).toBe(extent);
});

test("a reply without the field `call` is never complete, and contains no call for Torch Hub", () => {
  expect(extentOf("pipeline('x')\nThat is all", "huggingface")).toBe("open");
  expect(extentOf("torch.hub.load('a')\nThat is all")).toBeUndefined();
});
