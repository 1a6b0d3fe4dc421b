/** A strategy that runs after a plan over toolkits: the tools it gets, and the rest of its budget. */
import { describe, expect, it } from "vitest";
import { react } from "../../../source/engine/strategies/react.ts";
import { withToolkits } from "../../../source/engine/strategies/with-toolkits.ts";
import { call, notes, playThrough, requests, toyWorld, type Brain } from "./toy-tools.ts";

const integrated = withToolkits(react);
const spec = (more: object = {}) => ({ options: { toolkits: "on" }, ...more });
const plan =
  (text: string): Brain =>
  ({ stage, tools }) =>
    stage === "plan" ? { text } : { calls: [call("Finish", tools.map(({ name }) => name).join())] };

describe("a plan over toolkits before another strategy", () => {
  it("offers the tools of the planned toolkits in their order, each tool once, and the tool that ends the episode", async () => {
    const { environment } = toyWorld([["a"], ["b", "c"], ["d"]], {});
    const steps = await playThrough(
      integrated,
      environment,
      plan('[{"Toolkit 2": "x"}, {"Toolkit 1": "y"}, {"2": "z"}]'),
      spec(),
    );
    expect(steps.findLast((step) => step.type === "answer")).toMatchObject({ answer: "b,c,d,Finish" });
    expect(notes(steps, "plan")).toEqual(["Toolkit 2: x -> Toolkit 1: y -> Toolkit 2: z (3 of 3 toolkits shown)"]);
  });

  it("leaves the strategy the remaining budget after its own requests, but at least one request", async () => {
    const { environment } = toyWorld([["a"]], { a: "A" });
    const again =
      (plans: string[]): Brain =>
      ({ stage }) =>
        stage === "plan" ? { text: plans.shift() ?? '[{"0": ""}]' } : { calls: [call("a")] };
    const asked = async (steps: number, plans: string[] = []) => {
      const budget = { task: { steps } };
      return requests(
        await playThrough(withToolkits({ ...react, run: counting }), environment, again(plans), spec({ budget })),
      );
    };
    const counting: typeof react.run = async function* (context) {
      yield { type: "note", kind: "left", text: String(context.spec.budget.task?.steps) };
      yield* react.run(context);
    };
    const left = async (steps: number, plans: string[] = []) => {
      const strategy = withToolkits({ ...react, run: counting });
      const played = await playThrough(strategy, environment, again(plans), spec({ budget: { task: { steps } } }));
      return notes(played, "left");
    };
    expect(await left(10)).toEqual(["9"]);
    expect(await left(10, ["none", "none"])).toEqual(["7"]);
    expect(await left(2)).toEqual(["1"]);
    expect(await left(1)).toEqual(["1"]);
    expect(await asked(10)).toContain("plan");
    const unlimited = await playThrough(withToolkits({ ...react, run: counting }), environment, again([]), spec());
    expect(notes(unlimited, "left")).toEqual(["undefined"]);
  });

  it("adds up to three requests to the forecast", () => {
    const limits = { prompt: 100, reply: 10, requests: 30 };
    const context = (options: object) =>
      ({
        task: {},
        spec: { options, budget: {} },
        loaded: { asks: { environment: { limits: () => limits } } },
      }) as never;
    expect(integrated.estimate!(context({ toolkits: "on" }))).toMatchObject({ calls: 33, input: 3300, output: 330 });
    expect(integrated.estimate!(context({}))).toMatchObject({ calls: 30 });
  });

  it("uses its own prompts for the plan and for the request for another plan, also if the user has written them", async () => {
    const { environment } = toyWorld([["a"]], {});
    const prompts = {
      "plan.toolkits": "Choose.",
      "plan.toolkits.again": "Choose again.",
      plan: "Never.",
      "plan.again": "Never.",
    };
    const steps = await playThrough(integrated, environment, plan("none"), spec({ prompts }));
    const [first, second] = steps.flatMap((step) =>
      step.type === "prompt" ? [step.messages.map(({ content }) => content)] : [],
    );
    expect(first![0]).toBe("Choose.");
    expect(second!.slice(2)).toEqual(["none", "Choose again."]);
  });

  it("adds its own options and prompts to those of the strategy", () => {
    expect(integrated.options!.at(-1)).toMatchObject({ name: "planner.prefilter", when: { toolkits: ["on"] } });
    expect(integrated.prompts!.map(({ name }) => name)).toContain("plan.toolkits.again");
  });
});
