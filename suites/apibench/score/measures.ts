/** APIBench's measures: the official rates, two strict readings, and effort. */
import { meanMeasure } from "../../../source/engine/measures/measure.ts";
import type { ErrorKind, Measure } from "../../../source/engine/suite.ts";

const count = (metric: string, title: string): Measure =>
  meanMeasure(metric, { name: `effort.${metric}`, title, mode: "effort", unit: "number", better: "lower" });

export const measures: readonly Measure[] = [
  meanMeasure("pass", {
    name: "official.pass",
    title: "Pass",
    mode: "official",
    note: "Functionality accuracy: an API of the right domain, which need not be the right API",
  }),
  meanMeasure("hallucination", {
    name: "official.hallucination",
    title: "Hallucination",
    mode: "official",
    better: "lower",
  }),
  meanMeasure("win", {
    name: "official.win",
    title: "Win rate",
    mode: "official",
    note: "This measure needs a judge, which compares each reply with the data set's own answer; the paper compares with GPT-3.5 with ReAct",
  }),
  meanMeasure("same_api", { name: "strict.same-api", title: "Same API", mode: "strict" }),
  meanMeasure("same_function_and_arguments", {
    name: "strict.same-call",
    title: "Same function and arguments",
    mode: "strict",
  }),
  count("tool_calls", "Tool calls per task"),
  count("tool_failures", "Failed tool calls per task"),
  count("switches", "Switches to another API per task"),
  count("replans", "New plans per task"),
  count("backtracks", "Backtracks per task"),
];

export const errorKinds: readonly ErrorKind[] = [
  { name: "api-hallucinated", title: "API Hallucinated", note: "The call matches no entry of the catalogue" },
  { name: "wrong-domain", title: "Wrong domain", note: "The API exists but belongs to another domain" },
  {
    name: "other-api",
    title: "Another API of the right domain",
    note: "Correct by the official score, but not the requested API",
  },
  { name: "no-api-call", title: "No call", note: "Torch Hub: the reply has no API-call field" },
];
