import { describe, expect, it } from "vitest";
import type { Json, Step } from "../../../source/engine/types.ts";
import {
  answerSteps,
  executedCalls,
  firstCall,
  noted,
  planned,
  plannedToolkits,
} from "../../../suites/toolbench/score/execution.ts";
import {
  answerOf,
  finishCalled,
  stepTexts,
  type AnswerStep,
} from "../../../suites/toolbench/score/answer-conversion.ts";

const step = (made: object) => made as unknown as Step;
const tools = (...names: readonly string[]) => names.map((name) => ({ name, description: "", parameters: {} }));
const prompt = (request: number, more: object = {}) => step({ type: "prompt", request, role: "model", ...more });
const call = (id: string, name = id) => step({ type: "call", call: { id, name, text: `{"of":"${name}"}` } });
const result = (callId: string, more: object = {}) =>
  step({ type: "result", callId, name: "named", result: { ok: true, observation: `saw ${callId}` }, ...more });
const node = (id: string, kind: string, label: string, more: object = {}) =>
  step({ type: "node", id, kind, label, ...more });

describe("the executed calls of a task", () => {
  const shown = (...steps: readonly Step[]) =>
    executedCalls(steps).map(({ call: { name }, result: own, offered }) => [
      name,
      own.observation,
      offered.map((each) => each.name).join(),
    ]);

  it("are the calls with a result, each with the tools that its own request offered", () => {
    const steps = [
      prompt(0, { tools: tools("a", "b") }),
      call("1", "a"),
      call("2", "b"),
      result("1"),
      result("2"),
      prompt(1, { tools: tools("c") }),
      prompt(9, { role: "responder", tools: tools("x") }),
      prompt(10, { role: "judge", tools: tools("y") }),
      call("3", "c"),
      call("4", "never"),
      result("3"),
    ];
    expect(shown(...steps)).toEqual([
      ["a", "saw 1", "a,b"],
      ["b", "saw 2", "a,b"],
      ["c", "saw 3", "c"],
    ]);
  });

  it("exclude calls of a reply that a later request replaced", () => {
    expect(shown(prompt(0), call("1", "a"), step({ type: "retry" }), call("1", "b"), result("1"))).toEqual([
      ["b", "saw 1", ""],
    ]);
    expect(shown(step({ type: "retry" }), call("1"), result("1"))).toEqual([["named", "saw 1", ""]]);
  });

  it("are matched by order if several calls share an id; a result with an unknown id belongs to the next call", () => {
    expect(shown(prompt(0), call("1", "a"), call("1", "b"), result("1"), result("1"))).toEqual([
      ["a", "saw 1", ""],
      ["b", "saw 1", ""],
    ]);
    expect(shown(prompt(0), call("1", "a"), call("2", "b"), result("x"), result("2"))).toEqual([
      ["a", "saw x", ""],
      ["b", "saw 2", ""],
    ]);
    expect(shown(prompt(0), result("1"))).toEqual([["named", "saw 1", ""]]);
  });

  it("are found by the request that their result names", () => {
    const steps = [prompt(0, { tools: tools("a") }), call("1", "a"), prompt(1), call("1", "b")];
    expect(shown(...steps, result("1", { asked: 0 }), result("1", { asked: 1 }), result("1", { asked: 7 }))).toEqual([
      ["a", "saw 1", "a"],
      ["b", "saw 1", ""],
      ["named", "saw 1", ""],
    ]);
    expect(shown(prompt(0), call("1", "a"), call("1", "b"), result("1", { asked: 0 }))).toEqual([["a", "saw 1", ""]]);
  });
});

