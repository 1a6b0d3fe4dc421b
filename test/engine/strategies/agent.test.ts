/** A user's agent as a strategy: the task that it gets, its calls, and its answer or answers to stages. */
import { describe, expect, it } from "vitest";
import type { AgentEvent, AgentProgram, Environment, Stage } from "../../../source/engine/protocol.ts";
import { agent, stagedAgent } from "../../../source/engine/strategies/agent.ts";
import type { Json, Step } from "../../../source/engine/types.ts";
import { answers, collect, notes, scriptedPlay } from "./scripted-context.ts";
import { finishTool, toyWorld } from "./toy-tools.ts";

function agentOf(lines: readonly Json[]) {
  const written: Json[] = [];
  const left = lines.values();
  const program = {
    modelUrl: "http://localhost/v1",
    write: async (line: Json) => void written.push(line),
    next: async (): Promise<AgentEvent> => ({ type: "line", value: left.next().value }),
    release: async () => undefined,
  } as unknown as AgentProgram;
  return { program, written };
}

async function played(lines: readonly Json[], environment: Environment) {
  const { program, written } = agentOf(lines);
  const { context } = scriptedPlay([], () => environment);
  const spec = { ...context.spec, options: { agent: "mine" } };
  const steps = await collect(agent.run({ ...context, spec, agent: async () => program }));
  const nodes = steps.flatMap((step) => (step.type === "node" ? [`${step.id} ${step.label} ${step.state}`] : []));
  return { written, nodes, end: notes(steps, "end"), answers: answers(steps), steps };
}
const { environment } = toyWorld([["look", "dead"]], { look: "seen" });
const toolsIn = (written: readonly Json[]) =>
  (written[0] as { readonly tools: readonly { readonly name: string }[] }).tools.map(({ name }) => name);

describe("an agent in an environment", () => {
  it("gets the question and all tools except the tool that ends the episode, and sees the result of each call", async () => {
    const found = await played(
      [
        { type: "call", name: "look", arguments: {} },
        { type: "call", name: "dead", arguments: {} },
        { type: "answer", answer: { at: 1 } },
      ],
      environment,
    );
    expect(toolsIn(found.written)).toEqual(["look", "dead"]);
    expect(found.written[0]).toMatchObject({ messages: [{ role: "user", content: "Where is the cup?" }] });
    expect(found.written.slice(1)).toMatchObject([
      { ok: true, content: "seen" },
      { ok: false, content: "dead does not work" },
    ]);
    expect(found.nodes).toEqual([
      "agent-0 look({}) open",
      "agent-0 look({}) done",
      "agent-1 dead({}) open",
      "agent-1 dead({}) failed",
    ]);
    expect([found.end, found.answers]).toEqual([["answered"], ['{"at":1}']]);
  });

  it("begins with the environment's own messages, and may end the episode by a call", async () => {
    const opened = { ...environment, opening: () => [{ role: "system", content: "Find it." }] as const };
    const found = await played([{ type: "call", name: "Finish", arguments: "here" }, { type: "answer" }], opened);
    expect(found.written[0]).toMatchObject({ messages: [{ role: "system", content: "Find it." }] });
    expect([found.end, found.answers]).toEqual([["answered"], ["here"]]);
  });

  it("gives up with the answer null, by the environment's own call if it has one", async () => {
    const none = await played([{ type: "answer" }], environment);
    expect([none.end, none.answers]).toEqual([["gave up"], []]);
    expect(none.steps.filter(({ type }) => type === "result")).toHaveLength(1);
    const { finish: _, ...endless } = environment;
    const bare = await played([{ type: "answer", answer: null }], endless);
    expect([bare.end, bare.answers]).toEqual([["gave up"], []]);
    const given = await played([{ type: "answer", answer: { at: 1 } }], endless);
    expect([given.end, given.answers]).toEqual([["answered"], [{ at: 1 }]]);
    expect(toolsIn(given.written)).toEqual(["look", "dead", finishTool.name]);
    const deaf = { ...environment, call: async () => ({ ok: false, observation: "no", status: 2 }) };
    const lost = await played([{ type: "answer", answer: "x" }], deaf);
    expect([lost.end, lost.answers]).toEqual([["no answer"], []]);
  });
});

describe("an agent in stages", () => {
  it("gives up with the answer null, after which nothing is asked", async () => {
    const { program, written } = agentOf([{ type: "answer" }]);
    const { context } = scriptedPlay([], () => undefined);
    const stages = ["app", "call"].map((name): Stage => ({ name, messages: () => [] }));
    const loaded = { ...context.loaded, asks: { stages: () => stages } };
    const spec = { ...context.spec, options: { agent: "mine" } };
    const steps = await collect(stagedAgent.run({ ...context, loaded, spec, agent: async () => program } as never));
    expect([notes(steps, "end"), answers(steps), written.length]).toEqual([["gave up"], [], 1]);
  });

  it("answers each stage with its text, without tools", async () => {
    const stage = (name: string): Stage => ({
      name,
      messages: (previous) => [{ role: "user", content: `${name} after ${previous.join("+")}` }],
    });
    const { program, written } = agentOf([
      { type: "call", name: "look", arguments: {} },
      { type: "answer", answer: ["Maps"] },
      { type: "answer", answer: "route()" },
    ]);
    const { context } = scriptedPlay([], () => undefined);
    const loaded = { ...context.loaded, asks: { stages: () => [stage("app"), stage("call")] } };
    const spec = { ...context.spec, options: { agent: "mine" } };
    const steps: Step[] = [];
    for await (const step of stagedAgent.run({ ...context, loaded, spec, agent: async () => program } as never))
      steps.push(step);
    expect(answers(steps)).toEqual([{ output: "route()", stages: { app: '["Maps"]', call: "route()" } }]);
    expect(written).toMatchObject([
      { stage: "app", tools: [], messages: [{ content: "app after " }] },
      { type: "result", ok: false, content: "There are no tools in this task" },
      { stage: "call", messages: [{ content: 'call after ["Maps"]' }] },
    ]);
  });
});
