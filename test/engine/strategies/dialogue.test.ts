/** The dialogue of Planner and Responder, with scripted replies. */
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Dialogue, DialogueAnswer } from "../../../source/engine/protocol.ts";
import { ContextProblem, ModelProblem } from "../../../source/engine/models/problem.ts";
import { dialogue } from "../../../source/engine/strategies/dialogue.ts";
import type { TaskContext } from "../../../source/engine/strategy.ts";
import { tokensOf } from "../../../source/engine/text/tokens.ts";
import type { Json, Model, Step } from "../../../source/engine/types.ts";
import { dialogueOf } from "../../../suites/planningarena/ask/dialogue.ts";
import { arenaTask } from "../../../suites/planningarena/data/task.ts";
import { transcriptOfRecords } from "../../../suites/planningarena/score/transcript.ts";
import { describePublished, shared, sharedJson } from "../../shared.ts";

type Line = { readonly role: "planner" | "responder"; readonly content: string };

const openWeather = { tool: "OpenWeather", parameters: [], response: undefined };
const task = arenaTask(
  {
    head: {
      id: 1,
      operationalScenario: "API",
      scenario: "1_travel",
      relation: "PAPI",
      structure: null,
      level: "easy",
      userId: null,
      query: "How is the weather in Paris?",
    },
    queryZh: undefined,
    offer: { name: "1_travel", apps: [], apis: new Map([["OpenWeather", openWeather]]) },
    profile: undefined,
  },
  { gold: { subtasks: [{ id: "s1", tool: "OpenWeather", args: [] }], edges: [] }, reference: [] },
);

/** Runs the script; a role's last reply repeats. An `Error` in place of a reply is thrown. */
async function context(
  script: readonly (Line | { role: Line["role"]; content: Error })[],
  collected: Step[] = [],
  changed: Partial<Dialogue> = {},
) {
  const asked = { planner: 0, responder: 0 };
  const prompts: { role: string; messages: readonly { content: string }[] }[] = [];
  const model: Model = {
    name: "test/scripted",
    readsAnswerKey: false,
    async *stream({ asker, messages }) {
      const role = asker.role === "model" ? "planner" : "responder";
      prompts.push({ role, messages });
      const lines = script.filter((line) => line.role === role);
      const reply = lines[Math.min(asked[role]++, lines.length - 1)]!.content;
      if (reply instanceof Error) throw reply;
      yield { type: "text", text: reply };
      yield { type: "finish", reason: "stop" };
    },
  };
  let request = 0;
  const spec = { options: {}, seed: 0, temperature: 0 } as unknown as TaskContext["spec"];
  const loaded = {
    asks: { dialogue: (): Dialogue => ({ ...dialogueOf(task, spec), ...changed }) },
    suite: { name: "planningarena" },
  };
  const run = dialogue.run({
    task,
    loaded: loaded as unknown as TaskContext<"dialogue">["loaded"],
    spec,
    shots: [],
    model: () => model,
    random: () => 0.5,
    signal: new AbortController().signal,
    nextRequest: () => request++,
  });
  for await (const step of run) collected.push(step);
  return { steps: collected, asked, prompts };
}

function last(steps: readonly Step[]): DialogueAnswer {
  const answer = steps.findLast((step) => step.type === "answer");
  return (answer as { answer: Json }).answer as unknown as DialogueAnswer;
}

const plan = (step: number, total: Json = 2): Line => ({
  role: "planner",
  content: JSON.stringify({
    GlobalThought: "Weather plan",
    OrderSteps: {
      TotalSteps: total,
      StepDetail: { StepNumber: step, Description: `Check ${step}`, Action: "OpenWeather({'city': 'Paris'})" },
    },
  }),
});
const respond = (step: Json, results: Json = "OpenWeather({'sky': 'clear blue'})"): Line => ({
  role: "responder",
  content: JSON.stringify({ OrderSteps: { StepDetail: { StepNumber: step, Results: results } } }),
});

type Flow = {
  readonly name: string;
  readonly input: { readonly script: Line[] };
  readonly expected: { end: string; planner: number; responder: number; garbled: boolean; steps: number };
};
const flows = existsSync(shared("conformance"))
  ? sharedJson<{ cases: Flow[] }>("conformance", "planningarena", "message-flow.json").cases
  : [];

describePublished("published message flows", () => {
  test.each(flows)("$name", async ({ input, expected }) => {
    const { steps, asked } = await context(input.script);
    const answer = last(steps);
    const transcript = transcriptOfRecords(answer.dialogue, true);
    expect({
      end: answer.end,
      ...asked,
      garbled: transcript.garbled || answer.unread !== undefined,
      steps: transcript.steps.length,
    }).toEqual(expected);
  });
});

