/**
 * Replies that need no model, whose scores are shown next to results: the empty reply, the example's plan, or the statement that
 * there is no plan.
 */
import { type Floor, usualFloors } from "../../../source/engine/loaded-suite.ts";
import type { Strategy } from "../../../source/engine/strategy.ts";
import type { RunSpec, Step } from "../../../source/engine/types.ts";
import type { PlanTask } from "../data/tasks.ts";

const floors = ["empty", "example", "no-plan"] as const;

export const floor: Strategy<"baseline"> = {
  name: "floor",
  title: "Floor (no model)",
  needs: "baseline",
  revision: 1,
  roles: [],
  options: [
    {
      name: "floor",
      title: "Floor",
      values: floors,
      default: "empty",
      when: { strategy: ["floor"] },
      note: "empty: nothing is replied; example: the plan of the prompt's last example; no-plan: `no plan possible`",
    },
  ],
  async *run({ task, spec, loaded, random }) {
    yield* loaded.asks.baseline(task, spec, random);
  },
  estimate: () => ({ calls: 0, input: 0, output: 0 }),
};

/** The reply as a strategy's steps. */
export function* floorSteps({ input: { query } }: PlanTask, { options }: RunSpec): Generator<Step> {
  const kind = options["floor"];
  const reply = kind === "example" ? examplePlan(query) : kind === "no-plan" ? "no plan possible" : "";
  yield { type: "note", kind: "end", text: "finished" };
  yield { type: "answer", answer: reply };
}

/** Returns the same replies as floors, and the verdict that a plan is valid. */
export function textFloors(tasks: readonly PlanTask[]): readonly Floor<PlanTask>[] {
  const isVerified = tasks.some(({ facets }) => facets["task"] === "verification");
  return [
    ...usualFloors,
    { name: "the example's plan again", answer: ({ input: { query } }) => examplePlan(query) },
    { name: "no plan possible", answer: () => "no plan possible" },
    ...(isVerified ? [{ name: "the plan is valid", answer: () => "The above plan is valid." }] : []),
  ];
}

/** The plan of the last example in a prompt; empty if there is none. */
function examplePlan(query: string): string {
  const end = Math.max(query.lastIndexOf("[PLAN END]"), query.lastIndexOf("[PLAN_END]"));
  const from = end === -1 ? -1 : query.lastIndexOf("[PLAN]", end);
  return from === -1 ? "" : query.slice(from + "[PLAN]".length, end).trim();
}
