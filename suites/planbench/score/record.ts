/** The record of one reply: the verdict on its plan, or the correct parts of an answer about a plan. */
import type { Json } from "../../../source/engine/types.ts";
import { isUnsolvable, kindOf } from "../data/catalogue.ts";
import type { Scored } from "../data/folder.ts";
import { executionMarks, verificationMarks, type ExecutionMarks, type VerificationMarks } from "./answers.ts";
import { extractLenient, saysUnsolvable } from "./extract-lenient.ts";
import { extractOfficial } from "./extract-official.ts";
import { validate, type Verdict } from "./validate.ts";

export const extractors = ["official", "lenient"] as const;
export type ExtractorName = (typeof extractors)[number];

/** A verdict, with `optimal` in task 2, and `unsolvable` if the problems of the config have no plan. */
export type PlanRecord = Verdict & { readonly optimal?: boolean; readonly unsolvable?: boolean };
export type ReplyRecord = (PlanRecord & { readonly plan: string }) | VerificationMarks | ExecutionMarks;

/** The scoring key of a reply. `reference` is the reference plan in PDDL; `answer` the reference of tasks 3 and 7. */
export type Asked = {
  readonly config: string;
  readonly task: string;
  readonly scored: Scored;
  readonly reference: string | undefined;
  readonly answer: Json | undefined;
};

type Planned = Pick<Asked, "config" | "task" | "scored" | "reference">;

/** Returns the verdict on a plan, with the further marks that its task requires. */
export function planRecord({ config, task, scored, reference }: Planned, plan: string, reply = plan): PlanRecord {
  const verdict = validate(scored.domain, scored.problem, plan);
  return {
    ...verdict,
    ...(kindOf(task) === "optimality" &&
      reference !== undefined && { optimal: verdict.valid && stepLines(plan) === stepLines(reference) }),
    ...(isUnsolvable(config) && { unsolvable: reply.toLowerCase().includes("no plan possible") }),
  };
}

/**
 * Returns the plan of a reply, by one of the extractors; null if the official program raises. Replies to PDDL prompts are used
 * unchanged.
 */
export function planOf({ config, task, scored }: Planned, reply: string, extractor: ExtractorName): string | null {
  if (extractor === "lenient") return extractLenient({ config, ...scored }, reply);
  return task.endsWith("_pddl") ? reply : extractOfficial(config, task, reply, "analysis");
}

/** Returns the record of a reply, by one of the extractors. */
export function replyRecord(asked: Asked, reply: string, extractor: ExtractorName): ReplyRecord {
  const { config, task, answer } = asked;
  const kind = kindOf(task);
  if (kind === "verification") return verificationMarks(config, reply, typeof answer === "string" ? answer : "");
  if (kind === "execution") return executionMarks(config, reply, Array.isArray(answer) ? answer.map(String) : []);
  const plan = planOf(asked, reply, extractor);
  if (plan === null) return { ...planRecord(asked, "(", reply), plan: "" };
  const record = planRecord(asked, plan, reply);
  return {
    ...record,
    ...(extractor === "lenient" && isUnsolvable(config) && { unsolvable: record.unsolvable || saysUnsolvable(reply) }),
    plan,
  };
}

/** True if the official program counts this as right. */
export function isRight(record: ReplyRecord): boolean {
  if ("explanation" in record) return record.explanation;
  if ("correct" in record) return record.correct;
  return record.unsolvable ?? record.optimal ?? record.valid;
}

/** Returns the number of steps of a plan with one step per line. */
export function stepLines(plan: string): number {
  return plan.split("\n").filter((line) => line !== "").length;
}
