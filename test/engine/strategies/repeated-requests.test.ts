/** A search whose model repeats its replies reports it. */
import { describe, expect, test } from "vitest";
import type { Environment, Reply } from "../../../source/engine/protocol.ts";
import { equalReplies } from "../../../source/engine/run/ask.ts";
import { dfsdt } from "../../../source/engine/strategies/dfsdt.ts";
import { callTo, collect, notes, scriptedPlay } from "./scripted-context.ts";

const environment: Environment = {
  tools: [{ name: "look", description: "Looks.", parameters: {} }],
  call: () => Promise.resolve({ ok: false, observation: "nothing", status: 6 }),
};

async function searched(replies: readonly (string | Reply)[], temperature = 0) {
  const { context } = scriptedPlay(replies, () => environment);
  const options = { "search.depth": 1, "search.width": 2 };
  const spec = { ...context.spec, temperature, options, budget: {} };
  return collect(dfsdt.run({ ...context, spec, again: equalReplies() }));
}

describe("a tree search at temperature 0", () => {
  test("reports that identical requests got identical replies, and that all children are equal", async () => {
    const steps = await searched(["Hm.", "Hm."]);
    expect(notes(steps, "same-reply")).toEqual(["The same request was sent before and got the same reply"]);
    expect(notes(steps, "equal-children")).toEqual([
      "Equal children at 1 node, different ones at none: the search tried nothing new",
    ]);
  });

  test("reports equal children even if the requests differ", async () => {
    const look: Reply = { text: "", calls: [callTo("look", { at: "door" })] };
    const steps = await searched([look, look]);
    expect(notes(steps, "same-reply")).toEqual([]);
    expect(notes(steps, "equal-children")).toHaveLength(1);
  });

  test("reports nothing if any children differ", async () => {
    const at = (place: string): Reply => ({ text: "Look.", calls: [callTo("look", { at: place })] });
    const steps = await searched([at("door"), at("window")]);
    expect(steps.some((step) => step.type === "note" && step.kind !== "end" && step.kind !== "backtrack")).toBe(false);
  });
});

test("a tree search above temperature 0 does not report identical replies, which can occur by chance", async () => {
  expect(notes(await searched(["Hm.", "Hm."], 0.7), "same-reply")).toEqual([]);
});