describe("a dialogue of Planner and Responder", () => {
  test("keeps separate histories, and passes each side the other's replies", async () => {
    const { prompts, steps } = await context([plan(1), respond(1), plan(2), respond(2)]);
    expect(last(steps)).toMatchObject({ end: "complete", dialogue: [{ MessageNumber: "1" }, {}, {}] });
    expect(prompts.map(({ role, messages }) => [role, messages.length])).toEqual([
      ["planner", 2],
      ["responder", 2],
      ["planner", 4],
      ["responder", 4],
    ]);
    expect(prompts[2]!.messages[3]!.content).toBe(
      "Step 1 returned:\nOpenWeather({'sky': 'clear blue'})\nGo on with step 2.",
    );
    expect(prompts[3]!.messages[3]!.content).toContain('"StepNumber":2');
  });

  test("gives an answer after every round, so that a crash does not lose the dialogue", async () => {
    const { steps } = await context([plan(1), respond(1), plan(2), respond(2)]);
    const answers = steps.flatMap((step) => (step.type === "answer" ? [step.answer as DialogueAnswer] : []));
    expect(answers.map(({ end, dialogue: { length } }) => [end, length])).toEqual([
      ["playing", 2],
      ["complete", 3],
    ]);
  });

  test("builds a plan graph: steps are open when planned, and done or failed when answered", async () => {
    const { steps } = await context([plan(1), respond(1), plan(2), respond(2)]);
    const nodes = steps.flatMap((step) => (step.type === "node" ? [[step.id, step.state]] : []));
    expect(nodes).toEqual([
      ["step-1", "open"],
      ["step-1", "done"],
      ["step-2", "open"],
      ["step-2", "failed"],
    ]);
  });

  test.each([
    ["is not JSON", "I would check the weather first."],
    ["is cut short", plan(1).content.slice(0, -9)],
    ["has Python literals", "{'GlobalThought': 'x', 'OrderSteps': None}"],
    ["announces a number as text", plan(1, "2").content],
    ["nests deeper than any plan", `{"GlobalThought":${"[".repeat(150_000)}${"]".repeat(150_000)}}`],
  ])("ends as planner-unparsable when the plan %s, and keeps the reply", async (_, content) => {
    const { steps, asked } = await context([{ role: "planner", content }, respond(1)]);
    expect(last(steps)).toMatchObject({ end: "planner-unparsable", unread: { role: "planner" } });
    expect(last(steps).unread!.content).toBe(content.slice(0, 2000));
    expect(asked).toEqual({ planner: 1, responder: 0 });
  });

  test.each([1, 2])(
    "fails if the Responder's reply in round %i has no results, without blaming the Planner",
    async (round) => {
      const unread = { role: "responder", content: '{"OrderSteps":{"StepDetail":{}}}' } as const;
      const before = round === 1 ? [] : [plan(1), respond(1)];
      const failing = context([...before, plan(round), unread]);
      await expect(failing).rejects.toThrow(`The Responder's reply in round ${round} cannot be read`);
    },
  );

  test.each([
    [0, 1, 0],
    [99, 20, 20],
  ])(
    "plays at most the announced number of rounds, and never more than 20 (%i announced)",
    async (total, planner, responder) => {
      const { steps, asked } = await context([plan(1, total), respond(1)]);
      expect(last(steps).end).toBe("step-limit");
      expect(asked).toEqual({ planner, responder });
    },
  );

  test("does not confuse a step number of another type with the last step number", async () => {
    const { steps } = await context([plan(1, 1), respond("1")]);
    expect(last(steps).end).toBe("step-limit");
  });

  test("fails the task if a model fails in the middle, and is not scored", async () => {
    const broken = { role: "responder", content: new ModelProblem("503 from test") } as const;
    await expect(context([plan(1), respond(1), plan(2), broken])).rejects.toThrow("503 from test");
  });

  test("ends with the answer so far if a prompt is too long for the model", async () => {
    const full = { role: "responder", content: new ContextProblem("400 prompt is too long") } as const;
    const steps: Step[] = [];
    await expect(context([plan(1), full], steps)).rejects.toThrow("400 prompt is too long");
    expect(last(steps)).toMatchObject({ end: "context", dialogue: [{}] });
    expect(steps.at(-1)).toMatchObject({ type: "note", kind: "end", data: { end: "context", rounds: 0 } });
  });

  test("draws steps as nodes that depend on the steps whose numbers are used", async () => {
    const steps: Step[] = [];
    await context([plan(1), plan(2), respond(1), respond(2)], steps, {
      outline: (records) =>
        records.map((_, index) => ({ label: `Step ${index + 1}`, needs: index === 0 ? [] : [0], state: "done" })),
    });
    const nodes = steps.flatMap((step) =>
      step.type === "node" && step.needs !== undefined ? [[step.id, step.needs]] : [],
    );
    expect(nodes).toEqual([
      ["step-1", []],
      ["step-2", ["step-1"]],
    ]);
  });

  test("fails if a model never answers, rather than ending with a bad plan", async () => {
    const failing = context([{ role: "planner", content: new ModelProblem("401 from test") }]);
    await expect(failing).rejects.toThrow("401 from test");
  });
});

