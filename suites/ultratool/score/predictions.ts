/** `planwright score ultratool`: scores answers, or judgements of answers, from another program without requests to a model. */
import { type Cell, type TableFigure, tableColumns } from "../../../source/engine/figure.ts";
import { PredictionProblem, type PredictionRequest, type Predictions } from "../../../source/engine/prediction.ts";
import type { Json, Score } from "../../../source/engine/types.ts";
import { aspectTitles, parseSplit, type Split } from "../data/aspects.ts";
import { aggregateCreation } from "./creation.ts";
import { planDimensions, scoresOf, toolDimensions } from "./dimensions.ts";
import { Library } from "../data/library.ts";
import { pairwiseMean } from "./pairwise-mean.ts";
import { type PredictionLine, readLines } from "./prediction-lines.ts";
import { parserOf } from "./score-task.ts";
import { scoreAnswer, type ScoredAnswer } from "./score-answer.ts";
import { creationMetrics, scorePlan } from "./score-judged.ts";
import { stepNumber } from "./steps.ts";
import { counted } from "../../../source/engine/text/counted.ts";

type Numbers = Readonly<Record<string, number>>;
type Entry = Predictions["entries"][number];

export async function scorePredictions(request: PredictionRequest): Promise<Predictions> {
  const split = parseSplit(request.split);
  const library = libraryOf(request);
  const lines = await readLines(request, library, split);
  switch (split.aspect) {
    case "planning":
      return scorePlans(lines, split);
    case "tool_creation":
      return scoreTools(lines, split);
    case "tool_usage":
    case "tool_selection":
    case "tool_creation_awareness":
    case "tool_usage_awareness":
      return scoreLists(lines, request, split);
    default:
      return split.aspect satisfies never;
  }
}

/**
 * The last library is cached: a session scores several files against the same data, and reading it is most of the work.
 */
let last: Library | undefined;

function libraryOf({ folder, data }: PredictionRequest): Library {
  if (last?.folder !== folder || last.data !== data) last = new Library(folder, data);
  return last;
}

type Scored = { readonly line: PredictionLine; readonly answer: ScoredAnswer };

function scoreLists(lines: readonly PredictionLine[], request: PredictionRequest, split: Split): Predictions {
  const mode = parserOf(request.flags);
  const scored = lines.map((line): Scored => {
    if (line.output === undefined) throw new PredictionProblem(line.number, "Expected `output`, the model's text");
    const reference = line.task.answer;
    if (reference.aspect === "planning") throw new TypeError("Expected a reference of steps, got a plan");
    return { line, answer: scoreAnswer(line.output, reference, line.task.input, mode) };
  });
  const usage = split.aspect === "tool_usage";
  const aggregate = usage ? usageAggregate(scored) : accuracyAggregate(scored);
  const made = lines.some(({ task }) => task.input.edition === "home-made");
  const notes = made ? ["Home-made tasks: not the published test set, not comparable with published numbers"] : [];
  return {
    records: scored.map(({ line, answer }) => (usage ? usageRecord(line, answer) : accuracyRecord(line, answer))),
    aggregate,
    figures: [numbersTable(split, aggregate, notes), repairsTable(scored)],
    entries: scored.map(({ line, answer }): Entry => {
      return { task: line.task, answer: { output: line.output! }, score: answer.score };
    }),
  };
}

const usageRecord = ({ id }: PredictionLine, { steps, reading }: ScoredAnswer): Json => ({
  id,
  step_scores: steps,
  parse_ok: reading.ok,
});

function accuracyRecord({ id }: PredictionLine, { judged, reading }: ScoredAnswer): Json {
  const { global = 0, correct = 0, total = 0 } = judged ?? {};
  return { id, global, local_correct: correct, local_total: total, parse_ok: reading.ok };
}

function usageAggregate(scored: readonly Scored[]): Numbers {
  const steps = scored.flatMap(({ answer }) => answer.steps);
  return { local_levenshtein: pairwiseMean(steps), steps: steps.length, bad_parse: badParses(scored) };
}

function accuracyAggregate(scored: readonly Scored[]): Numbers {
  let correct = 0;
  let total = 0;
  let global = 0;
  for (const { answer } of scored) {
    correct += answer.judged?.correct ?? 0;
    total += answer.judged?.total ?? 0;
    global += answer.judged?.global ?? 0;
  }
  return {
    global: scored.length === 0 ? 0 : global / scored.length,
    local: total === 0 ? 0 : correct / total,
    global_correct: global,
    local_correct: correct,
    local_total: total,
    bad_parse: badParses(scored),
  };
}

const badParses = (scored: readonly Scored[]): number => scored.filter(({ answer }) => !answer.reading.ok).length;

