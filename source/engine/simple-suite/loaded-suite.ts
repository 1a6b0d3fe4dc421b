/** The tasks of a simple suite: their requests and their scoring. */
import type { Benchmark } from "../benchmark.ts";
import type { LoadedSuite } from "../loaded-suite.ts";
import type { PromptTemplate, Stage } from "../protocol.ts";
import { drawnShots } from "../strategies/drawn-shots.ts";
import { stagedOutput } from "../strategies/direct.ts";
import { answerLine, behindAnswerLine } from "../text/answer-line.ts";
import { promptMessages, type Slots } from "../settings/prompt-template.ts";
import type { Json, Message, Outcome, RunSpec, Score, Step } from "../types.ts";
import type { LoadedTask, Questions, SimpleScore, SimpleTask } from "./simple-task.ts";

export function loadSimpleSuite<T extends SimpleTask>(
  suite: Benchmark,
  given: Questions<T>,
  own: readonly T[],
): LoadedSuite<LoadedTask<T>, "stages"> {
  const { score } = given;
  const loadedTask = (input: T): LoadedTask<T> => {
    const { id, question, answer, facets = {} } = input;
    return { id, question, input, answer, facets };
  };
  // Fields of the tasks of a large file are read on demand.
  const areLines = own[0] !== undefined && "whole" in own[0];
  const tasks = areLines ? (own as unknown as readonly LoadedTask<T>[]) : own.map(loadedTask);
  return {
    suite,
    warnings: [],
    tasks: () => Promise.resolve(tasks),
    shots: drawnShots,
    asks: {
      stages(task, spec, shots) {
        if (given.stages !== undefined) return given.stages(task, spec, shots);
        return [stageOf(task, shots, (each) => promptOf(given.prompt, each, spec))];
      },
    },
    variants: { question: (task, question) => ({ ...taskFields(task), question, input: { ...task.input, question } }) },
    async score({ id, input, answer }, outcome, context) {
      const reply = stagedOutput(outcome.answer);
      const metric = suite.measures[0]!.name;
      const isCut = endsCut(outcome, reply);
      return scoreOf(await score(input, reply, { ...context, isCut }), { id, reply, expected: textOf(answer), metric });
    },
    ...(given.floors !== undefined && {
      floors: (all: readonly LoadedTask<T>[], spec: RunSpec) =>
        given.floors!(
          all.map(({ input }) => input),
          spec,
        ).map((floor) => ({ ...floor, answer: ({ input }: LoadedTask<T>) => floor.answer(input) ?? "" })),
    }),
    oracle: ({ answer }) => ({ text: textOf(answer) }),
    fault: ({ id, input }, { spec }) => {
      const answers = [
        "none of these",
        "987654321.5",
        ...tasks.filter((task) => task.id !== id).map(({ answer }) => textOf(answer)),
      ];
      const context = { spec, signal: new AbortController().signal };
      const wrong = answers.find((text) => isWrong(score(input, text, context)));
      return wrong === undefined ? undefined : { text: wrong };
    },
    describe: ({ answer }, got) => {
      const step = (title: string, text: string) => [{ title, lines: text.split("\n"), needs: [] }];
      const plan = got === undefined ? [] : step("Answer", stagedOutput(got));
      return { reference: step("Answer", textOf(answer)), plan, matches: plan.length === 0 ? [] : [[0, 0]] };
    },
  };
}

/** Returns the fields of a task, because a spread would lose fields that are read from a file. */
export function taskFields<T extends SimpleTask>(task: LoadedTask<T>): LoadedTask<T> {
  const { id, question, input, answer, facets } = task;
  return { id, question, input, answer, facets };
}

/** Reports whether an answer is the end of a last reply that was cut at the token limit. */
function endsCut({ steps }: Outcome, answer: string): boolean {
  const last = steps.findLast((step) => step.type === "prompt" && step.role !== "judge") as Prompted | undefined;
  let [text, isCut] = ["", false];
  for (const step of steps) {
    if (!("request" in step) || step.request !== last?.request) continue;
    if (step.type === "text") text += step.text;
    else if (step.type === "retry") text = "";
    else if (step.type === "finish") isCut = step.reason === "length";
  }
  return isCut && text.trimEnd().endsWith(answer.trimEnd());
}

