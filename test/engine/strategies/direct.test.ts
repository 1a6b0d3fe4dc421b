/** A benchmark that asks in two stages, answered by a model directly or with a chain of thought. */
import { describe, expect, it } from "vitest";
import type { Stage } from "../../../source/engine/protocol.ts";
import { cot, direct, stagedOutput } from "../../../source/engine/strategies/direct.ts";
import { drawnShots } from "../../../source/engine/strategies/drawn-shots.ts";
import type { TaskContext } from "../../../source/engine/strategy.ts";
import { tokensOf } from "../../../source/engine/text/tokens.ts";
import type { Step } from "../../../source/engine/types.ts";
import { answers, collect, notes, scriptedPlay, task } from "./scripted-context.ts";

/** The first stage asks for an app, the second for a call of that app; each prompt contains the earlier answers. */
function staged(more: Partial<Stage> = {}): readonly Stage[] {
  const stage = (name: string, own: Partial<Stage> = {}): Stage => ({
    name,
    messages: (previous, reasoning) => [
      { role: "system", content: reasoning === "none" ? "Answer." : "Think." },
      { role: "user", content: `${name} after ${previous.join("+")}` },
    ],
    ...own,
  });
  return [stage("app", more), stage("call")];
}

function play(replies: readonly string[], stages = staged()) {
  const { context, requests } = scriptedPlay(replies, () => undefined);
  const loaded = {
    asks: { stages: () => stages },
    oracle: (_: unknown, { stage }: { stage: string }) => ({ text: `the ${stage}` }),
  };
  return { context: { ...context, loaded: loaded as never } as unknown as TaskContext<"stages">, requests };
}

describe("stages of a benchmark", () => {
  it("are requested in order, each with the answers to earlier stages; the last answer is the output", async () => {
    const { context, requests } = play([" Maps ", "route()"]);
    const steps = await collect(direct.run(context));
    expect(requests.map(({ asker, messages }) => [asker.stage, ...messages.map(({ content }) => content)])).toEqual([
      ["app", "Answer.", "app after "],
      ["call", "Answer.", "call after  Maps "],
    ]);
    expect(answers(steps)).toEqual([{ output: "route()", stages: { app: " Maps ", call: "route()" } }]);
  });

  it("extract the answer from a reply by the benchmark's rules, and request reasoning only for a chain of thought", async () => {
    const answer: Stage["answer"] = (reply, reasoning) => (reasoning === "steps" ? reply.split("So: ")[1]! : reply);
    const { context, requests } = play(["Hm. So: Maps", "Hm. So: route()"], staged({ answer }));
    expect(answers(await collect(cot.run(context)))).toEqual([
      { output: "Hm. So: route()", stages: { app: "Maps", call: "Hm. So: route()" } },
    ]);
    expect(requests[1]!.messages.map(({ content }) => content)).toEqual(["Think.", "call after Maps"]);
  });

  it("end after an unusable answer, which is kept with a note on the missing part", async () => {
    const { context, requests } = play(["nothing"], staged({ usable: (text) => text === "Maps", lacking: "app" }));
    const steps: Step[] = [];
    const running = (async () => {
      for await (const step of direct.run(context)) steps.push(step);
    })();
    await expect(running).rejects.toMatchObject({
      kind: "parse",
      message: "Nothing could be read from the answer to stage `app`",
    });
    expect(answers(steps)).toEqual([{ output: "", stages: { app: "nothing" } }]);
    expect(steps.flatMap((step) => (step.type === "note" ? [step.text] : []))).toEqual([
      "The answer to stage `app` names no app",
    ]);
    expect(requests).toHaveLength(1);
    const plain = play(["nothing"], staged({ usable: () => false }));
    const told: Step[] = [];
    await expect(
      (async () => {
        for await (const step of direct.run(plain.context)) told.push(step);
      })(),
    ).rejects.toMatchObject({ kind: "parse" });
    expect(notes(told, "lacking")).toEqual([]);
    expect(told.filter(({ type }) => type === "note")).toEqual([]);
  });

  it("are forecast from the oracle's replies, three times as long with reasoning", () => {
    const { context } = play([]);
    const texts = ["Answer.", "app after ", "Answer.", "call after the app"];
    const input = texts.reduce((sum, text) => sum + tokensOf(text) + 4, 0);
    const output = tokensOf("the app") + tokensOf("the call");
    expect(direct.estimate!(context)).toEqual({ calls: 2, input, output });
    expect(cot.estimate!(context)).toEqual({ calls: 2, input, output: 3 * output });
  });
});

it("the output of an answer is its text or the text of its last stage, and empty without either", () => {
  expect(
    ["x", { output: "y", stages: {} }, { output: 7 }, null, undefined].map((one) => stagedOutput(one as never)),
  ).toEqual(["x", "y", "", "", ""]);
});

it("demonstrations are drawn from all other tasks, never from the task itself, and at most as many as exist", () => {
  const pool = ["t1", "a", "b", "c"].map((id) => ({ id }));
  const ids = (count: number) => drawnShots(task, count, pool, () => 0.99).map(({ id }) => id);
  expect(ids(9).toSorted()).toEqual(["a", "b", "c"]);
  expect([ids(0), ids(2).length]).toEqual([[], 2]);
  expect(ids(9)).not.toContain("t1");
});
