/** The requests for a plan over toolkits: their prompts, the form of the reply, and the requests after an unreadable plan. */
import { describe, expect, it } from "vitest";
import { boundsOf, Usage } from "../../../source/engine/strategies/tool-planner/bounds.ts";
import {
  choosingPrompts,
  plan,
  planMessages,
  planPrompts,
  prefilterOption,
  replanMessages,
  shownToolkits,
} from "../../../source/engine/strategies/tool-planner/planning.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { scriptedPlay } from "./scripted-context.ts";
import { toyWorld } from "./toy-tools.ts";

const toolkits = toyWorld([["a"], ["b"]], {}).environment.toolkits!;

function asking(replies: readonly string[], spec: Partial<RunSpec> = {}) {
  const { context, requests } = scriptedPlay(replies, () => undefined);
  return { requests, context: { ...context, spec: { ...context.spec, budget: {}, ...spec } as RunSpec } };
}

async function planned(replies: readonly string[], spec: Partial<RunSpec> = {}, isBefore?: boolean) {
  const { context, requests } = asking(replies, spec);
  const usage = new Usage(boundsOf(context.spec));
  const messages = planMessages(context, toolkits, isBefore);
  const steps = plan(context, usage, "plan", messages, toolkits, isBefore);
  let next = await steps.next();
  while (next.done !== true) next = await steps.next();
  return { requests, steps: next.value };
}

describe("a request for a plan", () => {
  it("asks in the run's format for a list of objects with one toolkit each", async () => {
    const readable = '[{"Toolkit 1": "use it"}]';
    const { requests, steps } = await planned([readable], { options: { format: "schema" } });
    expect(steps).toEqual([{ toolkit: 1, goal: "use it" }]);
    expect(requests[0]!.request).toEqual({
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "plan",
          strict: false,
          schema: {
            type: "object",
            properties: {
              plan: {
                type: "array",
                items: { type: "object", additionalProperties: { type: "string" }, minProperties: 1, maxProperties: 1 },
              },
            },
            required: ["plan"],
            additionalProperties: false,
          },
        },
      },
    });
    expect(requests[0]!.messages[0]!.content).toMatch(/one JSON object: \{"plan": \[\.\.\.\]\}\.$/);
    const free = await planned([readable]);
    expect(free.requests[0]!.messages[0]!.content).toMatch(/Use only toolkits from the list\.$/);
    expect(free.requests[0]!.messages[1]!.content).toBe(
      "[Toolkit 0, Desc[Kit 0]]\n[Toolkit 1, Desc[Kit 1]]\n\nRequest: Where is the cup?",
    );
  });

  it("has the prompts of the planning strategy unless another strategy follows", async () => {
    const prompts = {
      plan: "Plan.",
      "plan.again": "Again.",
      "plan.toolkits": "Choose.",
      "plan.toolkits.again": "Choose again.",
    };
    const texts = async (isBefore?: boolean) => {
      const { requests } = await planned(["none", "none", "none"], { prompts }, isBefore);
      return requests.map(({ messages }) => [messages[0]!.content, messages.at(-1)!.content]);
    };
    const question = "[Toolkit 0, Desc[Kit 0]]\n[Toolkit 1, Desc[Kit 1]]\n\nRequest: Where is the cup?";
    for (const isBefore of [undefined, false])
      expect(await texts(isBefore)).toEqual([
        ["Plan.", question],
        ["Plan.", "Again."],
        ["Plan.", "Again."],
      ]);
    expect(await texts(true)).toEqual([
      ["Choose.", question],
      ["Choose.", "Choose again."],
      ["Choose.", "Choose again."],
    ]);
    expect(planPrompts.map(({ name, when }) => [name, when])).toEqual([
      ["plan", undefined],
      ["plan.user", undefined],
      ["plan.again", undefined],
      ["plan.format", undefined],
      ["replan", undefined],
      ["replan.user", undefined],
    ]);
    expect(choosingPrompts.map(({ name, when }) => [name, when])).toEqual(
      ["plan.toolkits", "plan.toolkits.user", "plan.toolkits.again", "plan.toolkits.format"].map((name) => [
        name,
        { toolkits: ["on"] },
      ]),
    );
  });

  it("is made once in any case, and again only while requests are left", async () => {
    const asked = async (most: number) =>
      (await planned(["none", "none", "none"], { options: { "planner.requests": most } })).requests.length;
    // Two of the requests are reserved for the answer.
    expect([await asked(2), await asked(3), await asked(4), await asked(5), await asked(9)]).toEqual([1, 1, 2, 3, 3]);
    const { context, requests } = asking(["none"]);
    const spent = new Usage({ ...boundsOf(context.spec), requests: 0 });
    const steps = plan(context, spent, "plan", planMessages(context, toolkits), toolkits);
    let next = await steps.next();
    while (next.done !== true) next = await steps.next();
    expect([next.value, requests.length]).toEqual([[], 1]);
  });
});

it("a request for another plan lists the results by step, and every plan that failed with the place of its failure", () => {
  const { context } = asking([]);
  const failed = [
    { plan: [{ toolkit: 0, goal: "x" }], at: 0, errors: "- a: no" },
    {
      plan: [
        { toolkit: 1, goal: "" },
        { toolkit: 0, goal: "y" },
      ],
      at: 1,
      errors: "- b: never",
    },
  ];
  expect(replanMessages(context, toolkits.slice(1), ["one", "two"], failed)[1]!.content).toBe(
    [
      "[Toolkit 1, Desc[Kit 1]]",
      "Request: Where is the cup?",
      "Result of step 1: one\nResult of step 2: two",
      "Failed plans, the latest last:\nPlan: Toolkit 0: x\nFailed at step 1:\n- a: no",
      "Plan: Toolkit 1 -> Toolkit 0: y\nFailed at step 2:\n- b: never",
    ].join("\n\n"),
  );
});

it("the toolkits shown are all, the same list, if the option is 0 or there are no more than its number", async () => {
  const shown = async (count: number) => {
    const { context } = asking([], { options: { "planner.prefilter": count } });
    return shownToolkits(context, toolkits);
  };
  for (const count of [0, 2, 3, -1]) expect(await shown(count)).toBe(toolkits);
  expect(await shown(1)).toHaveLength(1);
  expect(prefilterOption.paper).toEqual({ value: 0, title: "all" });
});
