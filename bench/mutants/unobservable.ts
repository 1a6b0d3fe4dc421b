/** Mutants that change nothing anybody could observe, and why: they do not count. */
import type { Mutant } from "./switched-files.ts";

type Known = Pick<Mutant, "file" | "within" | "was" | "becomes"> & { readonly why: string };

const known: readonly Known[] = [
  {
    file: "source/engine/statistics/beta.ts",
    within: "const next = stepped > low && stepped < high ? stepped : (low + high) / 2;",
    was: "stepped > low",
    becomes: "(stepped) >= (low)",
    why: "A step that lands on the bracket's end to the last digit has arrived",
  },
  {
    file: "source/engine/statistics/detectable-difference.ts",
    within:
      "const below = (k: number) => (k < 0 ? 0 : k >= tasks ? 1 : betaShare(1 - disagreement, tasks - k, k + 1));",
    was: "k < 0",
    becomes: "(k) <= (0)",
    why: "With no or one task that differs nothing is rejected, so that their chance counts nowhere",
  },
];

export function whyUnobservable({ file, within, was, becomes }: Mutant): string | undefined {
  const same = (one: Known) => one.file === file && one.within === within && one.was === was && one.becomes === becomes;
  return known.find(same)?.why;
}
