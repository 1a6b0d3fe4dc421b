/** The measures of this suite. Garbled plans have no checks; they count 0 in Result, PGR, LPR and SMAR. */
import { meanMeasure } from "../../../source/engine/measures/measure.ts";
import type { Measure } from "../../../source/engine/suite.ts";

const rules = "rules";
const named = (metric: string, title: string, note?: string) =>
  meanMeasure(metric, { name: metric, title, mode: rules, ...(note === undefined ? {} : { note }) });
/** A check of the tasks of one interface; garbled plans have no checks. */
const ofInterface = (check: string, kind: "APP" | "API", note: string): Measure => ({
  ...named(check, check, note),
  applies: ({ facets, score }) => facets["interface"] === kind && score?.value === undefined,
});

export const measures: readonly Measure[] = [
  named("result", "Result", "generated and every check that applies kept; the paper does not define its own Result"),
  named("pgr", "PGR", "1 to 20 steps, as many as announced, numbered in order"),
  named("lpr", "LPR", "SER times DA"),
  named("smar.eq3", "SMAR", "equation 3 over missing and redundant steps, parameters, tools and time"),
  named("SC", "SC", "no step is missing"),
  named("SR", "SR", "no step is redundant"),
  named("TD", "TD", "all dependencies right and none invented"),
  ofInterface("FD-APP", "APP", "no app that was not offered; app tasks only"),
  ofInterface("OSC", "APP", "only operations of the operation space; app tasks only"),
  ofInterface("FD-API", "API", "no tool that was not offered; API tasks only"),
  named("PC", "PC", "parameters as catalogue, profile and request want them"),
  named("TR", "TR", "dates follow from the calendar; tasks with dates only"),
  named("ser", "SER"),
  named("da", "DA", "sum of right dependencies over the larger number of wanted and found ones"),
  named("da.recall", "DA recall", "tasks with dependencies only"),
  { ...named("da.literal", "DA as in the paper", "not bounded by 1; for comparison only"), unit: "number" },
  named("smar.table", "SMAR (table)", "mean of FD-APP, OSC, FD-API, PC and TR as far as they apply"),
  { ...named("garbled", "Garbled", "plans that cannot be read"), better: "lower" },
  ...["SC", "SR", "PC", "OSC", "TR", "TD"].map((check) =>
    meanMeasure(`judge.${check}`, {
      name: `judge.${check}`,
      title: `${check} (judge)`,
      mode: "judge",
      note: "a model's opinion; unreadable opinions are left out",
    }),
  ),
];
