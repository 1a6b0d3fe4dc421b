/** The fields of the set-up form: which there are for what is chosen, and what each may hold. */
import { printable, width as widthOf } from "../../engine/text/printable.ts";
import type { Option } from "../../engine/option.ts";
import type { Workbench } from "../../engine/workbench/workbench.ts";
import type { Choice } from "../input/choice-list.tsx";
import { modelChoices, readModel } from "./model-choices.ts";
import { type FormValues, type Value, optionsOf, strategiesOf, suiteOf } from "./form-values.ts";

export type Field = {
  readonly name: string;
  readonly title: string;
  readonly choices: readonly Choice[];
  /** Several values make a grid (or, for a filter, are all let through). */
  readonly several: boolean;
  /** What holds while nothing is chosen, in words. */
  readonly standard: string;
  readonly note?: string;
  /** Reads what was typed; a string beginning with `Expected` says what is wrong. Absent where only choices may be taken. */
  readonly read?: (text: string) => Value | { readonly problem: string };
};

export function formFields(values: FormValues, workbench: Workbench): readonly Field[] {
  const suite = suiteOf(values, workbench.suites);
  if (suite === undefined) return [];
  const strategies = strategiesOf(values, suite);
  const roles = new Set(strategies.flatMap((strategy) => strategy.roles ?? []));
  const models = modelChoices(workbench);
  const model = (name: string, title: string, standard: string): Field => ({
    name,
    title,
    choices: models,
    several: true,
    standard,
    read: readModel,
  });
  const data = workbench.dataOf(suite.name);
  return [
    {
      name: "suite",
      title: "Benchmark",
      choices: workbench.suites.map(({ name, title }) => ({ value: name, title, note: name })),
      several: false,
      standard: suite.name,
    },
    {
      name: "split",
      title: "Tasks",
      choices: suite.splits.map(({ name, title }) => ({ value: name, title: name, note: title })),
      several: true,
      standard: suite.splits[0]?.name ?? "",
    },
    {
      name: "data",
      title: "Data",
      choices: data.map((name) => ({ value: name, title: name })),
      several: false,
      standard: data.includes("published") ? "published" : "sample",
    },
    ...(suite.generate === undefined ? [] : [generatedField]),
    {
      name: "strategy",
      title: "Strategy",
      choices: suite.strategies.map(({ name, title }) => ({ value: name, title: name, note: title })),
      several: true,
      standard: suite.strategies[0]?.name ?? "",
    },
    ...optionsOf(values, suite).map((option) => optionField(option, models)),
    ...(suite.maxShots > 0
      ? [wholeField("shots", "Demonstrations", range(0, suite.maxShots), "0", { least: 0, most: suite.maxShots })]
      : []),
    model("model", "Model", "none"),
    ...(roles.has("actor") ? [model("actor", "Actor", "none")] : []),
    ...(roles.has("responder") ? [model("responder", "Responder", "none")] : []),
    { ...model("judge", "Judge", "none"), note: "asked by benchmarks that score with a model" },
    {
      ...wholeField("limit", "Number of tasks", [10, 20, 50, 100, 200], "all", { least: 0 }),
      several: false,
      note: "a seeded sample over all kinds; 0 means all",
    },
    wholeField("seed", "Seed", [0, 1, 2, 3], "0", {}),
    wholeField("trial", "Trial", [1, 2, 3, 4, 5], "1", { least: 1 }),
    {
      name: "temperature",
      title: "Temperature",
      choices: choicesOf([0, 0.2, 0.7, 1]),
      several: true,
      standard: "0",
      read: readNumber(0, 2),
    },
    {
      name: "topP",
      title: "Top p",
      choices: choicesOf([0.1, 0.5, 0.9, 0.95, 1]),
      several: true,
      standard: "as the server has it",
      read: readNumber(0, 1),
    },
    wholeField("maxTokens", "Tokens per reply", [256, 512, 1024, 2048, 4096], "as the server has it", { least: 1 }),
    ...(suite.predictions === undefined || suite.predictions.sumsOnly === true ? [] : [predictionsField]),
    ...suite.facets.map(({ name, title, order }): Field => ({
      name: `filter.${name}`,
      title: `Only ${title.toLowerCase()}`,
      choices: choicesOf(order ?? []),
      several: true,
      standard: "any",
      read: readWord,
    })),
    ...limitFields(),
  ];
}

/** Not part of the cell: taking it makes tasks and installs them. */
export const generatedField: Field = {
  name: "fresh",
  title: "Make fresh tasks",
  choices: [60, 300, 4500].map((count) => ({ value: String(count), title: `${count} tasks`, note: "seed 0" })),
  several: false,
  standard: "as installed",
  note: "tasks no model can have seen, in place of those made before; type COUNT SEED for another seed",
  read: (text) =>
    readGenerated(text) === undefined ? { problem: "Expected COUNT or COUNT SEED, such as 300 7" } : text.trim(),
};

