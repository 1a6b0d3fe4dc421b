import { describe, expect, it } from "vitest";
import { adaplanner } from "../../../source/engine/strategies/adaplanner.ts";
import { objectIn } from "../../../source/engine/text/json-record.ts";
import { dfsdt, singleChain } from "../../../source/engine/strategies/dfsdt.ts";
import { react } from "../../../source/engine/strategies/react.ts";
import { withToolkits } from "../../../source/engine/strategies/with-toolkits.ts";
import type { Step } from "../../../source/engine/types.ts";
import { answer, call, notes, playThrough, requests, toyWorld, type Brain } from "./toy-tools.ts";

const plan = (...apis: string[]) =>
  JSON.stringify(apis.map((api) => ({ goal: `use ${api}`, api, expect: "a letter" })));

const sensible =
  (plans: string[], checks: string[] = []): Brain =>
  ({ stage, tools, messages }) => {
    if (stage === "plan" || stage === "refine") return { text: plans.shift() ?? "" };
    if (stage === "extract")
      return { text: checks.shift() ?? `{"met": true, "value": "${messages[1]!.content.at(-1)}!"}` };
    if (stage === "step") return { calls: [call(tools[0]!.name)] };
    return { calls: [call("Finish", messages[1]!.content.split("\n").at(-1))] };
  };

describe("AdaPlanner", () => {
  it("follows its plan and extracts the value that the next step needs from each result", async () => {
    const { environment, called } = toyWorld([["a", "b"]], { a: "A", b: "B" });
    const steps = await playThrough(adaplanner, environment, sensible([plan("a", "b")]));
    expect(called).toEqual(["a", "b"]);
    expect(requests(steps)).toEqual(["plan", "step", "extract", "step", "extract", "final"]);
    expect(answer(steps)).toBe("2. B!");
  });

  it("rewrites the plan from the failed step on, and resumes there", async () => {
    const { environment, called } = toyWorld([["a", "dead", "c"]], { a: "A", c: "C" });
    const steps = await playThrough(adaplanner, environment, sensible([plan("a", "dead"), plan("c")]));
    expect(called).toEqual(["a", "dead", "c"]);
    expect(notes(steps, "replan")).toEqual(["c: use c"]);
    const asked = steps.find((step) => step.type === "prompt" && step.stage === "refine");
    const shown = asked?.type === "prompt" ? asked.messages[1]!.content : "";
    expect(shown).toContain("Plan:\n1. a: use a\n2. dead: use dead\n\nResults so far:\n1. A!\n\nStep 2 failed: ");
    const nodes = steps.flatMap((step) => (step.type === "node" ? [`${step.parent} > ${step.id} ${step.state}`] : []));
    expect(nodes.filter((node) => !node.endsWith("open"))).toEqual([
      "query > p1.1 done",
      "p1.1 > p1.2 failed",
      "p1.1 > p2.2 done",
    ]);
  });

  it("also rewrites the plan if a result differs from the expected one", async () => {
    const { environment, called } = toyWorld([["a", "b"]], { a: "A", b: "B" });
    await playThrough(adaplanner, environment, sensible([plan("a"), plan("b")], ['{"met": false}']));
    expect(called).toEqual(["a", "b"]);
  });

  it("gives up after three new plans, and for plans that are unparsable or name missing APIs", async () => {
    const { environment, called } = toyWorld([["a"]], {});
    const again = await playThrough(adaplanner, environment, sensible(Array.from({ length: 20 }, () => plan("a"))));
    expect(called).toHaveLength(4);
    expect(notes(again, "bound")).toEqual(["3 refinements were made"]);
    const silent = await playThrough(adaplanner, environment, sensible([]));
    expect(requests(silent)).toEqual(["plan", "plan", "plan"]);
    const ghosts = await playThrough(
      adaplanner,
      environment,
      sensible(Array.from({ length: 20 }, () => plan("ghost"))),
    );
    expect(called).toHaveLength(4);
    expect(notes(ghosts, "hallucination").length).toBeGreaterThan(0);
    expect(notes(ghosts, "end")).toEqual(["gave up"]);
  });

  it("accepts the result if the reply that checks it cannot be parsed", async () => {
    const { environment } = toyWorld([["a"]], { a: "A" });
    const steps = await playThrough(adaplanner, environment, sensible([plan("a")], ["nonsense {"]));
    expect(answer(steps)).toBe("1. A");
  });
});

