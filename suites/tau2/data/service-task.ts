/** Tasks of tau2 as the engine sees them. */
import type { Facets, Json, Task } from "../../../source/engine/types.ts";
import { pythonJson } from "../environment/value.ts";
import type { Tau2Task } from "../score/task.ts";

export type ServiceTask = Task<Tau2Task, Json>;

export const issues = ["service_issue", "mobile_data_issue", "mms_issue"] as const;
export const personas = ["None", "Easy", "Hard"] as const;

export function serviceTask(task: Tau2Task): ServiceTask {
  const { criteria, scenario } = task;
  const { instructions } = scenario;
  return {
    id: task.id,
    question: typeof instructions === "string" ? instructions : instructions.reason,
    input: task,
    answer: {
      actions: criteria.actions.map(({ side, name, args }) => ({ by: side, call: `${name}(${pythonJson(args)})` })),
      tell: criteria.communicate,
    },
    facets: { domain: task.domain.name, ...(task.domain.name === "telecom" ? phoneFacets(task) : deskFacets(task)) },
  };
}

/** `[mms_issue]break_apn|data_off[PERSONA:Easy]` */
function phoneFacets({ id }: Tau2Task): Facets {
  const [, issue, faults = "", persona] = /^\[(\w+)\](.*)\[PERSONA:(\w+)\]$/.exec(id) ?? [];
  if (issue === undefined || persona === undefined) return {};
  return { issue, faults: faults.split("|").length, persona };
}

function deskFacets(task: Tau2Task): Facets {
  const { actions, communicate } = task.criteria;
  const writes = actions.filter((action) => isWrite(task, action));
  return { writes: writes.length, told: communicate.length > 0 ? "yes" : "no" };
}

/** Returns whether an action of the reference may change the state. */
export function isWrite({ domain }: Tau2Task, { side, name }: Tau2Task["criteria"]["actions"][number]): boolean {
  const { userTools = {}, agentTools } = domain.tools;
  const tools = side === "user" ? userTools : agentTools;
  return Object.hasOwn(tools, name) && tools[name]!.kind === "write";
}
