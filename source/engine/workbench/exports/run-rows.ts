/** Writes rows of runs for other programs: a task as a line of JSON, or as a line of a table with columns. */
import { formats } from "../../settings/format.ts";
import { jsonText, escapedJson } from "../../text/json-text.ts";
import { codeFields, codesText } from "../../log/rows/row-notes.ts";
import { hasOwnMistakes } from "../../log/rows/cause-text.ts";
import { faultOfRow } from "../../log/rows/fault.ts";
import { verdictOf } from "../../log/rows/verdict.ts";
import type { Cause, Row } from "../../types.ts";
import type { ExportedRun, ExportedTask } from "./exported-run.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import { csvLine } from "../../text/csv.ts";

/**
 * Returns a task of a run as one line of JSON: run, settings, answer, score, checks and tokens. Scores and shares are from 0 to
 * 1, times in seconds, dates in ISO 8601; `counted` is the attempt that was scored, `spent` all attempts.
 */
export function jsonRow(run: ExportedRun, { row, trajectory, reference }: ExportedTask): string {
  const { facets, state, score, failure, cause, counted, spent } = row;
  const fault = faultOfRow(row, run.spec);
  return `${jsonText({
    format: formats.output,
    run: run.runOf(row.task),
    scoring: run.scoring,
    cell: run.cell,
    label: run.label,
    readsAnswerKey: run.readsAnswerKey,
    settings: run.spec,
    task: row.task,
    question: row.question,
    reference,
    facets,
    state,
    verdict: verdict(row),
    cause: cause?.cause,
    causeAt: cause && causePlace(cause),
    fault,
    answer: trajectory.answer,
    score,
    failure,
    ...codeFields(row.codes),
    counted,
    spent,
    startedAt: date(row.from),
    endedAt: date(row.to),
  })}\n`;
}

/** The fields of a run that the columns of its rows use. */
export type TableRun = Pick<ExportedRun, "run" | "scoring" | "cell" | "label" | "spec" | "readsAnswerKey"> &
  Partial<Pick<ExportedRun, "runOf">>;

export type Value = string | number | boolean | undefined;

/** Values by column. */
export type TableRow = ReadonlyMap<string, Value>;

/** Data of a task that its row does not contain. */
type Said = Partial<Pick<ExportedTask, "trajectory" | "reference">>;

/** Returns the same data as columns: one per setting, facet, check and measure, with dots in their names (`metric.success`). */
export function tableRow(run: TableRun, row: Row, { trajectory, reference }: Said = {}): TableRow {
  const answer = plain(trajectory?.answer);
  return new Map<string, Value>([
    ["run", run.runOf?.(row.task) ?? run.run],
    ["scoring", run.scoring],
    ["cell", run.cell],
    ["label", run.label],
    ["readsAnswerKey", run.readsAnswerKey],
    ...settingColumns(run),
    ["task", row.task],
    ["question", row.question],
    ["reference", reference],
    ["answer", answer === undefined ? undefined : String(answer)],
    ...outcomeColumns(run, row),
    ...usageColumns(row),
  ]);
}

type Entry = readonly [name: string, value: Value];

const prefixed = (prefix: string, values: Readonly<Record<string, unknown>>): Entry[] =>
  Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, plain(value)]);

function settingColumns({ spec }: TableRun): Entry[] {
  const { options, filter, budget, fork, forks, ...settings } = spec;
  const rest = { budget: Object.keys(budget).length === 0 ? undefined : budget, fork: fork ?? forks };
  const named = Object.entries({ ...settings, ...rest }).map(([name, value]): Entry => [name, plain(value)]);
  return [...named, ...prefixed("option", options), ...prefixed("filter", filter)];
}

