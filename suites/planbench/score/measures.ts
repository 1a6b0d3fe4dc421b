/** PlanBench's numbers: the share of right replies by each extractor, cheapest plans, and the marks of plan verification. */
import { meanMeasure } from "../../../source/engine/measures/measure.ts";
import type { Measure } from "../../../source/engine/suite.ts";

export const measures: readonly Measure[] = [
  meanMeasure("right", {
    name: "chosen.right",
    title: "Right",
    mode: "chosen",
    note: "By the run's `extractor`; valid plans, cheapest ones in task 2, explained verdicts in task 3, equal states in task 7",
  }),
  meanMeasure("official", {
    name: "official.right",
    title: "Right, official extractor",
    mode: "official",
    note: "The rule extractor of the analysis tree",
  }),
  meanMeasure("lenient", {
    name: "lenient.right",
    title: "Right, lenient extractor",
    mode: "lenient",
    note: "The last fenced block or `[PLAN]` part, numbering and Markdown removed",
  }),
  meanMeasure("differ", {
    name: "extractors.differ",
    title: "Extractors differ",
    mode: "extractors",
    better: "lower",
    note: "Replies that are right by one extractor and wrong by the other",
  }),
  meanMeasure("valid", { name: "chosen.valid", title: "Valid plan", mode: "chosen" }),
  meanMeasure("shortest", {
    name: "chosen.shortest",
    title: "Valid and as short as the reference",
    mode: "chosen",
  }),
  meanMeasure("binary", { name: "verification.binary", title: "Verdict right", mode: "verification", note: "Task 3" }),
  meanMeasure("type", {
    name: "verification.type",
    title: "Verdict and kind right",
    mode: "verification",
    note: "Task 3",
  }),
  meanMeasure("explanation", {
    name: "verification.explanation",
    title: "Verdict explained",
    mode: "verification",
    note: "Task 3",
  }),
];
