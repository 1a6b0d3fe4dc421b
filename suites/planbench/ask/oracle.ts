/** Perfect replies, and replies with one mistake, made from the reference. */
import type { Asked as Request, Reply } from "../../../source/engine/protocol.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import { isUnsolvable, kindOf } from "../data/catalogue.ts";
import type { PlanTask } from "../data/tasks.ts";
import { readPlan } from "../score/plan-steps.ts";
import { factText, type Atom } from "../score/pddl.ts";
import { inWords } from "../score/words.ts";

export const faultKinds: Suite["faultKinds"] = [
  { name: "repeated-step", title: "The first step twice", errors: ["precondition"] },
  { name: "missing-step", title: "Without the last step", errors: ["goal"] },
  { name: "unknown-action", title: "An action that is none" },
  { name: "too-few", title: "A step without objects" },
  { name: "unreadable", title: "A step that cannot be read" },
  { name: "claims-plan", title: "A plan where there is none" },
  { name: "wrong-verdict", title: "The opposite verdict" },
  { name: "wrong-state", title: "A state with a fact missing" },
];

/** Returns the reference as a reply in the requested form. */
export function perfectReply({ input: { asked } }: PlanTask): Reply {
  const { config, task, reference = "", answer } = asked;
  if (isUnsolvable(config)) return { text: "no plan possible" };
  if (kindOf(task) === "verification") return { text: String(answer) };
  if (kindOf(task) === "execution") return { text: stateText(config, answer) };
  return { text: planText(asked, readPlan(reference) ?? []) };
}

/** Returns a reply with one mistake; undefined if the mistake is impossible in this task. */
export function faultyReply({ input: { asked } }: PlanTask, _request: Request, kind: string): Reply | undefined {
  const { config, task, reference = "", answer } = asked;
  const taskKind = kindOf(task);
  if (isUnsolvable(config)) return kind === "claims-plan" ? { text: "(pick-up a)" } : undefined;
  if (taskKind === "verification") {
    const isValid = String(answer).includes("plan is valid");
    const opposite = `The above plan is ${isValid ? "invalid" : "valid"}.`;
    return kind === "wrong-verdict" ? { text: opposite } : undefined;
  }
  if (taskKind === "execution")
    return kind === "wrong-state" && Array.isArray(answer) ? { text: stateText(config, answer.slice(1)) } : undefined;
  const steps = faultySteps(readPlan(reference) ?? [], kind, task.endsWith("_pddl"));
  return steps === undefined ? undefined : { text: planText(asked, steps) };
}

function faultySteps(steps: readonly Atom[], kind: string, isPddl: boolean): readonly Atom[] | undefined {
  const [first, ...rest] = steps;
  if (first === undefined) return undefined;
  if (kind === "repeated-step") return [first, first, ...rest];
  if (kind === "missing-step") return steps.slice(0, -1);
  // In words, the official extractors drop what they cannot read.
  if (!isPddl) return undefined;
  if (kind === "unknown-action") return [["teleport", ...first.slice(1)], ...rest];
  if (kind === "too-few") return [first.slice(0, 1), ...rest];
  return kind === "unreadable" ? [[...first, "*"], ...rest] : undefined;
}

function planText({ config, task }: PlanTask["input"]["asked"], steps: readonly Atom[]): string {
  if (task.endsWith("_pddl")) return steps.map(factText).join("\n");
  const before = task.endsWith("_state_tracking") ? "Action: " : "";
  return steps.map((step) => before + inWords(config, step)).join("\n");
}

function stateText(config: string, answer: unknown): string {
  const facts = Array.isArray(answer) ? answer.map((fact) => inWords(config, String(fact).split("_"))) : [];
  return facts.length < 2 ? facts.join("") : `${facts.slice(0, -1).join(", ")} and ${facts.at(-1)}`;
}