function outcomeColumns(run: TableRun, row: Row): Entry[] {
  const { facets, state, score, failure, cause, codes } = row;
  const fault = faultOfRow(row, run.spec);
  const checks = (score?.checks ?? []).map(({ name, kept }) => [name, kept] as const);
  return [
    ...prefixed("facet", facets),
    ["state", state],
    ["verdict", verdict(row)],
    ["cause", cause?.cause],
    ["causeDetail", cause?.detail],
    ...(fault === undefined
      ? []
      : ([
          ["fault", fault.by],
          ["faultRule", fault.rule],
        ] as const)),
    ["score", score?.value],
    ...prefixed("metric", score?.metrics ?? {}),
    ...prefixed("check", Object.fromEntries(checks)),
    ...prefixed("label", score?.labels ?? {}),
    ["errors", score?.errors.flatMap(({ kind }) => (hasOwnMistakes(row) ? kind : [])).join("|")],
    ...(codes === undefined ? [] : [["codes", codesText(codes.given)] as const, ...prefixed("code", codes.has)]),
    ["failure", failure?.kind],
    ["failureMessage", failure?.message],
  ];
}

function usageColumns({ counted, spent, from, to }: Row): Entry[] {
  return [
    ["calls", counted.calls],
    ["toolCalls", counted.toolCalls],
    ["retries", counted.retries],
    ["inputTokens", counted.tokens.input],
    ["outputTokens", counted.tokens.output],
    ["reasoningTokens", counted.tokens.reasoning],
    ["cachedTokens", counted.tokens.cached],
    ["tokensEstimated", counted.tokens.estimated],
    ["cost", counted.cost],
    ["seconds", counted.seconds],
    ["spentCalls", spent.calls],
    ["spentInputTokens", spent.tokens.input],
    ["spentOutputTokens", spent.tokens.output],
    ["spentCost", spent.cost],
    ["spentSeconds", spent.seconds],
    ["startedAt", date(from)],
    ["endedAt", date(to)],
  ];
}

/** Returns the place of a cause, without absent fields; undefined if there is no place. */
function causePlace(cause: Cause): Omit<Cause, "cause"> | undefined {
  const { cause: _, ...place } = cause;
  return Object.keys(place).length === 0 ? undefined : place;
}

const date = (at: number): string => new Date(at).toISOString();

const verdict = ({ state, score }: Row): string | undefined => (state === "scored" ? verdictOf(score) : undefined);

function plain(value: unknown): Value {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return value === undefined ? undefined : JSON.stringify(value);
}

export type Column = { readonly name: string; readonly type: "text" | "number" | "boolean" };

/** Columns of numbers, which may be empty in all rows. */
const amounts = ["score", "reasoningTokens", "cachedTokens", "cost", "spentCost"];

/**
 * Returns the columns of any row of these runs, grouped by prefix, in order of first appearance. A column with values of several
 * types is text.
 */
export async function columnsOf(runs: readonly (TableRun & Pick<ExportedRun, "rows">)[]): Promise<readonly Column[]> {
  const yieldIfDue = eventLoopYielder();
  const types = new Map<string, Column["type"] | undefined>();
  for (const run of runs)
    for (const row of run.rows) {
      for (const [name, value] of tableRow(run, row)) types.set(name, jointType(types.get(name), value));
      await yieldIfDue();
    }
  const columns = [...types].map(([name, type]) => ({ name, type: type ?? emptyType(name) }));
  const prefix = ({ name }: Column) => (name.includes(".") ? name.slice(0, name.indexOf(".") + 1) : name);
  return [...Map.groupBy(columns, prefix).values()].flat();
}

function jointType(before: Column["type"] | undefined, value: Value): Column["type"] | undefined {
  if (value === undefined) return before;
  const type = typeof value === "string" ? "text" : (typeof value as "number" | "boolean");
  return before === undefined || before === type ? type : "text";
}

const emptyType = (name: string): Column["type"] => (amounts.includes(name) ? "number" : "text");

/** Yields a file's bytes, one part per line. */
export async function* csvParts(columns: readonly Column[], rows: AsyncIterable<TableRow>): AsyncIterable<Uint8Array> {
  yield lineOf(columns.map(({ name }) => name));
  for await (const row of rows) yield lineOf(columns.map(({ name }) => String(row.get(name) ?? "")));
}

/** Escapes the same characters as in JSON; a reader of CSV cannot distinguish an escape from the same letters in a text. */
const lineOf = (fields: readonly string[]): Uint8Array => Buffer.from(csvLine(fields.map(escapedJson)), "utf8");
