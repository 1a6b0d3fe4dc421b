/** The lines exchanged with a user's agent, and the last request of a planning strategy. */
import { describe, expect, it } from "vitest";
import type { AgentEvent, AgentProgram } from "../../../source/engine/protocol.ts";
import { answerText, converse, withAgent } from "../../../source/engine/strategies/agent-conversation.ts";
import { finalAnswer } from "../../../source/engine/strategies/tool-planner/final-answer.ts";
import type { Json, Message, RunSpec, Step, ToolSpec } from "../../../source/engine/types.ts";
import { callTo, scriptedPlay } from "./scripted-context.ts";
import { finishTool, toyWorld } from "./toy-tools.ts";

type Asked = { readonly role: string; readonly messages?: readonly Message[]; readonly tools?: readonly ToolSpec[] };

/** An agent that writes these lines, or asks a model if a role is given. */
function agentOf(lines: readonly (Json | { readonly asks: Asked })[]) {
  const written: Json[] = [];
  const got: string[] = [];
  const left = lines.values();
  const released: boolean[] = [];
  const program = {
    modelUrl: "http://localhost/v1",
    write: async (line: Json) => void written.push(line),
    next: async (): Promise<AgentEvent> => {
      const { value } = left.next();
      const asks = (value as { asks?: Asked } | undefined)?.asks;
      if (asks === undefined) return { type: "line", value: value as Json | undefined };
      const messages = asks.messages ?? [{ role: "user", content: "help" }];
      const refuse = (why: string) => void got.push(`refused: ${why}`);
      return {
        type: "request",
        role: asks.role,
        messages,
        tools: asks.tools ?? [],
        refuse,
        reply: ({ text }) => void got.push(text),
      };
    },
    release: async (answered: boolean) => void released.push(answered),
  } as unknown as AgentProgram;
  return { program, written, got, released };
}

async function played(
  lines: Parameters<typeof agentOf>[0],
  more: object = {},
  replies: readonly string[] = [],
  options: RunSpec["options"] = {},
) {
  const agent = agentOf(lines);
  const { context, requests } = scriptedPlay(replies, () => undefined);
  const loaded = { ...context.loaded, suite: { options: [] } } as never;
  const steps: Step[] = [];
  const spec = { ...context.spec, options };
  const conversation = converse({ ...context, loaded, spec }, agent.program, {
    messages: [{ role: "user", content: "Where?" }],
    tools: [],
    asks: "agent",
    // oxlint-disable-next-line require-yield
    async *call(call) {
      const ending = call.name === "stop" ? { ending: "by a call" } : {};
      return {
        result: { ok: call.name !== "bad", observation: `did ${call.name}(${call.text})`, status: 0 },
        ...ending,
      };
    },
    // oxlint-disable-next-line require-yield
    async *answer(answer: Json) {
      return `answered ${answerText(answer)}`;
    },
    ...more,
  });
  for (;;) {
    const { done, value } = await conversation.next();
    if (done === true) return { ...agent, steps, requests, ending: value };
    steps.push(value);
  }
}
const shown = (steps: readonly Step[]) =>
  steps.flatMap((step) =>
    step.type === "note"
      ? [`${step.kind}: ${step.text}`]
      : step.type === "result"
        ? [
            `result ${step.callId} ${step.name} ${step.result.status} ${step.result.observation}${step.asked === undefined ? "" : ` of ${step.asked}`}`,
          ]
        : step.type === "node"
          ? [`node ${step.id} ${step.label} ${step.state}`]
          : [],
  );

