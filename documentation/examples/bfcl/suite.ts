/**
 * The single-turn categories of the Berkeley Function Calling Leaderboard, version 4. README.md beside this file says what
 * is there and what is not. Try it, with this file named by --with:
 *
 *     suite: bfcl
 *     split: [simple_python, live_multiple]
 *     model: builtin/oracle
 */
import { cot, define, direct, type LoadedSuite, stagedOutput, type Suite } from "planwright";
import { readCalls, replyOf, stageOf } from "./ask.ts";
import { answerFile, categories, type Category, questionFile } from "./categories.ts";
import { stepsOf } from "./describe.ts";
import { goldCalls } from "./gold.ts";
import { mistakes, type MistakeName } from "./mistakes.ts";
import { published, source } from "./published.ts";
import { errorKinds, measures, scoreReply, wrongIn } from "./score.ts";
import { expectedOf, type FunctionTask, readTasks } from "./tasks.ts";
import { bfclTurns } from "./turns/suite.ts";

const all = { name: "single-turn", title: "All single-turn categories" };

/** What each mistake is found as. */
const faults: readonly { readonly name: MistakeName; readonly title: string; readonly errors: readonly string[] }[] = [
  { name: "lost-call", title: "A call is missing", errors: ["wrong-count", "no-call"] },
  { name: "other-function", title: "A function of another name", errors: ["wrong-function"] },
  { name: "lost-argument", title: "An argument is missing", errors: ["missing-argument"] },
  { name: "invented-argument", title: "An argument too many", errors: ["unexpected-argument"] },
  { name: "other-value", title: "Another value", errors: ["wrong-value", "wrong-type"] },
];

export const bfcl: Suite<"stages"> = {
  name: "bfcl",
  title: "BFCL v4, single turn",
  revision: 1,
  ...published,
  splits: [all, ...categories.map(({ name, title }) => ({ name, title }))],
  facets: [
    { name: "category", title: "Category", order: categories.map(({ name }) => name) },
    { name: "language", title: "Language" },
    { name: "live", title: "Live" },
  ],
  strategies: [direct, cot],
  measures,
  errorKinds,
  faultKinds: faults,
  data: {
    source,
    files: categories.flatMap((category) => {
      const counted = { count: category.tasks, of: "tasks" };
      const questions = { path: questionFile(category), ...counted };
      return category.right === "expected" ? [questions, { path: answerFile(category), ...counted }] : [questions];
    }),
  },
  open: ({ folder }) => Promise.resolve(load(folder)),
};

function load(folder: string): LoadedSuite<FunctionTask, "stages"> {
  const read = new Map<string, Promise<readonly FunctionTask[]>>();
  const tasksOf = (category: Category) => {
    const tasks = read.get(category.name) ?? readTasks(folder, category);
    read.set(category.name, tasks);
    return tasks;
  };
  return {
    suite: bfcl,
    warnings: ["Asked for calls as JSON, in this example's own words: numbers of the leaderboard are of other prompts"],
    tasks: async (split) =>
      (await Promise.all(categories.filter(({ name }) => split === all.name || split === name).map(tasksOf))).flat(),
    shots: () => [],
    asks: { stages: (task) => [stageOf(task)] },
    score: (task, { answer }) => Promise.resolve(scoreReply(task, stagedOutput(answer))),
    floors,
    oracle: (task) => ({ text: replyOf(rightCalls(task)) }),
    fault(task, _, kind, random) {
      const fault = faults.find(({ name }) => name === kind);
      const calls = fault && mistakes[fault.name](rightCalls(task), random);
      if (fault === undefined || calls === undefined) return undefined;
      const text = replyOf(calls);
      // An argument that may be left out is no mistake where it is missing.
      return fault.errors.includes(wrongIn(task, text)?.kind ?? "") ? { text } : undefined;
    },
    describe(task, answer) {
      const plan = answer === undefined ? [] : (readCalls(stagedOutput(answer)) ?? []);
      const steps = { reference: stepsOf(rightCalls(task)), plan: stepsOf(plan) };
      const functions = JSON.stringify(task.input.functions, null, 2);
      return { ...steps, matches: [], background: [{ title: "Functions", text: functions }] };
    },
  };
}

/** Replies that need no model: a scorer that asks whether no call was made gives them full marks. */
const floors: NonNullable<LoadedSuite<FunctionTask>["floors"]> = () => [
  { name: "nothing", answer: () => "" },
  { name: "filler", answer: () => "I will gladly take care of that." },
  { name: "no call", answer: () => "[]" },
  {
    name: "always the first function",
    answer: ({ input }) => replyOf(input.functions.slice(0, 1).map(({ name }) => ({ [name]: {} }))),
  },
];

/** Where any call is right, one of the first function without arguments. */
function rightCalls(task: FunctionTask) {
  const { category, functions } = task.input;
  if (category.right === "expected") return goldCalls(expectedOf(task), functions, category.language);
  return category.right === "no-call" ? [] : functions.slice(0, 1).map(({ name }) => ({ [name]: {} }));
}

export default define({ suites: [bfcl, bfclTurns] });
