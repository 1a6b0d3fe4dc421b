/** A cell with `samples`: the trials that it requests, and the runs that pick one of their answers to each task. */
import type { RunFields } from "./fields/run-fields.ts";
import type { RunSpec } from "../types.ts";

export const isOfSamples = (name: string): boolean => name === "samples" || name === "pick";

/**
 * Returns the fields of the runs that send requests, which are trials 1 to the largest number of samples, and those of the runs
 * that pick; without `samples`, the cell's own fields. A single sample is the first trial itself, without a pick.
 */
export function sampledFields(fields: RunFields): { readonly asked: RunFields; readonly picked?: RunFields } {
  const numbers = fields.lists.get("samples")?.map(Number);
  if (numbers === undefined) return { asked: fields };
  const most = Math.max(...numbers);
  const several = numbers.filter((number) => number > 1);
  const trials = Array.from({ length: most }, (_, index) => index + 1);
  const others = [...fields.lists].filter(([name]) => !isOfSamples(name));
  return {
    asked: {
      ...fields,
      lists: new Map([...others, ["trial", trials]]),
      pooled: most > 1 ? "trial" : undefined,
    },
    ...(several.length > 0 && { picked: { ...fields, lists: new Map([...fields.lists, ["samples", several]]) } }),
  };
}

/** Returns the settings of the runs whose answers are the samples, in order. */
export const sampleSpecs = ({ samples = 0, pick: _pick, ...spec }: RunSpec): readonly RunSpec[] =>
  Array.from(Array(samples).keys(), (index) => ({ ...spec, trial: index + 1 }));

/** Returns the number of samples and the method that picks, for labels. */
export const pickedLabel = ({ samples, pick = "majority" }: RunSpec): string => `${pick} of ${samples}`;
