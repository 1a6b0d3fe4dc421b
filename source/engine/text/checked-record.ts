/** Checks records of data files against a schema as they are read, with errors that name file, place and field. */
import { z } from "zod";
import { DataProblem, parsedLines, readText } from "./json-lines.ts";
import { PredictionProblem } from "../prediction.ts";
import { eventLoopYielder } from "../work/event-loop.ts";
import { quickCheck } from "../work/quick-check.ts";
import { valueAt } from "../work/value-at.ts";
import type { Json } from "../types.ts";

/** Any JSON value, for fields that are not checked: the result of `JSON.parse` needs no second check. */
export const anyJson = z.custom<Json>((value) => value !== undefined, "a JSON value");

type Immutable<T> = Json extends T ? T : T extends object ? { readonly [Key in keyof T]: Immutable<T[Key]> } : T;
/** The values that a schema accepts, read-only throughout. */
export type Fitting<Schema extends z.ZodType> = Immutable<z.infer<Schema>>;

const named = z.custom<unknown>(
  (value) => typeof value !== "object" || value === null || !Object.hasOwn(value, "__proto__"),
  "an object without the key `__proto__`",
);

/**
 * An object with any keys and values of one type. Not `z.record`, which accepts any value under the key `__proto__`, and takes
 * more than twice as long.
 */
export const recordOf = <T>(value: z.ZodType<T>) => named.pipe(z.object({}).catchall(value));

/**
 * Returns this value if it matches the schema. The value itself is returned, not a copy: the order of its keys and unknown fields
 * stay, so schemas here only check (no defaults, no transforms). Throws `DataProblem` such as ``Expected `output.name` in
 * tasks.jsonl line 12 to be text, got `5` ``.
 *
 * `where` names file and place; a function is only called when it is needed.
 */
export function checkedRecord<T>(schema: z.ZodType<T>, value: unknown, where: string | (() => string)): T {
  return checkedValue(schema, value, (misfit) => {
    throw new DataProblem(misfitText(misfit, typeof where === "string" ? where : where()));
  });
}

/** Returns the value of a predictions file's line if it matches the schema. Throws `PredictionProblem` with the line's number. */
export function checkedPrediction<T>(schema: z.ZodType<T>, value: unknown, line: number): T {
  return checkedValue(schema, value, (misfit) => {
    throw new PredictionProblem(line, misfitText(misfit));
  });
}

/**
 * Returns the value of `read` for a line of a predictions file; its `DataProblem` becomes a `PredictionProblem` of the line.
 */
export function readOfLine<Value>(line: number, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof DataProblem) throw new PredictionProblem(line, error.message);
    throw error;
  }
}

/** The first part of a value that does not match the schema: its path, the expectation and the actual value. */
export type Misfit = { readonly path: readonly (string | number)[]; readonly expected: string; readonly got: string };

/** Checks for readers with their own errors: `refuse` receives the first part that does not match the schema, and throws. */
export function checkedValue<T>(schema: z.ZodType<T>, value: unknown, refuse: (misfit: Misfit) => never): T {
  if (quickCheck(schema)(value)) return value as T;
  const { error } = schema.safeParse(value);
  if (error === undefined) return value as T;
  const { path, expected } = innermost(error.issues[0]!);
  return refuse({
    path: path.map((key) => (typeof key === "symbol" ? String(key) : key)),
    expected,
    got: shown(valueAt(value, path)),
  });
}

/** Describes the part in words; `where` is file and place. */
export function misfitText({ path, expected, got }: Misfit, where?: string): string {
  const named = [...(path.length === 0 ? [] : [`\`${path.join(".")}\``]), ...(where === undefined ? [] : [where])];
  return `Expected ${named.length === 0 ? "" : `${named.join(" in ")} to be `}${expected}, got \`${got}\``;
}

/** Returns the items of a list, each checked; `where` is the file, or the part of it with the list. Indexes start at 0. */
export function checkedList<T>(schema: z.ZodType<T>, value: Json | undefined, where: string): readonly T[] {
  if (!Array.isArray(value)) throw new DataProblem(`Expected ${where} to be a list, got \`${shown(value)}\``);
  for (const [index, item] of value.entries()) checkedRecord(schema, item, () => `${where} item ${index}`);
  return value;
}

/**
 * Reads the records of a JSON Lines file, each checked; blank lines are skipped. Throws `DataProblem` naming file and line.
 * Yields to the event loop in between, so that a screen stays responsive.
 */
export async function readJsonRecords<T>(path: string, schema: z.ZodType<T>): Promise<T[]> {
  const yieldIfDue = eventLoopYielder();
  const records: T[] = [];
  for (const { number, value } of parsedLines(await readText(path), path)) {
    records.push(checkedRecord(schema, value, () => `${path} line ${number}`));
    await yieldIfDue();
  }
  return records;
}

type Expectation = { readonly path: readonly PropertyKey[]; readonly expected: string };

/** If a union fails inside the single member that matches furthest, that member's issue is reported. */
function innermost(issue: z.core.$ZodIssue): Expectation {
  const inner = issue.code === "invalid_union" ? issue.errors.flatMap((issues) => issues.slice(0, 1)) : [];
  const deep = inner.filter(({ path }) => path.length > 0);
  if (deep.length !== 1) return { path: issue.path, expected: expectedOf(issue) };
  const { path, expected } = innermost(deep[0]!);
  return { path: [...issue.path, ...path], expected };
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

function expectedOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return isDefault(issue) ? (typeNames[issue.expected] ?? `of type ${issue.expected}`) : issue.message;
    case "invalid_value":
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return sized(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum);
    case "too_big":
      return sized(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum);
    case "unrecognized_keys":
      return `without \`${issue.keys.join("`, `")}\``;
    case "invalid_union":
      return isDefault(issue) ? alternatives(issue) : issue.message;
    default:
      return issue.message;
  }
}

/** False if the schema has its own text for the expectation. */
const isDefault = ({ message }: z.core.$ZodIssue): boolean => message.startsWith("Invalid input");

function sized(origin: string, bound: string, limit: number | bigint): string {
  if (origin === "string")
    return limit === 1 && bound === "at least" ? "text that is not empty" : `text of ${bound} ${limit} characters`;
  return origin === "array" ? `a list of ${bound} ${limit} items` : `${bound} ${limit}`;
}

const alternatives = (issue: z.core.$ZodIssueInvalidUnion): string =>
  [...new Set(issue.errors.flatMap((issues) => issues.slice(0, 1).map(expectedOf)))].join(" or ");

/** Truncates long values, because a data set is hostile and a message is one line. */
function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
