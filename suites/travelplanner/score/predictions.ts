/**
 * Scores plans from another program: lines `{query_idx, plan, query_override?}`, or a submission's `{idx, query,
 * plan}`.
 */
import { z } from "zod";
import { type Cell, type Figure, tableColumns } from "../../../source/engine/figure.ts";
import { PredictionProblem, type PredictionRequest, type Predictions } from "../../../source/engine/prediction.ts";
import { anyJson, checkedPrediction, readOfLine, recordOf } from "../../../source/engine/text/checked-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { type Denominators, type Scored, DENOMINATORS, RATES, detailedOf, ratesOf } from "./aggregate.ts";
import { CONSTRAINTS, asks, hardCount } from "./constraints.ts";
import { openSandbox } from "../data/database.ts";
import { evaluate, isKept, officialResults } from "./evaluate.ts";
import { type Request, readQueries, readQuery } from "../data/queries.ts";
import { scoreOf } from "./score.ts";
import { taskOf } from "../data/task.ts";

/** Scores the lines. Throws `PredictionProblem` for an invalid line, `DataProblem` for an incomplete folder. */
export async function scorePredictions(request: PredictionRequest): Promise<Predictions> {
  const { folder, data, split, signal } = request;
  if (split === "test") {
    const [first] = request.lines;
    throw new PredictionProblem(
      first?.number ?? 1,
      "Expected a split that can be scored locally (train, validation): the requests of the test split are public as text only, and its scores come from the authors' leaderboard",
    );
  }
  const [sandbox, requests] = await Promise.all([
    openSandbox(folder, data, { report: () => {}, signal }),
    readQueries(folder, split),
  ]);
  try {
    const byIndex = new Map(requests.map((each) => [each.query.idx, each]));
    const read = request.lines.map(({ number, value }) => readLine(number, value, byIndex));
    const scored = read.map(({ request: { query }, plan }): Scored => {
      signal.throwIfAborted();
      return { query, evaluation: evaluate(query, plan, sandbox) };
    });
    const whole = isWhole(scored, requests);
    return {
      records: scored.map(({ evaluation }) => officialResults(evaluation)),
      aggregate: aggregateOf(scored, whole, split),
      figures: figuresOf(scored, whole, split, sandbox.flightsComplete),
      entries: read.map(({ request: each, plan }, index) => ({
        task: taskOf(each, split),
        answer: plan,
        score: scoreOf(each.query, split, scored[index]!.evaluation, plan === null ? "nothing delivered" : "given"),
      })),
    };
  } finally {
    sandbox.close();
  }
}

/** Either format of a line; a plan is scored whatever it contains. */
const predictionLine = z.object({
  query_idx: z.number().optional(),
  idx: z.number().optional(),
  plan: z.custom<Json>((plan) => plan !== undefined, "a list of days, an empty list or null"),
  query_override: recordOf(anyJson).nullish(),
});

function readLine(line: number, value: Json, requests: ReadonlyMap<number, Request>): { request: Request; plan: Json } {
  const { query_idx, idx, plan, query_override: override } = checkedPrediction(predictionLine, value, line);
  const index = query_idx ?? idx;
  const request = index === undefined ? undefined : requests.get(index);
  if (request === undefined) {
    const last = requests.size;
    throw new PredictionProblem(
      line,
      `Expected \`query_idx\` from 1 to ${last}, got \`${JSON.stringify(index) ?? "nothing"}\``,
    );
  }
  if (override === undefined || override === null) return { request, plan };
  const { query } = readOfLine(line, () => readQuery({ ...request.query, ...override }, "`query_override`", 1));
  return { request: { ...request, query }, plan };
}

const isWhole = (scored: readonly Scored[], requests: readonly Request[]): boolean =>
  scored.length === requests.length && new Set(scored.map(({ query }) => query.idx)).size === requests.length;

/** Returns the published constants for a whole published split, otherwise the number of constraints that these lines have. */
function denominatorsOf(scored: readonly Scored[], whole: boolean, split: string): Denominators {
  const constants = split === "train" || split === "validation" ? DENOMINATORS[split] : undefined;
  if (whole && constants?.plans === scored.length) return constants;
  let hard = 0;
  for (const { query } of scored) hard += hardCount(query);
  return { plans: scored.length, commonsense: 8 * scored.length, hard };
}

function aggregateOf(scored: readonly Scored[], whole: boolean, split: string): Json {
  const by = denominatorsOf(scored, whole, split);
  const scores = scored.length === 0 ? null : ratesOf(scored, by);
  const detailed = detailedOf(scored);
  return whole ? { scores, detailed } : { partial: true, plans: scored.length, scores, detailed };
}

function figuresOf(
  scored: readonly Scored[],
  whole: boolean,
  split: string,
  flightsComplete: boolean,
): readonly Figure[] {
  const by = denominatorsOf(scored, whole, split);
  const notes = [
    whole
      ? `All ${by.plans} plans of the split; the divisors are ${by.plans}, ${by.commonsense} and ${by.hard}.`
      : `Not the whole split; the divisors are the number of these plans (${by.plans}) and the numbers of their constraints.`,
    ...(flightsComplete ? [] : ["flight data incomplete: plans with flights may fail Within Sandbox"]),
  ];
  const rates = scored.length === 0 ? undefined : ratesOf(scored, by);
  const rows = RATES.map((name): Cell[] => [
    { text: name },
    percent(rates?.[name], name.includes("Micro") ? (name.startsWith("Hard") ? by.hard : by.commonsense) : by.plans),
  ]);
  const columns = tableColumns(["Rate"], ["%"]);
  return [{ kind: "table", title: `TravelPlanner, ${split}`, notes, columns, rows }, constraintTable(scored)];
}

const LEVELS = ["easy", "medium", "hard"];

/** Builds a table of every constraint by level, in the layout of the paper's Table 4. */
function constraintTable(scored: readonly Scored[]): Figure {
  const rows = CONSTRAINTS.map((constraint): Cell[] => {
    const cells = LEVELS.map((level): Cell => {
      const asking = scored.filter(({ query }) => query.level === level && asks(query, constraint));
      const kept = asking.filter(({ evaluation }) => {
        const counts = evaluation.raises === undefined && (constraint.group === "commonsense" || evaluation.counted);
        return counts && isKept(evaluation[constraint.group].get(constraint.check));
      });
      return percent(asking.length === 0 ? undefined : kept.length / asking.length, asking.length);
    });
    return [{ text: constraint.group }, { text: constraint.title }, ...cells];
  });
  return {
    kind: "table",
    title: "Constraints by level",
    notes: [
      "Share of the requests with this constraint; a plan that is incomplete or not within the sandbox fails every hard constraint.",
    ],
    columns: tableColumns(["Group", "Constraint"], LEVELS),
    rows,
  };
}

const percent = (value: number | undefined, n: number): Cell =>
  value === undefined ? { text: "-", n } : { text: (value * 100).toFixed(1), value, n };
