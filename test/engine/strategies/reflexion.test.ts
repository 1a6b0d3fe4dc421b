import { expect, test } from "vitest";
import type { Environment } from "../../../source/engine/protocol.ts";
import { reflexion } from "../../../source/engine/strategies/reflexion.ts";
import { answers, callTo, collect, notes, scriptedPlay } from "./scripted-context.ts";

const door = (complaint?: string): Environment => ({
  tools: [],
  opening: (lessons) => [{ role: "user", content: `Open it. Lessons: ${lessons.join("|")}` }],
  maxRequests: 1,
  ...(complaint === undefined ? {} : { complaint: () => complaint }),
  async call(call) {
    return { ok: true, observation: "", status: 0, end: { reason: "tried", answer: call.arguments ?? null } };
  },
});
const attempt = (value: string) => ({ text: "", calls: [callTo("open", value)] });

test("Reflexion starts no further trial after an answer without errors", async () => {
  const { context, requests } = scriptedPlay([attempt("pull")], () => door());
  expect(answers(await collect(reflexion.run(context)))).toEqual(["pull"]);
  expect(requests).toHaveLength(1);
});

test("Reflexion adds the lesson of a failed trial to the next trial, which starts again", async () => {
  const { context, requests } = scriptedPlay(["gave up", "Push next time.", attempt("push")], () => door());
  const steps = await collect(reflexion.run(context));
  expect(notes(steps, "reflection")).toEqual(["Push next time."]);
  expect(requests[1]!.messages[1]!.content).toContain("assistant: gave up");
  expect(requests[2]!.messages).toEqual([{ role: "user", content: "Open it. Lessons: Push next time." }]);
  expect(answers(steps)).toEqual(["push"]);
});

test("Reflexion makes at most three trials, and the last answer counts even if it has errors", async () => {
  const replies = [attempt("a"), "one", attempt("b"), "two", attempt("c")];
  const { context, requests } = scriptedPlay(replies, () => door("The door is shut."));
  const steps = await collect(reflexion.run(context));
  const looked = requests[1]!.messages[1]!.content;
  expect(looked).toContain("What was wrong:\nThe door is shut.");
  // The reply had no text, so its call is the attempt.
  expect(looked).toContain('Attempt:\ncall: open("a")\n\n');
  expect(requests[4]!.messages[0]!.content).toBe("Open it. Lessons: one|two");
  expect(notes(steps, "trial")).toEqual(["trial 2", "trial 3"]);
  expect(answers(steps)).toEqual(["c"]);
});

test("Reflexion requests a lesson at each step at which the environment cannot continue, and keeps the scratchpad", async () => {
  let stuck = false;
  const enter = (): Environment => ({
    tools: [],
    dialect: {
      messages: (part, _step, scratchpad, lessons) => [
        { role: "user", content: `${part}(${lessons.join("|")})${scratchpad}` },
      ],
      parse: (action) => ({ id: "", name: action, text: action, arguments: undefined }),
      reflect: (_scratchpad, lessons) => [{ role: "user", content: `lesson ${lessons.length + 1}?` }],
      maxSteps: 9,
      maxPromptTokens: 1000,
      maxTokens: 10,
    },
    stuck: () => stuck,
    async call(call) {
      stuck = call.name === "pull";
      const end = call.name === "finish" ? { end: { reason: "finished", answer: "open" } } : {};
      return { ok: true, observation: call.name, status: 0, ...end };
    },
  });
  const { context, requests } = scriptedPlay(["t", "pull", "L1", "t", "pull", "L2", "t", "push", "t", "finish"], enter);
  const steps = await collect(reflexion.run(context));
  expect(notes(steps, "reflection")).toEqual(["L1", "L2"]);
  expect(requests[5]!.messages[0]!.content).toBe("lesson 2?");
  expect(requests[6]!.messages[0]!.content).toMatch(/^thought\(L1\|L2\)\nThought 1: t/);
  expect(answers(steps)).toEqual(["open"]);
});

