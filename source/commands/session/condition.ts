/** What the runs of a session must come to: each condition decides the exit status, and is a test case of a report for CI. */
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import type { SessionCell } from "../../engine/workbench/workbench.ts";

export type Condition = {
  /** What is asked, such as a claim or a requirement. */
  readonly text: string;
  /** What it is asked of, such as a run. */
  readonly of: string;
  /** What came instead; undefined where it holds. */
  readonly failure: string | undefined;
};

/** Which answers to claims are failures, beside `no`. */
export type FailOn = "no" | "undecided";

/** The claims of a session's analysis cells; with `undecided`, a cell whose claims nothing can be tested on fails too. */
export function claimConditions(workbench: SessionWorkbench, failOn: FailOn): readonly Condition[] {
  return workbench.cells().flatMap((cell): readonly Condition[] => {
    const state = workbench.state(cell.id);
    if (state.kind !== "analysis" || state.claims === undefined) return [];
    if (state.claims.length === 0)
      return failOn === "undecided"
        ? [{ text: "claims", of: cellTitle(cell), failure: "nothing to test its claims on" }]
        : [];
    return state.claims.map(({ claim, label, answer }) => {
      const fails = answer === "no" || (failOn === "undecided" && answer !== "yes");
      return { text: claim.text, of: label, failure: fails ? answer : undefined };
    });
  });
}

export function cellTitle({ kind, name }: Pick<SessionCell, "kind" | "name">): string {
  return `${kind} ${name}`.trim();
}
