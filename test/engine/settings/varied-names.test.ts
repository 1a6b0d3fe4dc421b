/** Functions under other names in requests, and calls mapped back to their own names. */
import { describe, expect, it } from "vitest";
import { variedNames, withOwnTools } from "../../../source/engine/settings/varied-names.ts";
import type { Step, ToolSpec } from "../../../source/engine/types.ts";

const tool = (name: string, description = ""): ToolSpec => ({ name, description, parameters: {} });
const namesOf = (variant: number, seed = 0) => variedNames({ vary: { names: variant }, seed })!;
const call = (name: string) => ({
  type: "call" as const,
  call: { id: "1", name, text: "{}", arguments: {} },
});

describe("varied names of functions", () => {
  it("depend on seed and variant, and contain the words of the original names", () => {
    const offered = (variant: number, seed = 0) =>
      namesOf(variant, seed)
        .tools([tool("search_flights_v1"), tool("think"), tool("getHTTPStatus2")], undefined)
        .map(({ name }) => name);
    expect(offered(2)).toEqual(["USE_SEARCH_FLIGHTS_V1", "USE_THINK", "USE_GET_HTTP_STATUS2"]);
    expect(offered(3)).toEqual(["RunSearchFlightsV1", "RunThink", "RunGetHttpStatus2"]);
    expect(offered(4)).toEqual(["use_search_flights_v1_v2", "use_think_v2", "use_get_http_status2_v2"]);
    expect(offered(2, 1)).not.toEqual(offered(2));
    expect(offered(2)).toEqual(offered(2));
  });

  it("differ between any two of the first hundred variants", () => {
    const all = Array.from(
      { length: 99 },
      (_, at) => namesOf(at + 2).tools([tool("get_two_words")], undefined)[0]!.name,
    );
    expect(new Set(all).size).toBe(99);
  });

  it("are undefined for a run that does not vary names", () => {
    expect(variedNames({ seed: 0 })).toBeUndefined();
    expect(variedNames({ vary: { tools: 2 }, seed: 0 })).toBeUndefined();
  });

  it("do not replace the function that ends an episode", () => {
    const names = namesOf(2);
    const offered = names.tools([tool("look_up"), tool("Finish")], "Finish");
    expect(offered.map(({ name }) => name)).toEqual(["USE_LOOK_UP", "Finish"]);
    expect(names.own).toEqual({ USE_LOOK_UP: "look_up" });
  });

  it("are unique and have at most 64 characters", () => {
    const long = `${"x".repeat(60)}_yz`;
    const offered = namesOf(2).tools([tool("get_a"), tool("getA"), tool(long), tool("USE_GET_A")], undefined);
    const names = offered.map(({ name }) => name);
    expect(new Set(names).size).toBe(4);
    expect(names.slice(0, 2)).toEqual(["USE_GET_A_2", "USE_GET_A_3"]);
    expect(names[2]).toBe(long.toUpperCase());
    expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(64);
  });

  it("replace the original names in what the model reads: identifiers anywhere, plain words only as code", () => {
    const names = namesOf(3);
    const [first] = names.tools([tool("look_up", "Before look_up(x), think."), tool("think")], undefined);
    expect(first!.description).toBe("Before RunLookUp(x), think.");
    const messages = names.messages([
      { role: "system", content: "Call look_up, `think`, think(it) or think; not look_up_all." },
      { role: "assistant", content: "look_up", calls: [call("look_up").call] },
      { role: "tool", callId: "1", content: "look_up failed" },
    ]);
    expect(messages).toEqual([
      { role: "system", content: "Call RunLookUp, `RunThink`, RunThink(it) or think; not look_up_all." },
      { role: "assistant", content: "look_up", calls: [call("RunLookUp").call] },
      { role: "tool", callId: "1", content: "RunLookUp failed" },
    ]);
  });

  it("are replaced by the original names before a scorer reads which tools were offered", () => {
    const prompt = (...tools: readonly string[]): Step => ({
      type: "prompt",
      request: 0,
      role: "model",
      model: "m",
      stage: "step",
      messages: [],
      tools: tools.map((name) => tool(name)),
    });
    const renamed = { type: "note", kind: "renamed", text: "", data: { RunLookUp: "look_up" } } as const;
    const { tools: _, ...plain } = prompt() as Extract<Step, { type: "prompt" }>;
    const steps = [
      prompt("RunLookUp"),
      renamed,
      prompt("RunLookUp", "Finish"),
      plain,
      { ...renamed, data: { B: "b" } },
      prompt("B", "RunLookUp"),
    ];
    expect(withOwnTools(steps)).toEqual([
      prompt("RunLookUp"),
      renamed,
      prompt("look_up", "Finish"),
      plain,
      { ...renamed, data: { B: "b" } },
      prompt("b", "look_up"),
    ]);
  });

  it("are replaced by the original names in calls, and an original name in a call is unknown", () => {
    const names = namesOf(3);
    names.tools([tool("look_up"), tool("Finish")], "Finish");
    expect(names.chunk(call("RunLookUp"))).toEqual(call("look_up"));
    expect(names.chunk(call("Finish"))).toEqual(call("Finish"));
    expect(names.chunk(call("made_up"))).toEqual(call("made_up"));
    const unknown = names.chunk(call("look_up"));
    expect(unknown).toEqual(call("look_up (not offered)"));
    const [sent] = names.messages([{ role: "assistant", content: "", calls: [call("look_up (not offered)").call] }]);
    expect(sent).toEqual({ role: "assistant", content: "", calls: [call("look_up").call] });
    expect(names.chunk({ type: "text", text: "RunLookUp" })).toEqual({ type: "text", text: "RunLookUp" });
  });
});
