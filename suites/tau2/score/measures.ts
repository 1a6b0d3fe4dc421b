/** tau2's numbers: the official reward, the reward without failures of the simulated user, and the reward's parts. */
import { meanMeasure } from "../../../source/engine/measures/measure.ts";
import type { Measure } from "../../../source/engine/suite.ts";

const looked = "Counts only tasks that are scored on this part and whose conversation the user ended";
const part = (name: string, title: string, note: string): Measure =>
  meanMeasure(`part.${name}`, {
    name: `parts.${name.toLowerCase()}`,
    title,
    mode: "parts",
    note: `${note}. ${looked}`,
  });
const count = (metric: string, title: string): Measure =>
  meanMeasure(metric, { name: `counts.${metric}`, title, mode: "counts", unit: "number", better: "lower" });

/** The pass rate without tasks that failed because of the simulated user, by a first guess. */
export const withoutUser: Measure = {
  kind: "mean",
  name: "rules.without-user",
  title: "Passed, user's failures left out",
  mode: "rules",
  unit: "percent",
  better: "higher",
  note: "Leaves out tasks that failed because of a mistake of the simulated user; simple rules guess who made the mistake",
  each: ({ score }) => (score?.fault?.by === "user" ? undefined : score?.metrics["reward"]),
  applies: ({ score }) => score?.fault?.by !== "user",
};

export const measures: readonly Measure[] = [
  meanMeasure("reward", {
    name: "official.reward",
    title: "Passed (pass^1)",
    mode: "official",
    note: "The official reward, regardless of faults; pass^k of repeats is in the analysis `consistency`",
  }),
  withoutUser,
  part("DB", "State", "The databases are the same as in the reference"),
  part("COMMUNICATE", "Communicated", "All required texts occur in the agent's messages"),
  part("ENV_ASSERTION", "Assertions", "The assertions about phone and contract hold"),
  part("ACTION", "Actions", "The agent or the user called all reference actions"),
  count("steps", "Steps"),
  count("failedCalls", "Failed calls"),
  count("agentCalls", "Calls of the agent"),
  count("userCalls", "Calls of the user"),
];
