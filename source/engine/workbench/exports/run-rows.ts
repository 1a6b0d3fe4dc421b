/** Rows of runs for other programs: one line a task, as CSV or as JSON Lines. */
import { csvLine } from "../../text/csv.ts";
import { jsonText } from "../../text/json-text.ts";
import { verdictOf } from "../../log/verdict.ts";
import type { Row } from "../../types.ts";
import type { ExportedRun, ExportedTask } from "./exported-run.ts";

/**
 * A task of a run as one line of JSON: run, settings, answer, score, checks and tokens. Scores and shares are from 0 to 1,
 * times in seconds, dates in ISO 8601; `counted` is the attempt that was scored, `spent` every attempt.
 */
export function jsonRow(run: ExportedRun, { row, trajectory, reference }: ExportedTask): string {
  const { facets, state, score, failure, counted, spent } = row;
  return `${jsonText({
    run: run.run,
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
    answer: trajectory.answer,
    ...(score === undefined ? {} : { score }),
    ...(failure === undefined ? {} : { failure }),
    counted,
    spent,
    startedAt: date(row.from),
    endedAt: date(row.to),
  })}\n`;
}

type Value = string | number | boolean | undefined;

/** Values by column. */
export type CsvRow = ReadonlyMap<string, Value>;

/** The same as columns: one each setting, facet, check and measure, named with a dot (`metric.success`). */
export function csvRow(run: ExportedRun, { row, trajectory, reference }: ExportedTask): CsvRow {
  return new Map<string, Value>([
    ["run", run.run],
    ["cell", run.cell],
    ["label", run.label],
    ["readsAnswerKey", run.readsAnswerKey],
    ...settingColumns(run),
    ["task", row.task],
    ["question", row.question],
    ["reference", reference],
    ["answer", plain(trajectory.answer)],
    ...outcomeColumns(row),
    ...usageColumns(row),
  ]);
}

type Column = readonly [string, Value];

function prefixed(prefix: string, values: Readonly<Record<string, unknown>>): Column[] {
  return Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, plain(value)]);
}

function settingColumns({ spec }: ExportedRun): Column[] {
  const { options, filter, budget, fork, ...settings } = spec;
  const rest = { budget: Object.keys(budget).length === 0 ? undefined : budget, fork };
  const named = Object.entries({ ...settings, ...rest }).map(([name, value]): Column => [name, plain(value)]);
  return [...named, ...prefixed("option", options), ...prefixed("filter", filter)];
}

function outcomeColumns(row: Row): Column[] {
  const { facets, state, score, failure } = row;
  const checks = (score?.checks ?? []).map(({ name, kept }) => [name, kept] as const);
  return [
    ...prefixed("facet", facets),
    ["state", state],
    ["verdict", verdict(row)],
    ["score", score?.value],
    ...prefixed("metric", score?.metrics ?? {}),
    ...prefixed("check", Object.fromEntries(checks)),
    ...prefixed("label", score?.labels ?? {}),
    ["errors", score?.errors.map(({ kind }) => kind).join("|")],
    ["failure", failure?.kind],
    ["failureMessage", failure?.message],
  ];
}

function usageColumns({ counted, spent, from, to }: Row): Column[] {
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

const date = (at: number): string => new Date(at).toISOString();

const verdict = ({ state, score }: Row): string | undefined => (state === "scored" ? verdictOf(score) : undefined);

function plain(value: unknown): Value {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return value === undefined ? undefined : JSON.stringify(value);
}

/** A header, and a line a task, each with all columns that any of them has: pandas reads it without options. */
export function csvTable(rows: readonly CsvRow[]): string {
  const columns = columnsOf(rows);
  const lines = rows.map((row) => csvLine(columns.map((column) => String(row.get(column) ?? ""))));
  return [csvLine(columns), ...lines].join("");
}

/** In the order of the first row that has them, those of one prefix side by side. */
function columnsOf(rows: readonly CsvRow[]): readonly string[] {
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const prefix = (column: string) => (column.includes(".") ? column.slice(0, column.indexOf(".") + 1) : column);
  return [...Map.groupBy(columns, prefix).values()].flat();
}
