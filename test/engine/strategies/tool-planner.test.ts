import { describe, expect, it } from "vitest";
import { toolPlanner } from "../../../source/engine/strategies/tool-planner.ts";
import { boundsOf, mostRequests } from "../../../source/engine/strategies/tool-planner/bounds.ts";
import { answer, call, notes, playThrough, requests, toyWorld, type Brain } from "./toy-tools.ts";

const plan = (...ids: number[]) => JSON.stringify(ids.map((id) => ({ [`Toolkit ${id}`]: `use ${id}` })));

/** Gives the scripted plans, calls the offered function, reports the responses and answers with all results. */
const sensible =
  (...plans: string[]): Brain =>
  ({ stage, tools, messages }) => {
    if (stage === "plan" || stage === "replan") return { text: plans.shift() ?? plan(0) };
    if (stage === "step") return { calls: [call(tools[0]!.name)] };
    if (stage === "state") return { text: `known: ${messages[1]!.content.split("Response: ")[1]}` };
    return { calls: [call("Finish", `answer from ${messages[1]!.content.split("\n").at(-1)}`)] };
  };

describe("Tool-Planner", () => {
  it("follows its plan, keeps the state of every step, and answers", async () => {
    const { environment, called } = toyWorld([["a"], ["b"]], { a: "A", b: "B" });
    const steps = await playThrough(toolPlanner, environment, sensible(plan(0, 1)));
    expect(called).toEqual(["a", "b"]);
    expect(requests(steps)).toEqual(["plan", "step", "state", "step", "state", "final"]);
    expect(answer(steps)).toBe("answer from 2. known: B");
  });

  it("lists all earlier results, in order, when it asks for the next state", async () => {
    const { environment } = toyWorld([["a"], ["b"], ["c"]], { a: "A", b: "B", c: "C" });
    const steps = await playThrough(toolPlanner, environment, sensible(plan(0, 1, 2)));
    const states = steps.flatMap((step) =>
      step.type === "prompt" && step.stage === "state" ? [step.messages[1]!.content] : [],
    );
    const known = states.map((content) => /Known before:\n([^]*?)\n\n/.exec(content)?.[1]);
    expect(known).toEqual([undefined, "1. known: A", "1. known: A\n2. known: B"]);
  });

  it("switches to another API of the same toolkit without a new plan", async () => {
    const { environment, called } = toyWorld([["a1", "a2", "a3"]], { a3: "A" });
    const steps = await playThrough(toolPlanner, environment, sensible(plan(0)), {
      options: { "planner.order": "listed" },
    });
    expect(called).toEqual(["a1", "a2", "a3"]);
    expect(notes(steps, "switch")).toHaveLength(2);
    expect(notes(steps, "replan")).toEqual([]);
    const last = steps.findLast((step) => step.type === "prompt" && step.stage === "step");
    expect(last?.type === "prompt" && last.messages[1]!.content).toContain("a2: a2 does not work");
  });

  it("first tries the APIs that the request or the step names, with or without the tool's name", async () => {
    const { environment, called } = toyWorld([["a", "b", "day_weather_for_sky", "price"]], {});
    const goal = JSON.stringify([{ "Toolkit 0": "the price and the Day-Weather" }]);
    await playThrough(toolPlanner, environment, sensible(goal, "no more"), { options: { "planner.order": "listed" } });
    expect(called).toEqual(["day_weather_for_sky", "price", "a", "b"]);
  });

  it("parses the names of a large toolkit once for any number of tasks", async () => {
    const names = Array.from({ length: 500 }, (_, index) => `f${index}`);
    const { environment } = toyWorld([names], { f0: "A" });
    let looks = 0;
    const tools = environment.toolkits![0]!.tools.map((tool) => ({
      ...tool,
      get name() {
        looks++;
        return tool.name;
      },
    }));
    const counted = { ...environment, toolkits: [{ ...environment.toolkits![0]!, tools }] };
    const options = { "planner.order": "listed", "planner.apis": "1" };
    const play = () => playThrough(toolPlanner, counted, sensible(plan(0)), { options });
    await play();
    const first = looks;
    await play();
    expect(looks - first).toBeLessThan(names.length);
  });

  it("replans across toolkits if one fails, and resumes after the lowest common ancestor", async () => {
    const { environment, called } = toyWorld([["a"], ["dead1", "dead2"], ["c"]], { a: "A", c: "C" });
    const steps = await playThrough(toolPlanner, environment, sensible(plan(0, 1), plan(0, 2)));
    expect(called.filter((name) => name === "a")).toHaveLength(1);
    expect(notes(steps, "replan")).toEqual(["Toolkit 0: use 0 -> Toolkit 2: use 2 (keeps 1 of 1 results)"]);
    expect(answer(steps)).toBe("answer from 2. known: C");
    const revised = steps.find((step) => step.type === "prompt" && step.stage === "replan");
    const shown = revised?.type === "prompt" ? revised.messages[1]!.content : "";
    expect(shown).not.toContain("[Toolkit 1,");
    expect(shown).toContain("Result of step 1: known: A");
    expect(shown).toContain("dead2: dead2 does not work");
    expect(shown).toContain("Failed at step 2:");
  });

  it("notes why each API was chosen: first in its toolkit, after a failed API, or by a new plan", async () => {
    const { environment } = toyWorld([["a"], ["dead1", "dead2"], ["c"]], { a: "A", c: "C" });
    const steps = await playThrough(toolPlanner, environment, sensible(plan(0, 1), plan(0, 2)), {
      options: { "planner.order": "listed" },
    });
    const tried = steps.flatMap((step) => (step.type === "node" && step.state === "open" ? [step] : []));
    const chosen = tried.filter(({ kind }) => kind === "api").map(({ label, detail }) => [label, detail]);
    expect(chosen).toEqual([
      ["a", { toolkit: 0, chosenBy: "first" }],
      ["dead1", { toolkit: 1, chosenBy: "first" }],
      ["dead2", { toolkit: 1, chosenBy: "switch" }],
      ["c", { toolkit: 2, chosenBy: "replan" }],
    ]);
  });

  it("draws each plan as a branch from its first difference to the previous plan", async () => {
    const { environment } = toyWorld([["a"], ["dead"], ["c"], ["d"]], { a: "A", c: "C" });
    const steps = await playThrough(toolPlanner, environment, sensible(plan(0, 1, 3), plan(0, 2)));
    const nodes = new Map(
      steps.flatMap((step) => (step.type === "node" && step.kind === "toolkit" ? [[step.id, step]] : [])),
    );
    expect([...nodes.values()].map(({ id, parent, state }) => [id, parent, state])).toEqual([
      ["p1.1", "query", "done"],
      ["p1.2", "p1.1", "failed"],
      ["p1.3", "p1.2", "pruned"],
      ["p2.2", "p1.1", "done"],
    ]);
  });

  it("can resume at the common step itself, like the paper's pseudo-code", async () => {
    const { environment, called } = toyWorld([["a"], ["dead"], ["c"]], { a: "A", c: "C" });
    await playThrough(toolPlanner, environment, sensible(plan(0, 1), plan(0, 2)), {
      options: { "planner.restart": "lca" },
    });
    expect(called).toEqual(["a", "dead", "a", "c"]);
  });

  it("plans with one model and acts with another", async () => {
    const { environment } = toyWorld([["a"]], { a: "A" });
    const steps = await playThrough(toolPlanner, environment, sensible(plan(0)), { actor: "toy/small" });
    const roles = steps.flatMap((step) => (step.type === "prompt" ? [`${step.stage} ${step.model}`] : []));
    expect(roles).toEqual(["plan toy/model", "step toy/actor", "state toy/actor", "final toy/actor"]);
  });

  it("tries the next API if the model finds a response unsuitable, with that check enabled", async () => {
    const { environment, called } = toyWorld([["a1", "a2"]], { a1: "weather", a2: "price" });
    const looking: Brain = (asked) => {
      if (asked.stage !== "check") return sensible(plan(0))(asked);
      return { text: asked.messages[1]!.content.includes("Response: weather") ? "No, that is the weather." : "Yes." };
    };
    const options = { "planner.order": "listed", "planner.check": "model" };
    const steps = await playThrough(toolPlanner, environment, looking, { options });
    expect(called).toEqual(["a1", "a2"]);
    expect(answer(steps)).toBe("answer from 1. known: price");
    const trusting = await playThrough(toolPlanner, environment, looking, { options: { "planner.order": "listed" } });
    expect(answer(trusting)).toBe("answer from 1. known: weather");
  });

  it("shows the planner only the closest toolkits if there are more, and reports how many", async () => {
    const kits = Array.from({ length: 60 }, (_, index) => [`f${index}`]);
    const { environment } = toyWorld(kits, { f0: "A" });
    const steps = await playThrough(toolPlanner, environment, sensible(plan(0)), {
      options: { "planner.prefilter": 5 },
    });
    expect(notes(steps, "plan")[0]).toBe("5 of 60 toolkits are shown to the planner");
    const asked = steps.find((step) => step.type === "prompt");
    expect(asked?.type === "prompt" && asked.messages[1]!.content.match(/\[Toolkit/g)).toHaveLength(5);
  });
});

describe("Tool-Planner after failures", () => {
  it("passes the text of a reply without a call to the next attempt", async () => {
    for (const [said, told] of [
      ["I would rather not.", "- a: The model called no function, it said: I would rather not.\n"],
      [" \n", "- a: The model called no function\n"],
    ] as const) {
      const { environment } = toyWorld([["a", "b"]], { b: "B" });
      const shy: Brain = (asked) =>
        asked.stage === "step" && asked.tools[0]!.name === "a" ? { text: said } : sensible(plan(0))(asked);
      const steps = await playThrough(toolPlanner, environment, shy, { options: { "planner.order": "listed" } });
      const second = steps.filter((step) => step.type === "prompt").find(({ tools }) => tools?.[0]?.name === "b");
      expect(second!.messages[1]!.content).toContain(told);
    }
  });

  it("asks three times in all for a plan if a plan has no steps", async () => {
    const { environment, called } = toyWorld([["a"]], { a: "A" });
    const steps = await playThrough(toolPlanner, environment, sensible("no plan", "none either", "nor here", plan(0)));
    expect(requests(steps).filter((stage) => stage === "plan")).toHaveLength(3);
    expect(called).toEqual([]);
  });

  it("takes its limits from its options, or from the task's budget if that is smaller", () => {
    const usual = { replans: 3, apisPerToolkit: 10, requests: 58, calls: 60, time: Infinity };
    expect(boundsOf({ options: {}, budget: {} })).toEqual(usual);
    expect(boundsOf({ options: { "planner.apis": "all" }, budget: { task: { steps: 12, seconds: 10 } } })).toEqual({
      ...usual,
      apisPerToolkit: Infinity,
      requests: 10,
      time: 9000,
    });
    // A request for the plan is reserved, whatever remains for the answer.
    expect(mostRequests({ options: {}, budget: { task: { steps: 1 } } })).toBe(3);
  });

  it("asks three times for a plan that cannot be parsed, then gives up", async () => {
    const { environment } = toyWorld([["a"]], { a: "A" });
    for (const text of ["no plan", "[]", '[{"Toolkit 7": "made up"}]', "[[[[", ""]) {
      const steps = await playThrough(toolPlanner, environment, () => ({ text }));
      expect(requests(steps)).toEqual(["plan", "plan", "plan"]);
      expect(notes(steps, "end")).toEqual(["gave up"]);
      expect(answer(steps)).toBeUndefined();
    }
  });

  it("makes at most three new plans if every toolkit fails, then gives up without an answer", async () => {
    const kits = Array.from({ length: 9 }, (_, index) => [`f${index}`]);
    const { environment, called } = toyWorld(kits, {});
    let next = 0;
    const steps = await playThrough(toolPlanner, environment, ({ stage, tools }) =>
      stage === "step" ? { calls: [call(tools[0]!.name)] } : { text: plan(next++) },
    );
    expect(called).toHaveLength(4);
    expect(notes(steps, "replan")).toHaveLength(3);
    expect(notes(steps, "bound")).toEqual(["3 new plans were tried"]);
    expect(notes(steps, "end")).toEqual(["gave up"]);
  });

  it("bans a failed toolkit on which the model insists, so no plan remains", async () => {
    const { environment, called } = toyWorld([["dead"], ["b"]], { b: "B" });
    const steps = await playThrough(toolPlanner, environment, sensible(plan(0), plan(0), plan(0), plan(0)));
    expect(called).toEqual(["dead"]);
    expect(notes(steps, "bound")).toEqual(["No new plan could be read"]);
  });

  it("continues if the model calls missing functions, sends invalid JSON, or calls nothing", async () => {
    const { environment, called } = toyWorld([["a1", "a2"], ["b"]], { a1: "A", b: "B" });
    for (const reply of [{ calls: [call("ghost", "{")] }, { text: "I would rather not" }, {}]) {
      const steps = await playThrough(toolPlanner, environment, ({ stage }) =>
        stage === "plan" ? { text: plan(0) } : reply,
      );
      expect(called).toEqual([]);
      expect(notes(steps, "end")).toEqual(["gave up"]);
    }
  });

  it("cuts an endless plan, and the number of APIs tried in a large toolkit", async () => {
    const many = Array.from({ length: 40 }, (_, index) => `f${index}`);
    const { environment, called } = toyWorld([many, ["b"]], { b: "B" });
    await playThrough(toolPlanner, environment, sensible(plan(0), plan(1)));
    expect(called.filter((name) => name !== "b")).toHaveLength(10);
    const endless = toyWorld([["a"]], { a: "A" });
    const steps = await playThrough(
      toolPlanner,
      endless.environment,
      sensible(plan(...Array.from({ length: 500 }, () => 0))),
    );
    expect(endless.called).toHaveLength(20);
    expect(answer(steps)).toBeDefined();
  });

  it("answers with what it has when requests or calls run out", async () => {
    const { environment } = toyWorld([["a"], ["b"], ["c"]], { a: "A", b: "B", c: "C" });
    const budget = await playThrough(toolPlanner, environment, sensible(plan(0, 1, 2)), {
      budget: { task: { steps: 6 } },
    });
    expect(requests(budget)).toEqual(["plan", "step", "state", "step", "state", "final"]);
    expect(notes(budget, "bound")[0]).toContain("model requests");
    const calls = await playThrough(toolPlanner, environment, sensible(plan(0, 1, 2)), {
      options: { "planner.calls": 1 },
    });
    expect(answer(calls)).toBe("answer from 1. known: A");
  });
});
