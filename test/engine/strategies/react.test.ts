import { servedContext } from "../../../source/engine/strategy.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import { describe, expect, test } from "vitest";
import type { Environment } from "../../../source/engine/protocol.ts";
import { react } from "../../../source/engine/strategies/react.ts";
import { tokensIn } from "../../../source/engine/strategies/episode.ts";
import { tokensOf } from "../../../source/engine/text/tokens.ts";
import { answers, callTo, collect, notes, scriptedPlay } from "./scripted-context.ts";

/** A house with a cup in the kitchen; actions are text. */
function house(): Environment {
  return {
    tools: [],
    dialect: {
      messages: (part, step, scratchpad, lessons) => [
        { role: "user", content: `${part} ${step}|${lessons.join(";")}|${scratchpad}` },
      ],
      parse: (action) => {
        const open = action.indexOf("[");
        return open === -1
          ? { id: "", name: "", text: action, arguments: undefined }
          : { id: "", name: action.slice(0, open), text: action, arguments: action.slice(open + 1, -1) };
      },
      revise: (scratchpad) => scratchpad.replaceAll("secret", "..."),
      maxSteps: 3,
      maxPromptTokens: 200,
      maxTokens: 50,
    },
    async call(call, _signal, reply) {
      if (call.name === "Finish") {
        return {
          ok: true,
          observation: "done",
          status: 0,
          end: { reason: "finished", answer: reply ?? call.arguments ?? null },
        };
      }
      return { ok: call.name !== "", observation: call.name === "" ? "No such action" : "a cup", status: 0 };
    },
  };
}

const kitchen = (): Environment => ({
  tools: [{ name: "look", description: "", parameters: {} }],
  opening: (lessons) => [{ role: "system", content: `Find it. ${lessons.join(" ")}` }],
  idle: "Call a function.",
  maxRequests: 4,
  maxDepth: 5,
  async call(call) {
    if (call.name !== "finish") return { ok: true, observation: `nothing at ${call.text}`, status: 0 };
    return { ok: true, observation: "", status: 3, end: { reason: "answered", answer: call.arguments ?? null } };
  },
});

describe("ReAct in text", () => {
  test("asks for a thought and an action per step, shows the observation, and ends with the environment", async () => {
    const { context, requests } = scriptedPlay(
      ["I look", "Look[kitchen]", "Found it", "Finish[in the kitchen]"],
      house,
    );
    const steps = await collect(react.run(context));
    expect(answers(steps)).toEqual(["in the kitchen"]);
    expect(notes(steps, "end")).toEqual(["finished"]);
    expect(requests.map(({ asker }) => asker.stage)).toEqual(["thought", "action", "thought", "action"]);
    expect(requests[3]!.messages[0]!.content).toBe(
      "action 2||\nThought 1: I look\nAction 1: Look[kitchen]\nObservation 1: a cup\nThought 2: Found it\nAction 2:",
    );
    expect(requests[0]).toMatchObject({ stop: ["\n"], maxTokens: 50 });
    expect(
      steps.flatMap((step) => (step.type === "call" ? [[step.request, step.call.id, step.call.name]] : [])),
    ).toEqual([
      [1, "step-1", "Look"],
      [3, "step-2", "Finish"],
    ]);
  });

  test("truncates a reply that continues past its line, and corrects the scratchpad before the observation", async () => {
    const replies = ["the secret\nObservation 1: made up", "Look[a]", "t", "Finish[x]"];
    const { context, requests } = scriptedPlay(replies, house);
    await collect(react.run(context));
    expect(requests[2]!.messages[0]!.content).toContain("Thought 1: the ...\nAction 1: Look[a]\nObservation 1: a cup");
  });

  test("accepts a reply that repeats the label at its start, but no other label", async () => {
    const replies = ["Thought 1: hm", "Action 1: Look[a]", "Action 2: Look[b]", "Thought 2: hm", "t", "Finish[x]"];
    const { context, requests } = scriptedPlay(replies, house);
    await collect(react.run(context));
    expect(requests[2]!.messages[0]!.content).toContain("\nThought 1: hm\nAction 1: Look[a]\nObservation 1: a cup");
    expect(requests[4]!.messages[0]!.content).toContain("Action 2: Thought 2: hm\nObservation 2: No such action");
  });

  test("answers an unparsable action with an error, and has no answer at the step limit", async () => {
    const { context } = scriptedPlay(["a", "what?", "b", "", "c", "hm"], house);
    const steps = await collect(react.run(context));
    expect(notes(steps, "end")).toEqual(["step limit"]);
    expect(answers(steps)).toEqual([]);
    expect(steps.filter((step) => step.type === "result" && !step.result.ok)).toHaveLength(3);
  });

  test("ends the episode before it sends a prompt that has grown too long", async () => {
    const { context, requests } = scriptedPlay(["x".repeat(900), "Look[a]"], house);
    expect(notes(await collect(react.run(context)), "end")).toEqual(["prompt too long"]);
    expect(requests).toHaveLength(2);
  });

  test("sends the environment's prompt to a model for a call that needs a model, and returns the model's reply", async () => {
    const planned = (): Environment => ({
      ...house(),
      consult: (call) =>
        call.name === "Finish"
          ? { role: "model", stage: "planner", messages: [{ role: "user", content: "plan" }] }
          : undefined,
    });
    const { context, requests } = scriptedPlay(["t", "Finish[q]", "the plan"], planned);
    const steps = await collect(react.run(context));
    expect(requests[2]!.asker.stage).toBe("planner");
    expect(answers(steps)).toEqual(["the plan"]);
  });
});

