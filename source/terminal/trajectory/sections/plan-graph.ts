/**
 * Draws the dependencies of a plan as lines in a gutter, from a step whose result is used to the last step that uses
 * it.
 */
import type { Symbols } from "../../../engine/figures/drawing/symbols.ts";
import type { PlanStep } from "../../../engine/loaded-suite.ts";

/** More strands leave no room for text; then only the numbers after `←` show the dependencies. */
const mostStrands = 6;

export type Gutter = {
  /** Returns the gutter before the title of a step. */
  title(step: number): string;
  /** Returns the gutter before the lines below it. */
  below(step: number): string;
};

type Strand = { readonly from: number; readonly to: number; readonly users: ReadonlySet<number> };

export function gutterOf(steps: readonly PlanStep[], symbols: Symbols): Gutter {
  const lanes = lanesOf(strandsOf(steps));
  if (lanes.length === 0 || lanes.length > mostStrands) return { title: () => "", below: () => "" };
  const ascii = symbols.bar === "|";
  const sign = ascii
    ? { start: ".", end: "`", user: "+", through: "|" }
    : { start: "╭", end: "╰", user: "├", through: "│" };
  const title = (step: number) => {
    let reaches = false;
    return lanes
      .map((strands) => {
        const strand = strands.find(({ from, to }) => from <= step && step <= to);
        const touches = strand !== undefined && (strand.from === step || strand.users.has(step));
        const reached = reaches;
        reaches ||= touches;
        if (strand === undefined) return reached ? symbols.rule : " ";
        if (strand.from === step) return sign.start;
        if (strand.to === step) return sign.end;
        return strand.users.has(step) ? sign.user : sign.through;
      })
      .join("")
      .concat(reaches ? symbols.rule : " ");
  };
  const below = (step: number) =>
    lanes
      .map((strands) => (strands.some(({ from, to }) => from <= step && step < to) ? sign.through : " "))
      .join("")
      .concat(" ");
  return { title, below };
}

function strandsOf(steps: readonly PlanStep[]): Strand[] {
  const users = new Map<number, Set<number>>();
  for (const [index, { needs }] of steps.entries()) {
    for (const need of needs) {
      // Only dependencies on earlier steps can be drawn; the numbers show the others.
      if (need < 0 || need >= index) continue;
      users.set(need, (users.get(need) ?? new Set()).add(index));
    }
  }
  return [...users]
    .toSorted(([one], [other]) => one - other)
    .map(([from, of]) => ({ from, to: Math.max(...of), users: of }));
}

/** Puts strands that do not overlap into one lane; the first lanes are the outermost. */
function lanesOf(strands: readonly Strand[]): Strand[][] {
  const lanes: Strand[][] = [];
  for (const strand of strands) {
    const free = lanes.find((lane) => lane.at(-1)!.to < strand.from);
    if (free === undefined) lanes.push([strand]);
    else free.push(strand);
  }
  return lanes;
}
