/** Aggregates labels from another program into pass rates and preferences, like ToolEval and StableToolBench. */
import { PredictionProblem, type PredictionRequest, type Predictions } from "../../../source/engine/prediction.ts";
import type { Figure } from "../../../source/engine/figure.ts";
import { field, isRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { passRate, solvablePassRate, winRate, type AnswerStatus } from "./tooleval.ts";

type Line = { readonly number: number; readonly value: Json };
type Sums = { readonly [name: string]: number | string | readonly number[] };

/**
 * Each line is one set of judged queries, as in the cases of the conformance file: `labels` or `counts` for `passrate`;
 * `preferences` with `reference` and `candidate` for `preference`. Several lines return a list of sums in input order.
 */
export async function scorePredictions({ lines, split }: PredictionRequest): Promise<Predictions> {
  const sums = lines.map((line) => (split === "preference" ? preferenceOf(line) : passOf(line)));
  const named = lines.map(({ number, value }, index) => ({
    name: nameOf(value) ?? `line ${number}`,
    sums: sums[index]!,
  }));
  return {
    records: sums,
    aggregate: sums.length === 1 ? sums[0]! : sums,
    figures: [figureOf(split, named)],
    entries: [],
  };
}

const nameOf = (value: Json): string | undefined => {
  const id = field(value, "id");
  return typeof id === "string" ? id : undefined;
};

function passOf({ number, value }: Line): Sums {
  const counts = field(value, "counts");
  if (isRecord(counts)) {
    const rows = Object.entries(counts).map(([id, row]) => ({
      passed: whole(number, field(row, "passed"), `counts.${id}.passed`),
      failed: whole(number, field(row, "failed"), `counts.${id}.failed`),
    }));
    return { pass_rate: passRate(atLeastOne(number, rows)) };
  }
  const labels = field(value, "labels") ?? judgedStatuses(value);
  if (!isRecord(labels))
    throw new PredictionProblem(number, "Expected `labels` (per query and run) or `counts` (passed, failed)");
  const queries = Object.entries(labels).map(([id, runs]) => {
    if (!isRecord(runs))
      throw new PredictionProblem(number, `Expected \`labels.${id}\` to contain a label for each run`);
    return new Map(Object.entries(runs).map(([run, label]) => [Number(run), statusOf(number, id, label)]));
  });
  const most = Math.max(0, ...queries.flatMap((runs) => [...runs.keys()])) + 1;
  const times = field(value, "evaluate_times") ?? most;
  const sums = solvablePassRate(atLeastOne(number, queries), whole(number, times, "evaluate_times"));
  // The line printed by the official program, under the same name.
  const printed = `Solve rate: ${oneDecimal(sums.solve_rate_percent)}% Std: ${oneDecimal(sums.std_percent)}%`;
  return { ...sums, printed };
}

/** Reads the labels of a pass-rate file of StableToolBench, which has `is_solved` per query and run. */
function judgedStatuses(value: Json): Json | undefined {
  const queries = isRecord(value) ? Object.entries(value) : [];
  if (queries.length === 0 || queries.some(([, query]) => !isRecord(field(query, "is_solved")))) return undefined;
  return Object.fromEntries(queries.map(([id, query]) => [id, field(query, "is_solved")!]));
}

const statuses: readonly AnswerStatus[] = ["Solved", "Unsolved", "Unsure"];

function statusOf(line: number, id: string, label: Json): AnswerStatus {
  const name = String(label).replace("AnswerStatus.", "");
  const status = statuses.find((one) => one === name);
  if (status === undefined)
    throw new PredictionProblem(
      line,
      `Expected the labels of query ${id} to be Solved, Unsolved or Unsure, got \`${name.slice(0, 40)}\``,
    );
  return status;
}

function preferenceOf({ number, value }: Line): Sums {
  const preferences = field(value, "preferences");
  const [reference, candidate] = [field(value, "reference"), field(value, "candidate")];
  if (!isRecord(preferences) || typeof reference !== "string" || typeof candidate !== "string")
    throw new PredictionProblem(
      number,
      "Expected `preferences` per query, and the names `reference` and `candidate` of the two methods",
    );
  const votes = Object.entries(preferences).map(([id, row]) => ({
    reference: whole(number, field(row, reference), `preferences.${id}.${reference}`),
    candidate: whole(number, field(row, candidate), `preferences.${id}.${candidate}`),
  }));
  const sums = winRate(atLeastOne(number, votes));
  const set = field(value, "test_set") ?? "G1_instruction";
  const [win, tie] = [sums.win_rate, sums.tie_rate].map((rate) =>
    Number.isInteger(rate) ? `${rate}.0` : String(rate),
  );
  const models = `Reference model: ${reference}, Candidate model: ${candidate}`;
  return { ...sums, printed: `Test set: ${String(set)}. ${models}. Win rate: ${win}, Tie rate: ${tie}` };
}

/** Formats one decimal like Python: ties round to the even digit. */
function oneDecimal(value: number): string {
  const tenths = value * 10;
  const low = Math.floor(tenths);
  const isTie = Number.isInteger(value * 4) && tenths - low === 0.5;
  return isTie ? ((low % 2 === 0 ? low : low + 1) / 10).toFixed(1) : value.toFixed(1);
}

function whole(line: number, value: Json | undefined, name: string): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw new PredictionProblem(
    line,
    `Expected \`${name.slice(0, 80)}\` to be a count, got \`${JSON.stringify(value)?.slice(0, 40) ?? "nothing"}\``,
  );
}

function atLeastOne<Item>(line: number, items: readonly Item[]): readonly Item[] {
  if (items.length > 0) return items;
  throw new PredictionProblem(line, "Expected at least one judged query, got none");
}

function figureOf(split: string, named: readonly { readonly name: string; readonly sums: Sums }[]): Figure {
  const names = [
    ...new Set(named.flatMap(({ sums }) => Object.keys(sums).filter((name) => typeof sums[name] === "number"))),
  ];
  return {
    kind: "table",
    title: split === "preference" ? "ToolEval: win rate" : "ToolEval: pass rate",
    notes:
      split === "preference"
        ? ["A tie is not a win."]
        : ["Ties pass; an unsure label counts one half in the solve rate."],
    columns: [{ title: "labels", align: "left" }, ...names.map((title) => ({ title, align: "right" as const }))],
    rows: named.map(({ name, sums }) => [
      { text: name },
      ...names.map((column) => {
        const value = sums[column];
        return typeof value === "number" ? { text: value.toFixed(4), value } : { text: "-" };
      }),
    ]),
  };
}
