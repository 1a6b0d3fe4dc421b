/** What results with retrieved tools rest on: which tools could be chosen at all decides what can be right. */
import type { Measure } from "../benchmark.ts";
import { meanMeasure } from "../measures/measure.ts";

/** Of the metrics `retriever.recall`, the share of the tools asked for that were offered, and `retriever.offered`, their number. */
export const retrieverMeasures: readonly Measure[] = [
  meanMeasure("retriever.recall", { name: "retriever.recall", title: "Retriever's recall", mode: "effort" }),
  meanMeasure("retriever.offered", {
    name: "retriever.offered",
    title: "APIs offered",
    mode: "effort",
    unit: "number",
    better: "lower",
  }),
];