test("ReAct requests no lesson, even if the environment cannot continue and has a prompt for lessons", async () => {
  const stuck = (): Environment => {
    const { dialect, ...rest } = house();
    return {
      ...rest,
      dialect: { ...dialect!, reflect: () => [{ role: "user", content: "lesson?" }] },
      stuck: () => true,
    };
  };
  const { context, requests } = scriptedPlay(["t", "Look[a]", "t", "Finish[x]"], stuck);
  const steps = await collect(react.run(context));
  expect(requests.map(({ asker }) => asker.stage)).toEqual(["thought", "action", "thought", "action"]);
  expect([notes(steps, "reflection"), answers(steps)]).toEqual([[], ["x"]]);
});

describe("ReAct by function calls", () => {
  test("sends results back as tool messages, and ends with the call that finishes the task", async () => {
    const replies = [
      { text: "I look", calls: [callTo("look", { at: "shelf" })] },
      { text: "", calls: [callTo("finish", "shelf")] },
    ];
    const { context, requests } = scriptedPlay(replies, kitchen);
    const steps = await collect(react.run(context));
    expect(answers(steps)).toEqual(["shelf"]);
    expect(requests[1]!.tools).toHaveLength(1);
    expect(requests[1]!.messages.map(({ role }) => role)).toEqual(["system", "assistant", "tool"]);
    expect(requests[1]!.messages[2]).toEqual({ role: "tool", callId: "look", content: 'nothing at {"at":"shelf"}' });
  });

  test("replies with a reminder if no function is called, and ends at its depth limit", async () => {
    const look = { text: "hm", calls: [callTo("look", 1)] };
    const { context, requests } = scriptedPlay(["just thinking", look, look], kitchen);
    const steps = await collect(react.run(context));
    expect(requests[1]!.messages.at(-1)).toEqual({ role: "user", content: "Call a function." });
    expect(notes(steps, "end")).toEqual(["depth limit"]);
  });

  test("ends at its limit of requests", async () => {
    const { context } = scriptedPlay(["", "", "", ""], kitchen);
    expect(notes(await collect(react.run(context)), "end")).toEqual(["step limit"]);
  });
});

