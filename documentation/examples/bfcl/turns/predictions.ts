/** `planwright score bfcl-turns`: results of BFCL's own harness, or of another, scored without asking a model. */
import { type Figure, type Json, Problem, type Suite, type Task } from "planwright";
import { pythonCall, readReply } from "./calls.ts";
import type { Turns } from "./check.ts";
import { scoreTurns, turnErrorKinds, wrongIn } from "./score.ts";
import { readTurnTasks, turnCategories, type TurnsTask } from "./tasks.ts";

/**
 * A line is `{"id", "result"}`, `result` by turn and step: a text as a prompted model writes it, or a list of calls, each a text
 * in Python or `{"NAME": "ARGUMENTS AS JSON"}` as BFCL keeps function calls. Steps without calls that can be read are left out.
 */
export const predictions: NonNullable<Suite["predictions"]> = {
  splits: turnCategories.map(({ name }) => name),
  async score({ lines, folder, split }) {
    const tasks = new Map((await readTurnTasks(folder, split)).map((task) => [task.id, task] as const));
    const scored = lines.map(({ number, value }) => {
      const { id, result } = (value ?? {}) as { readonly id?: Json; readonly result?: Json };
      const task = tasks.get(String(id));
      if (task === undefined)
        throw new Problem(
          "bug",
          `Line ${number}: Expected the \`id\` of a task of \`${split}\`, got ${JSON.stringify(id)}`,
        );
      return { task, turns: turnsOf(result, number) };
    });
    const records = scored.map(({ task, turns }) => recordOf(task, turns));
    const right = records.filter(({ valid }) => valid).length;
    return {
      records,
      aggregate: { n: records.length, right },
      figures: [figureOf(split, records)],
      entries: scored.map(({ task, turns }) => {
        const answer = { turns, end: turns.length === task.answer.length ? "done" : "step limit" };
        return { task: task as Task, answer, score: scoreTurns(task, answer) };
      }),
    };
  },
};

/** How many tasks are right, and how many are wrong for each reason. */
function figureOf(split: string, records: readonly ReturnType<typeof recordOf>[]): Figure {
  const of = (kind: string) => records.filter(({ error }) => error === kind).length;
  const counts = [
    ["Right", records.filter(({ valid }) => valid).length],
    ...turnErrorKinds.map(({ name, title }) => [title, of(name)] as const),
  ] as const;
  return {
    kind: "table",
    title: `BFCL v4, ${split}`,
    notes: ["A task is counted by the first thing that is wrong in it"],
    columns: [
      { title: "Result", align: "left" },
      { title: "Tasks", align: "right" },
    ],
    rows: counts.map(([title, count]) => [{ text: title }, { text: String(count), value: count }]),
  };
}

function recordOf(task: TurnsTask, turns: Turns) {
  const wrong = wrongIn(task, turns);
  return wrong === undefined
    ? { id: task.id, valid: true }
    : { id: task.id, valid: false, error: wrong.kind, turn: wrong.turn };
}

function turnsOf(result: Json | undefined, number: number): Turns {
  if (!Array.isArray(result) || !result.every((turn) => Array.isArray(turn)))
    throw new Problem("bug", `Line ${number}: Expected \`result\` as a list of turns, each a list of steps`);
  return (result as Json[][]).map((turn) => turn.map(callsOf).filter((calls) => calls.length > 0));
}

/** The calls of a step; none if they cannot be read. */
function callsOf(step: Json): readonly string[] {
  if (typeof step === "string") return readReply(step) ?? [];
  if (!Array.isArray(step)) return [];
  const calls = step.map((call): string | undefined => {
    if (typeof call === "string") return call;
    const [[name, given] = []] = Object.entries((call ?? {}) as { readonly [name: string]: Json });
    if (name === undefined) return undefined;
    return pythonCall({ name, text: typeof given === "string" ? given : JSON.stringify(given) });
  });
  const read = calls.filter((call) => call !== undefined);
  return read.length === calls.length ? read : [];
}