describe("a conversation with an agent", () => {
  it("executes calls until one of them ends the conversation", async () => {
    const { written, ending } = await played([{ type: "answer", answer: { at: 1 } }], {
      stage: "plan",
      more: { trial: 2 },
    });
    expect(written).toEqual([
      {
        type: "task",
        task: "t1",
        trial: 2,
        stage: "plan",
        question: "Where is the cup?",
        messages: [{ role: "user", content: "Where?" }],
        tools: [],
        model: { url: "http://localhost/v1" },
      },
    ]);
    expect(ending).toBe('answered {"at":1}');
    expect((await played([{ type: "answer" }])).ending).toBe("answered null");
    expect((await played([{ type: "answer", answer: "x" }])).ending).toBe("answered x");
  });

  it("executes calls until a call ends the conversation", async () => {
    const { written, ending } = await played([
      { type: "call", id: "a", name: "look", arguments: { at: 1 } },
      { type: "call", name: "bad", arguments: "raw" },
      { type: "call", name: 7 },
      { type: "call", id: 3, name: "stop" },
      { type: "answer", answer: "late" },
    ]);
    expect(written.slice(1)).toEqual([
      { type: "result", task: "t1", id: "a", ok: true, content: 'did look({"at":1})' },
      { type: "result", task: "t1", id: null, ok: false, content: "did bad(raw)" },
      { type: "result", task: "t1", id: null, ok: true, content: "did ({})" },
      { type: "result", task: "t1", id: 3, ok: true, content: "did stop({})" },
    ]);
    expect(ending).toBe("by a call");
  });

  it("records the agent's notes, steps and invalid lines", async () => {
    const { steps } = await played([
      { type: "note", text: "hm" },
      { type: "note" },
      { type: "step", name: "look", arguments: {}, content: { a: 1 } },
      { type: "step", name: "look", content: "no", ok: false },
      { type: "score", value: 1 },
      "progress",
      { type: "other", long: "x".repeat(600) },
      { type: "answer" },
    ]);
    expect(shown(steps)).toEqual([
      "agent: hm",
      "agent: ",
      "node agent-2 look({}) open",
      'result agent-2 look ok {"a":1}',
      "node agent-2 look({}) done",
      "node agent-3 look({}) open",
      "result agent-3 look error no",
      "node agent-3 look({}) failed",
      'unread: {"type":"score","value":1}',
      'unread: "progress"',
      expect.stringMatching(/^unread: .{500}$/),
    ]);
  });

  it("accepts the agent's own score if the run allows this", async () => {
    const { steps } = await played([{ type: "score", value: 1 }, { type: "answer" }], {
      async *score(line: Json) {
        yield { type: "note", kind: "score", text: JSON.stringify(line) } as Step;
      },
    });
    expect(shown(steps)).toEqual(['score: {"type":"score","value":1}']);
  });

  it("sends requests to models by role, uses the run's model for unknown roles, and knows which model made a call", async () => {
    const call = callTo("look", {}, "c1");
    const { got, requests, steps } = await played(
      [
        { asks: { role: "actor" } },
        { asks: { role: "judge" } },
        { type: "step", id: "c1", name: "look", content: "seen" },
        { type: "answer" },
      ],
      {},
      [{ text: "one", calls: [call] }, "two"] as never,
    );
    expect(got).toEqual(["one", "two"]);
    expect(requests.map(({ asker }) => [asker.role, asker.stage])).toEqual([
      ["actor", "agent"],
      ["model", "agent"],
    ]);
    expect(shown(steps)).toContain("result c1 look ok seen of 0");
    const roles = await played([{ asks: { role: "judge" } }, { type: "answer" }], { roles: ["model", "judge"] }, ["x"]);
    expect(roles.requests[0]!.asker.role).toBe("judge");
  });

  it("sends the agent's own messages without the run's system message", async () => {
    const lines = [{ asks: { role: "model" } }, { type: "answer" }];
    const { requests } = await played(lines, {}, ["one"], { system: "Be brief." });
    expect(requests[0]!.messages).toEqual([{ role: "user", content: "help" }]);
  });

  it("offers the tools of a request, reads the arguments of calls, and adds fields of the run to the task", async () => {
    const read: unknown[] = [];
    const lines = [
      { asks: { role: "actor", tools: [finishTool] } },
      { asks: { role: "actor" } },
      { type: "call", name: "look", arguments: { at: 1 } },
      { type: "call", name: "look", arguments: "raw" },
      { type: "answer" },
    ];
    const { requests, written, got } = await played(
      lines,
      {
        more: { seed: 3, model: { name: "own" } },
        // oxlint-disable-next-line require-yield
        async *call(call: { readonly arguments: unknown }) {
          read.push(call.arguments);
          return { result: { ok: true, observation: "", status: 0 } };
        },
      },
      ["one", "two"],
    );
    expect(requests.map(({ tools }) => tools)).toEqual([[finishTool], undefined]);
    expect(written[0]).toMatchObject({ seed: 3, model: { url: "http://localhost/v1", name: "own" } });
    expect(read).toEqual([{ at: 1 }, undefined]);
    expect(got).toEqual(["one", "two"]);
  });

  it("reports a failed request to the agent, and fails with the same error", async () => {
    const agent = agentOf([{ asks: { role: "actor" } }]);
    const { context } = scriptedPlay([], () => undefined);
    const loaded = { ...context.loaded, suite: { options: [] } } as never;
    const conversation = converse({ ...context, loaded }, agent.program, {
      messages: [],
      tools: [],
      asks: "agent",
      call: () => Promise.reject(new Error("never")) as never,
      answer: () => Promise.reject(new Error("never")) as never,
    });
    const whole = (async () => {
      for await (const _ of conversation);
    })();
    await expect(whole).rejects.toThrow("Expected no more requests");
    expect(agent.got).toEqual([expect.stringContaining("refused: Expected no more requests")]);
  });

  it("ends after 10,000 lines from the agent", async () => {
    const notes = (count: number) => Array.from({ length: count }, () => ({ type: "note", text: "" }));
    expect((await played([...notes(9999), { type: "answer", answer: "x" }])).ending).toBe("answered x");
    await expect(played([...notes(10_000), { type: "answer" }])).rejects.toThrow("wrote 10000 lines without an answer");
  });
});

