/** Decides whether a plan is valid, with the verdict, failing step and unmet facts that VAL gives. */
import { factText, isOfType, type Action, type Atom, type Domain, type Problem } from "./pddl.ts";
import { readPlan } from "./plan-steps.ts";

type VerdictKind = "valid" | "unreadable" | "unknown-action" | "type" | "too-few" | "precondition" | "goal";

export type Verdict = {
  readonly valid: boolean;
  readonly kind: VerdictKind;
  /** Counted from 1; null if no single step is wrong. */
  readonly step: number | null;
  readonly unmet: readonly string[];
};

/** One step of an executed plan with the facts that it changed. */
export type Executed = {
  readonly step: Atom;
  /** Undefined if the step cannot be executed, because its action or arguments are unknown. */
  readonly state: readonly string[] | undefined;
  readonly unmet: readonly string[];
};

/** The verdict about the text of a plan. */
export function validate(domain: Domain, problem: Problem, plan: string): Verdict {
  const steps = readPlan(plan);
  if (steps === undefined) return { valid: false, kind: "unreadable", step: null, unmet: [] };
  const refused = (kind: Verdict["kind"], step: number): Verdict => ({ valid: false, kind, step, unmet: [] });
  const unknown = steps.findIndex(([name]) => !domain.actions.has(name!));
  if (unknown !== -1) return refused("unknown-action", unknown + 1);
  const mistyped = domain.types.size === 0 ? -1 : steps.findIndex((step) => !isWellTyped(step, domain, problem));
  if (mistyped !== -1) return refused("type", mistyped + 1);
  const short = steps.findIndex((step) => step.length - 1 < actionOf(domain, step).parameters.length);
  if (short !== -1) return refused("too-few", short + 1);
  const state = new Set(problem.init.map(factText));
  for (const [index, step] of steps.entries()) {
    const unmet = execute(actionOf(domain, step), step, state);
    if (unmet.length > 0) return { valid: false, kind: "precondition", step: index + 1, unmet };
  }
  const unmet = problem.goal.map(factText).filter((fact) => !state.has(fact));
  return unmet.length > 0
    ? { valid: false, kind: "goal", step: null, unmet }
    : { valid: true, kind: "valid", step: null, unmet: [] };
}

/**
 * Returns each step with the state after it, as far as the plan can be executed: the first step that cannot be executed comes
 * last, with the reason.
 */
export function executed(domain: Domain, problem: Problem, plan: string): readonly Executed[] {
  const state = new Set(problem.init.map(factText));
  let stopped = false;
  return (readPlan(plan) ?? []).map((step): Executed => {
    const action = domain.actions.get(step[0]!);
    if (stopped || action === undefined || step.length - 1 < action.parameters.length) {
      stopped = true;
      return { step, state: undefined, unmet: [] };
    }
    const unmet = execute(action, step, state);
    stopped = unmet.length > 0;
    return { step, state: stopped ? undefined : [...state], unmet };
  });
}

/** Changes the state by this step; if preconditions are unmet, returns them and changes nothing. */
function execute(action: Action, [, ...values]: Atom, state: Set<string>): readonly string[] {
  const bound = new Map(action.parameters.map(({ name }, index) => [name, values[index]!]));
  const ground = (atom: Atom) => factText(atom.map((part) => bound.get(part) ?? part));
  const unmet = action.precondition.map(ground).filter((fact) => !state.has(fact));
  if (unmet.length > 0) return unmet;
  for (const atom of action.deletes) state.delete(ground(atom));
  for (const atom of action.adds) state.add(ground(atom));
  return [];
}

function isWellTyped(step: Atom, domain: Domain, problem: Problem): boolean {
  const { parameters } = actionOf(domain, step);
  const values = step.slice(1);
  if (values.length !== parameters.length) return false;
  return parameters.every(({ type }, index) => {
    const given = problem.objects.get(values[index]!) ?? domain.constants.get(values[index]!);
    return given !== undefined && isOfType(domain.types, given, type);
  });
}

function actionOf(domain: Domain, [name]: Atom): Action {
  return domain.actions.get(name!)!;
}