type Prompted = Extract<Step, { readonly type: "prompt" }>;
type Prompt<T> = (task: T) => string | readonly Message[];

/** Demonstrations are earlier turns; a chain of thought is requested in the user's last message. */
const stageOf = <T extends SimpleTask>(
  { input }: LoadedTask<T>,
  shots: readonly LoadedTask<T>[],
  prompt: Prompt<T>,
): Stage => ({
  name: "answer",
  messages: (_, reasoning) => {
    const inSteps = reasoning === "steps";
    const [asked, begin] = [messagesOf(prompt(input)), inSteps ? "Answer: " : ""];
    const withSteps = inLast(asked, inSteps ? answerLine : undefined);
    if (shots.length === 0) return withSteps;
    const turns = shots.flatMap((shot): readonly Message[] => [
      ...messagesOf(prompt(shot.input)).filter(({ role }) => role !== "system"),
      { role: "assistant", content: `${begin}${textOf(shot.answer)}` },
    ]);
    const [system = [], rest = []] = [true, false].map((is) =>
      withSteps.filter(({ role }) => (role === "system") === is),
    );
    return [...system, ...turns, ...rest];
  },
  answer: (reply, reasoning) => (reasoning === "steps" ? behindAnswerLine(reply) : reply),
});

/** Returns the prompt of a suite whose requests are made of a template. */
export const answerPrompt = (text: string): PromptTemplate => ({
  name: "answer",
  role: "model",
  message: "user",
  protocol: "stages",
  text,
  slots: ["question"],
});

function promptOf<T extends SimpleTask>(prompt: Questions<T>["prompt"], task: T, spec: RunSpec) {
  if (typeof prompt !== "string") return prompt!(task, spec);
  const slots = Object.entries(task).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
  );
  return promptMessages(spec, [answerPrompt(prompt)], Object.fromEntries(slots) as Slots);
}

const messagesOf = (prompt: string | readonly Message[]): readonly Message[] =>
  typeof prompt === "string" ? [{ role: "user", content: prompt }] : prompt;

/** Appends a text to the last message if it is the user's, otherwise adds a message with it. */
function inLast(messages: readonly Message[], text: string | undefined): readonly Message[] {
  const last = messages.at(-1);
  if (text === undefined) return messages;
  if (last?.role !== "user") return [...messages, { role: "user", content: text }];
  return [...messages.slice(0, -1), { role: "user", content: `${last.content}\n\n${text}` }];
}

type Answered = { readonly id: string; readonly reply: string; readonly expected: string; readonly metric: string };

/** Throws `RangeError` for a value that is not from 0 to 1. */
function scoreOf(given: boolean | number | SimpleScore, { id, reply, expected, metric }: Answered): Score {
  const own = typeof given === "object" ? given : { value: Number(given) };
  const { value } = own;
  if (value !== undefined && !(value >= 0 && value <= 1))
    throw new RangeError(
      `Expected the score of task \`${id}\` to be true, false or a number from 0 to 1, got ${String(given)}`,
    );
  const kind = reply.trim() === "" ? "no-answer" : "wrong-answer";
  const mistakes = value === undefined || value >= (own.rightFrom ?? 1) ? [] : [{ kind, expected, got: reply }];
  const { metrics = {}, checks = [], errors = mistakes } = own;
  return { ...own, value, metrics: value === undefined ? metrics : { [metric]: value, ...metrics }, checks, errors };
}

/** Returns whether a score is available at once, and reports a mistake. */
function isWrong(given: ReturnType<Questions<SimpleTask>["score"]>): boolean {
  if (given instanceof Promise) return true;
  const value = typeof given === "object" ? given.value : Number(given);
  return value !== undefined && value < 1;
}

const textOf = (answer: Json): string => (typeof answer === "string" ? answer : JSON.stringify(answer));
