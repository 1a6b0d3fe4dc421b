/** ToolChain*'s search on trees computed by hand, and the strategy in a toy world. */
import { describe, expect, it } from "vitest";
import {
  bestFirst,
  type SearchActs,
  type SearchSettings,
} from "../../../source/engine/strategies/toolchain-star/best-first.ts";
import {
  actionStep,
  messagesBelow,
  pathTo,
  type ActionNode,
  type Sampled,
} from "../../../source/engine/strategies/toolchain-star/action-node.ts";
import {
  commonSubsequence,
  remainingCost,
  stepCost,
  readForesight,
} from "../../../source/engine/strategies/toolchain-star/costs.ts";
import { toolchainStar } from "../../../source/engine/strategies/toolchain-star.ts";
import { requestRepetitions, requestSeed } from "../../../source/engine/run/ask.ts";
import type { RunSpec, Step } from "../../../source/engine/types.ts";
import { callTo, scriptedPlay } from "./scripted-context.ts";
import { answer, call, finishTool, notes, playThrough, requests, toyWorld, type Brain } from "./toy-tools.ts";

describe("the cost of a step in ToolChain*", () => {
  it("falls with the similarity to a stored plan and with the share of equal samples, weighted by alpha", () => {
    const stored = [["a", "c", "d"], ["x"]];
    // The longest common subsequence of b, c and a, c, d is c: half the length of the shorter plan.
    expect(stepCost(["b", "c"], 0.75, stored, 1)).toBe(0.5);
    expect(stepCost(["b", "c"], 0.75, stored, 0)).toBe(0.25);
    expect(stepCost(["b", "c"], 0.75, stored, 0.5)).toBe(Math.sqrt(0.5) * Math.sqrt(0.25));
    // The most similar plan counts; the single x matches all of the other plan.
    expect(stepCost(["b", "x"], 0, stored, 1)).toBe(0);
    expect(stepCost(["b", "c"], 0.5, [], 1)).toBe(1);
    expect(stepCost([], 0.5, stored, 1)).toBe(1);
    // A part with weight 0 counts 0, even if the other part is 0.
    expect(stepCost(["a"], 1, stored, 1)).toBe(0);
    expect(stepCost(["q"], 1, stored, 1)).toBe(1);
  });
  it("falls for a remaining step with its position in stored plans and its distance, weighted by beta", () => {
    const stored = [
      ["a", "c", "d", "e"],
      ["c", "z"],
    ];
    // c is second of four in one plan and first of two in the other.
    expect(remainingCost("c", 0.25, stored, 1)).toBe(0.5);
    expect(remainingCost("c", 0.25, stored, 0)).toBe(0.75);
    expect(remainingCost("c", 0.75, stored, 0.5)).toBe(Math.sqrt(0.5) * Math.sqrt(0.25));
    expect(remainingCost("e", 0, stored, 1)).toBe(0);
    expect(remainingCost("c", 0.5, [], 1)).toBe(1);
    // An API in no plan has the position of the API with the most similar name.
    expect(remainingCost("get_weather", 0, [["get_whether", "end"]], 1)).toBe(0.5);
    // Three shared letters of four and four are less alike than four of four and five.
    const near = [
      ["abce", "x"],
      ["y", "abcde"],
    ];
    expect(remainingCost("abcd", 0, near, 1)).toBe(0);
    // Two shared letters of three and three are more alike than three of three and twelve, and the first of equals counts.
    const lengths = [
      ["abcxxxxxxxxx", "x"],
      ["y", "abd"],
      ["abe", "z", "z"],
    ];
    expect(remainingCost("abc", 0, lengths, 1)).toBe(0);
  });
  it("is based on the longest common subsequence", () => {
    expect(commonSubsequence("ABCBDAB", "BDCABA")).toBe(4);
    expect(commonSubsequence([], ["a"])).toBe(0);
    expect(commonSubsequence(["a", "b"], ["b", "a"])).toBe(1);
  });
});

