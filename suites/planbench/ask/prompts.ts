/** The requests of PlanBench's tasks: the published query in one message, after the system message of its chat models. */
import type { Stage } from "../../../source/engine/protocol.ts";
import { promptMessages, promptPair } from "../../../source/engine/settings/prompt-template.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import type { PlanTask } from "../data/tasks.ts";

export const prompts = promptPair("plan", {
  role: "model",
  system: "You are the planner assistant who comes up with correct plans.",
  user: "{{query}}",
});

/** The one stage of a task. */
export function stageOf({ input: { query } }: PlanTask, spec: Pick<RunSpec, "prompts">): Stage {
  return { name: "plan", messages: () => promptMessages(spec, prompts, { query }) };
}
