/** Prompt differences from the official program that do not affect scores. */
import type { RunSpec } from "../../../source/engine/types.ts";

const demonstrations =
  "Demonstrations, where asked for, are other tasks of the same category with the same apps in their reference plans: the pool of the paper is not published.";
const order =
  "The apps chosen in the first request are shown in catalogue order; in the official program their order varies between runs.";

export const remarks: readonly string[] = [demonstrations, order];

/** Returns the remarks that apply to a run. */
export const remarksOf = ({ shots, options }: Pick<RunSpec, "shots" | "options">): readonly string[] => [
  ...(shots > 0 ? [demonstrations] : []),
  ...(options["prompting"] === "flat" ? [] : [order]),
];
