/** The reported numbers: success on the sample, ToolEval's rates if a judge was asked, and effort. */
import { meanMeasure } from "../../../source/engine/measures/measure.ts";
import type { Measure } from "../../../source/engine/suite.ts";

const count = (metric: string, title: string): Measure =>
  meanMeasure(metric, { name: `effort.${metric}`, title, mode: "effort", unit: "number", better: "lower" });

export const measures: readonly Measure[] = [
  meanMeasure("success", {
    name: "rule.success",
    title: "Success",
    mode: "rule",
    note: "Only tasks with expected values, like the sample's: the answer mentions all of them",
  }),
  meanMeasure("pass", {
    name: "tooleval.pass",
    title: "Pass rate",
    mode: "tooleval",
    note: "Needs a judge; majority of three judgements, ties pass",
  }),
  meanMeasure("win", {
    name: "tooleval.win",
    title: "Win rate",
    mode: "tooleval",
    note: "Needs a judge and reference answers; ties are not wins",
  }),
  meanMeasure("sopr", {
    name: "stable.sopr",
    title: "SoPR",
    mode: "stable",
    note: "Needs a judge; solved 1, unsure one half",
  }),
  meanMeasure("sowr", {
    name: "stable.sowr",
    title: "SoWR",
    mode: "stable",
    note: "Needs a judge and reference answers; the one that solves wins, else the votes",
  }),
  meanMeasure("fac", {
    name: "stable.fac",
    title: "FAC",
    mode: "stable",
    note: "Needs a judge; the final answer alone",
  }),
  meanMeasure("answered", { name: "effort.answered", title: "Answered", mode: "effort" }),
  count("tool_calls", "Tool calls per task"),
  count("tool_failures", "Failed tool calls per task"),
  count("switches", "Switches in a toolkit per task"),
  count("replans", "New plans per task"),
  count("backtracks", "Backtracks per task"),
  count("steps_again", "Steps done again per task"),
];
