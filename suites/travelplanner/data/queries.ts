/** Reading trip requests, from JSON Lines or from the hub's CSV, in which some fields are Python literals in strings. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DataProblem, readJsonLines } from "../../../source/engine/text/json-lines.ts";
import { isRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { contentOf } from "./archive.ts";
import { readCsv } from "./csv.ts";
import { readLiteral } from "./literal.ts";
import type { Level, LocalConstraint, Query } from "../score/plan.ts";
import type { Block } from "../ask/reference.ts";

export type Request = { readonly query: Query; readonly plan: Json; readonly information?: readonly Block[] };

/** Where a split's requests may lie; the first that is there counts. */
export const QUERY_FILES: Readonly<Record<string, readonly string[]>> = {
  train: ["queries/train.jsonl", "queries/train.csv"],
  validation: ["queries/validation.jsonl", "queries/validation.csv", "queries/validation_reconstructed.jsonl"],
  test: ["queries/test.jsonl", "queries/test.csv"],
};

/** Stands where the publisher hides what a test request asks for: such requests are played and exported, never scored. */
const HIDDEN = {
  visiting_city_number: 0,
  people_number: 1,
  local_constraint: { "house rule": null, cuisine: null, "room type": null, transportation: null },
  budget: 0,
  date: [],
};

/** The requests of a split with their human plans (null where there is none), in file order. */
export async function readQueries(folder: string, split: string): Promise<readonly Request[]> {
  const files = QUERY_FILES[split] ?? [];
  const file = files.find((name) => existsSync(join(folder, name)));
  if (file === undefined) {
    throw new DataProblem(`Expected the \`${split}\` queries at ${join(folder, files[0] ?? split)}, found none`);
  }
  const path = join(folder, file);
  const lines = file.endsWith(".csv") ? await readRecords(path) : await readJsonLines(path);
  const whole = split === "test" ? lines.map(withHidden) : lines;
  return whole.map((line, index) => readQuery(line, `line ${index + 1} of ${file}`, index + 1));
}

function withHidden(line: Json): Json {
  if (typeof line !== "object" || line === null || Array.isArray(line)) return line;
  return { ...HIDDEN, ...(line as { readonly [field: string]: Json }) };
}

/** The hub's CSV: texts throughout, so numbers are read here. */
async function readRecords(path: string): Promise<readonly Json[]> {
  const [header = [], ...rows] = await csvRows(path);
  const numbers = new Set(["days", "visiting_city_number", "people_number", "budget", "idx"]);
  return rows.map((row) => {
    const fields = header.map((name, index): [string, Json] => {
      const cell = row[index] ?? "";
      return [name, numbers.has(name) && cell.trim() !== "" ? Number(cell) : cell];
    });
    return Object.fromEntries(fields);
  });
}

async function csvRows(path: string): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  await readCsv(contentOf(path), path, (cells) => rows.push(cells));
  return rows;
}

/** One request; `where` is used in errors, `number` is its index when it names none. */
export function readQuery(value: Json, where: string, number: number): Request {
  const fields = objectOf(value, where);
  const field = (name: string) => (Object.hasOwn(fields, name) ? fields[name]! : null);
  const text = (name: string) => textOf(field(name), name, where);
  const literal = (name: string) => {
    const given = field(name);
    return typeof given === "string" ? readLiteral(given) : given;
  };
  const count = (name: string) => countOf(field(name), name, where);
  const level = text("level");
  if (level !== "easy" && level !== "medium" && level !== "hard") {
    throw new DataProblem(`Expected \`level\` in ${where} to be easy, medium or hard, got \`${level}\``);
  }
  const dates = literal("date");
  const query: Query = {
    idx: field("idx") === null ? number : count("idx"),
    org: text("org"),
    dest: text("dest"),
    days: count("days"),
    visiting_city_number: count("visiting_city_number"),
    date: listOf(dates, "date", where),
    people_number: count("people_number"),
    local_constraint: constraintOf(literal("local_constraint"), where),
    budget: count("budget"),
    query: text("query"),
    level: level satisfies Level,
  };
  const information = informationOf(literal("reference_information"));
  return { query, plan: planOf(literal("annotated_plan")), ...(information === undefined ? {} : { information }) };
}

function informationOf(value: Json | undefined): readonly Block[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const isBlock = (block: Json) =>
    typeof block === "object" &&
    block !== null &&
    "Description" in block &&
    typeof block["Description"] === "string" &&
    typeof block["Content"] === "string";
  return value.every(isBlock) ? (value as readonly Block[]) : undefined;
}

/** The hub keeps the query's own fields in front of the plan and pads it with empty days. */
function planOf(value: Json | undefined): Json {
  if (!Array.isArray(value)) return null;
  const days = Array.isArray(value[1]) ? (value[1] as readonly Json[]) : (value as readonly Json[]);
  return days.filter((day) => typeof day === "object" && day !== null && Object.keys(day).length > 0);
}

function constraintOf(value: Json | undefined, where: string): LocalConstraint {
  const fields = objectOf(value ?? null, `\`local_constraint\` in ${where}`);
  const choice = (name: string) => {
    const given = Object.hasOwn(fields, name) ? fields[name]! : null;
    return given === null ? null : textOf(given, name, where);
  };
  const cuisine = Object.hasOwn(fields, "cuisine") ? fields["cuisine"]! : null;
  return {
    "house rule": choice("house rule"),
    cuisine: cuisine === null ? null : listOf(cuisine, "cuisine", where),
    "room type": choice("room type"),
    transportation: choice("transportation"),
  };
}

function objectOf(value: Json, where: string): { readonly [key: string]: Json } {
  if (isRecord(value)) return value;
  throw new DataProblem(`Expected an object in ${where}, got ${JSON.stringify(value)?.slice(0, 60)}`);
}

function textOf(value: Json, name: string, where: string): string {
  if (typeof value === "string") return value;
  throw new DataProblem(`Expected \`${name}\` in ${where} to be text, got ${JSON.stringify(value).slice(0, 60)}`);
}

function countOf(value: Json, name: string, where: string): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw new DataProblem(
    `Expected \`${name}\` in ${where} to be a whole number, got ${JSON.stringify(value).slice(0, 60)}`,
  );
}

function listOf(value: Json | undefined, name: string, where: string): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value as readonly string[];
  throw new DataProblem(
    `Expected \`${name}\` in ${where} to be a list of texts, got ${JSON.stringify(value)?.slice(0, 60)}`,
  );
}
