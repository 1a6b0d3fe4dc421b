/** Scores one answer without a judge: official score, strict score, and mistakes. */
import type { Mistake, Score } from "../../../source/engine/types.ts";
import { type Aspect, ladderOf } from "../data/aspects.ts";
import { type Judged, scoreAwareness, scoreSelection } from "./awareness.ts";
import { type CreatedTool, createdTools } from "./creation.ts";
import { awarenessMistakes, creationMistakes, readingMistakes, selectionMistakes, usageMistakes } from "./mistakes.ts";
import { pairwiseMean } from "./pairwise-mean.ts";
import type { PythonValue } from "../../../source/engine/python/value.ts";
import { formOf, type Reading, readOfficial, readStrict } from "./reading.ts";
import type { ParserMode } from "./rewriting.ts";
import { stepNumber } from "./steps.ts";
import type { Reference, TestRow, ToolDescription } from "../data/task.ts";
import { scoreUsage } from "./usage.ts";

type ListReference = Exclude<Reference, { aspect: "planning" }>;

export type ScoredAnswer = {
  readonly score: Score;
  readonly reading: Reading;
  /** Scores of the single steps, if the aspect has such scores (usage). */
  readonly steps: readonly number[];
  readonly judged: Judged<PythonValue> | undefined;
  readonly created: readonly CreatedTool[];
};

type Part = {
  readonly value: number | undefined;
  readonly metrics: Readonly<Record<string, number>>;
  readonly mistakes: readonly Mistake[];
  readonly steps: readonly number[];
  readonly judged: Judged<PythonValue> | undefined;
  readonly created: readonly CreatedTool[];
};

/**
 * Scores `output` against the reference of a task with this plan and toolset. Never throws: an unparsable answer answers no step,
 * as in the official program. Mistakes name steps by their position in the plan.
 */
export function scoreAnswer(
  output: string,
  reference: ListReference,
  { steps: plan, toolset = [] }: Pick<TestRow, "steps" | "toolset">,
  mode: ParserMode,
): ScoredAnswer {
  const ladder = ladderOf[reference.aspect];
  const reading = readOfficial(output, ladder, mode);
  const part = scored(reading.value, reference, toolset);
  const strict = readStrict(output, ladder);
  const asStrict = strict === undefined ? scored([], reference, toolset) : scored(strict, reference, toolset);
  const metrics: Record<string, number> = { ...part.metrics, attempts: reading.attempts, parsed: reading.ok ? 1 : 0 };
  for (const [name, value] of Object.entries(asStrict.metrics)) metrics[`strict.${name}`] = value;
  metrics["strict.readable"] = strict === undefined ? 0 : 1;
  const errors = [...readingMistakes(reading, reference.steps), ...placed(part.mistakes, reference, plan)];
  const score: Score = {
    value: part.value,
    metrics,
    checks: checksOf(reading, strict !== undefined, errors),
    errors,
    labels: { form: formOf(output, reading), repair: reading.repair },
  };
  return { score, reading, steps: part.steps, judged: part.judged, created: part.created };
}

/** Renumbers steps by the whole plan, which people see, instead of the requested steps. */
function placed(mistakes: readonly Mistake[], reference: ListReference, plan: TestRow["steps"]): readonly Mistake[] {
  const places = new Map(plan.map(({ step }, index) => [stepNumber(step), index]));
  return mistakes.map((mistake) => {
    const asked = mistake.step === undefined ? undefined : reference.steps[mistake.step];
    const place = asked === undefined ? undefined : places.get(stepNumber(asked.step));
    return place === undefined ? mistake : { ...mistake, step: place };
  });
}

function checksOf(reading: Reading, strict: boolean, errors: readonly Mistake[]): Score["checks"] {
  const has = (kind: string) => errors.some((error) => error.kind === kind);
  return [
    { name: "parses", kept: reading.ok, message: reading.ok ? `Read: ${reading.repair}` : "No repair helped" },
    { name: "plain JSON of the asked shape", kept: strict },
    { name: "every step answered", kept: reading.ok && !has("missing-step") && !has("no-tool") && !has("not-a-list") },
    { name: "nothing beyond the steps asked", kept: reading.ok ? !has("extra-step") : undefined },
  ];
}

function scored(value: PythonValue, reference: ListReference, toolset: readonly ToolDescription[]): Part {
  const none = { steps: [], judged: undefined, created: [] };
  switch (reference.aspect) {
    case "tool_creation_awareness":
    case "tool_usage_awareness": {
      const judged = scoreAwareness(value, reference.steps);
      return { ...none, ...counted(reference.aspect, judged), judged, mistakes: awarenessMistakes(judged) };
    }
    case "tool_selection": {
      const judged = scoreSelection(value, reference.steps);
      return { ...none, ...counted(reference.aspect, judged), judged, mistakes: selectionMistakes(judged, toolset) };
    }
    case "tool_usage": {
      const usage = scoreUsage(value, reference.steps);
      const steps = usage.map((step) => step.score);
      let sum = 0;
      for (const step of steps) sum += step;
      return {
        ...none,
        value: steps.length === 0 ? undefined : pairwiseMean(steps),
        metrics: { "tool_usage.sum": sum, "tool_usage.steps": steps.length },
        mistakes: usageMistakes(usage, reference.steps, value),
        steps,
      };
    }
    case "tool_creation": {
      const created = createdTools(value, reference.steps);
      return { ...none, value: undefined, metrics: {}, mistakes: creationMistakes(created), created };
    }
    default:
      return reference satisfies never;
  }
}

const counted = (aspect: Aspect, judged: Judged<PythonValue>): Pick<Part, "value" | "metrics"> => ({
  value: judged.total === 0 ? undefined : judged.correct / judged.total,
  metrics: {
    [`${aspect}.global`]: judged.global,
    [`${aspect}.correct`]: judged.correct,
    [`${aspect}.steps`]: judged.total,
  },
});