test("a dialogue ends with a note on its end and its number of rounds, and on what exceeded a model's context", async () => {
  const notesOf = (steps: readonly Step[]) =>
    steps.flatMap((step) => (step.type === "note" && step.kind === "end" ? [[step.text, step.data]] : []));
  const { steps } = await context([plan(1, 1), respond(1)]);
  expect(notesOf(steps)).toEqual([["complete", { end: "complete", rounds: 1 }]]);
  const full: Step[] = [];
  const failing = context([{ role: "planner", content: new ContextProblem("too long") }], full);
  await expect(failing).rejects.toThrow("too long");
  expect(notesOf(full)).toEqual([["context: too long", { end: "context", rounds: 0 }]]);
});

describe("the forecast of a dialogue", () => {
  const said = (content: string) => ({ role: "user", content }) as const;
  const talk = (maxRounds: number, announced: number): Dialogue => ({
    ...dialogueOf(task, { options: {} } as never),
    opening: [said("plan")],
    responderOpening: [said("respond")],
    maxRounds,
    readPlanner: () => ({ totalSteps: announced }) as never,
    askResponder: (_, plan) => said(plan),
    askPlanner: (_, response) => said(response),
  });
  const forecast = (maxRounds: number, announced: number) =>
    dialogue.estimate!({
      task,
      loaded: { asks: { dialogue: () => talk(maxRounds, announced) }, oracle: () => ({ text: "one two" }) },
      spec: {},
    } as never);

  test.each([
    [5, 1, 2],
    [5, 3, 6],
    [2, 3, 4],
  ])(
    "counts requests and tokens: at most %i rounds and a plan of %i steps make %i requests",
    (rounds, steps, calls) => {
      const { output, ...taken } = forecast(rounds, steps)!;
      expect(taken.calls).toBe(calls);
      expect(output).toBe(calls * tokensOf("one two"));
      expect(taken.input).toBeGreaterThan(calls * (tokensOf("plan") + 4));
    },
  );
});

describe("the estimate of a dialogue", () => {
  /** Plays the oracle's replies; each plan announces `total` steps. */
  const estimated = (total: number, maxRounds?: number) => {
    const spec = { options: {}, seed: 0, temperature: 0 } as unknown as TaskContext["spec"];
    const made = { ...dialogueOf(task, spec), ...(maxRounds !== undefined && { maxRounds }) };
    const sent: { role: string; stage: string; messages: readonly { content: string }[]; text: string }[] = [];
    const loaded = {
      asks: { dialogue: () => made },
      oracle: (_: unknown, { role, stage, messages }: Omit<(typeof sent)[number], "text">) => {
        const round = 1 + sent.filter((each) => each.role === role).length;
        const text = role === "responder" ? respond(round).content : plan(round, total).content;
        sent.push({ role, stage, messages: [...messages], text });
        return { text };
      },
    };
    const found = dialogue.estimate!({
      task,
      spec,
      shots: [],
      loaded: loaded as unknown as TaskContext<"dialogue">["loaded"],
    });
    return { found: found!, sent };
  };
  const input = (of: readonly { readonly messages: readonly { readonly content: string }[] }[]) =>
    of.flatMap(({ messages }) => messages).reduce((sum, { content }) => sum + tokensOf(content) + 4, 0);

  test("has one request per side and announced step, with the whole history of the side", () => {
    for (const total of [1, 2, 3]) {
      const { found, sent } = estimated(total);
      expect(sent.map(({ role }) => role)).toEqual(Array.from({ length: total }, () => ["model", "responder"]).flat());
      expect(sent.slice(0, 2).map(({ stage }) => stage)).toEqual(["plan", "respond"]);
      expect(sent.map(({ messages }) => messages.length)).toEqual([2, 2, 4, 4, 6, 6].slice(0, 2 * total));
      expect(found).toEqual({
        calls: 2 * total,
        input: input(sent),
        output: sent.reduce((sum, { text }) => sum + tokensOf(text), 0),
        first: input(sent.slice(0, 1)),
      });
    }
  });

  test("never exceeds the limit of rounds", () => {
    expect(estimated(9, 2).found.calls).toBe(4);
  });
});
