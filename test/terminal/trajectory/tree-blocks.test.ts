import { describe, expect, it } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { symbolsOf } from "../../../source/look/signs.ts";
import type { PlanStep, TaskView } from "../../../source/engine/loaded-suite.ts";
import type { Node } from "../../../source/engine/log/trajectory.ts";
import { WrappedTexts } from "../../../source/terminal/drawing/wrapped-text.ts";
import { treeBlocks } from "../../../source/terminal/trajectory/sections/tree-blocks.ts";

const view = (columns: number) => ({
  columns,
  symbols: symbolsOf(false),
  texts: new WrappedTexts(),
  wrapped: true,
  toggled: new Set<string>(),
  errorKinds: [{ name: "redundant", title: "Nobody asked for it" }],
});
const node = (id: string, label: string, change: Partial<Node> = {}): Node => ({
  type: "node",
  id,
  kind: "step",
  label,
  state: "done",
  ...change,
});
const task = (...titles: string[]): TaskView => ({
  reference: [],
  plan: titles.map((title): PlanStep => ({ title, lines: [], needs: [] })),
  matches: [],
});
const drawn = (blocks: ReturnType<typeof treeBlocks>) =>
  blocks.flatMap(({ count, line }) => Array.from({ length: count }, (_, index) => lineText(line(index)).trimEnd()));

describe("a tree of steps", () => {
  const mistake = { kind: "redundant", step: 1, got: "a second cake" };

  it("shows a wrong step as wrong, with the mistake next to the step, or below it in a narrow window", () => {
    const nodes = [node("step-1", "order"), node("step-2", "order again"), node("step-3", "pay")];
    const judged = { mistakes: [mistake], task: task("order", "order again", "pay") };
    expect(drawn(treeBlocks(nodes, view(90), judged))).toEqual([
      "  ✓ step  order",
      "  ✗ step  order again  Nobody asked for it (redundant): got a second cake",
      "  ✓ step  pay",
    ]);
    const narrow = drawn(treeBlocks(nodes, view(40), judged));
    expect(narrow.slice(1, 3)).toEqual(["  ✗ step  order again", "    Nobody asked for it (redundant): got"]);
    expect(treeBlocks(nodes, view(90), judged)[1]).toMatchObject({
      error: true,
      mistakes: [mistake],
      leadsTo: { section: "steps", block: "mistake 0 in step" },
    });
  });

  it("finds the node by its name if a search numbers its nodes, and marks no node if two nodes could match", () => {
    const found = [node("a", "order"), node("b", "cake(size=2)"), node("c", "cake(size=1)", { state: "pruned" })];
    const judged = { mistakes: [mistake], task: task("order", "cake") };
    expect(drawn(treeBlocks(found, view(90), judged))[1]).toContain("✗ step  cake(size=2)  Nobody asked");
    const twice = [node("a", "cake"), node("b", "cake: again")];
    expect(drawn(treeBlocks(twice, view(90), judged))).toEqual(["  ✓ step  cake", "  ✓ step  cake: again"]);
  });

  it("shows a missing or extra dependency as wrong before there is a score", () => {
    const nodes = [node("step-1", "order", { detail: { missed: ["2 pay"] } }), node("step-2", "pay")];
    expect(drawn(treeBlocks(nodes, view(90)))).toEqual(["  ✗ step  order  missing 2 pay", "  ✓ step  pay"]);
  });

  it("shows the two nodes of a searched call as one, or as received in raw view", () => {
    const asked = '{"city": "Oslo", "guests": 12345678901234567890}';
    const nodes = [
      node("n0", "start", { kind: "Action Input" }),
      node("n1", "Hotels first.", { kind: "Thought", parent: "n0" }),
      node("n2", "search_hotels", { kind: "Action", parent: "n1" }),
      node("n3", asked, { kind: "Action Input", parent: "n2", state: "failed" }),
      node("n4", "now", { kind: "Action", parent: "n3" }),
      node("n5", "(nothing)", { kind: "Action Input", parent: "n4" }),
      node("n6", "pay", { kind: "Action", parent: "n5", state: "open" }),
    ];
    const blocks = treeBlocks(nodes, view(90));
    expect(drawn(blocks)).toEqual([
      "  ✓ Action Input  start",
      "    ✓ Thought  Hotels first.",
      '      ✗ Action  search_hotels(city="Oslo", guests=12345678901234567890)',
      "        ✓ Action  now()",
      "          ▸ Action  pay",
    ]);
    expect(blocks.map(({ id, error }) => [id, error])).toContainEqual(["node n3", true]);
    const raw = drawn(treeBlocks(nodes, { ...view(50), raw: true }));
    expect(raw.slice(3, 6)).toEqual([
      '        ✗ Action Input  {"city": "Oslo", "guests":',
      "        12345678901234567890}",
      "          ✓ Action  now",
    ]);
    expect(raw).toHaveLength(8);
  });

  it("shows an action with two inputs, and reads calls in the formats of other searches", () => {
    const twice = [
      node("a", "search", { kind: "Action" }),
      node("b", '{"q":1}', { kind: "Action Input", parent: "a" }),
      node("c", '{"q":2}', { kind: "Action Input", parent: "a", state: "pruned" }),
      node("d", 'book({"at": ["19:00"]})', { kind: "call" }),
    ];
    expect(drawn(treeBlocks(twice, view(90)))).toEqual([
      "  ✓ Action  search",
      "    ✓ Action Input  q: 1",
      "    - Action Input  q: 2  pruned",
      '  ✓ call  book(at=["19:00"])',
    ]);
  });
});
