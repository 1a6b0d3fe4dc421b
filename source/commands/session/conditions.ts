/** Checks conditions on the results of a session: claims, and requirements such as `--require METRIC>=VALUE`. */
import { endedRows, shownValue } from "../../engine/measures/measure-cell.ts";
import { evaluate, measureCalled } from "../../engine/measures/measure.ts";
import { unwrappedMeasure } from "../../engine/measures/unwrapped.ts";
import type { Measure } from "../../engine/suite.ts";
import { similarName } from "../../engine/text/similar-name.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import type { RunState, SessionCell } from "../../engine/workbench/workbench.ts";
import { runCells } from "./open-session.ts";
import { ArgumentProblem } from "../shell/arguments.ts";
import { openTasks } from "../../engine/log/rows/task-counts.ts";

/** A condition on the runs of a session: it determines the exit status and is a test case of a report for CI. */
export type Condition = {
  /** The condition, such as a claim or a requirement. */
  readonly text: string;
  /** The subject of the condition, such as a run. */
  readonly of: string;
  /** The actual result; undefined if the condition holds. */
  readonly failure: string | undefined;
};

/** Answers to claims that are failures besides `no`. */
export type FailOn = "no" | "undecided";

/** Returns the claims of a session's analysis cells. With `undecided`, a cell whose claims cannot be tested also fails. */
export const claimConditions = (workbench: SessionWorkbench, failOn: FailOn): readonly Condition[] =>
  workbench.cells().flatMap((cell): readonly Condition[] => {
    const state = workbench.state(cell.id);
    if (state.kind !== "analysis" || state.claims === undefined) return [];
    if (state.claims.length === 0)
      return failOn === "undecided"
        ? [{ text: "claims", of: cellTitle(cell), failure: "no claim can be tested, because there are no results yet" }]
        : [];
    return state.claims.map(({ claim, label, answer }) => {
      const fails = answer === "no" || (failOn === "undecided" && answer !== "yes");
      return { text: claim.text, of: label, failure: fails ? answer : undefined };
    });
  });

export const cellTitle = ({ kind, name }: Pick<SessionCell, "kind" | "name">): string => `${kind} ${name}`.trim();

export type Requirement = {
  /** The requirement as the user wrote it. */
  readonly text: string;
  /** The name of a run cell; absent means all. */
  readonly cell?: string;
  readonly measure: string;
  readonly sign: ">=" | "<=";
  /** The value in the measure's own unit: a fraction of 1 for percent. */
  readonly bound: number;
};

/**
 * Parses one requirement for the requested cells; undefined means all cells. Throws `ArgumentProblem`, also if the cell or
 * measure does not exist, because a condition that concerns no run would always be met.
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
      `Expected \`--require\` to name a run cell (${named.join(", ") || "no run cell has a name"}), got \`${cell}\``,
    );
  const called = target.slice(colon + 1).trim();
  const runs = cells.filter(({ name }) => cell === undefined || name === cell).flatMap((each) => each.runs);
  const measures = runs.flatMap((run) => measuresOf(run, workbench));
  const measure = measureCalled(called, measures);
  // A cell with an error has no runs; the error is reported with the cell.
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

/** Applies each requirement to each run that it names. `cells` names the requested cells; undefined means all. */
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
  if (measure === undefined) return `\`${run.spec.suite}\` does not have this measure`;
  const { value, n } = evaluate(measure, endedRows(workbench.rows(run.run)));
  if (value === undefined) return "no task is scored";
  if (sign === ">=" ? value >= bound : value <= bound) return undefined;
  const percent = measure.unit === "percent" ? ` (${shownValue(value, "percent")} %)` : "";
  return `${measure.name} is ${value}${percent}, n ${n}`;
}

const measuresOf = ({ spec }: RunState, workbench: SessionWorkbench): readonly Measure[] => [
  ...workbench.loadedSuites.suite(spec.suite).measures,
  unwrappedMeasure,
];

/** Returns the number of tasks that have no score and did not fail, although no rule of the run excluded them. */
export const missingTasks = ({ counts, leftOutBy }: Pick<RunState, "counts" | "leftOutBy">): number =>
  leftOutBy === undefined ? openTasks(counts) : 0;

/** Returns true if no task is left to execute. */
export const isFinished = (run: Pick<RunState, "status" | "counts" | "leftOutBy">): boolean =>
  run.status === "done" ||
  ((run.status === "partial" || run.status === "decided") && run.leftOutBy !== undefined && run.counts.failed === 0);
