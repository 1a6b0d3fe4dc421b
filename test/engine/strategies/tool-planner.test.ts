import { describe, expect, it, vi } from "vitest";
import { toolPlanner } from "../../../source/engine/strategies/tool-planner.ts";
import { boundsOf, mostRequests, Usage } from "../../../source/engine/strategies/tool-planner/bounds.ts";
import type { Step } from "../../../source/engine/types.ts";
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

  it("replans across toolkits if a toolkit fails, and resumes after the lowest common ancestor", async () => {
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

  it("notes why each API was chosen: as the first in its toolkit, after a failed API, or by a new plan", async () => {
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

  it("draws each plan as a branch that starts at its first difference from the previous plan", async () => {
    const { environment } = toyWorld([["a"], ["dead"], ["c"], ["d"]], { a: "A", c: "C" });
    const steps = await playThrough(toolPlanner, environment, sensible(plan(0, 1, 3), plan(0, 2)));
    const nodes = new Map(
      steps.flatMap((step) => (step.type === "node" && step.kind === "toolkit" ? [[step.id, step]] : [])),
    );
    expect([...nodes.values()].map(({ id, parent, state, label }) => [id, parent, state, label])).toEqual([
      ["p1.1", "query", "done", "Toolkit 0: use 0"],
      ["p1.2", "p1.1", "failed", "Toolkit 1: use 1"],
      ["p1.3", "p1.2", "pruned", "Toolkit 3: use 3"],
      ["p2.2", "p1.1", "done", "Toolkit 2: use 2"],
    ]);
    expect([...nodes.values()].map(({ detail }) => detail)).toEqual([
      { plan: 1, step: 1, toolkit: 0 },
      { plan: 1, step: 2, toolkit: 1 },
      { plan: 2, step: 3, toolkit: 3 },
      { plan: 2, step: 2, toolkit: 2 },
    ]);
    expect(steps.find((step) => step.type === "node")).toEqual({
      type: "node",
      id: "query",
      kind: "query",
      label: "What is asked?",
      state: "open",
    });
    const [replan] = steps.flatMap((step) => (step.type === "note" && step.kind === "replan" ? [step.data] : []));
    expect(replan).toEqual({ shared: 1, kept: 1, again: 0 });
  });

  it("shows the steps of each plan as open before it follows them", async () => {
    const { environment } = toyWorld([["a"], ["dead"], ["c"], ["d"]], { a: "A", c: "C" });
    const steps = await playThrough(toolPlanner, environment, sensible(plan(0, 1, 3), plan(0, 2)));
    expect(
      steps.flatMap((step) => (step.type === "node" && step.kind === "toolkit" ? [`${step.id} ${step.state}`] : [])),
    ).toEqual([
      "p1.1 open",
      "p1.2 open",
      "p1.3 open",
      "p1.1 done",
      "p1.2 failed",
      "p1.3 pruned",
      "p2.2 open",
      "p2.2 done",
    ]);
  });

  it("repeats only the last common step if it resumes at the common ancestor", async () => {
    const { environment, called } = toyWorld([["a"], ["b"], ["dead"], ["c"]], { a: "A", b: "B", c: "C" });
    const options = { "planner.restart": "lca" };
    const steps = await playThrough(toolPlanner, environment, sensible(plan(0, 1, 2), plan(0, 1, 3)), { options });
    expect(called).toEqual(["a", "b", "dead", "b", "c"]);
    expect(notes(steps, "replan")).toEqual([
      "Toolkit 0: use 0 -> Toolkit 1: use 1 -> Toolkit 3: use 3 (keeps 1 of 2 results)",
    ]);
    const apart = toyWorld([["dead"], ["c"], ["d"]], { c: "C", d: "D" });
    await playThrough(toolPlanner, apart.environment, sensible(plan(0), plan(1, 2)), { options });
    expect(apart.called).toEqual(["dead", "c", "d"]);
  });

  it("can resume at the common ancestor itself, like the paper's pseudo-code", async () => {
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

  it("tries the next API if the model finds a response unsuitable and the check of responses is on", async () => {
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

  it("shows the planner only the most similar toolkits if there are more, and reports how many", async () => {
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

describe("the attempts of a step", () => {
  it("are nodes below the step, with the called API and the outcome", async () => {
    const { environment } = toyWorld([["a1", "a2"]], { a2: "A" });
    const steps = await playThrough(toolPlanner, environment, sensible(plan(0)), {
      options: { "planner.order": "listed" },
    });
    const nodes = steps.flatMap((step) => {
      if (step.type !== "node" || step.kind !== "api") return [];
      const { ms, ...detail } = (step.detail ?? {}) as Record<string, unknown>;
      return [[step.id, step.parent, step.label, step.state, detail, ms === undefined ? "" : typeof ms]];
    });
    expect(nodes).toEqual([
      ["p1.1/0", "p1.1", "a1", "open", { toolkit: 0, chosenBy: "first" }, ""],
      ["p1.1/0", "p1.1", "a1", "failed", { toolkit: 0, chosenBy: "first", arguments: "{}", status: 6 }, "number"],
      ["p1.1/1", "p1.1", "a2", "open", { toolkit: 0, chosenBy: "switch" }, ""],
      ["p1.1/1", "p1.1", "a2", "done", { toolkit: 0, chosenBy: "switch", arguments: "{}", status: 0 }, "number"],
    ]);
    expect(notes(steps, "switch")).toEqual(["Toolkit 0: a1 failed, trying a2"]);
  });

  it("last as long as their calls, in milliseconds", async () => {
    let time = 1000;
    vi.spyOn(performance, "now").mockImplementation(() => time);
    const { environment } = toyWorld([["a"]], { a: "A" });
    const call = environment.call.bind(environment);
    const slow: typeof environment = {
      ...environment,
      call: async (...given) => {
        time += 12.6;
        return call(...given);
      },
    };
    const steps = await playThrough(toolPlanner, slow, sensible(plan(0)));
    const [done] = steps.flatMap((step) =>
      step.type === "node" && step.id === "p1.1/0" && step.state === "done" ? [step] : [],
    );
    expect(done!.detail).toMatchObject({ ms: 13 });
  });

  it("do not execute a call to a function that was not offered", async () => {
    const { environment, called } = toyWorld([["a", "b"]], { a: "A", b: "B" });
    const steps = await playThrough(
      toolPlanner,
      environment,
      (asked) => (asked.stage === "step" ? { calls: [call("b")] } : sensible(plan(0))(asked)),
      {
        options: { "planner.order": "listed" },
      },
    );
    expect(called).toEqual(["b"]);
    const [first] = steps.flatMap((step) => (step.type === "result" ? [step] : []));
    expect([first!.name, first!.result.ok, first!.result.status, first!.result.observation]).toEqual([
      "b",
      false,
      1,
      '{"error":"No such function name: b","response":""}',
    ]);
  });

  it("show at most 1,500 characters of a response in later prompts", async () => {
    const shownOf = async (length: number) => {
      const { environment } = toyWorld([["a"]], { a: "x".repeat(length) });
      const steps = await playThrough(toolPlanner, environment, sensible(plan(0)));
      const state = steps.find((step) => step.type === "prompt" && step.stage === "state");
      return state?.type === "prompt" ? state.messages[1]!.content.split("Response: ")[1] : undefined;
    };
    expect(await shownOf(1500)).toBe("x".repeat(1500));
    expect(await shownOf(1501)).toBe(`${"x".repeat(1500)}...`);
  });

  it("request the next state with the previous state or `nothing yet`, and use the response if the reply is empty", async () => {
    const { environment } = toyWorld([["a"], ["b"], ["c"]], { a: "A", b: "B", c: "C" });
    const steps = await playThrough(toolPlanner, environment, (asked) =>
      asked.stage === "state" ? { text: " " } : sensible(plan(0, 1, 2))(asked),
    );
    const asked = steps.flatMap((step) =>
      step.type === "prompt" && step.stage === "step" ? [step.messages[1]!.content] : [],
    );
    expect(asked).toEqual([
      "Request: What is asked?\n\nResult so far: nothing yet\n\nThis step: use 0",
      "Request: What is asked?\n\nResult so far: A\n\nThis step: use 1",
      "Request: What is asked?\n\nResult so far: B\n\nThis step: use 2",
    ]);
    expect(answer(steps)).toBe("answer from 3. C");
  });
});

describe("the model's check of a response", () => {
  it.each([
    ["No.", false],
    ['"no", it is not', false],
    ["NO", false],
    ["Not quite", true],
    ["Nothing fits", true],
    ["Yes, no doubt", true],
    ["", true],
  ])("after %j keeps the response: %s", async (said, isKept) => {
    const { environment, called } = toyWorld([["a1", "a2"]], { a1: "one", a2: "two" });
    const options = { "planner.order": "listed", "planner.check": "model", "planner.apis": 2 };
    let checks = 0;
    await playThrough(
      toolPlanner,
      environment,
      (asked) => (asked.stage === "check" ? { text: checks++ === 0 ? said : "Yes" } : sensible(plan(0))(asked)),
      { options },
    );
    expect(called).toEqual(isKept ? ["a1"] : ["a1", "a2"]);
  });
});

describe("the limits of a planning strategy", () => {
  const spec = (options: Record<string, string | number>, task?: object) =>
    ({ options, budget: task === undefined ? {} : { task } }) as never;

  it("are its options if these are numbers from 0 on; two requests are reserved for the answer", () => {
    const own = { "planner.requests": 10, "planner.calls": 0, "planner.replans": 1, "planner.apis": 2 };
    expect(boundsOf(spec(own))).toEqual({ requests: 8, calls: 0, replans: 1, apisPerToolkit: 2, time: Infinity });
    expect(boundsOf(spec({ "planner.requests": -1, "planner.calls": "x" }))).toMatchObject({ requests: 58, calls: 60 });
    expect(boundsOf(spec({ "planner.requests": 2 })).requests).toBe(1);
    expect(boundsOf(spec({ "planner.requests": 4 })).requests).toBe(2);
    expect(boundsOf(spec({}, { steps: 59 })).requests).toBe(57);
    expect(boundsOf(spec({}, { seconds: 2 })).time).toBe(1800);
    expect(mostRequests(spec({ "planner.requests": 10 }))).toBe(10);
  });

  it("are reached in this order: requests, then calls, then time", () => {
    const bounds = { replans: 3, apisPerToolkit: 10, requests: 2, calls: 1, time: Infinity };
    const usage = new Usage(bounds);
    expect(usage.reached()).toBeUndefined();
    usage.take({ type: "result" } as Step);
    usage.take({ type: "prompt" } as Step);
    usage.take({ type: "note" } as Step);
    expect([usage.requests, usage.calls, usage.reached()]).toEqual([1, 1, "1 tool calls are used up"]);
    usage.take({ type: "prompt" } as Step);
    expect(usage.reached()).toBe("the 2 model requests before the answer are used up");
    expect(new Usage({ ...bounds, time: 0 }).reached()).toBe("the time before the answer is used up");
    let time = 1000;
    vi.spyOn(performance, "now").mockImplementation(() => time);
    const timed = new Usage({ ...bounds, time: 500 });
    time = 1499;
    expect(timed.reached()).toBeUndefined();
    time = 1500;
    expect(timed.reached()).toBe("the time before the answer is used up");
  });
});

describe("the toolkits in the planner's prompt", () => {
  const shown = async (count: number | undefined, all = 3) => {
    const { environment } = toyWorld(
      Array.from({ length: all }, (_, index) => [`f${index}`]),
      { f0: "A" },
    );
    const options: Record<string, number> = count === undefined ? {} : { "planner.prefilter": count };
    return notes(await playThrough(toolPlanner, environment, sensible(plan(0)), { options }), "plan")[0];
  };
  it("are all toolkits if the option is 0 or at least the number of toolkits; the default is 50", async () => {
    expect(await shown(0)).toBe("3 of 3 toolkits are shown to the planner");
    expect(await shown(3)).toBe("3 of 3 toolkits are shown to the planner");
    expect(await shown(2)).toBe("2 of 3 toolkits are shown to the planner");
    expect(await shown(1)).toBe("1 of 3 toolkits are shown to the planner");
    expect(await shown(undefined, 51)).toBe("50 of 51 toolkits are shown to the planner");
    expect(await shown(undefined, 50)).toBe("50 of 50 toolkits are shown to the planner");
  });
  it("must include at least one toolkit", async () => {
    const { environment } = toyWorld([], {});
    await expect(playThrough(toolPlanner, environment, sensible(plan(0)))).rejects.toThrow(
      "Expected `toy` to offer toolkits, which Tool-Planner plans over; it has none",
    );
  });
});

describe("Tool-Planner after failures", () => {
  it("shows the model its unreadable plan, and asks again in the same format", async () => {
    const { environment } = toyWorld([["a"]], { a: "A" });
    const steps = await playThrough(toolPlanner, environment, sensible('[{"Toolkit 7": "x"}]', "none", plan(0)));
    const plans = steps.flatMap((step) => (step.type === "prompt" && step.stage === "plan" ? [step.messages] : []));
    expect(plans.map((messages) => messages.map(({ role }) => role))).toEqual([
      ["system", "user"],
      ["system", "user", "assistant", "user"],
      ["system", "user", "assistant", "user"],
    ]);
    expect(plans[2]![2]!.content).toBe("none");
    expect(plans[2]![3]!.content).toMatch(/^No step could be read from this\. Write the plan as a JSON list/);
    expect(notes(steps, "hallucination")).toEqual(["The plan names `Toolkit 7`, which is not a toolkit offered"]);
  });

  it("lists every failed plan, the latest last, and states that nothing is known while there are no results", async () => {
    const { environment } = toyWorld([["dead0"], ["dead1"], ["c"]], { c: "C" });
    const steps = await playThrough(toolPlanner, environment, sensible(plan(0), plan(1), plan(2)));
    const asked = steps.flatMap((step) =>
      step.type === "prompt" && step.stage === "replan" ? [step.messages[1]!.content] : [],
    );
    const failures = ["Plan: Toolkit 0: use 0", "Failed at step 1:", "- dead0: dead0 does not work"];
    expect(asked[0]).toContain("\n\nNo step has succeeded so far.\n\n");
    expect(asked[0]!.endsWith(failures.join("\n"))).toBe(true);
    const later = ["Plan: Toolkit 1: use 1", "Failed at step 1:", "- dead1: dead1 does not work"];
    expect(asked[1]!.endsWith(`${failures.join("\n")}\n\n${later.join("\n")}`)).toBe(true);
    const [, second] = steps.flatMap((step) => (step.type === "note" && step.kind === "replan" ? [step] : []));
    expect([second!.text, second!.data]).toEqual([
      "Toolkit 2: use 2 (keeps 0 of 0 results)",
      { shared: 0, kept: 0, again: 0 },
    ]);
  });

  it("reports why it ended: too many new plans, no toolkit left, or an unreadable plan", async () => {
    const bound = async (kits: number, options: Record<string, number>, ...plans: string[]) => {
      const { environment } = toyWorld(
        Array.from({ length: kits }, (_, index) => [`dead${index}`]),
        {},
      );
      const steps = await playThrough(toolPlanner, environment, sensible(...plans), { options });
      return notes(steps, "bound");
    };
    expect(await bound(1, {}, plan(0))).toEqual(["every toolkit has failed"]);
    expect(await bound(2, { "planner.replans": 0 }, plan(0))).toEqual(["0 new plans were tried"]);
    expect(await bound(3, { "planner.replans": 1 }, plan(0), plan(1))).toEqual(["1 new plans were tried"]);
    expect(await bound(2, {}, plan(0), "none", "none", "none")).toEqual(["No new plan could be read"]);
    expect(await bound(2, { "planner.calls": 1 }, plan(0), plan(1))).toEqual(["1 tool calls are used up"]);
  });

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

  it("asks for a plan three times in all if plans have no steps", async () => {
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
      expect(notes(steps, "bound")).toEqual(["No plan could be read"]);
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

  it("excludes a failed toolkit that the model plans again, so that no plan remains", async () => {
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

  it("truncates an endless plan, and the list of APIs that were tried in a large toolkit", async () => {
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

  it("answers with its results so far when requests or calls run out", async () => {
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
