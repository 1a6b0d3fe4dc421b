import { describe, expect, it } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import type { Node } from "../../../source/engine/log/trajectory.ts";
import { symbolsOf } from "../../../source/look/signs.ts";
import { nodesOfPlan, planGraph } from "../../../source/terminal/live/plan-graph.ts";

const step = (number: number, needs: readonly number[], label: string, state: Node["state"] = "done"): Node => ({
  type: "node",
  id: `step-${number}`,
  kind: "step",
  label,
  needs: needs.map((need) => `step-${need}`),
  state,
});
const drawn = (nodes: readonly Node[], columns = 60, rows = 40) =>
  planGraph(nodes, columns, rows, symbolsOf(false))?.map((line) => lineText(line).trimEnd());

describe("the graph of a plan", () => {
  it("has a box for each step with the step's state, and an arrow to each step that uses its result", () => {
    const nodes = [step(1, [], "Train"), step(2, [], "Hotel", "failed"), step(3, [1, 2], "Book", "open")];
    expect(drawn(nodes, 36)).toEqual([
      "╭───────────╮      ╭───────────╮",
      "│ ✓ 1 Train │      │ ✗ 2 Hotel │",
      "╰─────┬─────╯      ╰─────┬─────╯",
      "      ├──────────────────╯",
      "      ↓",
      "╭───────────╮",
      "│ ▸ 3 Book  │",
      "╰───────────╯",
    ]);
  });

  it("has a second row for long labels if there is room", () => {
    const nodes = [step(1, [], "Find a train to Oslo"), step(2, [1], "Pay")];
    expect(drawn(nodes, 23, 9)).toEqual([
      "╭──────────────────╮",
      "│ ✓ 1 Find a train │",
      "│   to Oslo        │",
      "╰─────────┬────────╯",
      "          ↓",
      "╭──────────────────╮",
      "│ ✓ 2 Pay          │",
      "│                  │",
      "╰──────────────────╯",
    ]);
    expect(drawn(nodes, 23, 8)![1]).toBe("│ ✓ 1 Find a trai… │");
  });

  it("draws an arrow that passes a step to one side of that step", () => {
    expect(drawn([step(1, [], "A"), step(2, [1], "B"), step(3, [1, 2], "C")])).toEqual([
      "╭──────────╮",
      "│ ✓ 1 A    │",
      "╰─────┬────╯",
      "      ├─────╮",
      "      ↓     │",
      "╭──────────╮│",
      "│ ✓ 2 B    ││",
      "╰─────┬────╯│",
      "      ├─────╯",
      "      ↓",
      "╭──────────╮",
      "│ ✓ 3 C    │",
      "╰──────────╯",
    ]);
  });

  it("draws a search with an edge from each call to the call that continues it", () => {
    const node = (id: string, parent: string | undefined, state: Node["state"]): Node => ({
      type: "node",
      id,
      ...(parent !== undefined && { parent }),
      kind: "call",
      label: `call_${id}`,
      state,
    });
    const lines = drawn([node("a", undefined, "done"), node("b", "a", "pruned"), node("c", "a", "open")])!;
    expect(lines[3]).toMatch(/^ +├─+╮$/);
    expect(lines[4]).toMatch(/^ +↓ +↓$/);
    expect(lines[6]).toMatch(/^│ · call_b │ +│ ▸ call_c │$/);
  });

  it("omits borders if the graph is too high, and then shows the end of the graph", () => {
    const chain = Array.from({ length: 6 }, (_, at) => step(at + 1, at === 0 ? [] : [at], `S${at}`));
    expect(drawn(chain, 40, 24)).toHaveLength(23);
    expect(drawn(chain, 40, 22)).toEqual(
      [1, 2, 3, 4, 5, 6].flatMap((at) => [`✓ ${at} S${at - 1}`, "      ↓"]).slice(0, 11),
    );
    expect(drawn(chain, 40, 3)).toEqual(["✓ 5 S4", "      ↓", "✓ 6 S5"]);
  });

  it("is undefined without nodes, with too many nodes, or with too many nodes side by side", () => {
    expect(drawn([])).toBeUndefined();
    const many = (count: number) => Array.from({ length: count }, (_, at) => step(at + 1, at === 0 ? [] : [1], "S"));
    expect(drawn(many(4), 42)).toBeDefined();
    expect(drawn(many(5), 42)).toBeUndefined();
    const chain = (count: number) => Array.from({ length: count }, (_, at) => step(at + 1, at === 0 ? [] : [at], "S"));
    expect(drawn(chain(200))).toBeDefined();
    expect(drawn(chain(201))).toBeUndefined();
  });

  it("is drawn even if steps depend on each other, on themselves or on a missing step", () => {
    const lines = drawn([step(1, [2], "A"), step(2, [1], "B"), step(3, [3, 9], "C")])!.join("\n");
    expect(["1 A", "2 B", "3 C"].filter((label) => lines.includes(label))).toHaveLength(3);
  });
});

describe("the steps of a plan that is being written", () => {
  const plan = [
    { title: "find", lines: [], needs: [] },
    { title: "book", lines: [], needs: [0] },
  ];

  it("become nodes, the last of which is open while the reply grows", () => {
    expect(nodesOfPlan({ plan }, true).map(({ id, label, needs, state }) => [id, label, needs, state])).toEqual([
      ["step-1", "find", [], "done"],
      ["step-2", "book", ["step-1"], "open"],
    ]);
    expect(nodesOfPlan({ plan }, false)[1]!.state).toBe("done");
  });

  it("become no nodes if the suite defines no dependencies", () => {
    expect(nodesOfPlan({ plan: plan.slice(0, 1) }, false)).toEqual([]);
  });
});
