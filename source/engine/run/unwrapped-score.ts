/** Scores an answer a second time without its wrapping, to separate errors of format from errors of content. */
import { readingOf, writtenAnswer } from "../log/rows/cause.ts";
import { unframed, type Unwrapped, unpeeled } from "../log/rows/unwrapped.ts";
import { unwrappedMetric } from "../benchmark.ts";
import { verdictOf } from "../log/rows/verdict.ts";
import type { LoadedSuite, ScoreContext } from "../loaded-suite.ts";
import { isRecord } from "../text/json-record.ts";
import type { Json, Outcome, Task } from "../types.ts";

/**
 * Scores an outcome with the suite's scorer. If the official parser rejects or misreads the text around the answer, the metric
 * `unwrapped` is the score of the answer inside; it is absent if only a judge could score the answer. All else in the score comes
 * from the suite.
 */
export async function scoredTwice(loaded: LoadedSuite, task: Task, outcome: Outcome, context: ScoreContext) {
  const score = await loaded.score(task, outcome, context);
  const { form } = loaded.suite;
  const text = writtenAnswer(outcome.answer);
  if (form === undefined || text === undefined || verdictOf(score) === "right") return score;
  const { spec, signal } = context;
  const asked = outcome.steps.findLast(
    ({ type, ...step }) => type === "prompt" && "role" in step && step.role !== "judge",
  );
  const stage = asked?.type === "prompt" ? asked.stage : "";
  const ended = { score, failure: outcome.failure, spec, form };
  const read = readingOf({ stage }, { facets: task.facets }, ended);
  const scoreOf = async ({ text: inside }: Unwrapped) =>
    loaded.score(task, { ...outcome, answer: withText(outcome.answer, text, inside) }, { spec, signal });
  const withMetric = (value: number) => ({ ...score, metrics: { ...score.metrics, [unwrappedMetric]: value } });
  let best = -Infinity;
  for (const [inside, least] of [
    // What is inside a named layer is the answer, whatever its score is.
    [unpeeled(text, read), -Infinity],
    [unframed(text, read, true), score.value ?? 0],
  ] as const)
    for (const each of inside.take(mostScored)) {
      const own = await scoreOf(each);
      if (own.value === undefined) return score;
      if (own.value > Math.max(best, least)) best = own.value;
      if (verdictOf(own) === "right") return withMetric(own.value);
    }
  return best === -Infinity ? score : withMetric(best);
}

/** Maximum number of texts to score inside one reply. */
const mostScored = 16;

/** Returns the answer with this text replaced by another text. */
function withText(answer: Json | undefined, text: string, other: string): Json {
  if (!isRecord(answer)) return other;
  const { stages } = answer;
  const within = (record: Json | undefined) =>
    isRecord(record)
      ? Object.fromEntries(Object.entries(record).map(([name, own]) => [name, own === text ? other : own]))
      : {};
  return { ...within(answer), ...(isRecord(stages) && { stages: within(stages) }) };
}