describe("the prompts of AdaPlanner", () => {
  const contents = (steps: readonly Step[], stage: string) =>
    steps.flatMap((step) => (step.type === "prompt" && step.stage === stage ? [step.messages[1]!.content] : []));

  it("number results from 1, name the failed step, and list earlier failures", async () => {
    const { environment } = toyWorld([["a", "dead", "gone", "c"]], { a: "A", c: "C" });
    const steps = await playThrough(adaplanner, environment, sensible([plan("a", "dead"), plan("gone"), plan("c")]));
    expect(contents(steps, "plan")).toEqual([
      "Functions:\n- a: Does a\n- dead: Does dead\n- gone: Does gone\n- c: Does c\n\nRequest: What is asked?",
    ]);
    const [first, second, third, fourth] = contents(steps, "step");
    const step = (results: string, goal: string) =>
      `Request: What is asked?\n\nEarlier results:\n${results}\n\nThis step: ${goal}\nIts result must hold: a letter`;
    expect(first).toBe(step("none", "use a"));
    expect(second).toBe(step("1. A!", "use dead"));
    expect(third).toBe(`${step("1. A!", "use gone")}\n\nFailed before:\n- dead failed: dead does not work`);
    expect(fourth).toBe(
      `${step("1. A!", "use c")}\n\nFailed before:\n- dead failed: dead does not work\n- gone failed: gone does not work`,
    );
    const [once, twice] = contents(steps, "refine");
    expect(once!.endsWith("Step 2 failed: dead failed: dead does not work")).toBe(true);
    expect(twice).toContain(
      "\nPlan:\n1. a: use a\n2. gone: use gone\n\nResults so far:\n1. A!\n\nStep 2 failed: gone failed",
    );
    expect(twice!.endsWith("\n\nFailed before:\n- dead failed: dead does not work")).toBe(true);
    expect(contents(steps, "extract")[0]).toBe("Request: What is asked?\n\nStep: use a\nExpected: a letter\nResult: A");
    expect(contents(steps, "final")[0]).toContain("1. A!\n2. C!");
  });

  it("list failures in the user's words for a step and for a new plan", async () => {
    const { environment } = toyWorld([["dead", "gone", "c"]], { c: "C" });
    const prompts = { "step.failures": "Steps:\n{{list}}", "refine.failures": "Plans:\n{{list}}" };
    const plans = [plan("dead"), plan("gone"), plan("c")];
    const steps = await playThrough(adaplanner, environment, sensible(plans), { prompts });
    expect(contents(steps, "step")[1]).toMatch(/\n\nSteps:\n- dead failed: dead does not work$/);
    expect(contents(steps, "refine")[1]).toMatch(/\n\nPlans:\n- dead failed: dead does not work$/);
  });
});

