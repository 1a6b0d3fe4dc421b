/** Scores an outcome: list answers directly, plans and tools with a judge. */
import type { ScoreContext, VerdictReading } from "../../../source/engine/loaded-suite.ts";
import type { Json, Outcome, Score } from "../../../source/engine/types.ts";
import { judgeRequest } from "./creation.ts";
import { type Judgement, planDimensions, scoresOf, toolDimensions } from "./dimensions.ts";
import { cleanPlan, parseJudgeReply, judgeMessages } from "./judge.ts";
import { parseJsonAsPython } from "../../../source/engine/python/json.ts";
import { pythonRepr } from "../../../source/engine/python/text.ts";
import { field } from "../../../source/engine/text/json-record.ts";
import type { ParserMode } from "./rewriting.ts";
import { scoreAnswer } from "./score-answer.ts";
import { creationMetrics, type JudgeState, judgedCheck, REFERENCE_WORTH, scorePlan } from "./score-judged.ts";
import type { UltraTask } from "../data/task.ts";

/** Returns the text to score: the answer of the last stage, or the empty text, which answers no step. */
export function outputOf(answer: Json | undefined): string {
  if (typeof answer === "string") return answer;
  const output = field(answer, "output");
  return typeof output === "string" ? output : "";
}

export const parserOf = (options: Readonly<Record<string, string | number>>): ParserMode =>
  options["parser"] === "other" ? "other" : "gpt";

export async function scoreTask(task: UltraTask, outcome: Outcome, context: ScoreContext): Promise<Score> {
  const output = outputOf(outcome.answer);
  const { answer: reference, input } = task;
  if (reference.aspect === "planning") return judgePlan(task, reference.plan, output, context);
  const scored = scoreAnswer(output, reference, input, parserOf(context.spec.options));
  if (reference.aspect !== "tool_creation") return scored.score;
  const requests = scored.created.map(({ tool }, index) => ({
    asked: judgeRequest(reference.steps[index]!.step, tool),
    gold: reference.steps[index]!.tool,
  }));
  const judgements: (readonly number[])[] = [];
  let unread = 0;
  for (const { asked, gold } of requests) {
    if (asked === undefined) continue;
    const answer = { query: asked.question, reference: asRepr(gold), answer: asked.created };
    const scores = await judge("tool", toolDimensions, task, answer, context);
    if (scores === undefined) unread += 1;
    else judgements.push(scores);
  }
  const state: JudgeState = context.ask === undefined ? "none" : unread > 0 ? "unreadable" : "read";
  return creationScore(scored.score, judgements, reference.steps.length, unread, state);
}

/** Returns the maximum number of judge requests per task: one for a plan, one per tool to create. */
export function judgings({ answer }: UltraTask): number {
  if (answer.aspect === "planning") return 1;
  return answer.aspect === "tool_creation" ? answer.steps.length : 0;
}

/**
 * Scores a sample of created tools. If judgements were requested but none is readable, the sample is unknown; it must
 * not count as officially unscored.
 */
function creationScore(
  score: Score,
  judgements: readonly (readonly number[])[],
  goldSteps: number,
  unread: number,
  state: JudgeState,
): Score {
  const unknown = judgements.length === 0 && unread > 0;
  const metrics = unknown ? {} : creationMetrics(judgements, goldSteps);
  const count = metrics["tool_creation.count"] ?? 0;
  return {
    ...score,
    value: count === 0 ? undefined : metrics["tool_creation.sum"]! / count,
    // Steps without a tool are not in the official mean, but they are not right either.
    ...(judgements.length < goldSteps ? {} : { rightFrom: REFERENCE_WORTH }),
    metrics: { ...score.metrics, ...metrics, "tool_creation.unread": unread },
    checks: [...score.checks, ...(state === "none" || judgements.length + unread === 0 ? [] : [judgedCheck(state)])],
    labels: { ...score.labels, judge: state },
  };
}

async function judgePlan(task: UltraTask, reference: string, output: string, context: ScoreContext): Promise<Score> {
  const plan = cleanPlan(output);
  const answer = { query: task.question, reference, answer: plan };
  const scores = await judge("plan", planDimensions, task, answer, context);
  const state: JudgeState = context.ask === undefined ? "none" : scores === undefined ? "unreadable" : "read";
  return scorePlan(plan, scores, state);
}

async function judge(
  of: "plan" | "tool",
  kind: Judgement,
  task: UltraTask,
  answer: { query: string; reference: string; answer: string },
  context: ScoreContext,
): Promise<number[] | undefined> {
  if (context.ask === undefined) return undefined;
  const { language } = task.input;
  const read = (reply: string) => {
    const parsed = parseJudgeReply(reply);
    return parsed === undefined ? undefined : scoresOf(parsed, kind, language);
  };
  // No form: it would be a list, which strict servers refuse to be asked for.
  const verdict: VerdictReading = { isReadable: (reply) => read(reply) !== undefined };
  return read(await context.ask(`judge-${of}`, judgeMessages(of, language, answer, context.spec), verdict));
}

const asRepr = (tool: unknown): string => pythonRepr(parseJsonAsPython(JSON.stringify(tool ?? null)));