test("Reflexion's prompt for a lesson shows the whole attempt from the first request on, and its errors", async () => {
  const tried = { text: "I pull", calls: [callTo("pull", { hard: true }), callTo("look", 1, "l")] };
  const enter = (): Environment => ({
    tools: [],
    opening: () => [{ role: "system", content: "Never shown again." }],
    idle: "Act.",
    maxRequests: 2,
    call: async ({ name }) => ({ ok: true, observation: name === "look" ? "" : "It is shut.", status: 0 }),
  });
  const { context, requests } = scriptedPlay([tried, "", "L1", "", "", "L2", "", ""], enter);
  const steps = await collect(reflexion.run(context));
  expect(requests[2]!.messages[1]!.content).toBe(
    [
      "Task:\nWhere is the cup?\n",
      'Attempt:\nassistant: I pull\ncall: pull({"hard":true})\ncall: look(1)\ntool: It is shut.\nuser: Act.\n',
      "What was wrong:\nThe attempt ended without an answer: step limit.",
    ].join("\n"),
  );
  expect(notes(steps, "end")).toEqual(["step limit"]);
  expect(answers(steps)).toEqual([]);
});

test("Reflexion puts lessons before the question if the environment has no other place for them", async () => {
  const enter = (): Environment => {
    const { opening: _, ...plain } = door();
    return plain;
  };
  const { context, requests } = scriptedPlay(["no", "L1", "no", "L2", attempt("push")], enter);
  await collect(reflexion.run(context));
  expect(requests[0]!.messages).toEqual([{ role: "user", content: "Where is the cup?" }]);
  expect(requests[4]!.messages).toEqual([
    {
      role: "user",
      content: "Lesson from an earlier attempt: L1\n\nLesson from an earlier attempt: L2\n\nWhere is the cup?",
    },
  ]);
});

test("Reflexion requests no lesson for an answer without errors, and the environment can provide the prompt for a lesson", async () => {
  const enter = (): Environment => ({
    ...door("shut"),
    reflect: (transcript, complaint, lessons) => [
      { role: "user", content: `${transcript} / ${complaint} / ${lessons.length}` },
    ],
  });
  const { context, requests } = scriptedPlay([attempt("a"), " L1 ", attempt("b"), "L2", attempt("c")], enter);
  const steps = await collect(reflexion.run(context));
  expect(requests[1]!.messages[0]!.content).toBe('call: open("a") / shut / 0');
  expect(requests[3]!.messages[0]!.content).toBe('call: open("b") / shut / 1');
  expect(notes(steps, "reflection")).toEqual(["L1", "L2"]);
  expect(notes(steps, "end")).toEqual(["tried"]);
});

test("Reflexion requests the lesson of a whole trial in text by the environment's prompt if no step can be stuck", async () => {
  const enter = (): Environment => ({
    tools: [],
    dialect: {
      messages: (part, _step, scratchpad, lessons) => [
        { role: "user", content: `${part}(${lessons.join("|")})${scratchpad}` },
      ],
      parse: (action) => ({ id: "", name: action, text: action, arguments: undefined }),
      reflect: (scratchpad, lessons) => [{ role: "user", content: `${lessons.length} after${scratchpad}` }],
      maxSteps: 1,
      maxPromptTokens: 1000,
      maxTokens: 10,
    },
    call: async ({ name }) => ({ ok: true, observation: `did ${name}`, status: 0 }),
  });
  const { context, requests } = scriptedPlay(["t", "pull", " L1 ", "t", "push", "L2", "t", "kick"], enter);
  const steps = await collect(reflexion.run(context));
  expect(requests.map(({ asker }) => asker.stage)).toEqual([
    "thought",
    "action",
    "reflect",
    "thought",
    "action",
    "reflect",
    "thought",
    "action",
  ]);
  expect(requests[2]!.messages[0]!.content).toBe("0 after\nThought 1: t\nAction 1: pull\nObservation 1: did pull");
  expect(requests[5]!.messages[0]!.content).toBe("1 after\nThought 1: t\nAction 1: push\nObservation 1: did push");
  expect(requests[6]!.messages[0]!.content).toBe("thought(L1|L2)\nThought 1:");
  expect([notes(steps, "reflection"), notes(steps, "trial"), notes(steps, "end")]).toEqual([
    ["L1", "L2"],
    ["trial 2", "trial 3"],
    ["step limit"],
  ]);
});

test("Reflexion makes several trials if a step can be stuck but the environment has no prompt for that", async () => {
  const enter = (): Environment => ({ ...door("shut"), stuck: () => true });
  const { context, requests } = scriptedPlay([attempt("a"), "L1", attempt("b"), "L2", attempt("c")], enter);
  const steps = await collect(reflexion.run(context));
  expect(requests.map(({ asker }) => asker.stage)).toEqual(["step", "reflect", "step", "reflect", "step"]);
  expect(answers(steps)).toEqual(["c"]);
});
