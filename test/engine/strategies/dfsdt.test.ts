/** DFSDT and the plain chain as strategies, with the limits of ToolBench's pipeline: two children and twelve nodes deep. */
import { describe, expect, it } from "vitest";
import { dfsdt, singleChain } from "../../../source/engine/strategies/dfsdt.ts";
import type { Strategy } from "../../../source/engine/strategy.ts";
import type { Step } from "../../../source/engine/types.ts";
import {
  answer,
  call,
  finishTool,
  notes,
  playThrough,
  requests,
  toyWorld,
  type Brain,
  type Reply,
} from "./toy-tools.ts";

/** Plays in a world in which `a` works; each request gets the reply with its number, from 1. */
async function played(strategy: Strategy, reply: (request: number) => Reply, options: Record<string, number> = {}) {
  let request = 0;
  const brain: Brain = () => reply(++request);
  return playThrough(strategy, toyWorld([["a"]], { a: "A" }).environment, brain, { options });
}

const again = () => ({ calls: [call("a")] });
const finishing = (text: string): Reply => ({ calls: [call(finishTool.name, text)] });
const ends = (steps: readonly Step[]) =>
  steps.flatMap((step) => (step.type === "note" && step.kind === "end" ? [[step.text, step.data]] : []));

describe("DFSDT", () => {
  it("searches two children of each node, twelve nodes deep, and counts a call and its input as two nodes", async () => {
    // 2 + 4 + 8 + 16 + 32 + 64 requests, each a child of one of the six upper levels.
    const steps = await played(dfsdt, again);
    expect(requests(steps)).toHaveLength(126);
    expect(notes(steps, "bound")).toEqual([]);
    expect(ends(steps)).toEqual([["no answer", { leaf: null }]]);
    expect(answer(steps)).toBeUndefined();
  });

  it("rounds depth and width down, and ignores values below 1", async () => {
    const asked = async (depth: number, width: number) =>
      requests(await played(dfsdt, again, { "search.depth": depth, "search.width": width })).length;
    expect(await asked(4, 3)).toBe(3 + 9);
    expect(await asked(4.9, 1.5)).toBe(2);
    expect(await asked(3, 1)).toBe(2);
    expect(await asked(2, 1)).toBe(1);
    expect(await asked(1, 0)).toBe(2);
    expect(await asked(0, 1)).toBe(6);
  });

  it("sends at most 200 requests, discards the last reply, and reports this limit", async () => {
    const steps = await played(dfsdt, again, { "search.width": 3 });
    expect(requests(steps)).toHaveLength(200);
    expect(steps.filter(({ type }) => type === "result")).toHaveLength(199);
    expect(notes(steps, "bound")).toEqual(["200 model requests are used up; the last reply was thrown away"]);
    const some = { "search.depth": 2, "search.queries": 2 };
    expect(notes(await played(dfsdt, again, some), "bound")).toHaveLength(1);
    expect(notes(await played(dfsdt, again, { ...some, "search.queries": 3 }), "bound")).toEqual([]);
    expect(notes(await played(dfsdt, again, { ...some, "search.queries": 1 }), "bound")).toHaveLength(1);
    expect(requests(await played(dfsdt, again, { "search.width": 3, "search.queries": 0 }))).toHaveLength(200);
  });

  it("ends with the first answer that it finds", async () => {
    const steps = await played(dfsdt, (request) => (request === 2 ? finishing("42") : again()));
    expect(requests(steps)).toHaveLength(2);
    expect(ends(steps)).toEqual([["answered", { leaf: "n4" }]]);
    expect(answer(steps)).toBe("42");
  });

  it("ends in one of the branches that gave up, drawn at random, if there is no answer", async () => {
    const steps = await played(dfsdt, () => finishing(""), { "search.width": 1 });
    expect(ends(steps)).toEqual([["gave up", { leaf: "n2" }]]);
    expect(answer(steps)).toBeUndefined();
  });

  it("reports how many nodes have only equal children, unless any node has different children", async () => {
    const alike = await played(dfsdt, again, { "search.depth": 4 });
    expect(notes(alike, "equal-children")).toEqual([
      "Equal children at 3 nodes, different ones at none: the search tried nothing new",
    ]);
    const others = await played(dfsdt, (request) => ({ calls: [call("a", `{"n":${request}}`)] }), {
      "search.depth": 4,
    });
    expect(notes(others, "equal-children")).toEqual([]);
    expect(notes(await played(dfsdt, again, { "search.width": 1 }), "equal-children")).toEqual([]);
  });
});

describe("the chain without a tree", () => {
  it("makes one attempt, twelve nodes deep", async () => {
    const steps = await played(singleChain, again);
    expect(requests(steps)).toHaveLength(6);
    expect(notes(steps, "bound")).toEqual([]);
    expect(ends(steps)).toEqual([["no answer", { leaf: null }]]);
  });

  it("starts again as often as the option allows, until a chain answers", async () => {
    const options = { "search.depth": 4, "search.tries": 3 };
    expect(requests(await played(singleChain, again, options))).toHaveLength(6);
    const steps = await played(singleChain, (request) => (request === 4 ? finishing("42") : again()), options);
    expect(requests(steps)).toHaveLength(4);
    expect(answer(steps)).toBe("42");
  });

  it("sends at most 60 requests, and reports this limit unless the last reply was the answer", async () => {
    const options = { "search.depth": 1000 };
    const steps = await played(singleChain, again, options);
    expect(requests(steps)).toHaveLength(60);
    expect(notes(steps, "bound")).toEqual(["Model requests are used up: 60"]);
    const last = await played(singleChain, (request) => (request === 60 ? finishing("42") : again()), options);
    expect(answer(last)).toBe("42");
    expect(notes(last, "bound")).toEqual([]);
    const few = await played(singleChain, again, { ...options, "search.queries": 1 });
    expect([requests(few).length, notes(few, "bound").length]).toEqual([1, 1]);
  });
});