/** A world given by calls along a path: which calls are sampled at each node, and how many calls are foreseen after it. */
type Tree = Readonly<Record<string, { readonly samples: readonly string[]; readonly left?: readonly number[] }>>;

async function searched(tree: Tree, settings: Partial<SearchSettings> = {}, most = Infinity) {
  const made: string[] = [];
  const nodes = new Map<string, Extract<Step, { type: "node" }>>();
  const bounds: string[] = [];
  let [sampledAt, request] = [0, 0];
  const wayTo = (node: ActionNode) =>
    pathTo(node)
      .map(({ sampled }) => sampled!.call.name)
      .join(" ");
  const acts: SearchActs = {
    // oxlint-disable-next-line require-yield -- nothing is asked here
    async *sample(node) {
      sampledAt += 1;
      return (tree[wayTo(node)]?.samples ?? []).map((name): Sampled | undefined =>
        name === ""
          ? undefined
          : {
              call: { id: name, name, text: "{}", arguments: {} },
              thought: "",
              message: { role: "assistant", content: "" },
              request: request++,
            },
      );
    },
    // oxlint-disable-next-line require-yield -- nothing is asked here
    async *foresee(parent, { call: { name } }) {
      const { samples = [], left = [] } = tree[wayTo(parent)] ?? {};
      return left[[...new Set(samples)].indexOf(name)];
    },
    // oxlint-disable-next-line require-yield -- nothing is asked here
    async *call({ call: { name } }) {
      made.push(name);
      const end = name === "Finish" ? { reason: "answered", answer: "42" } : { reason: "gave up", answer: undefined };
      const ends = name === "Finish" || name === "GiveUp";
      return { ok: !name.startsWith("dead"), observation: `${name} done`, status: 0, ...(ends ? { end } : {}) };
    },
    ends: ({ call: { name } }) => name === "Finish" || name === "GiveUp",
    reached: () => (sampledAt >= most ? "the requests are used up" : undefined),
  };
  const search = bestFirst({ alpha: 0, beta: 0, stored: [], depth: 6, ...settings }, acts);
  for (;;) {
    const next = await search.next();
    if (next.done === true) {
      const tried = [...nodes.values()].slice(1).map(({ id, label, state, detail }) => {
        const { f, g, h } = detail as { f: number; g: number; h: number };
        return [id, label.replace("({})", ""), state, ...[f, g, h].map((cost) => Number(cost.toFixed(4)))];
      });
      return { ended: wayTo(next.value), answered: next.value.result?.end?.answer, made, tried, bounds };
    }
    if (next.value.type === "node") nodes.set(next.value.id, next.value);
    if (next.value.type === "note") bounds.push(next.value.text);
  }
}

