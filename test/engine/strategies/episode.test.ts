/** A text as the answer of an episode, and the forecast of several episodes. */
import { describe, expect, it } from "vitest";
import type { Environment, EpisodeLimits } from "../../../source/engine/protocol.ts";
import {
  askForCalls,
  episodesAtMost,
  openEnvironment,
  withinLimits,
} from "../../../source/engine/strategies/episode.ts";
import type { Chunk } from "../../../source/engine/types.ts";
import { callTo, scriptedPlay } from "./scripted-context.ts";
import { toyWorld } from "./toy-tools.ts";

type Replies = Parameters<typeof scriptedPlay>[0];

describe("a reply of an episode", () => {
  const { environment } = toyWorld([["look"]], { look: "seen" });
  const called = async (reply: Replies[number], more: Partial<Environment> = { endsByText: true }) => {
    const { context, requests } = scriptedPlay([reply], () => environment);
    const asking = askForCalls(context, { ...environment, ...more }, [{ role: "user", content: "?" }], {
      temperature: 0.5,
    });
    for (;;) {
      const { done, value } = await asking.next();
      if (done !== true) continue;
      expect([requests[0]!.asker.stage, requests[0]!.temperature]).toEqual(["step", 0.5]);
      return value.calls.map(({ name, text }) => `${name}(${text})`);
    }
  };

  it("that has no call is the answer if the environment accepts text as an answer", async () => {
    expect(await called("It is here.")).toEqual(["Finish(It is here.)"]);
    expect(await called("It is here.", {})).toEqual([]);
    expect(await called(" ")).toEqual([]);
    expect(await called({ text: "I look.", calls: [callTo("look", 1)] })).toEqual(["look(1)"]);
    expect(await called({ text: "", calls: [callTo("look", 1)] })).toEqual(["look(1)"]);
    expect(await called("It is here.", { endsByText: true, finish: undefined as never })).toEqual([]);
  });

  it("is never the answer if the tools were listed in the prompt, because only a call submits an answer then", async () => {
    const { context } = scriptedPlay([], () => environment);
    const model = {
      name: "test/plain",
      readsAnswerKey: false,
      async *stream(): AsyncIterable<Chunk> {
        yield { type: "text", text: "It is here." };
        yield { type: "finish", reason: "stop", adjusted: ["tools-in-prompt"] };
      },
    };
    const world = { ...environment, endsByText: true };
    const asking = askForCalls({ ...context, model: () => model }, world, [{ role: "user", content: "?" }]);
    let next = await asking.next();
    while (next.done !== true) next = await asking.next();
    expect(next.value).toMatchObject({ text: "It is here.", calls: [] });
  });
});

it("an environment is announced when it is opened, so that it is closed with the task", async () => {
  const { environment } = toyWorld([["look"]], {});
  const { context } = scriptedPlay([], () => environment);
  const opened: unknown[] = [];
  const found = await openEnvironment({ ...context, opened: (one) => void opened.push(one) });
  expect([found, opened]).toEqual([environment, [environment]]);
});

describe("the forecast of episodes", () => {
  const limits: EpisodeLimits = { requests: 30, prompt: 100, reply: 10 };
  const forecast = (trials: number, more: Partial<EpisodeLimits> = {}, budget: object = {}) =>
    episodesAtMost(
      {
        task: {},
        spec: { budget },
        loaded: { asks: { environment: { limits: () => ({ ...limits, ...more }) } } },
      } as never,
      trials,
    );

  it("has a lesson after each episode but the last, or the lessons within a single episode", () => {
    expect(forecast(1)).toEqual({ calls: 30, input: 3000, output: 300, atMost: true });
    expect(forecast(2)!.calls).toBe(61);
    expect(forecast(3)!.calls).toBe(92);
    expect(forecast(3, { lessons: 7 })!.calls).toBe(37);
    expect(forecast(2, { lessons: 7 })!.calls).toBe(37);
    expect(forecast(1, { lessons: 7 })!.calls).toBe(30);
    expect(forecast(3, {}, { task: { steps: 40 } })!.calls).toBe(40);
    const bare = { task: {}, spec: { budget: {} }, loaded: { asks: {} } };
    expect(episodesAtMost(bare as never, 1)).toBeUndefined();
  });

  it("assumes replies of the run's own maximum length, if the run sets a maximum", () => {
    expect(withinLimits(limits, { budget: {}, maxTokens: 4 } as never)).toMatchObject({ calls: 30, output: 120 });
  });
});
