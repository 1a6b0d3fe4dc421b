/**
 * The categories of several turns of the Berkeley Function Calling Leaderboard, version 4, in systems of this example's own.
 * README.md of the folder above says what is there and what is not.
 */
import type { Asked, LoadedSuite, Reply, Suite } from "planwright";
import { published, source } from "../published.ts";
import { modelCall, nameOf } from "./calls.ts";
import { Systems } from "./execute.ts";
import { predictions } from "./predictions.ts";
import { answerOf, scoreTurns, turnErrorKinds, turnMeasures, wrongIn } from "./score.ts";
import { mostSteps, openSystems, turns, type TurnsAnswer } from "./strategy.ts";
import { tableFiles } from "./tables.ts";
import { descriptionPaths, readTurnTasks, turnAnswerFile, turnCategories, turnFile, type TurnsTask } from "./tasks.ts";

const all = { name: "multi-turn", title: "All categories of several turns" };

/** What each mistake is found as. */
const faults = [
  { name: "lost-turn", title: "Nothing is done in a turn", errors: ["empty-turn"] },
  { name: "lost-call", title: "A call is missing", errors: ["state", "results"] },
];

export const bfclTurns: Suite<"environment"> = {
  name: "bfcl-turns",
  title: "BFCL v4, several turns",
  revision: 1,
  ...published,
  splits: [...turnCategories.map(({ name, title }) => ({ name, title })), all],
  facets: [
    { name: "category", title: "Category", order: turnCategories.map(({ name }) => name) },
    { name: "turns", title: "Turns" },
    { name: "systems", title: "Systems" },
  ],
  strategies: [turns],
  measures: turnMeasures,
  errorKinds: turnErrorKinds,
  faultKinds: faults,
  data: {
    source,
    files: [
      ...turnCategories.flatMap(({ name, tasks: count }) =>
        [turnFile(name), turnAnswerFile(name)].map((path) => ({ path, count, of: "tasks" })),
      ),
      ...descriptionPaths.map((path) => ({ path })),
      ...tableFiles,
    ],
  },
  predictions,
  open: ({ folder }) => Promise.resolve(load(folder)),
};

function load(folder: string): LoadedSuite<TurnsTask, "environment"> {
  const read = new Map<string, Promise<readonly TurnsTask[]>>();
  const tasksOf = (category: string) => {
    const tasks = read.get(category) ?? readTurnTasks(folder, category);
    read.set(category, tasks);
    return tasks;
  };
  return {
    suite: bfclTurns,
    warnings: ["The sentence in which functions are added is this example's own"],
    tasks: async (split) => {
      const named = turnCategories.filter(({ name }) => split === all.name || split === name);
      return (await Promise.all(named.map(({ name }) => tasksOf(name)))).flat();
    },
    shots: () => [],
    asks: {
      environment: {
        open: ({ input }) => Promise.resolve(openSystems(input)),
        limits: ({ input }) => ({
          requests: input.turns.length * (mostSteps + 1),
          prompt: Math.ceil(JSON.stringify(input.functions).length / 3),
          reply: 100,
        }),
        plan: ({ answer }) => answer.flat().map(nameOf),
      },
    },
    score: (task, { answer }) => Promise.resolve(scoreTurns(task, answer)),
    floors,
    oracle: perfectReply,
    fault: faultyReply,
    describe(task, answer) {
      const reference = stepsOf(task.answer.map((calls) => [calls]));
      const plan = stepsOf(answerOf(answer)?.turns ?? []);
      const functions = JSON.stringify(task.input.functions, null, 2);
      return {
        reference,
        plan,
        matches: matchesOf(reference, plan),
        background: [{ title: "Functions", text: functions }],
      };
    },
  };
}

/** Trivial answers: nothing is ever called; and the first function, without arguments, in every turn. */
const floors: NonNullable<LoadedSuite<TurnsTask>["floors"]> = () => {
  const answer = (calls: (task: TurnsTask) => readonly string[]) => (task: TurnsTask) =>
    ({
      turns: task.answer.map(() => [calls(task)].filter(({ length }) => length > 0)),
      end: "done",
    }) satisfies TurnsAnswer;
  return [
    { name: "nothing", answer: answer(() => []) },
    {
      name: "always the first function",
      answer: answer(({ input }) => input.functions.slice(0, 1).map(({ name }) => `${name}()`)),
    },
  ];
};

/** The turn that a request is in, and whether its calls were made. */
function placeOf({ messages }: Asked): { readonly turn: number; readonly isMade: boolean } {
  const said = messages.filter(({ role }) => role === "user").length;
  return { turn: said - 1, isMade: messages.at(-1)?.role !== "user" };
}

function perfectReply(task: TurnsTask, asked: Asked): Reply {
  const { turn, isMade } = placeOf(asked);
  return isMade ? { text: "Done." } : replyOf(task, task.answer[turn] ?? []);
}

function replyOf({ input }: TurnsTask, calls: readonly string[]): Reply {
  if (calls.length === 0) return { text: "I cannot do this." };
  const systems = new Systems(input.world, "planwright");
  const made = calls.map((call, index) => ({
    id: `call-${index}`,
    ...modelCall(call, (name) => systems.argumentsOf(name)),
  }));
  return { text: "", calls: made };
}

/** A mistake in the first turn in which it makes the task wrong. */
function faultyReply(task: TurnsTask, asked: Asked, kind: string): Reply | undefined {
  const { turn, isMade } = placeOf(asked);
  const fault = faults.find(({ name }) => name === kind);
  if (isMade || fault === undefined) return undefined;
  const lessOf = (calls: readonly string[]) => (kind === "lost-turn" ? [] : calls.slice(0, -1));
  const first = task.answer.findIndex((calls, index) => {
    if (calls.length < (kind === "lost-turn" ? 1 : 2)) return false;
    const spoilt = task.answer.with(index, lessOf(calls));
    const found = wrongIn(
      task,
      spoilt.map((each) => (each.length === 0 ? [] : [each])),
    );
    return found !== undefined && fault.errors.includes(found.kind);
  });
  return first === turn ? replyOf(task, lessOf(task.answer[turn]!)) : undefined;
}

type Shown = { readonly title: string; readonly lines: readonly string[]; readonly needs: readonly number[] };

function stepsOf(all: TurnsAnswer["turns"]): readonly Shown[] {
  return all.flatMap((steps, turn) =>
    steps.flat().map((call) => ({ title: `Turn ${turn + 1}: ${nameOf(call)}`, lines: [call], needs: [] })),
  );
}

/** Pairs equal calls of the same turn, each once. */
function matchesOf(reference: readonly Shown[], plan: readonly Shown[]): (readonly [number, number])[] {
  const keyOf = ({ title, lines: [call = ""] }: Shown) => `${title} ${call.replaceAll(/\s/g, "")}`;
  const free = plan.map(keyOf);
  return reference.flatMap((step, index): (readonly [number, number])[] => {
    const at = free.indexOf(keyOf(step));
    if (at === -1) return [];
    free[at] = "";
    return [[index, at]];
  });
}