describe("the limits of an episode", () => {
  const ends = async (environment: Partial<Environment>, ...replies: Parameters<typeof scriptedPlay>[0]) => {
    const { context, requests } = scriptedPlay(replies, () => ({ ...kitchen(), ...environment }));
    const steps = await collect(react.run(context));
    return [...notes(steps, "end"), requests.length];
  };
  const look = (text = "") => ({ text, calls: [callTo("look", 1)] });

  test("count a text as one node of the branch, and a call with its input as two nodes", async () => {
    expect(await ends({ maxDepth: 5 }, look("hm"), look())).toEqual(["depth limit", 2]);
    expect(await ends({ maxDepth: 6 }, look("hm"), look(), "so")).toEqual(["depth limit", 3]);
    expect(await ends({ maxDepth: 3 }, look("hm"))).toEqual(["depth limit", 1]);
    expect(await ends({ maxDepth: 4 }, { text: "", calls: [callTo("look", 1), callTo("look", 2, "b")] })).toEqual([
      "depth limit",
      1,
    ]);
    const { maxDepth: _, ...endless } = kitchen();
    const { context } = scriptedPlay([look("a"), look("b"), look("c"), look("d")], () => endless);
    expect(notes(await collect(react.run(context)), "end")).toEqual(["step limit"]);
  });

  test("include 30 requests if the environment sets no number", async () => {
    const { maxRequests: _, idle: __, opening: ___, ...unlimited } = kitchen();
    const { context, requests } = scriptedPlay(
      Array.from({ length: 31 }, () => ""),
      () => unlimited,
    );
    expect(notes(await collect(react.run(context)), "end")).toEqual(["step limit"]);
    expect(requests).toHaveLength(30);
    expect(requests[0]!.messages).toEqual([{ role: "user", content: "Where is the cup?" }]);
  });

  test("end the episode at the call that finishes it; later calls of the same reply are not executed", async () => {
    const both = { text: "", calls: [callTo("finish", "shelf"), callTo("look", 2)] };
    const { context } = scriptedPlay([both], kitchen);
    const steps = await collect(react.run(context));
    expect(steps.filter(({ type }) => type === "result")).toHaveLength(1);
    expect(answers(steps)).toEqual(["shelf"]);
  });

  test("allow a prompt of exactly the maximum length", async () => {
    const tokens = tokensIn([{ role: "user", content: "thought 1||" }]);
    const sent = async (maxPromptTokens: number) => {
      const { context, requests } = scriptedPlay(["t", "Finish[x]"], () => {
        const { dialect, ...rest } = house();
        return { ...rest, dialect: { ...dialect!, maxPromptTokens } };
      });
      return [...notes(await collect(react.run(context)), "end"), requests.length];
    };
    expect(await sent(tokens)).toEqual(["finished", 2]);
    expect(await sent(tokens - 1)).toEqual(["prompt too long", 0]);
  });

  test("count the tokens of a prompt in its texts, with each sequence of spaces as one character", () => {
    const user = (content: string) => ({ role: "user", content }) as const;
    expect(tokensIn([user(`a${" ".repeat(400)}b`)])).toBe(tokensOf("a b"));
    expect(tokensIn([user("one two"), user("three")])).toBe(tokensOf("one two") + tokensOf("three"));
    expect(tokensIn([])).toBe(0);
  });
});

test("ReAct truncates text at each stop string of the environment, and joins the text into one line", async () => {
  const { context, requests } = scriptedPlay(
    [" so\r it is END more END again", "Look[a]HALT[b]", "t", "Finish[x]"],
    () => {
      const { dialect, ...rest } = house();
      return { ...rest, dialect: { ...dialect!, stop: ["END", "HALT"] } };
    },
  );
  await collect(react.run(context));
  expect(requests[2]!.messages[0]!.content).toContain("Thought 1: so it is\nAction 1: Look[a]\nObservation 1: a cup");
  expect(requests[0]!.stop).toEqual(["END", "HALT"]);
});

test("ReAct reports the number of calls of each action: one, or none if the action cannot be parsed", async () => {
  const { context } = scriptedPlay(["t", "what?", "t", "Look[a]", "t", "Finish[x]"], house);
  const taken: number[] = [];
  await collect(react.run({ ...context, toolUse: { take: (calls: number) => void taken.push(calls) } as never }));
  expect(taken).toEqual([0, 1, 1]);
});

test("a strategy that acts rejects a benchmark without an environment", () => {
  const { context } = scriptedPlay([], kitchen);
  const loaded = { ...context.loaded, suite: { name: "toy" }, asks: {} } as unknown as LoadedSuite;
  const served = () => servedContext(react, { ...context, loaded });
  expect(served).toThrow("Expected suite `toy` to provide `environment`, which `react` needs");
});
