/** The answer that is the reference itself: what the oracle replies, and what scores are held against. */
import type { Answer, Gold } from "../data/gold.ts";
import { referenceCalls, writePlan } from "./reference-call.ts";

export function perfectAnswer(gold: Gold): Required<Answer> {
  return { output: writePlan(referenceCalls(gold)), apps: `[${[...new Set(gold.used_app)].join(", ")}]` };
}
