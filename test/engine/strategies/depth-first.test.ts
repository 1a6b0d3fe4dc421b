import { describe, expect, it } from "vitest";
import { chains, depthFirst, newSearch, type Ask } from "../../../source/engine/strategies/tree-search/depth-first.ts";
import { stepOf, type Act, type SearchNode } from "../../../source/engine/strategies/tree-search/tree.ts";
import type { Message, Step } from "../../../source/engine/types.ts";
import { describePublished, sharedLines } from "../../shared.ts";

type Call = { id: string; function: { name: string; arguments: string } };
type Scripted = { content: string | null; tool_calls?: Call[] };
type TreeShape = {
  type: string;
  desc: string;
  code: number | null;
  pruned: boolean;
  finished: boolean;
  expand: number;
  depth: number;
  children: TreeShape[];
};
type Replay = {
  id: string;
  algorithm: string;
  tree_beam_size: number;
  single_chain_max_step: number;
  max_query_count: number;
  answer: number;
  pass_at: number;
  script: Scripted[];
  expected: Record<string, unknown> & { tree: TreeShape; valid_messages_per_query: number[] };
};
type World = { env: Record<string, [string, number]> };

const opening: Message[] = [
  { role: "system", content: "You have functions." },
  { role: "user", content: "Do it." },
];

/** The recorded world: the reply of each function, and the effect of Finish. */
function actIn(env: World["env"]): Act {
  // eslint-disable-next-line require-yield
  return async function* (call) {
    const finish =
      call.name === "Finish"
        ? call.text.includes("give_answer")
          ? "Finish_give_answer"
          : "Finish_give_up"
        : undefined;
    const [observation, status] = env[finish ?? call.name] ?? env["other"]!;
    const result = { ok: status === 0 || status === 3, observation: observation.replace("NAME", call.name), status };
    if (status === 3) return { ...result, end: { reason: "answered", answer: call.text } };
    return status === 4 ? { ...result, end: { reason: "gave up", answer: undefined } } : result;
  };
}

function scripted(script: readonly Scripted[], seen: number[]): Ask {
  // eslint-disable-next-line require-yield
  return async function* (messages) {
    const next = script[seen.length];
    seen.push(messages.length);
    if (next === undefined) throw new Error("asked more often than the script has replies");
    const calls = (next.tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => ({
      id,
      name,
      text,
      arguments: undefined,
    }));
    return { text: next.content ?? "", calls };
  };
}

const shapeOf = (node: SearchNode): TreeShape => ({
  type: node.kind,
  desc: node.text,
  code: (node.code as number | undefined) ?? null,
  pruned: node.pruned,
  finished: node.finished,
  expand: node.expand,
  depth: node.depth,
  children: node.children.map(shapeOf),
});
const sizeOf = (node: SearchNode): number => 1 + node.children.reduce((sum, child) => sum + sizeOf(child), 0);
const heightOf = (node: SearchNode): number => 1 + Math.max(0, ...node.children.map(heightOf));

async function all(steps: AsyncGenerator<Step, unknown>): Promise<Step[]> {
  const list: Step[] = [];
  for await (const step of steps) list.push(step);
  return list;
}

