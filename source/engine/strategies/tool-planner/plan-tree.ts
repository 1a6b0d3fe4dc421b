/** The plans tried so far as one tree: each new plan branches off where it differs from the previous one. */
import type { ToolkitStep } from "../../toolkits/plan.ts";
import type { Step } from "../../types.ts";

type Planned = { readonly id: string; readonly step: ToolkitStep; state: "open" | "done" | "failed" | "pruned" };

export class PlanTree {
  readonly #question: string;
  #version = 0;
  #branch: Planned[] = [];

  constructor(question: string) {
    this.#question = question;
  }

  rootStep(): Step {
    return { type: "node", id: "query", kind: "query", label: this.#question, state: "open" };
  }

  /** A new plan that shares its first `kept` steps with the previous one, whose remaining open steps are pruned. */
  *grow(plan: readonly ToolkitStep[], kept: number): Generator<Step> {
    this.#version += 1;
    for (const [index, old] of this.#branch.entries()) {
      if (index < kept || old.state !== "open") continue;
      old.state = "pruned";
      yield this.#stepOf(index);
    }
    const branch = this.#branch.slice(0, kept);
    this.#branch = branch;
    for (const [index, step] of plan.entries()) {
      if (index < kept) continue;
      branch.push({ id: `p${this.#version}.${index + 1}`, step, state: "open" });
      yield this.#stepOf(index);
    }
  }

  mark(index: number, state: "done" | "failed"): Step {
    this.#branch[index]!.state = state;
    return this.#stepOf(index);
  }

  idAt(index: number): string {
    return this.#branch[index]!.id;
  }

  #stepOf(index: number): Step {
    const { id, step, state } = this.#branch[index]!;
    const parent = this.#branch[index - 1]?.id ?? "query";
    const label = `Toolkit ${step.toolkit}${step.goal === "" ? "" : `: ${step.goal}`}`;
    const detail = { plan: this.#version, step: index + 1, toolkit: step.toolkit };
    return { type: "node", id, parent, kind: "toolkit", label, state, detail };
  }
}