describe("the tree and limits of AdaPlanner", () => {
  it("shows the plan before following it, and the new rest of a plan below the last step that stays", async () => {
    const { environment } = toyWorld([["a", "dead", "c", "d"]], { a: "A", c: "C", d: "D" });
    const steps = await playThrough(adaplanner, environment, sensible([plan("a", "dead", "d"), plan("c", "d")]));
    const nodes = steps.flatMap((step) =>
      step.type === "node" ? [[step.id, step.parent, step.kind, step.label, step.state].join(" | ")] : [],
    );
    expect(nodes).toEqual([
      "query |  | query | What is asked? | open",
      "p1.1 | query | step | a: use a | open",
      "p1.2 | p1.1 | step | dead: use dead | open",
      "p1.3 | p1.2 | step | d: use d | open",
      "p1.1 | query | step | a: use a | done",
      "p1.2 | p1.1 | step | dead: use dead | failed",
      "p2.2 | p1.1 | step | c: use c | open",
      "p2.3 | p2.2 | step | d: use d | open",
      "p2.2 | p1.1 | step | c: use c | done",
      "p2.3 | p2.2 | step | d: use d | done",
    ]);
  });

  it("answers with the results so far when only the request for the answer is left", async () => {
    const { environment } = toyWorld([["a", "b"]], { a: "A", b: "B" });
    const spent = (steps: number) =>
      playThrough(adaplanner, environment, sensible([plan("a", "b"), plan("a", "b")]), { budget: { task: { steps } } });
    // The answer needs two of the requests; plan, step and extract are the first three.
    const five = await spent(5);
    expect(requests(five)).toEqual(["plan", "step", "extract", "final"]);
    expect(notes(five, "bound")).toEqual(["the 3 model requests before the answer are used up"]);
    expect(answer(five)).toBe("1. A!");
    // Without a request left for the check, the result itself is the value.
    const four = await spent(4);
    expect(requests(four)).toEqual(["plan", "step", "final"]);
    expect(answer(four)).toBe("1. A");
    const silent = await playThrough(adaplanner, environment, sensible([]), { budget: { task: { steps: 4 } } });
    expect(requests(silent)).toEqual(["plan", "plan"]);
    expect(notes(silent, "bound")).toEqual(["No plan could be read"]);
  });

  it("makes the first call of a reply only, and asks again for a plan while requests are left", async () => {
    const { environment, called } = toyWorld([["a", "b"]], { a: "A", b: "B" });
    const brain = sensible([plan("a")]);
    await playThrough(adaplanner, environment, (asked) =>
      asked.stage === "step" ? { calls: [call("a"), call("b")] } : brain(asked),
    );
    expect(called).toEqual(["a"]);
    // One request for the plan, and two that are reserved for the answer.
    const silent = await playThrough(adaplanner, environment, sensible([]), { budget: { task: { steps: 3 } } });
    expect(requests(silent)).toEqual(["plan"]);
    const late = await playThrough(adaplanner, environment, sensible(["", plan("a")]), {
      budget: { task: { steps: 9 } },
    });
    expect(requests(late)).toEqual(["plan", "plan", "step", "extract", "final"]);
  });

  it("fails a step without a call, with a missing API, or with a negative check, and accepts any other step", async () => {
    const { environment } = toyWorld([["a"]], { a: "A" });
    const problems = async (plans: string[], checks: string[], calls = true) => {
      const brain = sensible(plans, checks);
      const steps = await playThrough(adaplanner, environment, (asked) =>
        asked.stage === "step" && !calls ? { text: "no" } : brain(asked),
      );
      const refine = steps.find((step) => step.type === "prompt" && step.stage === "refine");
      return refine?.type === "prompt" ? /Step 1 failed: (.*)/.exec(refine.messages[1]!.content)![1] : answer(steps);
    };
    expect(await problems([plan("a")], [], false)).toBe("The model called no function");
    expect(await problems([plan("ghost")], [])).toBe("There is no API `ghost`");
    expect(await problems([plan("a")], ['{"met": false, "value": "x"}'])).toBe(
      "The result of a does not hold what was expected: A",
    );
    expect(await problems([plan("a")], ['{"met": "false", "value": "x"}'])).toBe("1. x");
    expect(await problems([plan("a")], ['{"met": true, "value": ""}'])).toBe("1. A");
    expect(await problems([plan("a")], ['{"met": true, "value": 7}'])).toBe("1. A");
    expect(await problems([plan("a")], ['Well: {"value": "v"}.'])).toBe("1. v");
  });
});

