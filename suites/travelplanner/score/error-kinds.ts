/** Kinds of mistake: a broken constraint, or a run with tools that ended without a plan. */
import type { ErrorKind } from "../../../source/engine/suite.ts";
import { CONSTRAINTS } from "./constraints.ts";
import { OVERFLOW, REPEATED } from "../ask/tool-specs.ts";

/** Turns `Within Sandbox` into `within-sandbox`. */
export const slug = (title: string): string => title.toLowerCase().replaceAll(".", "").replaceAll(" ", "-");

/** Ways in which a run with tools fails to deliver (paper, Figure B.1), in the paper's order; overflow is separate. */
export const ENDINGS = {
  "max-step-limit": "Max Step Limit",
  "argument-error": "Argument Error",
  "invalid-action-loop": "Invalid Action Dead Loop",
  "same-action-loop": "Same Action Dead Loop",
  "token-overflow": "Token overflow",
} as const;
export type EndingKind = keyof typeof ENDINGS;

/** Returns the ending of a run without a plan, from the state of its last step or the strategy's note on its end. */
export function endingOf(state: string): EndingKind {
  if (state === REPEATED) return "same-action-loop";
  if (state.startsWith("invalidAction early stop")) return "invalid-action-loop";
  if (state.includes(" early stop")) return "argument-error";
  return state === OVERFLOW || state === "prompt too long" ? "token-overflow" : "max-step-limit";
}

export const errorKinds: readonly ErrorKind[] = [
  ...CONSTRAINTS.map(({ title, group }) => ({
    name: slug(title),
    title,
    group: group === "commonsense" ? "Commonsense constraints" : "Hard constraints",
  })),
  { name: "not-delivered", title: "No plan delivered", group: "Delivery" },
  { name: "not-evaluable", title: "The official evaluator fails on this plan", group: "Delivery" },
  {
    name: "unread",
    title: "Unreadable plan text",
    group: "Delivery",
    note: "name a judge model to read it",
  },
  ...Object.entries(ENDINGS).map(([name, title]) => ({
    name,
    title,
    group: "Tool use",
    note: "two-stage runs without a plan",
  })),
];

export const faultKinds = CONSTRAINTS.map(({ title }) => ({ name: slug(title), title }));
