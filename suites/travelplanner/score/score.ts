/** Turns an evaluated plan into a score with counters that analyses sum. */
import type { Json, Mistake, Outcome, RunSpec, Score } from "../../../source/engine/types.ts";
import { commonsensePasses, denominatorsOf, hardPasses } from "./aggregate.ts";
import { type Constraint, CONSTRAINTS, asks, hardCount } from "./constraints.ts";
import { ENDINGS, endingOf, slug } from "./error-kinds.ts";
import { type Evaluation, hasRaised } from "./evaluate.ts";
import type { Reader } from "./extract.ts";
import { isTruthy, type Query } from "./plan.ts";

const NOT_COUNTED = "not counted: the plan is not both complete and within the sandbox";

/**
 * Scores one evaluated plan; `value` is 1 if it satisfies every constraint. Metrics are counters, so rates are sums over rows:
 * `asked:NAME` and `kept:NAME` for every applicable constraint, and `split:plans` for the size of a published split.
 */
export function scoreOf(query: Query, split: string, evaluation: Evaluation, reader: Reader): Score {
  const { delivered, raises, passes, cost } = evaluation;
  const checks = CONSTRAINTS.map((constraint) => checkOf(query, constraint, evaluation));
  const kept = checks.filter((check) => check.kept === true).map(({ name }) => [`kept:${name}`, 1]);
  const asked = CONSTRAINTS.filter((constraint) => asks(query, constraint)).map(({ title }) => [`asked:${title}`, 1]);
  const size = denominatorsOf(split);
  return {
    value: Number(passes.final),
    metrics: {
      delivered: Number(delivered),
      commonsense: commonsensePasses(evaluation),
      commonsenseOf: 8,
      hard: hardPasses(evaluation),
      hardOf: hardCount(query),
      commonsensePass: Number(passes.commonsense),
      hardPass: Number(passes.hard),
      finalPass: Number(passes.final),
      budget: query.budget,
      ...(cost === undefined || hasRaised(cost) ? {} : { cost }),
      ...(size === undefined
        ? {}
        : { "split:plans": size.plans, "split:commonsense": size.commonsense, "split:hard": size.hard }),
      ...Object.fromEntries([...asked, ...kept]),
    },
    checks: checks.map(({ name, kept: isKept, message }) => ({
      name,
      kept: isKept,
      ...(message === undefined ? {} : { message }),
    })),
    errors: mistakesOf(evaluation, checks),
    labels: { reader, evaluable: raises === undefined ? "yes" : `no: ${raises.message}` },
  };
}

type Checked = {
  readonly name: string;
  readonly kept: boolean | undefined;
  readonly message?: string;
  readonly day?: number;
};

function checkOf(query: Query, constraint: Constraint, evaluation: Evaluation): Checked {
  const { title: name, check, group } = constraint;
  const { delivered, raises, counted } = evaluation;
  if (!asks(query, constraint)) return { name, kept: undefined, message: "the request does not have this constraint" };
  if (!delivered) return { name, kept: undefined, message: "no plan" };
  if (raises !== undefined) return { name, kept: undefined, message: `cannot be evaluated: ${raises.message}` };
  if (group === "hard" && !counted) return { name, kept: undefined, message: NOT_COUNTED };
  const verdict = evaluation[group].get(check);
  if (verdict === undefined || hasRaised(verdict)) return { name, kept: undefined };
  const cost = evaluation.cost;
  const message = check === "valid_cost" && typeof cost === "number" ? `$${cost} of $${query.budget}` : verdict.message;
  return {
    name,
    kept: verdict.kept,
    ...(message === undefined ? {} : { message }),
    ...(verdict.day === undefined ? {} : { day: verdict.day }),
  };
}

function mistakesOf({ delivered, raises }: Evaluation, checks: readonly Checked[]): Mistake[] {
  if (!delivered) return [{ kind: "not-delivered" }];
  if (raises !== undefined) return [{ kind: "not-evaluable", got: raises.message }];
  return checks
    .filter(({ kept }) => kept === false)
    .map(({ name, message, day }) => ({
      kind: slug(name),
      ...(day === undefined ? {} : { step: day }),
      ...(message === undefined ? {} : { got: message }),
    }));
}

/** Scores a text that only a judge could read: it has no metric `delivered`, because it is unknown whether it contains a plan. */
export function unreadScore(): Score {
  const errors = [{ kind: "unread", expected: "the prescribed layout, JSON, or a judge model that reads the text" }];
  return { value: undefined, metrics: {}, checks: [], errors, labels: { reader: "unread" } };
}

/** Scores a plan of the test split, whose constraints are not public: only delivery and reader are known. */
export function hiddenScore(plan: Json, reader: Reader): Score {
  const delivered = isTruthy(plan);
  const errors = delivered || reader === "unread" ? [] : [{ kind: "not-delivered" }];
  const evaluable = "no: the answers of the test split are not public; export the run as a submission";
  const metrics = reader === "unread" ? {} : { delivered: Number(delivered) };
  return { value: undefined, metrics, checks: [], errors, labels: { reader, evaluable } };
}

/** Adds facts about the run to a score: uses of each tool, and the ending of a two-stage run without a plan text. */
export function withRun(score: Score, { steps }: Outcome, spec: RunSpec): Score {
  const uses: Record<string, number> = {};
  let state = "";
  for (const step of steps) {
    if (step.type === "result") {
      if (step.name !== "" && (step.result.ok || step.result.status !== "invalidAction")) {
        const name = `tool:${step.name}`;
        uses[name] = (uses[name] ?? 0) + 1;
      }
      if (!step.result.ok) uses["tool:failed"] = (uses["tool:failed"] ?? 0) + 1;
      state = String(step.result.status);
    }
    if (step.type === "note" && step.kind === "end" && step.text === "prompt too long") state = step.text;
  }
  const metrics = { ...score.metrics, ...uses };
  const acts = spec.options["mode"] === "two-stage" && (spec.strategy === "react" || spec.strategy === "reflexion");
  if (!acts) return { ...score, metrics };
  if (score.labels?.["reader"] !== "nothing delivered") {
    const ending = score.metrics["delivered"] === 0 ? "a text without a plan" : "plan";
    return { ...score, metrics, labels: { ...score.labels, ending } };
  }
  const kind = endingOf(state);
  return {
    ...score,
    metrics,
    errors: [...score.errors, { kind, got: state }],
    labels: { ...score.labels, ending: ENDINGS[kind] },
  };
}