describe("ToolChain*'s search", () => {
  const branching: Tree = {
    "": { samples: ["a", "a", "a", "b"], left: [3, 1] },
    a: { samples: ["c", "c", "Finish", "Finish"], left: [1] },
  };

  it("expands the cheapest node, and ends when that node has answered", async () => {
    expect(await searched(branching)).toEqual({
      ended: "a Finish",
      answered: "42",
      made: ["a", "Finish"],
      bounds: [],
      // id, call, state, f, g, h
      tried: [
        ["n1", "a", "done", 1, 0.25, 0.75],
        ["n2", "b", "open", 1.25, 0.75, 0.5],
        ["n3", "c", "open", 1.0833, 0.75, 0.3333],
        ["n4", "Finish", "done", 0.75, 0.75, 0],
      ],
    });
  });

  it("returns to an earlier branch if that branch is cheaper", async () => {
    const tree: Tree = {
      "": { samples: ["a", "a", "a", "b"], left: [3, 1] },
      a: { samples: ["c", "d", "e", ""], left: [5, 5, 5] },
      b: { samples: ["Finish", "Finish", "Finish", "Finish"] },
    };
    const { made, tried, ended } = await searched(tree);
    expect([made, ended]).toEqual([["a", "b", "Finish"], "b Finish"]);
    // A sample without a call counts as a sample, so each of the other three is one of four.
    expect(tried.slice(2, 5)).toEqual([
      ["n3", "c", "open", 1.7143, 1, 0.7143],
      ["n4", "d", "open", 1.7143, 1, 0.7143],
      ["n5", "e", "open", 1.7143, 1, 0.7143],
    ]);
    expect(tried.at(-1)).toEqual(["n6", "Finish", "done", 0.75, 0.75, 0]);
  });

  it("prefers the shallower of two nodes with the same cost, then the older node", async () => {
    const tree: Tree = {
      "": { samples: ["a", "b"], left: [3, 9] },
      a: { samples: ["x"], left: [6] },
      // After y and w nothing is left to search.
      "a x": { samples: ["y"] },
      b: { samples: ["w"] },
      "b w": { samples: ["Finish"] },
    };
    const { made, tried } = await searched(tree);
    expect(tried).toEqual([
      ["n1", "a", "done", 1.25, 0.5, 0.75],
      ["n2", "b", "done", 1.4, 0.5, 0.9],
      ["n3", "x", "done", 1.25, 0.5, 0.75],
      ["n4", "y", "open", 1.5, 0.5, 1],
      ["n5", "w", "done", 1.5, 0.5, 1],
      ["n6", "Finish", "done", 0.5, 0.5, 0],
    ]);
    expect(made).toEqual(["a", "x", "b", "w", "Finish"]);
    // Of a and b, which cost the same at the same depth, the first sampled is taken.
    const level = await searched({ "": { samples: ["a", "b"], left: [1, 1] } });
    expect(level.made).toEqual(["a", "b"]);
    // Of two equally deep nodes, the first is returned if nothing answers.
    expect(level.ended).toBe("a");
  });

  it("follows stored plans if alpha and beta are 1, regardless of the most frequent sample", async () => {
    const tree: Tree = {
      "": { samples: ["b", "b", "b", "a"] },
      a: { samples: ["b", "b", "c", "c"] },
      "a c": { samples: ["Finish"] },
    };
    const { made, tried } = await searched(tree, { alpha: 1, beta: 1, stored: [["a", "c"]] });
    expect(made).toEqual(["a", "c", "Finish"]);
    expect(tried).toEqual([
      ["n1", "b", "open", 1.5, 1, 0.5],
      ["n2", "a", "done", 0.5, 0, 0.5],
      ["n3", "b", "open", 1, 0.5, 0.5],
      ["n4", "c", "done", 0, 0, 0],
      ["n5", "Finish", "done", 0, 0, 0],
    ]);
  });

  it("prunes a branch that gives up, and continues after a failed call", async () => {
    const tree: Tree = {
      "": { samples: ["GiveUp", "GiveUp", "dead"], left: [1] },
      dead: { samples: ["Finish"] },
    };
    const { made, tried } = await searched(tree);
    expect(made).toEqual(["GiveUp", "dead", "Finish"]);
    expect(tried.map(([, name, state]) => [name, state])).toEqual([
      ["GiveUp", "pruned"],
      ["dead", "failed"],
      ["Finish", "done"],
    ]);
  });

  it("ends at its budget with the cheapest open node that answers, otherwise with the deepest node", async () => {
    const tree: Tree = {
      "": { samples: ["a", "a", "a", "Finish"], left: [1] },
      a: { samples: ["c"], left: [9] },
    };
    // After one expansion a (0.25 + 0.5) and Finish (0.75 + 0) are open; only Finish answers.
    expect(await searched(tree, {}, 1)).toMatchObject({
      made: ["Finish"],
      answered: "42",
      bounds: ["the requests are used up"],
    });
    const unanswered: Tree = { "": { samples: ["a"], left: [1] }, a: { samples: ["c"], left: [1] } };
    expect(await searched(unanswered, {}, 2)).toMatchObject({ made: ["a"], ended: "a", answered: undefined });
    expect(await searched(unanswered)).toMatchObject({ ended: "a c", bounds: ["nothing is left to try"] });
    expect(await searched(unanswered, { depth: 1 })).toMatchObject({
      ended: "a",
      bounds: ["A branch has at most 1 call", "nothing is left to try"],
    });
  });
});

