/** The reported numbers: success on the sample, ToolEval's rates if a judge was asked, and effort. */
import { meanMeasure } from "../../../source/engine/measures/measure.ts";
import type { Measure } from "../../../source/engine/suite.ts";
import { counted } from "../../../source/engine/text/counted.ts";
import type { Row } from "../../../source/engine/types.ts";
import { filtered } from "../../../source/engine/work/growing-list.ts";

const count = (metric: string, title: string): Measure =>
  meanMeasure(metric, { name: `effort.${metric}`, title, mode: "effort", unit: "number", better: "lower" });

export const measures: readonly Measure[] = [
  meanMeasure("success", {
    name: "rule.success",
    title: "Success",
    mode: "rule",
    note: "The answer mentions all expected values; only tasks with expected values count, such as the sample's",
  }),
  meanMeasure("pass", {
    name: "tooleval.pass",
    title: "Pass rate",
    mode: "tooleval",
    note: "This measure needs a judge; the majority of three judgements decides; a tie passes",
  }),
  meanMeasure("win", {
    name: "tooleval.win",
    title: "Win rate",
    mode: "tooleval",
    note: "This measure needs a judge and reference answers; ties are not wins",
  }),
  meanMeasure("sopr", {
    name: "stable.sopr",
    title: "SoPR",
    mode: "stable",
    note: "This measure needs a judge; solved counts 1, unsure counts one half",
  }),
  meanMeasure("sowr", {
    name: "stable.sowr",
    title: "SoWR",
    mode: "stable",
    note: "This measure needs a judge and reference answers; an answer that solves the task wins against one that does not; otherwise the judge's votes decide",
  }),
  meanMeasure("fac", {
    name: "stable.fac",
    title: "FAC",
    mode: "stable",
    note: "This measure needs a judge, which reads only the final answer",
  }),
  meanMeasure("answered", { name: "effort.answered", title: "Answered", mode: "effort" }),
  count("tool_calls", "Tool calls per task"),
  count("tool_failures", "Failed tool calls per task"),
  count("switches", "Switches to another API per task"),
  count("replans", "New plans per task"),
  count("backtracks", "Backtracks per task"),
  count("steps_again", "Repeated steps per task"),
];

const isOlder = ({ cause, score }: Row): boolean => cause?.cause === "environment" && score?.value !== undefined;

/** States how many saved scores belong to tasks that would fail today, because no reply of the simulated server could be read. */
export function findings(rows: readonly Row[]): readonly string[] {
  const { length: older } = filtered(isOlder, rows);
  if (older === 0) return [];
  const made = `${counted(older, "score")} ${older === 1 ? "was" : "were"} made`;
  return [
    `${made} when unreadable replies of a simulated server still counted against the model: \`--rescore\` computes all scores again`,
  ];
}
