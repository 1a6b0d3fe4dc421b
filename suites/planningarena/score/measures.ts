/** The measures of this suite. Garbled plans have no checks; they count 0 in Result, PGR, LPR and SMAR. */
import { meanMeasure } from "../../../source/engine/measures/measure.ts";
import type { Measure } from "../../../source/engine/suite.ts";

const rules = "rules";
const named = (metric: string, title: string, note: string) =>
  meanMeasure(metric, { name: metric, title, mode: rules, note });
/** A check of the tasks of one interface; garbled plans have no checks. */
const ofInterface = (check: string, kind: "APP" | "API", note: string): Measure => ({
  ...named(check, check, note),
  applies: ({ facets, score }) => facets["interface"] === kind && score?.value === undefined,
});

export const measures: readonly Measure[] = [
  named(
    "result",
    "Result",
    "the plan was generated and passes every applicable check; the paper does not define Result",
  ),
  named("pgr", "PGR", "the plan has 1 to 20 steps, as many as announced, numbered in order"),
  named("lpr", "LPR", "SER times DA"),
  named(
    "smar.eq3",
    "SMAR",
    "equation 3 of the paper: the share of avoided mistakes among missing and redundant steps, parameters, tools and time",
  ),
  named("SC", "SC", "no step is missing"),
  named("SR", "SR", "no step is redundant"),
  named("TD", "TD", "all dependencies are right and none is invented"),
  ofInterface("FD-APP", "APP", "only offered apps are used; app tasks only"),
  ofInterface("OSC", "APP", "only operations of the operation space are used; app tasks only"),
  ofInterface("FD-API", "API", "only offered tools are used; API tasks only"),
  named("PC", "PC", "parameters fit the catalogue, the profile and the request"),
  named("TR", "TR", "dates are right; tasks with dates only"),
  named("ser", "SER", "share of subtasks done, each counted by its share of right arguments"),
  named(
    "da",
    "DA",
    "number of right dependencies, divided by the number of required or of found dependencies, whichever is larger",
  ),
  named("da.recall", "DA recall", "tasks with dependencies only"),
  {
    ...named("da.literal", "DA as in the paper", "the formula of the paper, which can exceed 1; for comparison only"),
    unit: "number",
  },
  named("smar.table", "SMAR (table)", "mean of the checks that apply among FD-APP, OSC, FD-API, PC and TR"),
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
