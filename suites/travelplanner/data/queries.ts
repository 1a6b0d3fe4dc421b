/** Reads trip requests from JSON Lines or from the hub's CSV, in which some fields are Python literals in strings. */
import { join } from "node:path";
import { z } from "zod";
import { anyJson, checkedRecord, recordOf } from "../../../source/engine/text/checked-record.ts";
import { MissingFile, parseJsonLines, readText } from "../../../source/engine/text/json-lines.ts";
import { field, isRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { contentOf } from "./archive.ts";
import { readCsv } from "./csv.ts";
import { readLiteral } from "./literal.ts";
import { QUERY_FILES, queryFile } from "./query-files.ts";
import type { Day, Query } from "../score/plan.ts";
import type { Block } from "../ask/reference.ts";

export type Request = {
  readonly query: Query;
  /** The human plan, or null. */
  readonly plan: readonly Day[] | null;
  /** Information that comes with the request. */
  readonly information?: readonly Block[];
};

/**
 * Placeholder for the test split, whose constraints the publisher withholds. Its requests are executed and exported, never
 * scored.
 */
const HIDDEN = {
  visiting_city_number: 0,
  people_number: 1,
  local_constraint: { "house rule": null, cuisine: null, "room type": null, transportation: null },
  budget: 0,
  date: [],
};

const texts = z.array(z.string(), "a list of texts");
const count = z.int("a whole number").min(0);
const day: z.ZodType<Day> = z.object({
  days: z.int(),
  current_city: z.string(),
  transportation: z.string(),
  breakfast: z.string(),
  attraction: z.string(),
  lunch: z.string(),
  dinner: z.string(),
  accommodation: z.string(),
});
const block: z.ZodType<Block> = z.object({ Description: z.string(), Content: z.string() });
const requestRecord = z.object({
  idx: count,
  org: z.string(),
  dest: z.string(),
  days: count,
  visiting_city_number: count,
  date: texts,
  people_number: count,
  local_constraint: z.object({
    "house rule": z.string().nullish(),
    cuisine: texts.nullish(),
    "room type": z.string().nullish(),
    transportation: z.string().nullish(),
  }),
  budget: count,
  query: z.string(),
  level: z.enum(["easy", "medium", "hard"]),
  annotated_plan: z.array(day).nullable(),
  reference_information: z.array(block).nullable(),
});

/**
 * Reads the requests of a split with their human plans, in file order. Throws `DataProblem` with file, line and field.
 */
export async function readQueries(folder: string, split: string): Promise<readonly Request[]> {
  const file = queryFile(split, folder);
  if (file === undefined) {
    const path = join(folder, QUERY_FILES[split]?.[0] ?? split);
    throw new MissingFile(`Expected the \`${split}\` queries at ${path}, found none`);
  }
  const path = join(folder, file);
  const records = file.endsWith(".csv") ? await readRecords(path) : await readLines(path);
  return records.map(({ value, where }, index) => {
    const whole = split === "test" && isRecord(value) ? { ...HIDDEN, ...value } : value;
    return readQuery(whole, `${file} ${where}`, index + 1);
  });
}

type Placed = { readonly value: Json; readonly where: string };

const readLines = async (path: string): Promise<readonly Placed[]> =>
  parseJsonLines(await readText(path), path).map(({ number, value }) => ({ value, where: `line ${number}` }));

/** Reads the hub's CSV, which contains only texts, so numbers are parsed here. */
async function readRecords(path: string): Promise<readonly Placed[]> {
  const rows: (readonly string[])[] = [];
  await readCsv(contentOf(path), path, (cells) => rows.push(cells));
  const [header = [], ...records] = rows;
  const numbers = new Set(["days", "visiting_city_number", "people_number", "budget", "idx"]);
  return records.map((row, index) => {
    const fields = header.map((name, place): [string, Json] => {
      const cell = row[place] ?? "";
      return [name, numbers.has(name) && cell.trim() !== "" && Number.isFinite(Number(cell)) ? Number(cell) : cell];
    });
    return { value: Object.fromEntries(fields), where: `record ${index + 2}` };
  });
}

/** Reads one request. Errors contain `where`; `number` is the index if the request has none. Throws `DataProblem`. */
export function readQuery(value: Json, where: string, number: number): Request {
  const fields = checkedRecord(recordOf(anyJson), value, where);
  const literal = (name: string): Json | undefined => {
    const given = field(fields, name);
    return typeof given === "string" ? (readLiteral(given) ?? given) : given;
  };
  const read = checkedRecord(
    requestRecord,
    {
      ...fields,
      idx: field(fields, "idx") ?? number,
      date: literal("date"),
      local_constraint: literal("local_constraint"),
      annotated_plan: daysOf(literal("annotated_plan")),
      reference_information: listOf(literal("reference_information")),
    },
    where,
  );
  const { local_constraint: wishes, annotated_plan, reference_information: information } = read;
  const query: Query = {
    idx: read.idx,
    org: read.org,
    dest: read.dest,
    days: read.days,
    visiting_city_number: read.visiting_city_number,
    date: read.date,
    people_number: read.people_number,
    local_constraint: {
      "house rule": wishes["house rule"] ?? null,
      cuisine: wishes.cuisine ?? null,
      "room type": wishes["room type"] ?? null,
      transportation: wishes.transportation ?? null,
    },
    budget: read.budget,
    query: read.query,
    level: read.level,
  };
  const plan = annotated_plan === null || annotated_plan.length === 0 ? null : annotated_plan;
  return { query, plan, ...(information === null ? {} : { information }) };
}

/** Removes the query's own fields before the plan and the empty days after it, which the hub adds. */
function daysOf(value: Json | undefined): readonly Json[] | null {
  const list = listOf(value);
  const days = listOf(list?.[1]) ?? list;
  return days?.filter((one) => !(isRecord(one) && Object.keys(one).length === 0)) ?? null;
}

const listOf = (value: Json | undefined): readonly Json[] | null => (Array.isArray(value) ? value : null);
