import { expect, test } from "vitest";
import { ask, type Question } from "../../../source/engine/run/ask.ts";
import type { TaskContext } from "../../../source/engine/strategy.ts";
import type { Chunk, ModelRequest, RunSpec, Step } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";
import { says, scriptedServer } from "../models/scripted-server.ts";
import { modelsAt } from "../models/toy.ts";

/** The request a model receives when a strategy asks this in a run with these settings. */
async function requestOf(settings: Partial<RunSpec>, own: Partial<Question>): Promise<Omit<ModelRequest, "signal">> {
  const requests: ModelRequest[] = [];
  const model: ReturnType<TaskContext["model"]> = {
    name: "lab/m",
    readsAnswerKey: false,
    async *stream(request) {
      requests.push(request);
      yield { type: "finish", reason: "stop" };
    },
  };
  const context = {
    task: { id: "t" },
    spec: bareSpec("tiny", settings),
    model: () => model,
    nextRequest: () => 0,
    signal: new AbortController().signal,
  } as unknown as TaskContext;
  for await (const _ of ask(context, { role: "model", stage: "plan", messages: [], ...own }));
  const { signal: _, asker: __, waits: ___, ...request } = requests[0]!;
  return request as Omit<ModelRequest, "signal">;
}

test("a request contains only the settings that the run sets", async () => {
  expect(await requestOf({}, {})).toEqual({ messages: [], temperature: 0 });
  expect(await requestOf({ set: ["seed"] }, {})).toEqual({ messages: [], temperature: 0, seed: 0 });
  expect(await requestOf({ request: { lab_field: 9 } }, {})).toMatchObject({ request: { lab_field: 9 } });
  const set = { temperature: 0.7, topP: 0.9, minP: 0.05, maxTokens: 512, stop: ["END"], seed: 7 };
  expect(await requestOf(set, {})).toEqual({ messages: [], ...set });
});

test("the strategy's stop strings come before the stop strings of the run, without duplicates", async () => {
  expect(await requestOf({ stop: ["END", "\n"] }, { stop: ["\n"] })).toMatchObject({ stop: ["\n", "END"] });
  expect(await requestOf({}, { stop: ["\n"] })).toMatchObject({ stop: ["\n"] });
});

test("a request that is stopped after it was sent has estimated tokens, whereas an answered request has reported tokens", async () => {
  const stepsUntil = async (stopped: boolean, reported: boolean): Promise<readonly Step[]> => {
    const stop = new AbortController();
    const model = {
      name: "lab/m",
      async *stream({ signal }: ModelRequest): AsyncGenerator<Chunk> {
        yield { type: "text", text: "a plan of several words" };
        if (reported) yield { type: "usage", input: 7, output: 5, estimated: false };
        if (stopped) stop.abort(new Error("stopped"));
        signal.throwIfAborted();
      },
    };
    const context = {
      spec: bareSpec("lab/m"),
      task: { id: "t1" },
      model: () => model,
      nextRequest: () => 1,
      signal: stop.signal,
    } as unknown as TaskContext;
    const messages = [{ role: "user", content: "Where is the station of this town?" }] as const;
    const steps: Step[] = [];
    const asked = ask(context, { role: "model", stage: "plan", messages });
    const read = async () => {
      for await (const step of asked) steps.push(step);
    };
    await (stopped ? expect(read()).rejects.toThrow("stopped") : read());
    return steps.filter(({ type }) => type === "usage");
  };
  const [cut] = await stepsUntil(true, false);
  expect(cut).toMatchObject({ type: "usage", request: 1, estimated: true });
  const { input, output } = cut as Extract<Step, { type: "usage" }>;
  expect(input).toBeGreaterThan(5);
  expect(output).toBeGreaterThan(3);
  expect(await stepsUntil(true, true)).toEqual([{ type: "usage", input: 7, output: 5, estimated: false, request: 1 }]);
  expect(await stepsUntil(false, false)).toEqual([]);
});

test("the log contains the prompt as sent, including the tools in the prompt, if `tools` is `text`", async () => {
  const find = { name: "find", description: "Finds", parameters: {} };
  const calls = [{ id: "a", name: "find", text: "{}", arguments: {} }];
  const messages: ModelRequest["messages"] = [
    { role: "user", content: "Where is it?" },
    { role: "assistant", content: "", calls },
    { role: "tool", callId: "a", content: "here" },
  ];
  await using server = await scriptedServer(says("There"));
  const context = {
    task: { id: "t" },
    spec: bareSpec("tiny", { tools: "text" }),
    model: () => modelsAt(server.url).model("lab/m"),
    nextRequest: () => 0,
    signal: new AbortController().signal,
  } as unknown as TaskContext;
  const steps: Step[] = [];
  for await (const step of ask(context, { role: "model", stage: "step", messages, tools: [find] })) steps.push(step);
  const [prompt] = steps;
  expect(prompt).not.toHaveProperty("tools");
  expect(prompt).toMatchObject({ messages: server.seen[0]!.body["messages"] });
  expect(JSON.stringify(prompt)).toContain("<tool_response>");
  expect(server.seen[0]!.body).not.toHaveProperty("tools");
});

test("a strategy's own reply limit takes precedence", async () => {
  expect(await requestOf({ maxTokens: 512 }, { maxTokens: 64 })).toMatchObject({ maxTokens: 64 });
});

test("a role takes its settings from the cell and other settings from the run, but a judge takes none from the run", async () => {
  const run = { temperature: 0.7, maxTokens: 50, minP: 0.1, stop: ["END"], request: { lab_field: 9 } };
  const roles = { actor: { temperature: 0, stop: [], request: { min_p: 0.3 } } };
  expect(await requestOf({ ...run, roles }, { role: "actor" })).toEqual({
    messages: [],
    temperature: 0,
    maxTokens: 50,
    stop: [],
    request: { min_p: 0.3 },
  });
  expect(await requestOf({ ...run, roles }, { role: "responder" })).toEqual({ messages: [], ...run });
  const judging = { temperature: 0.2, maxTokens: 4096 };
  expect(await requestOf({ ...run, judging }, { role: "judge" })).toEqual({ messages: [], ...judging });
  expect(await requestOf(run, { role: "judge" })).toEqual({ messages: [], ...run });
});