describe("the user's agent in a run", () => {
  const used = async (agent: AgentProgram | undefined, fails = false) => {
    const { context } = scriptedPlay([], () => undefined);
    const spec = { ...context.spec, options: { agent: "mine" } };
    for await (const _ of withAgent({ ...context, spec, agent: async () => agent } as never, async function* () {
      yield { type: "note", kind: "x", text: "" } as Step;
      if (fails) throw new Error("broken");
    })) {
      // Only its end matters here.
    }
  };

  it("is released however the task ends", async () => {
    const { program, released } = agentOf([]);
    await used(program);
    await expect(used(program, true)).rejects.toThrow("broken");
    expect(released).toEqual([true, false]);
    await expect(used(undefined)).rejects.toThrow("Expected the agent `mine` to be available here, found none");
  });
});

describe("the final answer of a planning strategy", () => {
  const ended = async (results: readonly string[], replies: Parameters<typeof scriptedPlay>[0]) => {
    const { environment } = toyWorld([["look"]], { look: "seen" });
    const { context, requests } = scriptedPlay(replies, () => environment);
    const steps: Step[] = [];
    for await (const step of finalAnswer(context, environment, results)) steps.push(step);
    const answer = steps.findLast((step) => step.type === "answer");
    return {
      answer: answer?.type === "answer" ? answer.answer : undefined,
      notes: shown(steps).filter((text) => text.startsWith("end")),
      requests,
    };
  };

  it("is requested with the numbered results, and accepted as a call or as text", async () => {
    const { answer, notes, requests } = await ended(
      ["one", "two"],
      [{ text: "", calls: [{ ...callTo("Finish", {}), text: "done" }] }],
    );
    expect([answer, notes]).toEqual(["done", ["end: answered"]]);
    expect(requests[0]!.messages.at(-1)!.content).toContain("1. one\n2. two");
    expect([requests[0]!.tools, requests[0]!.asker.role]).toEqual([[finishTool], "actor"]);
    expect((await ended(["one"], ["in words"])).answer).toBe("in words");
  });

  it("is given by the first call of the function that ends the episode, and by the text if that call cannot be used", async () => {
    const finish = (text: string, id: string) => ({ ...callTo("Finish", {}, id), text });
    const calls = [callTo("look", {}), finish("first", "a"), finish("second", "b")];
    expect((await ended(["one"], [{ text: "", calls }])).answer).toBe("first");
    // The world ends no episode by a call that it cannot read.
    const { environment } = toyWorld([["look"]], {});
    const strict: typeof environment = {
      ...environment,
      call: async (call, signal) =>
        call.text === "{" ? { ok: false, observation: "unreadable", status: 2 } : environment.call(call, signal),
    };
    const after = async (text: string, world = strict) => {
      const { context } = scriptedPlay([{ text, calls: [finish("{", "a")] }], () => world);
      const steps: Step[] = [];
      for await (const step of finalAnswer(context, world, ["one"])) steps.push(step);
      const answer = steps.findLast((step) => step.type === "answer");
      return [
        answer?.type === "answer" ? answer.answer : undefined,
        shown(steps).filter((each) => each.startsWith("end")),
      ];
    };
    expect(await after("In words.")).toEqual(["In words.", ["end: answered"]]);
    expect(await after(" ")).toEqual([undefined, ["end: gave up"]]);
    const never = { ...environment, call: async () => ({ ok: false, observation: "no", status: 2 }) };
    expect(await after("In words.", never)).toEqual([undefined, ["end: no answer"]]);
    const { finish: _, ...endless } = environment;
    await expect(after("", endless)).rejects.toThrow("Expected `toy` to say how an episode is ended; it does not");
  });

  it("is not requested without results, and is missing after an empty reply", async () => {
    const none = await ended([], []);
    expect([none.answer, none.notes, none.requests.length]).toEqual([undefined, ["end: gave up"], 0]);
    expect((await ended(["one"], [" "])).notes).toEqual(["end: gave up"]);
  });
});
