/** The words for what logs keep as keys: roles, endings of replies and of strategies. */
import { describe, expect, it } from "vitest";
import { endText, finishText, ofOtherModel, roleName, runWords } from "../../../source/engine/log/run-words.ts";
import type { Turn } from "../../../source/engine/log/trajectory.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";

const reply = (finish: string | undefined, output?: number, estimated = false) =>
  ({ role: "model", finish, tokens: output === undefined ? undefined : { output, estimated } }) as unknown as Turn;

describe("how a reply ended", () => {
  it("is shown unless the reply is complete", () => {
    for (const finish of [undefined, "", "stop", "tool_calls", "function_call"])
      expect(finishText(reply(finish, 7))).toBeUndefined();
    expect(finishText(reply("refusal"))).toBe("refused by the model");
    expect(finishText(reply("content_filter"))).toBe("stopped by the content filter");
    expect(finishText(reply("odd"))).toBe("ended: odd");
  });

  it("includes the tokens of a truncated reply, and whether the run's own limit truncated it", () => {
    const limited = { maxTokens: () => 120 };
    expect(finishText(reply("length"))).toBe("cut at the token limit");
    expect(finishText(reply("length", 120), limited)).toBe("cut at 120 tokens (maxTokens)");
    expect(finishText(reply("length", 119), limited)).toBe("cut at 119 tokens");
    expect(finishText(reply("length", 121, true), limited)).toBe("cut at about 121 tokens (maxTokens)");
    expect(finishText(reply("length", 120), { maxTokens: () => undefined })).toBe("cut at 120 tokens");
    expect(finishText(reply("length", 120))).toBe("cut at 120 tokens");
  });
});

describe("the words of a run", () => {
  const suite = {
    strategies: [{ name: "direct" }, { name: "dialogue", roleNames: { model: "Planner" } }],
  } as never;
  const spec = (more: Partial<RunSpec>) => bareSpec("made", more);

  it("use the strategy's names for roles, and include the limit of each role", () => {
    const words = runWords(spec({ strategy: "dialogue", maxTokens: 50 }), suite);
    expect([roleName("model", words), roleName("responder", words)]).toEqual(["Planner", "Responder"]);
    expect(words.maxTokens!("model")).toBe(50);
    expect(runWords(spec({ strategy: "direct" }), suite).roleNames).toBeUndefined();
  });

  it("contain how the suite reads the run's replies", () => {
    const form = () => undefined;
    const formName = () => "a list";
    const run = spec({});
    expect(runWords(run, { strategies: [], form, formName }).reading).toEqual({ spec: run, form, formName });
    expect(runWords(run, { strategies: [], form }).reading).toEqual({ spec: run, form });
    expect(runWords(run, { strategies: [], formName }).reading).toBeUndefined();
  });

  it("name the model of a request only if it is not the model of the run", () => {
    const words = runWords(spec({ model: "lab/small" }), suite);
    const named = (model: string, own: typeof words | undefined = words, role: Turn["role"] = "model") =>
      ofOtherModel({ model, role }, own);
    expect(named("lab/small")).toBe("");
    expect(named("")).toBe("");
    expect(named("lab/judge")).toBe("  lab/judge");
    expect(named("builtin/slips?rate=0.5&pace=8")).toBe("  slips(50 %)");
    expect(ofOtherModel({ model: "lab/small", role: "model" }, undefined)).toBe("  lab/small");
    // Its role has the same name.
    expect(named("builtin/responder?pace=40", words, "responder")).toBe("");
    expect(named("builtin/responder", words, "judge")).toBe("  responder");
  });

  it("are general if there is no run", () => {
    expect(runWords(undefined, suite)).toEqual({});
    expect(runWords(undefined, undefined)).toEqual({});
    expect((["model", "actor", "responder", "user", "judge"] as const).map((role) => roleName(role))).toEqual([
      "Model",
      "Actor",
      "Responder",
      "User",
      "Judge",
    ]);
    expect(roleName("other" as never)).toBe("other");
  });
});

it("a strategy's end is a sentence that includes its message; other reasons are unchanged", () => {
  // A strategy gives up, too, if it finds no plan.
  expect(endText("gave up")).toBe("the model gave up");
  expect(endText("step limit")).toBe("the step limit was reached");
  expect(endText("context: 400 too long: 9")).toBe("the next request did not fit the context: 400 too long: 9");
  expect(endText("odd: 9")).toBe("odd: 9");
  expect(endText("odd")).toBe("odd");
  expect(endText("step limits")).toBe("step limits");
  expect(endText("finished")).toBe("finished");
});