describe("a node of ToolChain*'s search", () => {
  it("shows its costs, its share of samples and its call, and later its result", () => {
    const sampled: Sampled = {
      call: { id: "c", name: "a", text: '{"x":1}', arguments: { x: 1 } },
      thought: "hm",
      message: { role: "assistant", content: "hm" },
      request: 3,
    };
    const root = { id: "n0", depth: 0, g: 0, h: 0, share: 1 } as ActionNode;
    const node: ActionNode = {
      id: "n1",
      parent: root,
      sampled,
      ends: false,
      depth: 1,
      g: 0.25,
      h: 0.5,
      share: 0.75,
      state: "open",
      result: undefined,
    };
    expect(actionStep(root)).toEqual({ type: "node", id: "n0", kind: "query", label: "start", state: "done" });
    const detail = { f: 0.75, g: 0.25, h: 0.5, share: 0.75, depth: 1, name: "a", arguments: '{"x":1}' };
    const shown = { type: "node", id: "n1", parent: "n0", kind: "call", label: 'a({"x":1})' };
    expect(actionStep(node)).toEqual({ ...shown, state: "open", detail: { ...detail, thought: "hm" } });
    const { parent: _, ...orphan } = shown;
    const made = { ok: false, observation: "no", status: 6 };
    const silent = { ...node, sampled: { ...sampled, thought: "" }, state: "failed" as const, result: made };
    expect(actionStep(silent)).toEqual({
      ...shown,
      state: "failed",
      detail: { ...detail, code: 6, observation: "no" },
    });
    expect(actionStep({ ...silent, parent: undefined })).toMatchObject(orphan);
    expect(messagesBelow([{ role: "user", content: "q" }], silent)).toEqual([
      { role: "user", content: "q" },
      { role: "assistant", content: "hm" },
      { role: "tool", callId: "c", content: "no" },
    ]);
    expect(messagesBelow([], node)[1]).toEqual({ role: "tool", callId: "c", content: "" });
  });
});

describe("the estimate of remaining calls", () => {
  it("counts the calls in the list, and adds the final call if the list lacks it", () => {
    expect(readForesight('["a", "b", "Finish"]', {})).toBe(4);
    const world = toyWorld([["a"]], {}).environment;
    expect(readForesight('Then: ["a", "b", "Finish"].', world)).toBe(3);
    expect(readForesight("[]", world)).toBe(1);
    expect(readForesight("nothing more", world)).toBeUndefined();
    expect(readForesight(JSON.stringify(Array.from({ length: 500 }, () => "a")), world)).toBe(21);
  });
});