describePublished("recorded searches of the official program", () => {
  const [world, ...replays] = sharedLines<World & Replay>("conformance", "toolplanner", "search_replay.jsonl.gz");
  const act = actIn(world!.env);

  it("give the official DFSDT tree for every script", async () => {
    const runs = replays.filter(({ algorithm }) => algorithm === "DFSDT");
    expect(runs).toHaveLength(24);
    for (const { id, script, expected, ...run } of runs) {
      const search = newSearch(opening);
      const seen: number[] = [];
      const limits = {
        depth: run.single_chain_max_step,
        width: run.tree_beam_size,
        queries: run.max_query_count,
        answers: run.answer,
      };
      await all(depthFirst(search, limits, scripted(script, seen), act));
      const { root } = search.tree;
      expect(shapeOf(root), id).toEqual(expected.tree);
      expect(
        {
          return_value: search.returned,
          query_count: search.queries,
          status: search.answered.length > 0 ? 1 : 0,
          terminal_nodes: search.answered.length,
          give_up_nodes: search.gaveUp.length,
          answered: search.answered.length > 0,
          first_answer_node_description: search.answered[0]?.text ?? null,
          tree_size: sizeOf(root),
          tree_max_length: heightOf(root),
          valid_messages_per_query: seen,
        },
        id,
      ).toEqual({
        ...expected,
        first_answer_node_description: expected["first_answer_node_description"] ?? null,
        tree: undefined,
      });
    }
  });

  it("give the official ReAct chain for every script", async () => {
    const runs = replays.filter(({ algorithm }) => algorithm === "ReAct");
    expect(runs).toHaveLength(24);
    for (const { id, script, expected, ...run } of runs) {
      const search = newSearch(opening);
      const seen: number[] = [];
      const limits = { depth: run.single_chain_max_step, tries: run.pass_at, queries: 1000 };
      await all(chains(search, opening, limits, scripted(script, seen), act));
      const chain: { type: string; desc: string; code: number | null }[] = [];
      let leaf = search.tree.root;
      while (leaf.children[0] !== undefined) {
        leaf = leaf.children[0];
        chain.push({ type: leaf.kind, desc: leaf.text, code: (leaf.code as number | undefined) ?? null });
      }
      expect(
        {
          return_value: search.returned,
          query_count: search.queries,
          status: search.answered.length,
          pruned: leaf.pruned,
          terminal_depth: leaf.depth,
          chain,
          valid_messages_per_query: seen,
        },
        id,
      ).toEqual({ ...expected, tree: undefined });
    }
  });
});

/** The state of a node each time it was shown, and the notes in between. */
const shown = (steps: readonly Step[]) =>
  steps.map((step) => {
    if (step.type === "note") return step.text;
    if (step.type !== "node") return step.type;
    const { id, parent, kind, label, state, detail } = step;
    return [id, parent, kind, label, state, detail];
  });

describe("the steps of a search", () => {
  it("show each node, the same node when it is pruned at the depth limit, and each return to an earlier node", async () => {
    const search = newSearch(opening);
    const texts = scripted(
      ["One", ""].map((content) => ({ content })),
      [],
    );
    const limits = { depth: 1, width: 2, queries: 9, answers: 1 };
    expect(shown(await all(depthFirst(search, limits, texts, actIn({ other: ["", 1] }))))).toEqual([
      ["n1", "n0", "Thought", "One", "done", { code: null, expand: 0, depth: 1 }],
      ["n1", "n0", "Thought", "One", "pruned", { code: null, expand: 1, depth: 1 }],
      "Back to depth 0 for another way",
      ["n2", "n0", "Thought", "(nothing)", "done", { code: null, expand: 0, depth: 1 }],
      ["n2", "n0", "Thought", "(nothing)", "pruned", { code: null, expand: 2, depth: 1 }],
    ]);
    expect(stepOf(search.tree.root)).toMatchObject({ id: "n0", label: "start", state: "done" });
    expect("parent" in stepOf(search.tree.root)).toBe(false);
  });

  it("show a call's input as open until its result arrives and decides the state", async () => {
    const reply = (name: string) => ({ content: null, tool_calls: [{ id: "c", function: { name, arguments: "{}" } }] });
    const states = async (name: string) => {
      const steps = await all(
        chains(
          newSearch(opening),
          opening,
          { depth: 2, tries: 1, queries: 1 },
          scripted([reply(name)], []),
          actIn(env),
        ),
      );
      return steps.map((step) => (step.type === "node" ? [step.kind, step.state, step.detail] : []));
    };
    const env: World["env"] = {
      works: ["42", 0],
      fails: ["no", 12],
      Finish_give_up: ["bye", 4],
      other: ["No such function", 1],
    };
    const before = { code: null, expand: 0 };
    const after = (code: number, observation: string) => ({ code, expand: 0, depth: 2, observation });
    expect(await states("works")).toEqual([
      ["Action", "done", { ...before, depth: 1 }],
      ["Action Input", "open", { ...before, depth: 2 }],
      ["Action Input", "done", after(0, "42")],
      ["Action Input", "pruned", after(0, "42")],
    ]);
    expect((await states("fails"))[2]).toEqual(["Action Input", "failed", after(12, "no")]);
    expect((await states("Finish"))[2]).toEqual(["Action Input", "pruned", after(4, "bye")]);
  });
});

