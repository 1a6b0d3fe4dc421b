/** The score of one reply, with each mistake under its error kind. */
import type { Mistake, Score } from "../../../source/engine/types.ts";
import type { ErrorKind } from "../../../source/engine/suite.ts";
import type { PlanTask } from "../data/tasks.ts";
import type { ExecutionMarks, VerificationMarks } from "./answers.ts";
import { readPlan } from "./plan-steps.ts";
import { factText } from "./pddl.ts";
import { isRight, replyRecord, stepLines, type ExtractorName, type PlanRecord } from "./record.ts";

export const errorKinds: readonly ErrorKind[] = [
  { name: "no-answer", title: "No answer" },
  { name: "unreadable", title: "Unreadable plan", note: "A step contains a mistake, so VAL rejects the whole plan" },
  { name: "unknown-action", title: "Unknown action" },
  {
    name: "type",
    title: "Wrong arguments",
    note: "In typed domains: the number, a name or a type of the arguments is wrong",
  },
  { name: "too-few", title: "Too few arguments" },
  { name: "precondition", title: "Unmet precondition" },
  { name: "goal", title: "Goal not reached" },
  {
    name: "not-optimal",
    title: "Longer than the cheapest plan",
    note: "Cheapest plan (task 2): the plan is valid but not cheapest",
  },
  { name: "claims-plan", title: "A plan for an unsolvable task", note: "Tasks without a solution" },
  { name: "wrong-verdict", title: "Wrong verdict about a plan", note: "Plan verification (task 3)" },
  {
    name: "wrong-reason",
    title: "Wrong reason",
    note: "Plan verification (task 3): the verdict is right, but its kind or explanation is wrong",
  },
  { name: "wrong-state", title: "Wrong state", note: "Plan execution (task 7)" },
];

/** The score of a reply: `value` by the chosen extractor, metrics by both. */
export function scoreReply(task: PlanTask, reply: string, extractor: ExtractorName): Score {
  const { asked } = task.input;
  const records = {
    official: replyRecord(asked, reply, "official"),
    lenient: replyRecord(asked, reply, "lenient"),
  };
  const record = records[extractor];
  const right = isRight(record);
  const [official, lenient] = [flag(isRight(records.official)), flag(isRight(records.lenient))];
  const metrics: Record<string, number> = { right: flag(right), official, lenient, differ: flag(official !== lenient) };
  const labels = { extractor };
  const checks: Score["checks"] = [];
  const score = (errors: readonly Mistake[]): Score => ({ value: flag(right), metrics, checks, errors, labels });
  if (reply.trim() === "" && !right) return score([{ kind: "no-answer" }]);
  if ("explanation" in record) {
    for (const mark of ["binary", "type", "explanation"] as const) metrics[mark] = flag(record[mark]);
    return score(right ? [] : [verificationMistake(record, asked.answer)]);
  }
  if ("correct" in record) return score(right ? [] : [stateMistake(record, asked.answer)]);
  if (record.unsolvable === undefined) {
    metrics["valid"] = flag(record.valid);
    if (asked.reference !== undefined && asked.reference !== "")
      metrics["shortest"] = flag(record.valid && stepLines(record.plan) === stepLines(asked.reference));
  }
  return score(right ? [] : [planMistake(record, record.plan, asked.reference)]);
}

const flag = (yes: boolean) => (yes ? 1 : 0);

function planMistake(record: PlanRecord, plan: string, reference: string | undefined): Mistake {
  if (record.unsolvable === false)
    return { kind: "claims-plan", expected: "no plan possible", got: plan.slice(0, 500) };
  if (record.valid)
    return { kind: "not-optimal", expected: `${stepLines(reference ?? "")} steps`, got: `${stepLines(plan)} steps` };
  const { kind, step, unmet } = record;
  const wrong = step === null ? undefined : readPlan(plan)?.[step - 1];
  return {
    kind,
    ...(step !== null && { step: step - 1 }),
    ...(unmet.length > 0 && { expected: unmet.join(" ") }),
    got: wrong === undefined ? plan.slice(0, 500) : factText(wrong),
  };
}

function verificationMistake({ parsed, binary }: VerificationMarks, answer: unknown): Mistake {
  const [expected, got] = [String(answer), JSON.stringify(parsed)];
  return { kind: binary ? "wrong-reason" : "wrong-verdict", expected, got };
}

function stateMistake({ parsed }: ExecutionMarks, answer: unknown): Mistake {
  return { kind: "wrong-state", expected: JSON.stringify(answer), got: JSON.stringify(parsed) };
}