describe("ToolChain* as a strategy", () => {
  /** Calls the next function in its list; answers with the last result. */
  const steady =
    (...names: string[]): Brain =>
    ({ stage, messages }) => {
      if (stage === "foresee") return { text: '["Finish"]' };
      const done = messages.filter(({ role }) => role === "tool");
      const next = names[done.length];
      return { calls: [next === undefined ? call("Finish", done.at(-1)?.content ?? "") : call(next)] };
    };

  it("samples at its own temperature, forecasts the remaining calls in text, and ends with the branch that answers", async () => {
    const { environment, called } = toyWorld([["a", "b"]], { a: "A", b: "B" });
    const steps = await playThrough(toolchainStar, environment, steady("a", "b"), {
      options: { "toolchain.samples": 2 },
    });
    expect(called).toEqual(["a", "b"]);
    expect(requests(steps)).toEqual(["step", "step", "foresee", "step", "step", "foresee", "step", "step"]);
    expect(answer(steps)).toBe("B");
    expect(notes(steps, "solution")).toEqual(["a -> b"]);
    const end = steps.find((step) => step.type === "note" && step.kind === "end");
    expect(end).toMatchObject({ text: "answered", data: { leaf: "n3" } });
    const prompts = steps.filter((step) => step.type === "prompt");
    expect(prompts.filter(({ stage, tools }) => (stage === "foresee") === (tools === undefined))).toHaveLength(8);
    const asked = steps.flatMap((step) => (step.type === "result" ? [step.asked] : []));
    expect(asked).toEqual([0, 3, 6]);
  });

  it("sends every sample of a node with its own seed if the run sets one", async () => {
    const { environment } = toyWorld([["a"]], { a: "A" });
    const finish = { text: "", calls: [callTo("Finish", "A")] };
    const use = { text: "", calls: [callTo("a", {})] };
    const script = [use, use, use, '["Finish"]', finish, finish, finish];
    const { context, requests: sent } = scriptedPlay(script, () => environment);
    const spec = { ...context.spec, budget: {}, options: { "toolchain.samples": 3 }, seed: 7, set: ["seed"], trial: 1 };
    const repetition = requestRepetitions();
    for await (const _ of toolchainStar.run({ ...context, spec: spec as RunSpec, repetition }));
    const asked = sent.map(({ seed, temperature, asker: { stage } }) => [stage, seed, temperature]);
    const seeds = [0, 1, 2].map((repeated) => requestSeed(7, 1, repeated));
    expect(new Set(seeds).size).toBe(3);
    const samples = seeds.map((seed) => ["step", seed, 0.7]);
    expect(asked).toEqual([...samples, ["foresee", 7, 0], ...samples]);
  });

  it("composes an answer from the deepest branch when the budget is used up", async () => {
    const { environment } = toyWorld([["a", "b", "c"]], { a: "A", b: "B", c: "C" });
    const brain: Brain = (request) =>
      request.stage === "final"
        ? { calls: [call("Finish", request.messages[1]!.content.split("\n").at(-1))] }
        : steady("a", "b", "c")(request);
    const options = { "toolchain.samples": 2, "planner.requests": 8 };
    const steps = await playThrough(toolchainStar, environment, brain, { options });
    expect(notes(steps, "bound")).toEqual(["the 6 model requests before the answer are used up"]);
    expect(answer(steps)).toBe("1. A");
    expect(requests(steps).length).toBeLessThanOrEqual(8);
  });

  it("prefers the calls that occur in the demonstrations", async () => {
    const { environment, called } = toyWorld([["a", "b"]], { a: "A", b: "B" });
    let [asked, chosen] = [0, ""];
    // Every second reply names the other function; the function called first gives the answer.
    const brain: Brain = ({ stage, messages }) => {
      if (stage === "foresee") return { text: '["Finish"]' };
      chosen = messages.at(-1)!.role === "tool" ? messages.at(-1)!.content : "";
      return { calls: [chosen === "" ? call(asked++ % 2 === 0 ? "a" : "b") : call("Finish", chosen)] };
    };
    const options = { "toolchain.samples": 2 };
    const plain = await playThrough(toolchainStar, environment, brain, { options });
    const shown = await playThrough(toolchainStar, environment, brain, { options }, [["b"]]);
    expect([answer(plain), answer(shown)]).toEqual(["A", "B"]);
    expect(called).toEqual(["a", "b"]);
  });

  it("forecasts from the calls so far, with at most 300 characters of each result", async () => {
    const { environment } = toyWorld([["a", "b"]], { a: "x".repeat(301), b: "B" });
    const steps = await playThrough(toolchainStar, environment, steady("a", "b"), {
      options: { "toolchain.samples": 1 },
    });
    const asked = steps.flatMap((step) =>
      step.type === "prompt" && step.stage === "foresee" ? [step.messages[1]!.content] : [],
    );
    expect(asked).toEqual([
      "Request: What is asked?\n\nFunctions: a, b, Finish\n\nCalls so far: none\n\nNext call: a({})",
      `Request: What is asked?\n\nFunctions: a, b, Finish\n\nCalls so far: \n1. a({}): ${"x".repeat(300)}\n\nNext call: b({})`,
    ]);
  });

  it("requests no forecast of calls if only positions count, and limits the weight to the range from 0 to 1", async () => {
    const asked = async (beta: number) => {
      const { environment } = toyWorld([["a"]], { a: "A" });
      const options = { "toolchain.samples": 1, "toolchain.beta": beta };
      return requests(await playThrough(toolchainStar, environment, steady("a"), { options }));
    };
    expect(await asked(1)).toEqual(["step", "step"]);
    expect(await asked(7)).toEqual(["step", "step"]);
    expect(await asked(0)).toEqual(["step", "foresee", "step"]);
    expect(await asked(-1)).toEqual(["step", "foresee", "step"]);
  });

  it("takes five samples for each node, at least one for any value of the option, and half of the environment's depth", async () => {
    const sampled = async (options: Record<string, number>) => {
      const { environment } = toyWorld([["a"]], { a: "A" });
      const steps = await playThrough(toolchainStar, environment, steady("a"), { options });
      return requests(steps).filter((stage) => stage === "step").length;
    };
    expect(await sampled({})).toBe(10);
    expect(await sampled({ "toolchain.samples": 2.9 })).toBe(4);
    expect(await sampled({ "toolchain.samples": 0 })).toBe(2);
    const { environment, called } = toyWorld([["a"]], { a: "A" });
    const again: Brain = ({ stage }) => (stage === "foresee" ? { text: "[]" } : { calls: [call("a")] });
    const steps = await playThrough(toolchainStar, environment, again, { options: { "toolchain.samples": 1 } });
    expect(called).toHaveLength(6);
    expect(notes(steps, "bound")[0]).toBe("A branch has at most 6 calls");
  });

  it("has branches of half of the environment's depth, rounded down, and takes one more sample when calls run out", async () => {
    const { environment, called } = toyWorld([["a"]], { a: "A" });
    const again: Brain = ({ stage }) => (stage === "foresee" ? { text: "[]" } : { calls: [call("a")] });
    const shallow = { ...environment, maxDepth: 5 };
    const steps = await playThrough(toolchainStar, shallow, again, { options: { "toolchain.samples": 1 } });
    expect([called.length, notes(steps, "bound")[0]]).toEqual([2, "A branch has at most 2 calls"]);
    const options = { "toolchain.samples": 3, "planner.calls": 1 };
    const last = await playThrough(toolchainStar, toyWorld([["a"]], { a: "A" }).environment, again, { options });
    expect(requests(last).slice(0, 5)).toEqual(["step", "step", "step", "foresee", "step"]);
    expect(requests(last).filter((stage) => stage === "step")).toHaveLength(4);
    expect(notes(last, "bound")).toEqual(["1 tool calls are used up"]);
  });

  it("is executed one task at a time only if it learns from solved tasks", () => {
    const spec = (memory?: string) => ({ options: memory === undefined ? {} : { "toolchain.memory": memory } });
    expect([spec(), spec("fixed"), spec("growing")].map((one) => toolchainStar.sequential!(one as never))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("gives up if no reply contains a call", async () => {
    const { environment } = toyWorld([["a"]], { a: "A" });
    const steps = await playThrough(toolchainStar, environment, () => ({ text: "Well." }));
    expect(requests(steps)).toEqual(Array.from({ length: 5 }, () => "step"));
    expect(notes(steps, "end")).toEqual(["gave up"]);
    expect(finishTool.name).toBe("Finish");
  });
});