/** Returns means over the readable judgements; a note counts the unreadable judgements. */
function scorePlans(lines: readonly PredictionLine[], split: Split): Predictions {
  const judged = lines.map((line) => ({ line, scores: scoresIn(line, split) }));
  const read = judged.flatMap(({ scores }) => (scores === undefined ? [] : [scores]));
  const means = planDimensions.dimensions.map(({ name }, index) => {
    return [name, read.reduce((sum, scores) => sum + scores[index]!, 0) / (read.length * 10)] as const;
  });
  const aggregate: Numbers = read.length === 0 ? {} : Object.fromEntries(means);
  const unread = judged.length - read.length;
  const notes = unread === 0 ? [] : [`${unread} judgements could not be read and are left out`];
  return {
    records: judged.map(({ line, scores }) => ({ id: line.id, scores: scores ?? null })),
    aggregate,
    figures: [numbersTable(split, aggregate, notes)],
    entries: judged.map(({ line, scores }): Entry => {
      const plan = line.output ?? "";
      const { errors, checks, ...score } = scorePlan(plan, scores, scores === undefined ? "unreadable" : "read");
      // Without the plan, only the judgement is known; a missing plan has no mistakes.
      const known: Score =
        line.output === undefined ? { ...score, errors: [], checks: [] } : { ...score, errors, checks };
      return { task: line.task, answer: { output: plan, judgement: line.judgement ?? null }, score: known };
    }),
  };
}

function scoresIn(line: PredictionLine, split: Split): number[] | undefined {
  if (line.judgement === undefined)
    throw new PredictionProblem(
      line.number,
      "Expected `eval`, the judge's parsed reply: without a judge there is no score",
    );
  return scoresOf(line.judgement, split.aspect === "planning" ? planDimensions : toolDimensions, split.language);
}

/**
 * Reads one line per judged tool. `step` is the step, or the only reference step if it is omitted; `eval: null` means no
 * judgement.
 */
function scoreTools(lines: readonly PredictionLine[], split: Split): Predictions {
  const judged = lines.map((line) => ({ line, scores: scoresIn(line, split), step: stepOf(line) }));
  const samples = new Map(lines.map(({ task }) => [task.id, task]));
  const steps = (id: string) => {
    const answer = samples.get(id)!.answer;
    return answer.aspect === "planning" ? [] : answer.steps.map(({ step }) => step);
  };
  const means = aggregateCreation(
    [...samples.keys()].map((key) => ({ key, steps: steps(key) })),
    judged.flatMap(({ line, scores, step }) => (scores === undefined ? [] : [{ key: line.task.id, step, scores }])),
    toolDimensions.dimensions.length,
  );
  const named = toolDimensions.dimensions.map(({ name }, index) => [name, means?.[index] ?? 0] as const);
  const aggregate: Numbers = means === undefined ? {} : Object.fromEntries(named);
  const notes = ["Means over the samples in the file; each step of a sample without judgements counts as zero"];
  return {
    records: judged.map(({ line, scores }) => ({ id: line.id, scores: scores ?? null })),
    aggregate,
    figures: [numbersTable(split, aggregate, notes)],
    entries: [...samples.values()].map((task): Entry => {
      const own = judged.filter(({ line }) => line.task.id === task.id);
      const known = new Set(steps(task.id).map(stepNumber));
      const given = own.flatMap(({ scores, step }) => {
        if (scores === undefined) return [];
        return [known.has(stepNumber(step)) ? scores : scores.map(() => 0)];
      });
      const metrics = creationMetrics(given, known.size);
      const value = metrics["tool_creation.sum"]! / metrics["tool_creation.count"]!;
      const score = { value, metrics, checks: [], errors: [], labels: { judge: "read" } };
      return { task, answer: { output: own[0]?.line.output ?? "", judged: own.length }, score };
    }),
  };
}

function stepOf({ step, task, number, judgement }: PredictionLine): string {
  if (step !== undefined) return step;
  const steps = task.answer.aspect === "planning" ? [] : task.answer.steps;
  if (steps.length === 1 || judgement === null || Array.isArray(judgement)) return steps[0]?.step ?? "";
  throw new PredictionProblem(number, "Expected `step`, the step whose tool was judged");
}

function numbersTable(split: Split, aggregate: Numbers, notes: readonly string[]): TableFigure {
  const numbers = Object.entries(aggregate);
  return {
    kind: "table",
    title: `${aspectTitles[split.aspect]}, ${split.language}`,
    notes,
    columns: tableColumns(["Number"], ["Value"]),
    rows: numbers.map(([name, value]): Cell[] => [
      { text: name.replaceAll("_", " ") },
      { text: isCount(name) ? String(value) : `${(value * 100).toFixed(2)} %`, value },
    ]),
  };
}

const isCount = (name: string): boolean =>
  name.endsWith("_correct") || name.endsWith("_total") || name === "steps" || name === "bad_parse";

/** Counts how often each repair was needed. */
function repairsTable(scored: readonly Scored[]): TableFigure {
  const counts = new Map<string, number>();
  for (const { answer } of scored) counts.set(answer.reading.repair, (counts.get(answer.reading.repair) ?? 0) + 1);
  return {
    kind: "table",
    title: "How answers were read",
    notes: [`${counted(scored.length, "answer")}; repairs are tried in a fixed order until the answer parses`],
    columns: tableColumns(["Repair"], ["Answers"]),
    rows: [...counts]
      .toSorted((first, second) => second[1] - first[1])
      .map(([name, count]): Cell[] => [{ text: name }, { text: String(count), value: count, n: scored.length }]),
  };
}
