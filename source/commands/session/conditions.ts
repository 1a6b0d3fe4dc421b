/** Conditions on the results of a session: claims, and requirements such as `--require METRIC>=VALUE`. */
import { endedRows, shownValue } from "../../engine/measures/measure-cell.ts";
import { evaluate, measureCalled } from "../../engine/measures/measure.ts";
import type { Measure } from "../../engine/suite.ts";
import { similarName } from "../../engine/text/similar-name.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import type { RunState, SessionCell } from "../../engine/workbench/workbench.ts";
import { runCells } from "./open-session.ts";
import { ArgumentProblem } from "../shell/arguments.ts";
import { openTasks } from "../../engine/log/rows/task-counts.ts";

/** What the runs of a session must come to: it decides the exit status, and is a test case of a report for CI. */
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

export type Requirement = {
  /** As it was written. */
  readonly text: string;
  /** The name of a run cell; absent: all of them. */
  readonly cell?: string;
  readonly measure: string;
  readonly sign: ">=" | "<=";
  /** In the measure's own unit: a fraction of 1 for percent. */
  readonly bound: number;
};

/**
 * Reads one requirement of the cells that were asked for, undefined meaning all. Throws `ArgumentProblem`, also for a cell or a measure
 * that is not among them: what nothing is held against would hold.
 */
export function readRequirement(
  text: string,
  workbench: SessionWorkbench,
  asked: readonly string[] | undefined,
): Requirement {
  const [, target, sign, written] = /^([^<>=]+?)\s*(>=|<=)\s*(\S+)$/.exec(text.trim()) ?? [];
  const bound = Number(written);
  if (target === undefined || !Number.isFinite(bound))
    throw new ArgumentProblem(`Expected \`--require METRIC>=NUMBER\` or \`CELL:METRIC>=NUMBER\`, got \`${text}\``);
  const colon = target.lastIndexOf(":");
  const cell = colon < 0 ? undefined : target.slice(0, colon).trim();
  const cells = runCells(workbench, asked);
  if (cells.length === 0) throw new ArgumentProblem(`Expected a run cell for \`--require ${text}\`, found none`);
  const named = cells.map(({ name }) => name).filter((name) => name !== "");
  if (cell !== undefined && !named.includes(cell))
    throw new ArgumentProblem(
      `Expected \`--require\` to name a run cell (${named.join(", ") || "none has a name"}), got \`${cell}\``,
    );
  const called = target.slice(colon + 1).trim();
  const runs = cells.filter(({ name }) => cell === undefined || name === cell).flatMap((each) => each.runs);
  const measures = runs.flatMap((run) => measuresOf(run, workbench));
  const measure = measureCalled(called, measures);
  // A cell with an error has no runs, which is said with the cell.
  if (runs.length > 0 && measure === undefined) {
    const names = [...new Set(measures.map(({ name }) => name))];
    const similar = similarName(called, names);
    const expected = similar === undefined ? `(${names.join(", ")})` : `(did you mean \`${similar}\`?)`;
    throw new ArgumentProblem(`Expected \`--require\` to name a measure of a run ${expected}, got \`${called}\``);
  }
  if (measure?.unit === "percent" && (bound < 0 || bound > 1))
    throw new ArgumentProblem(`Expected \`--require ${measure.name}\` with a fraction from 0 to 1, got \`${written}\``);
  return { text, ...(cell !== undefined && { cell }), measure: called, sign: sign as ">=" | "<=", bound };
}

/** Each requirement put to each run it is about; `cells` names those that were asked for, undefined means all. */
export function requirementConditions(
  requirements: readonly Requirement[],
  workbench: SessionWorkbench,
  cells: readonly string[] | undefined,
): readonly Condition[] {
  const asked = runCells(workbench, cells);
  return requirements.flatMap((requirement) =>
    asked
      .filter(({ name }) => requirement.cell === undefined || requirement.cell === name)
      .flatMap(({ name, runs }) =>
        runs.map((run) => ({
          text: requirement.text,
          of: `${cellTitle({ kind: "run", name })} (${run.label})`,
          failure: failureOf(requirement, run, workbench),
        })),
      ),
  );
}

function failureOf({ measure: called, sign, bound }: Requirement, run: RunState, workbench: SessionWorkbench) {
  const measure = measureCalled(called, measuresOf(run, workbench));
  if (measure === undefined) return `\`${run.spec.suite}\` has no such measure`;
  const { value, n } = evaluate(measure, endedRows(workbench.rows(run.run)));
  if (value === undefined) return "nothing of it is scored";
  if (sign === ">=" ? value >= bound : value <= bound) return undefined;
  const percent = measure.unit === "percent" ? ` (${shownValue(value, "percent")} %)` : "";
  return `${measure.name} is ${value}${percent}, n ${n}`;
}

function measuresOf({ spec }: RunState, workbench: SessionWorkbench): readonly Measure[] {
  return workbench.loadedSuites.suite(spec.suite).measures;
}

/** How many tasks neither have a score nor failed, although no rule of the run left them out. */
export function missingTasks({ counts, leftOutBy }: Pick<RunState, "counts" | "leftOutBy">): number {
  return leftOutBy === undefined ? openTasks(counts) : 0;
}

/** True if nothing is left to execute. */
export function isFinished(run: Pick<RunState, "status" | "counts" | "leftOutBy">): boolean {
  return run.status === "done" || (run.status === "partial" && run.leftOutBy !== undefined && run.counts.failed === 0);
}
