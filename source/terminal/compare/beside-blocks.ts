/** Lays out a task in two runs: the two plans beside each other, or the two conversations entry by entry. */
import type { Line } from "../../engine/figures/drawing/line.ts";
import type { TaskView } from "../../engine/loaded-suite.ts";
import type { RunWords } from "../../engine/log/run-words.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import { standingErrors } from "../../engine/log/rows/verdict.ts";
import type { Mistake } from "../../engine/types.ts";
import { plural } from "../drawing/amount.ts";
import { rowBeside } from "../live/lanes.ts";
import { type Block, blockOf } from "../trajectory/block.ts";
import { mistakeLines, planLayout, type PlanLook, sideBySideFrom } from "../trajectory/sections/plan-blocks.ts";
import { pairOfMistake, pairSteps, type StepPair } from "../trajectory/sections/plan-diff.ts";
import type { WrappedTexts } from "../drawing/wrapped-text.ts";
import { linesOf, visibleLines } from "../trajectory/position.ts";
import { failureBlocks, markedByEntry } from "../trajectory/sections/step-blocks.ts";
import type { View } from "../trajectory/view.ts";

/** A run's trajectory and plan of the task; undefined if the run has not begun it. */
export type Side = {
  readonly trajectory: Trajectory | undefined;
  readonly view: TaskView | undefined;
  readonly words?: RunWords;
};
export type Sides = readonly [Side, Side];

/**
 * Lays out the plan of the first run on the left and that of the second on the right, with the mistakes below their
 * steps.
 */
export function plansBeside(sides: Sides, view: View): Block[] {
  const joined = joinedPlans(sides[0].view, sides[1].view);
  const pairs = pairSteps(joined);
  const layout = planLayout(joined, lookOf(joined), view);
  const made = sides.flatMap((side, index) => madeBy(side, index));
  const linesAt = (pair: StepPair | undefined) =>
    made
      .filter(({ side, step }) => pairs.find((each) => step !== undefined && stepOf(each, side) === step) === pair)
      .flatMap(({ side, mistake }) =>
        mistakeLines(mistake, view).map((line): Line => [{ text: `${side + 1} `, style: "faint" }, ...line]),
      );
  const elsewhere = linesAt(undefined);
  return [
    ...layout.heading(),
    ...pairs.map((pair) => {
      const wrong = linesAt(pair);
      const lines = [...layout.pair(pair), ...wrong];
      return blockOf(`plan ${pair.id}`, lines, { error: pair.change !== "same" || wrong.length > 0 });
    }),
    ...(elsewhere.length === 0 ? [] : [blockOf("plan mistakes", [[], ...elsewhere], { error: true })]),
  ];
}

function lookOf({ plan, reference }: TaskView): PlanLook {
  const head = (number: number, steps: number) =>
    `${number}: ${steps === 0 ? "no plan could be read from the answer" : plural(steps, "step")}`;
  return {
    heads: [head(1, plan.length), head(2, reference.length)],
    legend: [
      { text: "  ~ differs  + only in 1  − only in 2", style: "warn" },
      { text: "  ← uses the result of", style: "faint" },
    ],
    styles: { same: "plain", changed: "warn", missing: "warn", extra: "warn" },
    other: "warn",
  };
}

/**
 * Joins both plans into one view in which the second takes the place of the reference. Steps are paired by the step of
 * the answer key that they match, else by title.
 */
function joinedPlans(one: TaskView | undefined, other: TaskView | undefined): TaskView {
  const plan = one?.plan ?? [];
  const reference = other?.plan ?? [];
  const stands = new Map(other?.matches);
  const matches = (one?.matches ?? []).flatMap(([key, step]): [number, number][] => {
    const partner = stands.get(key);
    return partner === undefined ? [] : [[partner, step]];
  });
  const taken = new Set(matches.map(([partner]) => partner));
  const matched = new Set(matches.map(([, step]) => step));
  for (const [step, { title }] of plan.entries()) {
    if (matched.has(step)) continue;
    const partner = reference.findIndex((each, index) => !taken.has(index) && each.title === title);
    if (partner < 0) continue;
    taken.add(partner);
    matches.push([partner, step]);
  }
  return { plan, reference, matches };
}

type MadeBy = { readonly side: number; readonly mistake: Mistake; readonly step: number | undefined };

/** Returns the mistakes of a run, each with the step of the run's own plan that it is in. */
function madeBy({ trajectory, view }: Side, side: number): MadeBy[] {
  const pairs = view === undefined ? [] : pairSteps(view);
  return standingErrors(trajectory?.score?.errors ?? []).map((mistake) => ({
    side,
    mistake,
    step: pairOfMistake(mistake, pairs)?.plan,
  }));
}

function stepOf({ plan, reference }: StepPair, side: number): number | undefined {
  return side === 0 ? plan : reference;
}

/**
 * Lays out both conversations so that entries of the same number begin on the same line: a fork's repeated replies are
 * then beside those of its original. `texts` keeps the wrapped texts of each side.
 */
export function stepsBeside(sides: Sides, view: View, texts: readonly [WrappedTexts, WrappedTexts]): Block[] {
  const wide = view.columns >= sideBySideFrom;
  const columns = wide ? Math.floor((view.columns - 3) / 2) : view.columns - 2;
  const [left, right] = sides.map(({ trajectory, words }, side) => {
    if (trajectory === undefined)
      return [[blockOf("nothing", [[{ text: "  This run has not begun the task", style: "faint" }]])]];
    // Long texts are folded here; the trajectory of each run shows them whole.
    const own = { ...view, columns, texts: texts[side]!, brief: true, ...(words !== undefined && { words }) };
    return [...markedByEntry(trajectory, own), failureBlocks(trajectory, own)];
  });
  return Array.from({ length: Math.max(left!.length, right!.length) }, (_, index): Block => {
    const both = [left![index] ?? [], right![index] ?? []];
    const rows = both.map(linesOf);
    const rest = { error: both.flat().some(({ error }) => error === true) };
    const id = `entry ${index}`;
    if (wide) {
      const row = (at: number) => both.map((side) => visibleLines(side, at, 1)[0]);
      return {
        id,
        count: Math.max(...rows),
        line: (at) => rowBeside(row(at), columns, view.symbols.bar),
        ...rest,
      };
    }
    const lines = both.flatMap((side, at) =>
      visibleLines(side, 0, rows[at]!).map((line): Line => [{ text: `${at + 1} `, style: "faint" }, ...line]),
    );
    return blockOf(id, lines, rest);
  });
}
