/** A measure by number of demonstrations: one line per otherwise equal setting. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { copyOf, type LinesFigure } from "../source/engine/figure.ts";
import { intervalAtAnyLook } from "../source/engine/measures/unfinished.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import type { Measure } from "../source/engine/suite.ts";
import { printedSeries } from "../source/engine/measures/reported-lines.ts";
import { modelTitle } from "../source/engine/measures/run-field.ts";
import { numberedLabels, settingTexts } from "../source/engine/measures/run-groups.ts";
import { joinedLabel } from "../source/engine/settings/label.ts";
import type { Facets } from "../source/engine/types.ts";

export const shots: Analysis = {
  name: "shots",
  title: "Demonstrations",
  question: "Do demonstrations help, and how many?",
  choices: (runs) => ({
    measures: cells.measuresOf(runs).map(({ name }) => name),
    by: ["nothing", ...cells.usableFacets(runs)],
    paper: ["off", "on"],
  }),
  missing: (runs) =>
    new Set(runs.map(({ spec }) => spec.shots)).size > 1
      ? undefined
      : "All runs have the same number of shots: make `shots` a list in the run cell, such as [0, 1, 3]",
  compute(runs, { measures: wanted = "", by = "nothing", paper = "off" }) {
    const measure = cells.measureNamed(runs, wanted);
    const values: readonly (string | number | undefined)[] = by === "nothing" ? [undefined] : valuesOf(runs, by);
    const lines = Map.groupBy(runs, ({ spec }) => JSON.stringify({ ...spec, shots: 0 }));
    const named = seriesNames([...lines.values()].map(([first]) => first!));
    const isAbout = (where: Facets) => Object.keys(where).every((facet) => facet === by) && values.includes(where[by]);
    const printed = paper === "on" ? printedSeries(runs, measure, "shots", isAbout) : [];
    const own = [...lines.values()].flatMap((group, index) =>
      values.map((value) => ({
        label: value === undefined ? named[index]! : joinedLabel([named[index]!, String(value)]),
        group: group.toSorted((a, b) => a.spec.shots - b.spec.shots),
        value,
      })),
    );
    const figure: LinesFigure = {
      kind: "lines",
      title: `${measure.title} by number of demonstrations${by === "nothing" ? "" : ` and ${cells.facetTitle(runs, by).toLowerCase()}`}`,
      x: "shots",
      y: measure.title,
      series: [
        ...own.map(({ label, group, value }): Series => {
          const points = group.map((run) => pointsOf(run, measure, by, value));
          return { label, points: points.flat() };
        }),
        ...printed,
      ],
      notes: [
        "Demonstrations come from other tasks of the same split",
        ...(paper === "on" && printed.length === 0
          ? ["No paper reports this measure for these tasks at several numbers of demonstrations"]
          : []),
        ...cells.shortfall(runs),
      ],
    };
    return [figure];
  },
};

type Series = LinesFigure["series"][number];

/** Returns the point of a run or of one group of its tasks; empty if the group is empty. */
function pointsOf(run: RunRows, measure: Measure, by: string, value: string | number | undefined): Series["points"] {
  const ended = cells.endedRows(run.rows);
  const own = value === undefined ? ended : cells.withFacet(ended, by, value);
  if (own.length === 0 && value !== undefined) return [];
  const cell = cells.measureCell(measure, own);
  const { anytime, ...ends } = intervalAtAnyLook(measure, own, [run]) ?? {};
  return [{ x: run.spec.shots, cell: anytime === true ? copyOf(cell, { anytime }) : cell, ...ends }];
}

/** Returns the values of a facet in the suite's order. */
const valuesOf = (runs: readonly RunRows[], by: string): readonly (string | number)[] => [
  ...cells.byFacet(cells.endedRowsOf(runs), by, cells.facetOrder(runs, by)).keys(),
];

/** Names each line by its model and the other settings in which the lines differ. */
function seriesNames(runs: readonly RunRows[]): readonly string[] {
  const all = runs.map((run) => settingTexts(run, ["shots", "model"]));
  const varied = [...new Set(all.flatMap((texts) => [...texts.keys()]))].filter(
    (name) => new Set(all.map((texts) => texts.get(name))).size > 1,
  );
  const word = (text: string | undefined, name: string) =>
    text !== undefined && Number.isNaN(Number(text)) && text !== "on" && text !== "off"
      ? text
      : `${name} ${text ?? "none"}`;
  const labels = runs.map((run, index) => ({
    label: joinedLabel([
      modelTitle(run),
      ...varied.map((name) => run.named?.[name] ?? word(all[index]!.get(name), name)),
    ]),
  }));
  return numberedLabels(labels, ({ label }) => label).map(({ label }) => label);
}
