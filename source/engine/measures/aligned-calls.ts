/** Aligns the tool calls of several trajectories step by step. A call is its name, a blank and its arguments. */

/**
 * The calls of one step, one per trajectory; undefined if a trajectory has no call in the step. All others are compared with the
 * first.
 */
export type AlignedStep = readonly (string | undefined)[];

export type StepChange = "same" | "changed" | "inserted" | "removed";

/** Returns how a step differs from that of the first trajectory; with several others, a missing call outweighs a changed one. */
export function changeAt([first, ...others]: AlignedStep): StepChange {
  if (first === undefined) return "inserted";
  if (others.includes(undefined)) return "removed";
  return others.every((call) => call === first) ? "same" : "changed";
}

/**
 * Aligns calls so that as many equal calls as possible match in order and, between them, as many calls of the same name; each
 * other call is a separate step. Equal calls that several trajectories insert at one place share a step. The time is
 * proportional to the product of two lengths.
 */
export function alignedCalls([base = [], ...others]: readonly (readonly string[])[]): readonly AlignedStep[] {
  const matched = others.map((other) => matches(base, other));
  const steps: AlignedStep[] = [];
  for (let at = 0; at <= base.length; at++) {
    const inserted = others.map((other, which) => insertedBefore(at, other, matched[which]!));
    steps.push(...mergedSteps(inserted));
    if (at === base.length) break;
    steps.push([base[at], ...others.map((other, which) => other[matched[which]!.indexOf(at)])]);
  }
  return steps;
}

/** Returns the calls of another trajectory after the match of step `at - 1` of the base and before the next match. */
function insertedBefore(at: number, other: readonly string[], matched: Matches): readonly string[] {
  let next = 0;
  return other.filter((_, index) => {
    const match = matched[index];
    if (match !== undefined) next = match + 1;
    return match === undefined && next === at;
  });
}

/** The step of the base that each call of another trajectory is matched with. */
type Matches = readonly (number | undefined)[];

function matches(base: readonly string[], other: readonly string[]): Matches {
  const found: (number | undefined)[] = other.map(() => undefined);
  const equal = longestPairs(base, other, (one, another) => one === another);
  let [fromBase, fromOther] = [0, 0];
  for (const [inBase, inOther] of [...equal, [base.length, other.length] as const]) {
    const gap = [base.slice(fromBase, inBase), other.slice(fromOther, inOther)] as const;
    for (const [one, another] of longestPairs(...gap, (a, b) => nameOf(a) === nameOf(b)))
      found[fromOther + another] = fromBase + one;
    found[inOther] = inBase;
    [fromBase, fromOther] = [inBase + 1, inOther + 1];
  }
  return found;
}

const nameOf = (call: string): string => call.split(" ", 1).join();

/** Returns the indices of a longest common subsequence; if there are several, the one with the earliest matches. */
function longestPairs(
  one: readonly string[],
  other: readonly string[],
  fits: (one: string, other: string) => boolean,
): readonly (readonly [number, number])[] {
  const width = other.length + 1;
  const lengths = new Uint32Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i--)
    for (let j = other.length - 1; j >= 0; j--)
      lengths[i * width + j] = fits(one[i]!, other[j]!)
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    if (fits(one[i]!, other[j]!)) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i += 1;
    else j += 1;
  }
  return pairs;
}

function mergedSteps(inserted: readonly (readonly string[])[]): readonly AlignedStep[] {
  const steps: (string | undefined)[][] = [];
  for (const [which, calls] of inserted.entries()) {
    let at = 0;
    for (const call of calls) {
      const found = steps.findIndex((step, index) => index >= at && step.includes(call));
      const step = found < 0 ? [undefined, ...inserted.map(() => undefined)] : steps[found]!;
      if (found < 0) steps.splice(at, 0, step);
      step[which + 1] = call;
      at = (found < 0 ? at : found) + 1;
    }
  }
  return steps;
}
