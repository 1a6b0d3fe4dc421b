/** Scores one task: the sample's rule, ToolEval if the run has a judge, counters of effort, and mistakes. */
import type { ScoreContext } from "../../../source/engine/loaded-suite.ts";
import { classOfCall, classOfQuery, notPlanned } from "../../../source/engine/toolkits/error-classes.ts";
import { field } from "../../../source/engine/text/json-record.ts";
import type { Clustered } from "../../../source/engine/toolkits/tool-clusters.ts";
import { usesToolkits } from "../../../source/engine/toolkits/toolkits-option.ts";
import { preference, voteSummary } from "../../../source/engine/toolkits/preference.ts";
import type { Mistake, Outcome, RunSpec, Score } from "../../../source/engine/types.ts";
import { answerOf, type ConvertedAnswer } from "./answer-conversion.ts";
import { mentions } from "./answer-rule.ts";
import { judgeErrors, mostJudged, comparable, correctness, solvedStatus } from "./judge.ts";
import { finishTool } from "../ask/finish.ts";
import { wasUnread } from "../ask/simulated-reply.ts";
import { functionName, standardize } from "../ask/names.ts";
import {
  answerSteps,
  firstCall,
  noted,
  planned,
  plannedToolkits,
  executedCalls,
  type ExecutedCall,
} from "./execution.ts";
import { referenceOf, usualReference } from "../data/reference-file.ts";
import { isPassed, statusScore, type AnswerStatus } from "./tooleval.ts";
import type { QueryTask } from "../data/records.ts";
import { scopeOf, type World } from "../data/world.ts";

export async function scoreQuery(
  world: World,
  task: QueryTask,
  outcome: Outcome,
  context: ScoreContext,
): Promise<Score> {
  const given = typeof outcome.answer === "string" ? outcome.answer : undefined;
  const calls = executedCalls(outcome.steps).filter(({ call }) => call.name !== finishTool.name);
  const ended = endOf(outcome);
  // An unreadable reply of the simulated server is not the model's failure.
  if (calls.some(({ result }) => wasUnread(result)))
    return { value: undefined, metrics: {}, checks: [], errors: [], labels: { ended } };
  const answer = answerOf(context.spec.strategy, answerSteps(outcome), given ?? "");
  const rule = task.answer.expect.length === 0 ? undefined : mentions(given ?? "", task.answer.expect);
  const judged = context.ask === undefined ? undefined : await judge(world, task, answer, given, context, context.ask);
  const { spec, ask } = context;
  const success = rule === undefined ? undefined : rule.every(Boolean) ? 1 : 0;
  const value = success ?? judged?.metrics["sopr"];
  const clustered = await world.clusteredFor(task, spec, context.signal);
  const byRules = mistakes(clustered, task, outcome, calls, value !== undefined && value < 0.5);
  const asked = spec.options["errors"] === "judge" && ask !== undefined;
  const errors = asked ? await judgeErrors(task.question, byRules, ask, spec) : { errors: byRules, metrics: {} };
  return {
    value,
    metrics: {
      ...(success === undefined ? {} : { success }),
      ...judged?.metrics,
      ...counters(outcome, calls, given),
      ...errors.metrics,
      ...(await retrieverMetrics(world, task, spec)),
      ...clustered?.metrics,
    },
    checks: task.answer.expect.map((name, index) => ({ name: `mentions ${name}`, kept: rule![index]! })),
    errors: errors.errors,
    labels: {
      ended,
      catalogue: scopeOf(spec),
      toolkits: usesToolkits(spec) ? "on" : "off",
      ...judged?.labels,
    },
  };
}

/** Measures how many of a query's relevant APIs were retrieved; returns no metrics without retrieval. */
async function retrieverMetrics(world: World, task: QueryTask, spec: RunSpec): Promise<Record<string, number>> {
  const offered = usesToolkits(spec) ? undefined : await world.retrieved(task, spec);
  if (offered === undefined) return {};
  const names = new Set(offered.map((api) => api.spec.name));
  const { relevant } = task.answer;
  const found = relevant.filter(([tool, api]) => names.has(functionName(api, standardize(tool)))).length;
  return {
    ...(relevant.length === 0 ? {} : { "retriever.recall": found / relevant.length }),
    "retriever.offered": offered.length,
  };
}