describe("the requests of a search", () => {
  const reply = (name: string) => ({ content: null, tool_calls: [{ id: "c", function: { name, arguments: "{}" } }] });

  it("list the calls tried before from the same node with their results, and the observation of that node", async () => {
    const script = ["works", "fails", "odd", "works"].map(reply);
    const requests: (readonly Message[])[] = [];
    const replies = scripted(script, []);
    const ask: Ask = (messages) => {
      requests.push(messages);
      return replies(messages);
    };
    const env = { works: ["42", 0], fails: ["no", 12], other: ["No such function NAME", 1] } satisfies World["env"];
    const search = newSearch(opening);
    await all(depthFirst(search, { depth: 4, width: 2, queries: 5, answers: 1 }, ask, actIn(env))).catch(
      () => undefined,
    );
    const added = (messages: readonly Message[] | undefined) => messages!.at(-1)!.content;
    const tried = (name: string, output: string) =>
      JSON.stringify([{ name, arguments: "{}", function_output: output, "mento-carlo-action-value": 0 }], null, 2);
    const start =
      "You have been in this state before. From here these calls were tried already, and none of them led to an answer:";
    const end =
      "Propose a call that differs from all of them: another function, or other arguments. Say first what went wrong and what you will do differently.";
    expect(added(requests[2])).toBe(
      `${start}\n${tried("fails", "no")}\nThe state you are in came from this observation: 42\n${end}`,
    );
    // At the start nothing has been observed.
    expect(added(requests[3])).toBe(`${start}\n${tried("works", "42")}\n${end}`);
  });

  it("show a function that does not exist under a name that says so", async () => {
    const requests: (readonly Message[])[] = [];
    const replies = scripted([reply("odd"), reply("works")], []);
    const ask: Ask = (messages) => {
      requests.push(messages);
      return replies(messages);
    };
    const env = { works: ["42", 0], other: ["No such function NAME", 1] } satisfies World["env"];
    await all(chains(newSearch(opening), opening, { depth: 4, tries: 1, queries: 9 }, ask, actIn(env)));
    expect(requests[1]!.slice(2)).toMatchObject([
      { role: "assistant", calls: [{ name: "invalid_hallucination_function_name" }] },
      { role: "tool", content: "No such function odd" },
    ]);
  });
});

describe("searches that never finish", () => {
  const silent: Ask = scripted(
    Array.from({ length: 500 }, () => ({ content: null })),
    [],
  );
  const nothing = actIn({ other: ["", 1] });

  it("end at their depth limit when all replies are empty", async () => {
    const search = newSearch(opening);
    await all(depthFirst(search, { depth: 3, width: 2, queries: 200, answers: 1 }, silent, nothing));
    expect(search.queries).toBe(2 + 4 + 8);
    expect(search.answered).toEqual([]);
  });

  it("end at their last request if the tree is too wide to be finished", async () => {
    const search = newSearch(opening);
    await all(depthFirst(search, { depth: 12, width: 9, queries: 30, answers: 1 }, silent, nothing));
    expect(search.queries).toBe(30);
  });

  it("execute no more than 64 calls of one reply", async () => {
    const many = {
      content: null,
      tool_calls: Array.from({ length: 1000 }, (_, id) => ({ id: `c${id}`, function: { name: "x", arguments: "{}" } })),
    };
    const search = newSearch(opening);
    const steps = await all(
      chains(search, opening, { depth: 12, tries: 1, queries: 9 }, scripted([many], []), nothing),
    );
    expect(sizeOf(search.tree.root)).toBe(1 + 2 * 64);
    expect(steps.every((step) => step.type === "node")).toBe(true);
  });
});