/** What was typed or taken: how many tasks, and their seed. */
export function readGenerated(text: string): { readonly count: number; readonly seed: number } | undefined {
  const [count, seed = "0", ...more] = text.trim().split(/\s+/);
  const read = { count: Number(count), seed: Number(seed) };
  const fits =
    Number.isSafeInteger(read.count) &&
    read.count > 0 &&
    read.count <= 100_000 &&
    Number.isSafeInteger(read.seed) &&
    read.seed >= 0;
  return fits && more.length === 0 ? read : undefined;
}

const predictionsField: Field = {
  name: "predictions",
  title: "Answers from a file",
  choices: [],
  several: true,
  standard: "none: the model is asked",
  note: "answers made elsewhere, scored as they are; a path from the session's folder",
  read: (text) => (text.trim() === "" ? { problem: "Expected the path of a file" } : text.trim()),
};

/** What ends a task, or the whole run, before its time. */
function limitFields(): Field[] {
  const amounts = { steps: [10, 20, 50], tokens: [10_000, 100_000], seconds: [60, 300, 3600], cost: [0.1, 1, 10] };
  return (["task", "run"] as const).flatMap((scope) =>
    Object.entries(amounts).map(([name, values]): Field => {
      const read = (text: string) => {
        const value = readNumber(0, Infinity)(text);
        return value === 0 ? { problem: "Expected more than 0" } : value;
      };
      const title = `Most ${name === "steps" ? "requests" : name} a ${scope}`;
      const note = name === "cost" ? "in the currency of the endpoint's prices" : `ends the ${scope}, with what it has`;
      const field = { name: `budget.${scope}.${name}`, title, note, read };
      return { ...field, choices: choicesOf(values), several: false, standard: "no limit" };
    }),
  );
}

function optionField(
  { name, title, values, words = [], default: standard, note }: Option,
  models: readonly Choice[],
): Field {
  const field = { name, title, several: true, standard: String(standard), ...(note !== undefined && { note }) };
  if (values === "number") return { ...field, choices: choicesOf([standard]), read: readNumber(-Infinity, Infinity) };
  if (values === "model") {
    const real = models.filter(({ value }) => !value.startsWith("builtin/"));
    const read = (text: string) => (words.includes(text.trim()) ? text.trim() : readModel(text));
    return { ...field, choices: [...choicesOf(words), ...real], read };
  }
  if (values === "text") return { ...field, choices: choicesOf(standard === "" ? [] : [standard]), read: readWord };
  return { ...field, choices: choicesOf(values) };
}

function wholeField(
  name: string,
  title: string,
  values: readonly number[],
  standard: string,
  bounds: { least?: number; most?: number },
): Field {
  const { least = -Infinity, most = Infinity } = bounds;
  const read = (text: string) => {
    const value = readNumber(least, most)(text);
    return typeof value === "number" && !Number.isSafeInteger(value) ? { problem: "Expected a whole number" } : value;
  };
  return { name, title, choices: choicesOf(values), several: true, standard, read };
}

function choicesOf(values: readonly Value[]): Choice[] {
  return values.map((value) => ({ value: String(value), title: String(value) }));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function readNumber(least: number, most: number) {
  return (text: string): Value | { problem: string } => {
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (!Number.isFinite(value)) return { problem: "Expected a number" };
    if (value < least) return { problem: `Expected at least ${least}` };
    return value > most ? { problem: `Expected at most ${most}` } : value;
  };
}

function readWord(text: string): Value {
  return text.trim() !== "" && String(Number(text)) === text.trim() ? Number(text) : text.trim();
}

/** The value of a field that a choice stands for, with the type the field has. */
export function valueOf(field: Field, choice: string): Value {
  if (field.name === "suite" || field.name === "split" || field.name === "strategy" || field.name === "data")
    return choice;
  // A file may be called `2024`.
  if (field.name === "predictions") return choice;
  const value = field.read?.(choice) ?? readWord(choice);
  return typeof value === "object" ? choice : value;
}

/** A field's values in words: what was chosen, or the default in brackets. */
export function shownValue(field: Field, values: FormValues): { readonly text: string; readonly set: boolean } {
  const own = values.get(field.name);
  if (own === undefined) return { text: `(${field.standard})`, set: false };
  return { text: own.join(", "), set: true };
}

/** Titles are whole as long as half of the window is enough for them. */
export function titleColumns(fields: readonly Field[], width: number): number {
  const longest = Math.max(width < 100 ? 24 : 36, ...fields.map(({ title }) => widthOf(printable(title))));
  return Math.min(Math.max(24, width >> 1), longest);
}