const endOf = ({ steps, failure }: Outcome): string => {
  const end = steps.findLast((step) => step.type === "note" && step.kind === "end");
  return end?.type === "note" ? end.text : (failure?.kind ?? "no answer");
};

function counters(
  { steps }: Outcome,
  calls: readonly ExecutedCall[],
  given: string | undefined,
): Record<string, number> {
  const from = (source: string) => calls.filter(({ result }) => field(result.value, "from") === source).length;
  const again = steps.flatMap((step) =>
    step.type === "note" && step.kind === "replan" ? [Number(field(step.data, "again") ?? 0)] : [],
  );
  return {
    answered: given === undefined ? 0 : 1,
    tool_calls: calls.length,
    tool_failures: calls.filter(({ result }) => !result.ok).length,
    cached: from("cache"),
    simulated: from("simulated"),
    switches: noted(steps, "switch"),
    replans: noted(steps, "replan"),
    backtracks: noted(steps, "backtrack"),
    steps_again: again.reduce((sum, count) => sum + count, 0),
    ...planned(steps),
    ...firstCall(steps),
  };
}

/** Number of judgements per answer (StableToolBench's setting) and of comparisons, each in both orders. */
const judgements = 3;

/**
 * Returns the maximum number of judge requests per task: an unsure judgement asks again with the steps, and a reference
 * is judged and compared as well.
 */
export function judgings({ data, options }: Pick<RunSpec, "data" | "options">): number {
  const alone = 2 * judgements + 1;
  // Forecasts ignore the published reference answers because only few queries have one.
  const isCompared = data === "sample" || referenceOf({ options }) !== usualReference;
  return alone + (isCompared ? 2 * judgements + 2 : 0) + (options["errors"] === "judge" ? mostJudged : 0);
}

async function judge(
  world: World,
  task: QueryTask,
  answer: ConvertedAnswer,
  given: string | undefined,
  context: ScoreContext,
  ask: NonNullable<ScoreContext["ask"]>,
): Promise<{ metrics: Record<string, number>; labels: Record<string, string> }> {
  const statuses = await statusesOf(task.question, answer, given, ask, context.spec);
  const read = statuses.filter((status) => status !== undefined);
  // The official program flips a coin for an unsure pass; here it counts as half a judgement, and ties pass as there.
  const passed = read.map((status) => ({ Passed: 1, Failed: 0, Unsure: 0.5 })[isPassed(status, "Solvable")]);
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const fac = await correctness(task.question, given, ask, context.spec);
  const versus = await compare(world, task, { answer, given, statuses: read }, context.spec, ask);
  return {
    metrics: {
      ...(read.length === 0 ? {} : { sopr: mean(statuses.map(statusScore)), pass: mean(passed) >= 0.5 ? 1 : 0 }),
      ...(fac === undefined ? {} : { fac }),
      ...versus?.metrics,
      "judge.unread": statuses.length - read.length,
      "judge.disagreement": new Set(read).size > 1 ? 1 : 0,
    },
    labels: {
      judge: context.spec.judge ?? "",
      judgements: statuses.map((one) => one ?? "unread").join(", "),
      ...versus?.labels,
    },
  };
}

