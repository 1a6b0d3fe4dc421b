/** PlanBench's numbers: the share of right replies by each extractor, cheapest plans, and the marks of plan verification. */
import { meanMeasure } from "../../../source/engine/measures/measure.ts";
import type { Measure } from "../../../source/engine/suite.ts";

export const measures: readonly Measure[] = [
  meanMeasure("right", {
    name: "chosen.right",
    title: "Right",
    mode: "chosen",
    note: "Plans are read by the run's `extractor`. Right: a valid plan; for cheapest plans (task 2) a cheapest plan, for plan verification (task 3) an explained verdict, for plan execution (task 7) the right state",
  }),
  meanMeasure("official", {
    name: "official.right",
    title: "Right, official extractor",
    mode: "official",
    note: "Plans are read by the official rule extractor",
  }),
  meanMeasure("lenient", {
    name: "lenient.right",
    title: "Right, lenient extractor",
    mode: "lenient",
    note: "The extractor reads the last fenced block or `[PLAN]` part and ignores numbering and Markdown",
  }),
  meanMeasure("differ", {
    name: "extractors.differ",
    title: "Extractors differ",
    mode: "extractors",
    better: "lower",
    note: "Replies that are right with one extractor and wrong with the other",
  }),
  meanMeasure("valid", { name: "chosen.valid", title: "Valid plan", mode: "chosen" }),
  meanMeasure("shortest", {
    name: "chosen.shortest",
    title: "Valid and as short as the reference",
    mode: "chosen",
  }),
  meanMeasure("binary", {
    name: "verification.binary",
    title: "Verdict right",
    mode: "verification",
    note: "Plan verification (task 3)",
  }),
  meanMeasure("type", {
    name: "verification.type",
    title: "Verdict and kind right",
    mode: "verification",
    note: "Plan verification (task 3)",
  }),
  meanMeasure("explanation", {
    name: "verification.explanation",
    title: "Verdict explained",
    mode: "verification",
    note: "Plan verification (task 3)",
  }),
];
