/**
 * The answers on which BFCL's checker and ours are compared: the right calls of every task, and 300 seeded changes of them. Run as a
 * program, it writes them for verdicts.py next to it: `node answers.ts FOLDER-OF-WHEEL > answers.jsonl`.
 */
import { categories } from "../../../documentation/examples/bfcl/categories.ts";
import type { Call, Question } from "../../../documentation/examples/bfcl/checker.ts";
import { goldCalls } from "../../../documentation/examples/bfcl/gold.ts";
import { changedValue, mistakes } from "../../../documentation/examples/bfcl/mistakes.ts";
import { expectedOf, type FunctionTask, readTasks } from "../../../documentation/examples/bfcl/tasks.ts";
import { isList, type Value, written } from "../../../documentation/examples/bfcl/value.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";

/** `seed` is 0 for the right calls. */
export type Answer = {
  readonly category: string;
  readonly task: string;
  readonly seed: number;
  readonly calls: readonly Call[];
  readonly question: Question;
};

export async function answersOf(folder: string): Promise<readonly Answer[]> {
  const scored = categories.filter(({ right }) => right === "expected");
  const tasks = await Promise.all(scored.map((category) => readTasks(folder, category)));
  const changed = Array.from({ length: 300 }, (_, index) => changedAnswer(tasks[index % tasks.length]!, index + 1));
  return [...tasks.flat().map(goldAnswer), ...changed];
}

function goldAnswer(task: FunctionTask): Answer {
  const { category, functions } = task.input;
  const question = { functions, expected: expectedOf(task), language: category.language };
  const calls = goldCalls(question.expected, functions, category.language);
  return { category: category.name, task: task.id, seed: 0, calls, question };
}

/** Mistakes, and changes of which some leave an answer right. */
const changes = [
  ...Object.values(mistakes),
  (calls: readonly Call[]) => calls.toReversed(),
  (calls: readonly Call[], random: () => number) => changedValue(calls, random, restyled),
  (calls: readonly Call[], random: () => number) => changedValue(calls, random, retyped),
  (calls: readonly Call[], random: () => number) => changedValue(calls, random, (value) => [value]),
  (calls: readonly Call[], random: () => number) => changedValue(calls, random, () => ""),
  (calls: readonly Call[], random: () => number) => changedValue(calls, random, () => []),
  (calls: readonly Call[], random: () => number) => changedValue(calls, random, literally),
];

function changedAnswer(tasks: readonly FunctionTask[], seed: number): Answer {
  const random = randomFrom(seed);
  for (;;) {
    const gold = goldAnswer(tasks[Math.floor(random() * tasks.length)]!);
    const calls = changes[Math.floor(random() * changes.length)]!(gold.calls, random);
    if (calls !== undefined) return { ...gold, seed, calls: otherAccepted(calls, gold.question, random) };
  }
}

/** The first call with the last accepted value of one argument, in every second answer. */
function otherAccepted(calls: readonly Call[], { expected }: Question, random: () => number): readonly Call[] {
  const [[name, accepted] = ["", {}]] = Object.entries(expected[0] ?? {});
  const keys = Object.keys(accepted);
  const key = keys[Math.floor(random() * keys.length)];
  const value = key === undefined ? undefined : accepted[key]!.findLast((each) => typeof each !== "object");
  const first = calls[0]?.[name];
  if (random() < 0.5 || key === undefined || value === undefined || first === undefined) return calls;
  return calls.with(0, { [name]: { ...first, [key]: value } });
}

function restyled(value: Value): Value {
  if (typeof value === "string") return ` ${value.toUpperCase().replaceAll('"', "'")}.`;
  return isList(value) ? value.map(restyled) : value;
}

/** 5 as 5.0, and 5.0 as 5. */
function retyped(value: Value): Value {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  return isList(value) ? value.map(retyped) : value;
}

/** Literals of Java and JavaScript, with whether each was right. */
function literally(value: Value, random: () => number): Value {
  const text = typeof value === "string" ? value : written(value);
  const forms = [
    `"${text}"`,
    `'${text}'`,
    `${text}L`,
    `${text}f`,
    `${text}n`,
    `[${text}]`,
    `[[${text}], [1, "a"]]`,
    `new Array(${text})`,
    `{"a": ${text}, 'b': [1, 2.5], c: {}}`,
    `new int[]{${text}}`,
    `new ArrayList<>(Arrays.asList(${text}))`,
    `new ArrayList<String>() {{ add("${text}"); add(1); }}`,
    `new HashMap<String, Object>() {{ put("a", ${text}); put("b", 2L); }}`,
    "true",
    "1e3",
  ];
  return forms[Math.floor(random() * forms.length)]!;
}

if (import.meta.main) {
  for (const { category, task, seed, calls } of await answersOf(process.argv[2]!)) {
    const given = calls.map((call) => written(call)).join(", ");
    console.log(`{"category": "${category}", "task": "${task}", "seed": ${seed}, "calls": [${given}]}`);
  }
}