describe("DFSDT as a strategy", () => {
  it("backtracks after giving up, tries another way and answers", async () => {
    const { environment, called } = toyWorld([["dead", "b"]], { b: "B" });
    let turn = 0;
    const replies = [call("dead"), call("Finish", ""), call("b"), call("Finish", "B it is")];
    const steps = await playThrough(dfsdt, environment, () => ({ calls: [replies[turn++]!] }));
    expect(called).toEqual(["dead", "b"]);
    expect(notes(steps, "backtrack")).toEqual(["Back to depth 0 for another way"]);
    expect(answer(steps)).toBe("B it is");
    expect(steps.filter((step) => step.type === "node" && step.state === "pruned")).not.toEqual([]);
  });

  it("sends at most as many requests as its option allows, or as the task allows if that is less", async () => {
    const { environment } = toyWorld([["dead"]], {});
    const stubborn: Brain = () => ({ calls: [call("dead")] });
    const own = await playThrough(dfsdt, environment, stubborn, { options: { "search.queries": 7 } });
    expect(requests(own)).toHaveLength(7);
    expect(notes(own, "end")).toEqual(["no answer"]);
    const task = await playThrough(dfsdt, environment, stubborn, { budget: { task: { steps: 5 } } });
    expect(requests(task)).toHaveLength(5);
  });

  it("stops at its depth limit like a chain without a tree, and can be repeated", async () => {
    const { environment } = toyWorld([["dead"]], {});
    const steps = await playThrough(singleChain, environment, () => ({ calls: [call("dead")] }), {
      options: { "search.tries": 2 },
    });
    expect(requests(steps)).toHaveLength(12);
    expect(answer(steps)).toBeUndefined();
  });
});

describe("any strategy with toolkits", () => {
  const integrated = withToolkits(react);

  it("runs unchanged if the option is off", async () => {
    const { environment } = toyWorld([["a"], ["b"]], { a: "A" });
    const steps = await playThrough(integrated, environment, () => ({ calls: [call("Finish", "done")] }));
    expect(requests(steps)).toEqual(["step"]);
  });

  it("plans over toolkits first, and then offers only the APIs of the planned toolkit", async () => {
    const { environment } = toyWorld([["a"], ["b"]], { a: "A", b: "B" });
    const brain: Brain = ({ stage, tools }) =>
      stage === "plan"
        ? { text: '[{"1": "use b"}]' }
        : { calls: [call("Finish", tools.map(({ name }) => name).join())] };
    const steps = await playThrough(integrated, environment, brain, { options: { toolkits: "on" } });
    expect(answer(steps)).toBe("b,Finish");
    expect(notes(steps, "plan")).toEqual([expect.stringMatching(/use b.* \(2 of 2 toolkits shown\)$/s)]);
  });

  it("deducts the plan's requests from the task's budget", async () => {
    const { environment } = toyWorld([["dead"]], {});
    const brain: Brain = ({ stage }) => (stage === "plan" ? { text: '[{"0": "x"}]' } : { calls: [call("dead")] });
    const spec = { options: { toolkits: "on" }, budget: { task: { steps: 5 } } };
    const steps = await playThrough(withToolkits(dfsdt), environment, brain, spec);
    expect(requests(steps)).toEqual(["plan", "step", "step", "step", "step"]);
  });

  it("ends without an answer if no plan can be parsed", async () => {
    const { environment } = toyWorld([["a"]], {});
    const steps = await playThrough(integrated, environment, () => ({ text: "?" }), { options: { toolkits: "on" } });
    expect(requests(steps)).toEqual(["plan", "plan", "plan"]);
    expect(notes(steps, "end")).toEqual(["no plan could be read"]);
  });
});

it("an object in a reply is read as a whole, with nested objects and surrounding words", () => {
  expect(objectIn('Here: {"a": {"b": 1}, "c": {"d": 2}} That is all.')).toEqual({ a: { b: 1 }, c: { d: 2 } });
  expect(objectIn("There is none.")).toBeUndefined();
});