async function compare(
  world: World,
  task: QueryTask,
  { answer, given, statuses }: Judged,
  spec: ScoreContext["spec"],
  ask: NonNullable<ScoreContext["ask"]>,
): Promise<{ metrics: Record<string, number>; labels: Record<string, string> } | undefined> {
  const name = referenceOf(spec);
  const reference = (await world.references(task.input.set, name)).get(String(task.input.id));
  if (reference === undefined) return undefined;
  const theirAnswer = reference.final_answer;
  const theirs = await statusesOf(task.question, reference, theirAnswer, ask, spec);
  const votes = voteSummary(
    await preference(task.question, comparable(answer, given), comparable(reference, theirAnswer), ask, spec),
  );
  const [ours, other] = [mostlySolved(statuses), mostlySolved(theirs.filter((status) => status !== undefined))];
  return {
    // An answer that solves the task beats one that does not; otherwise the votes decide.
    metrics: { ...votes.metrics, sowr: ours === other ? votes.metrics.win : ours ? 1 : 0 },
    labels: {
      ...votes.labels,
      reference: name,
      "reference.judgements": theirs.map((one) => one ?? "unread").join(", "),
    },
  };
}

type Judged = {
  readonly answer: ConvertedAnswer;
  readonly given: string | undefined;
  readonly statuses: readonly AnswerStatus[];
};

const mostlySolved = (statuses: readonly AnswerStatus[]): boolean =>
  statuses.filter((status) => status === "Solved").length * 2 > statuses.length;

/** Requests every judgement of one answer, in order; undefined for an unreadable reply. */
async function statusesOf(
  question: string,
  answer: ConvertedAnswer,
  given: string | undefined,
  ask: NonNullable<ScoreContext["ask"]>,
  spec: ScoreContext["spec"],
): Promise<readonly (AnswerStatus | undefined)[]> {
  const statuses: (AnswerStatus | undefined)[] = [];
  for (let run = 0; run < judgements; run++) statuses.push(await solvedStatus(question, answer, given, ask, spec));
  return statuses;
}

/** Classifies failed calls by the paper's taxonomy, and the task as a whole if it failed. */
function mistakes(
  clustered: Clustered | undefined,
  task: QueryTask,
  outcome: Outcome,
  calls: readonly ExecutedCall[],
  failed: boolean,
): readonly Mistake[] {
  const { steps } = outcome;
  const found: Mistake[] = steps.flatMap((step) =>
    step.type === "note" && step.kind === "hallucination" ? [{ kind: "api-hallucinated", got: step.text }] : [],
  );
  for (const [index, { call, result, offered }] of calls.entries()) {
    if (result.ok) continue;
    const tool =
      offered.find(({ name }) => name === call.name) ??
      offered.find(({ name }) => call.name !== "" && name.endsWith(call.name));
    const kind = classOfCall({
      name: call.name,
      text: call.text,
      observation: result.observation,
      status: result.status,
      tool,
    });
    const got = `${call.name} ${call.text}: ${result.observation}`.slice(0, 500);
    if (kind !== undefined) found.push({ kind, step: index, key: call.name, got });
  }
  if (!failed) return found;
  const relevant = task.answer.relevant.map(([tool, api]) => functionName(api, standardize(tool)));
  const all = clustered?.toolkits;
  const kits =
    all === undefined
      ? undefined
      : new Map(
          plannedToolkits(steps).map((id) => [
            id,
            (all.find((kit) => kit.id === id)?.tools ?? []).map(({ name }) => name),
          ]),
        );
  const used = kits === undefined || kits.size === 0 ? undefined : kits;
  const called = new Set(calls.map(({ call }) => call.name));
  const answered = new Set(calls.filter(({ result }) => result.ok).map(({ call }) => call.name));
  const query = { relevant, planned: used, called, answered };
  found.push({ kind: classOfQuery(query), got: whyFailed(outcome, notPlanned(query)) });
  return found;
}

/** Describes how a failed task ended, with the reason if it is known. */
function whyFailed(outcome: Outcome, unplanned: readonly string[]): string {
  const { steps, answer } = outcome;
  const bound = steps.findLast((step) => step.type === "note" && step.kind === "bound");
  const text = typeof answer === "string" ? answer : "";
  return [
    endOf(outcome),
    ...(answer !== undefined && text.trim() === "" ? ["the answer is empty"] : []),
    ...(bound?.type === "note" ? [bound.text] : []),
    ...(unplanned.length > 0 ? [`no planned toolkit contains ${unplanned.join(", ")}`] : []),
  ].join("; ");
}
