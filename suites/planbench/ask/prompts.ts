/** How PlanBench's tasks are asked: the published query in one message, behind the system message of its chat models. */
import { systemAndUser } from "../../../source/engine/text/system-and-user.ts";
import type { Stage } from "../../../source/engine/protocol.ts";
import type { PlanTask } from "../data/tasks.ts";

const system = "You are the planner assistant who comes up with correct plans.";

/** The one stage of a task. */
export function stageOf({ input: { query } }: PlanTask): Stage {
  return {
    name: "plan",
    messages: () => systemAndUser(system, query),
  };
}
