import { describe, expect, it } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { trajectoryOf } from "../../../source/engine/log/trajectory.ts";
import { callsBeside } from "../../../source/terminal/compare/call-blocks.ts";
import { type BareEvent, eventsOf } from "../sample-trajectory.ts";
import { openView } from "../trajectory/open-view.ts";

/** A trajectory of calls, each given as its name and its only argument. */
function calling(...calls: readonly string[]) {
  const steps = calls.flatMap((call, at): BareEvent[] => {
    const [name = "", value = ""] = call.split(" ");
    const id = `c${at}`;
    return [
      { type: "prompt", model: "lab/m", role: "model", stage: "plan", request: at, messages: [] },
      { type: "call", request: at, call: { id, name, text: "", arguments: { value } } },
      { type: "finish", request: at, reason: "tool_calls" },
      { type: "result", callId: id, name, result: { ok: true, observation: "done", status: "ok" } },
    ];
  });
  return trajectoryOf("t", eventsOf("t", [{ type: "started", facets: {}, question: "?" }, ...steps]));
}

const drawn = (columns: number, ...calls: readonly (readonly string[] | undefined)[]) =>
  callsBeside(
    calls.map((each) => each && calling(...each)),
    openView(columns),
  ).map(({ count, line, error }) => ({
    lines: Array.from({ length: count }, (_, index) => lineText(line(index)).trimEnd()),
    error,
  }));
const texts = (...of: Parameters<typeof drawn>) => drawn(...of).flatMap(({ lines }) => lines);

describe("the calls of several compared runs", () => {
  it("are aligned, with the first difference in the heading and a sign at each changed step", () => {
    const blocks = drawn(120, ["find a", "book b", "pay c"], ["find a", "book x", "ask d", "pay c"]);
    expect(blocks.map(({ error }) => error === true)).toEqual([false, false, true, true, false]);
    const lines = blocks.flatMap((block) => block.lines);
    expect(lines[0]).toBe("  The runs diverge at step 2 of 4");
    expect(lines[1]).toBe("  ~ changed  + not in run 1  − missing in a run");
    expect(lines.slice(3).map((line) => line.replaceAll(/ {2,}/g, "  "))).toEqual([
      '  1 find {"value":"a"}  │ find {"value":"a"}',
      '  ~ 2 book {"value":"b"}  │ book {"value":"x"}',
      '  + 3  │ ask {"value":"d"}',
      '  4 pay {"value":"c"}  │ pay {"value":"c"}',
    ]);
  });

  it("have up to four columns, and an empty column for a run without the task", () => {
    const lines = texts(120, ["find a"], ["find a"], undefined, ["find b"]);
    expect(lines[0]).toBe("  The runs diverge at step 1 of 1");
    expect(lines[3]!.match(/│/g)).toHaveLength(3);
    expect(lines[3]!.split("│").map((part) => part.trim())).toEqual([
      '− 1 find {"value":"a"}',
      'find {"value":"a"}',
      "",
      'find {"value":"b"}',
    ]);
  });

  it("are below each other if a column would be narrower than 24 characters", () => {
    // Two columns of 24 need 6 for the step, and 3 between them.
    expect(texts(57, ["find a"], ["find b"])[3]).toContain("│");
    const lines = texts(56, ["find a"], ["find b"]);
    expect(lines.slice(3)).toEqual(['  ~ 1 1 find {"value":"a"}', '      2 find {"value":"b"}']);
    expect(texts(56, ["find a"], [])[4]).toBe("      2 no call");
  });

  it("are reported as equal if there is no difference, or as missing if there are no calls", () => {
    expect(texts(120, ["find a"], ["find a"])[0]).toBe("  The calls are equal");
    expect(texts(120, [], undefined)).toEqual(["  No run calls a tool here: Tab shows plans and steps"]);
  });
});
