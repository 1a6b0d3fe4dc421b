/** `planwright sequential FILE.csv`: a test that is valid after every task, on scores from a file. */
import {
  alwaysValidP,
  BoundedPairTest,
  naturalOrder,
  seededOrder,
  type SequentialResult,
  SequentialSignTest,
} from "../../engine/statistics/sequential-test.ts";
import { BettingSequence, NormalSequence } from "../../engine/statistics/confidence-sequence.ts";
import { DataProblem } from "../../engine/text/json-lines.ts";
import { ArgumentProblem, type Arguments, type Flags, readArguments } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import { printedObject } from "../shell/output.ts";
import { oneFile, readTable } from "./table-file.ts";

const flags: Flags = {
  task: "text",
  a: "text",
  b: "text",
  score: "text",
  at: "text",
  seed: "text",
  order: { words: ["natural"] },
  alpha: "text",
  json: "nothing",
};

export const sequentialCommand: Command = {
  name: "sequential",
  summary: "test paired scores after every task, or give confidence sequences of a mean",
  usage: `planwright sequential FILE.csv --task COLUMN --a COLUMN --b COLUMN [--seed TEXT | --order natural] [--alpha 0.05] [--json]
planwright sequential FILE.csv --task COLUMN --score COLUMN --at N,... [--seed TEXT | --order natural] [--alpha 0.05] [--json]

Each row of FILE is a task with its scores from 0 to 1; several rows of a task are repeats and are averaged.
Tasks are read in an order that depends only on their names and --seed (default: 1), or in ascending order with --order natural.
The first form reports after how many tasks A and B differ; the second gives confidence sequences of a mean after N tasks.`,
  takes: ["file"],
  flags,
  async run(args, context) {
    const given = readArguments(args, flags);
    const { positionals, text, flag } = given;
    const file = oneFile(positionals, "scores");
    const alpha = given.number("alpha", { least: 1e-9, most: 0.5 }) ?? 0.05;
    const [task, score] = [given.needed("task", "COLUMN"), text("score")];
    const names = score === undefined ? [given.needed("a", "COLUMN"), given.needed("b", "COLUMN")] : [score];
    const found = score === undefined && text("at") === undefined;
    if (score !== undefined && (text("a") ?? text("b")) !== undefined)
      throw new ArgumentProblem("Expected `--score`, or `--a` and `--b`, got both");
    if (score === undefined && !found) throw new ArgumentProblem("Expected `--at` only together with `--score`");
    const tasks = ordered(readScores(file, task, names), given);
    if (text("order") === "natural")
      context.stderr("The file may be sorted by difficulty; a seeded order avoids that bias.\n");
    const result = score === undefined ? paired(tasks, alpha) : sequences(tasks, alpha, given);
    context.stdout(flag("json") ? printedObject(result) : sentences(result));
    return 0;
  },
};

/** A task's scores by column: the mean of its repeats. */
type Scored = { readonly scores: readonly number[]; readonly repeats: number };

/** Leaves out rows that lack one of the scores. Throws `DataProblem` for a score that is no number from 0 to 1. */
function readScores(file: string, task: string, columns: readonly string[]): ReadonlyMap<string, Scored> {
  const sums = new Map<string, { sums: number[]; repeats: number }>();
  for (const row of readTable(file, [task, ...columns])) {
    const texts = columns.map((column) => row.text(column));
    if (texts.includes("")) continue;
    const scores = texts.map((text, index) => {
      const value = Number(text);
      if (value >= 0 && value <= 1) return value;
      throw new DataProblem(
        `Expected \`${columns[index]}\` to be a number from 0 to 1 in ${file}:${row.line}, got \`${text}\``,
      );
    });
    const known = sums.get(row.text(task));
    if (known === undefined) sums.set(row.text(task), { sums: scores, repeats: 1 });
    else {
      known.sums = known.sums.map((sum, index) => sum + scores[index]!);
      known.repeats += 1;
    }
  }
  return new Map(
    [...sums].map(([id, { sums: each, repeats }]) => [id, { scores: each.map((sum) => sum / repeats), repeats }]),
  );
}

function ordered(tasks: ReadonlyMap<string, Scored>, { text }: Arguments): readonly Scored[] {
  const ids = [...tasks.keys()];
  if (text("order") !== undefined && text("seed") !== undefined)
    throw new ArgumentProblem("Expected `--seed` or `--order natural`, got both");
  const order = text("order") === "natural" ? naturalOrder(ids) : seededOrder(ids, text("seed") ?? "1");
  return order.map((id) => tasks.get(id)!);
}

function paired(tasks: readonly Scored[], alpha: number): object {
  const [sign, bounded] = [new SequentialSignTest(alpha), new BoundedPairTest(alpha)];
  for (const { scores } of tasks) {
    sign.take(scores[0]!, scores[1]!);
    bounded.take(scores[0]!, scores[1]!);
  }
  const found = signJson(sign.result);
  if (tasks.every(({ repeats }) => repeats === 1)) return found;
  const { stop, logE, maxLogE } = bounded;
  return { sign: found, bounded: { stop: stop ?? null, log_e_end: logE, max_log_e: maxLogE } };
}

const signJson = (result: SequentialResult): object => ({
  stop: result.stop ?? null,
  decision: result.decision ?? null,
  at_stop: result.atStop ?? null,
  wins: result.wins,
  losses: result.losses,
  n: result.n,
  log_e: result.logE,
  max_log_e: result.maxLogE,
  p_always: alwaysValidP(result),
});

function sequences(tasks: readonly Scored[], alpha: number, given: Arguments): object {
  const at = given.needed("at", "COLUMN").split(",").map(Number);
  const wrong = at.find((looks) => !Number.isInteger(looks) || looks < 1 || looks > tasks.length);
  if (wrong !== undefined)
    throw new ArgumentProblem(
      `Expected \`--at\` to be whole numbers from 1 to ${tasks.length}, got \`${given.text("at")}\``,
    );
  const [betting, normal] = [new BettingSequence(alpha), new NormalSequence(alpha)];
  const looks = tasks.map(({ scores: [score] }, index) => {
    const [one, other] = [betting.take(score!), normal.take(score!)];
    return [String(index + 1), { betting: [one.low, one.high], normal: [other.low, other.high] }] as const;
  });
  return { at: Object.fromEntries(looks.filter(([count]) => at.includes(Number(count)))) };
}

/** One line a value, for people. */
const sentences = (result: object, indent = ""): string =>
  Object.entries(result)
    .map(([name, value]) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? `${indent}${name}\n${sentences(value as object, `${indent}  `)}`
        : `${indent}${name}: ${value === null ? "-" : String(value)}\n`,
    )
    .join("");
