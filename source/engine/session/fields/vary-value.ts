/**
 * `vary` in a run cell: variants that should not affect results, each of which makes a run. A map contains their number,
 * including the benchmark's own (`{tools: 5, questions: paraphrases.csv}`); a list contains them one by one, in the form of the
 * settings of runs (`[{tools: 3}]`).
 */
import { parse } from "csv-parse/sync";
import { Problem } from "../../problem.ts";
import { variedKinds } from "../../run-settings.ts";
import { standardVariant } from "../../settings/varied.ts";
import { parseJson, isRecord } from "../../text/json-record.ts";
import { parseJsonLines } from "../../text/json-lines.ts";
import { similarName } from "../../text/similar-name.ts";
import type { Json } from "../../types.ts";
import type { NamedItem } from "./named-values.ts";
import { shown } from "./run-options.ts";
import { mostVariants } from "./setting-value.ts";

type ReadText = ((file: string) => string) | undefined;
type Report = (field: string, message: string) => void;
type Entries = { readonly [key: string]: Json };

const isMap = (value: Json): value is Entries => isRecord(value);

/** Returns the variants in a cell, with their names. */
export function variedItems(given: Json, text: ReadText, report: Report): readonly NamedItem[] {
  if (Array.isArray(given)) return (given as readonly Json[]).flatMap((item) => listedItem(item, text, report) ?? []);
  if (!isMap(given)) return [{ item: given }];
  const variants = Object.entries(given).flatMap(([kind, value]): readonly NamedItem[] => {
    if (kind === "questions")
      return paraphrases(value, text, report).map((item, at) => ({ item, name: `paraphrase ${at + 1}` }));
    if (variedKinds.some((each) => each === kind)) return numbered(kind, value, report);
    const similar = similarName(kind, variedKinds);
    const hint = similar === undefined ? "" : ` (did you mean \`${similar}\`?)`;
    report(`vary.${kind}`, `Expected \`vary\` to hold ${variedKinds.join(", ")}, got \`${kind}\`${hint}`);
    return [];
  });
  return [{ item: {}, name: standardVariant }, ...variants];
}

function numbered(kind: string, value: Json, report: Report): readonly NamedItem[] {
  const count = Number(value);
  if (typeof value !== "number" || !Number.isSafeInteger(count) || count < 1 || count > mostVariants) {
    report(
      `vary.${kind}`,
      `Expected \`vary.${kind}\` to be a number of variants from 1 to ${mostVariants}, got ${shown(value)}`,
    );
    return [];
  }
  return Array.from({ length: count - 1 }, (_, at) => ({
    item: { [kind]: at + 2 },
    name: `${kind} ${at + 2}`,
  }));
}

/** Reads a variant in a list; its paraphrases may be in a file with one paraphrase per task. */
function listedItem(item: Json, text: ReadText, report: Report): NamedItem | undefined {
  const file = isMap(item) ? item["questions"] : undefined;
  if (typeof file !== "string") return { item };
  const [first, ...more] = paraphrases(file, text, report);
  if (more.length > 0) report("vary", `Expected one question per task in \`${file}\` for this variant, found several`);
  return first === undefined ? undefined : { item: { ...(item as Entries), ...first } };
}

/** Returns the paraphrases of a file or a map: the first paraphrase of each task, then the second. */
function paraphrases(value: Json, text: ReadText, report: Report): readonly Entries[] {
  const words = new Map<string, string[]>();
  const add = (task: string, question: string) => words.set(task, [...(words.get(task) ?? []), question]);
  try {
    for (const [task, question] of typeof value === "string" ? linesOf(value, text) : entriesOf(value))
      add(task, question);
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown;
    report("vary.questions", thrown.message);
    return [];
  }
  const most = Math.max(0, ...[...words.values()].map(({ length }) => length));
  return Array.from({ length: most }, (_, at) => ({
    questions: Object.fromEntries(
      [...words].flatMap(([task, questions]) => (questions[at] === undefined ? [] : [[task, questions[at]]])),
    ),
  }));
}

type Pair = readonly [task: string, question: string];

function entriesOf(value: Json): readonly Pair[] {
  const entries = isMap(value) ? Object.entries(value) : [];
  if (entries.length === 0 || !entries.every(([, question]) => isQuestion(question)))
    throw new Problem(
      "parse",
      `Expected \`vary.questions\` to be a file with the columns id and question, got ${shown(value)}`,
    );
  return entries as unknown as readonly Pair[];
}

const isQuestion = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

/** Returns the lines of a file in the notebook's folder: CSV, JSON Lines, or JSON that names tasks with their questions. */
function linesOf(file: string, text: ReadText): readonly Pair[] {
  if (text === undefined) return [];
  const read = text(file).replace(/^\uFEFF/, "");
  const whole = /\.csv$/i.test(file) ? undefined : parseJson(read);
  if (whole !== undefined && isMap(whole) && whole["question"] === undefined) return entriesOf(whole);
  const records = recordsIn(read, file);
  const pairs = records.map((record, index): Pair => {
    const { id, question } = (isRecord(record) ? record : {}) as Entries;
    const task = typeof id === "number" ? String(id) : id;
    if (typeof task === "string" && task !== "" && isQuestion(question)) return [task, question];
    throw new Problem(
      "parse",
      `Expected \`${file}\` to have \`id\`, the task, and \`question\` in each line, got ${shown(record as Json)} in record ${index + 1}`,
    );
  });
  if (pairs.length === 0) throw new Problem("parse", `Expected questions in \`${file}\`, found none`);
  return pairs;
}

function recordsIn(text: string, file: string): readonly unknown[] {
  try {
    if (!/\.csv$/i.test(file)) {
      const whole = parseJson(text);
      return Array.isArray(whole) ? whole : parseJsonLines(text, file).map(({ value }) => value);
    }
    return parse(text, { columns: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    throw new Problem("parse", `Expected \`${file}\` to be CSV or JSON Lines: ${(error as Error).message}`);
  }
}