describe("the steps that a judge receives", () => {
  const end = (data: Json) => step({ type: "note", kind: "end", text: "", data });

  it("are the calls in order, with an empty response for Finish", () => {
    const steps = [prompt(0), call("1", "a"), result("1"), call("2", "Finish"), result("2")];
    expect(answerSteps({ steps })).toEqual([
      { role: "tool", message: { name: "a", arguments: '{"of":"a"}', response: "saw 1" } },
      { role: "tool", message: { name: "Finish", arguments: '{"of":"Finish"}', response: "" } },
    ]);
  });

  it("are the branch to the leaf that the last note about the ending names", () => {
    const steps = [
      node("root", "root", ""),
      node("t", "Thought", "hm", { parent: "root" }),
      node("a", "Action", "look", { parent: "t" }),
      node("i", "Action Input", "{}", { parent: "a", detail: { observation: "seen" } }),
      node("other", "Thought", "no", { parent: "root" }),
      node("f", "Action", "Finish", { parent: "i" }),
      node("g", "Action Input", "{1}", { parent: "f", detail: { observation: "done" } }),
      node("c", "call", "x", {
        parent: "g",
        detail: { name: "more", arguments: "[]", thought: "so", observation: "end" },
      }),
    ];
    const later = step({ type: "note", kind: "switch", text: "", data: { leaf: "other" } });
    const told = (leaf: Json) => answerSteps({ steps: [...steps, end({ leaf: "other" }), end({ leaf }), later] });
    expect(told("g")).toEqual([
      { role: "assistant", message: "hm" },
      { role: "tool", message: { name: "look", arguments: "{}", response: "seen" } },
      { role: "tool", message: { name: "Finish", arguments: "{1}", response: "" } },
    ]);
    expect(told("c").slice(3)).toEqual([
      { role: "assistant", message: "so" },
      { role: "tool", message: { name: "more", arguments: "[]", response: "end" } },
    ]);
    // An action without its input is not a step.
    expect(told("a")).toEqual([{ role: "assistant", message: "hm" }]);
    expect([told("unknown"), told(7)]).toEqual([[], []]);
    const finish = node("z", "call", "", { detail: { name: "Finish", arguments: "{}", observation: "x" } });
    expect(answerSteps({ steps: [finish, end({ leaf: "z" })] })).toEqual([
      { role: "tool", message: { name: "Finish", arguments: "{}", response: "" } },
    ]);
  });

  it("are finite even if the nodes form a cycle", () => {
    const ring = [node("a", "Thought", "1", { parent: "b" }), node("b", "Thought", "2", { parent: "a" })];
    expect(answerSteps({ steps: [...ring, end({ leaf: "a" })] })).toHaveLength(2);
  });

  it("are nested below an empty request, and printed as Python prints them", () => {
    const steps: readonly AnswerStep[] = [
      { role: "assistant", message: "hm" },
      { role: "tool", message: { name: "a", arguments: "{}", response: "it's" } },
      { role: "tool", message: { name: "Finish", arguments: "{}", response: "" } },
    ];
    const answer = answerOf("react", steps, "yes");
    expect(answer).toMatchObject({ method: "react", total_steps: 5, final_answer: "yes" });
    expect(answer.answer_details).toMatchObject([
      { role: "system", next: [{ role: "user", next: [{ message: "hm" }] }] },
    ]);
    expect(stepTexts(answer)).toEqual({
      steps: `Step 1: {'name': 'a', 'arguments': '{}', 'response': "it's"}\nStep 2: {'name': 'Finish', 'arguments': '{}', 'response': ''}`,
      final: "Final step: {'name': 'Finish', 'arguments': '{}', 'response': ''}",
    });
    expect([finishCalled(answer), finishCalled(answerOf("react", steps.slice(0, 2), ""))]).toEqual([true, false]);
    expect(stepTexts(answerOf("react", [], ""))).toEqual({ steps: "", final: "Final step: " });
  });
});

describe("the metrics of the plans and the time of a task", () => {
  const note = (kind: string) => step({ type: "note", kind, text: "" });

  it("count notes of a kind", () => {
    expect(noted([note("switch"), note("replan"), note("switch")], "switch")).toBe(2);
    expect(noted([node("switch", "switch", "switch")], "switch")).toBe(0);
  });

  const kit = (id: string, toolkit: Json, plan = 1) => node(id, "toolkit", "", { detail: { toolkit, plan } });

  it("list the toolkits of all plans once", () => {
    const other = node("o", "api", "", { detail: { toolkit: 9 } });
    expect(plannedToolkits([other, kit("a", 3)])).toEqual([3]);
    expect(plannedToolkits([kit("a", 3), kit("b", 1), kit("c", 3, 2), kit("d", "4"), node("e", "api", "")])).toEqual([
      3, 1,
    ]);
  });

  it("count the toolkits of the first plan, and the APIs tried in each step", () => {
    const api = (id: string, parent?: string) => node(id, "api", "", { parent });
    expect(
      planned([
        kit("a", 1),
        kit("a", 1),
        kit("b", 2),
        kit("c", 3, 2),
        api("x", "s"),
        api("y", "s"),
        api("z", "t"),
        api("w"),
      ]),
    ).toEqual({ plan_length: 2, apis_per_step: 1.5 });
    expect(planned([kit("a", 1)])).toEqual({ plan_length: 1 });
    expect(planned([api("x", "s")])).toEqual({});
    expect(planned([api("x", "s"), api("x", "s"), kit("a", 1)])).toEqual({ plan_length: 1, apis_per_step: 1 });
  });

  it("contain the time of the first result, unless an earlier reply was reused", () => {
    const at = (made: Step, time: number) => step({ ...made, at: time });
    expect(firstCall([at(prompt(0), 1000), at(result("1"), 3500), at(result("2"), 9000)])).toEqual({ first_call: 2.5 });
    expect(firstCall([at(prompt(0), 2000), at(result("1"), 1000)])).toEqual({ first_call: 0 });
    expect(firstCall([at(prompt(0, { saved: 3 }), 0), at(result("1"), 1000)])).toEqual({});
    expect(firstCall([at(prompt(0), 0), at(result("1"), 1000), at(prompt(1, { saved: 3 }), 2000)])).toEqual({
      first_call: 1,
    });
    expect(firstCall([at(prompt(0, { saved: 3 }), 0), at(prompt(1), 500), at(result("1"), 1000)])).toEqual({});
    expect(firstCall([at(prompt(0), 0)])).toEqual({});
    expect(firstCall([prompt(0), result("1")])).toEqual({});
    expect(firstCall([])).toEqual({});
  });
});
