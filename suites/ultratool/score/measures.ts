/** The paper's nine columns and their mean, strict readings, the judge's dimensions, and their ceilings and corrected values. */
import { evaluate, meanMeasure, ratioMeasure } from "../../../source/engine/measures/measure.ts";
import type { Ceiling } from "../../../source/engine/benchmark.ts";
import type { Measure } from "../../../source/engine/suite.ts";
import type { Facets, Row, Score } from "../../../source/engine/types.ts";
import { columns } from "../data/aspects.ts";
import { planDimensions, toolDimensions } from "./dimensions.ts";

type Mode = "official" | "strict";

function columnMeasure(name: string, title: string, mode: Mode): Measure {
  const prefix = mode === "strict" ? "strict." : "";
  const [aspect = "", level] = name.split(".");
  const applies = ({ facets }: Row) => facets["aspect"] === aspect;
  const named = { name: `${mode}.${name}`, title: mode === "strict" ? `${title} (strict)` : title, mode, applies };
  if (name === "planning") return meanMeasure("planning", { ...named, note: "The judge's own overall score" });
  if (name === "tool_creation")
    return ratioMeasure("tool_creation.sum", "tool_creation.count", { ...named, note: "The judge's mean per step" });
  if (name === "tool_usage")
    return ratioMeasure(`${prefix}tool_usage.sum`, `${prefix}tool_usage.steps`, { ...named, note: "Mean over steps" });
  return level === "global"
    ? meanMeasure(`${prefix}${name}`, { ...named, note: "Samples with every step right" })
    : ratioMeasure(`${prefix}${aspect}.correct`, `${prefix}${aspect}.steps`, { ...named, note: "Steps right" });
}

const columnMeasures: readonly Measure[] = columns.map(({ name, title }) => columnMeasure(name, title, "official"));

const strictMeasures = columns
  .filter(({ name }) => name !== "planning" && name !== "tool_creation")
  .map(({ name, title }) => columnMeasure(name, title, "strict"));

/**
 * The overall score. The official code has none, but in each row of the published table it is the plain mean of the nine
 * columns.
 */
const overall: Measure = {
  name: "official.overall",
  title: "Overall",
  mode: "official",
  note: "Plain mean of the nine columns, so awareness and selection count twice; empty unless all nine have values",
  unit: "percent",
  better: "higher",
  has: ({ score }) => score?.value !== undefined,
  of(rows) {
    let sum = 0;
    for (const measure of columnMeasures) {
      const { value } = evaluate(measure, rows);
      if (value === undefined) return { value: undefined, n: rows.length };
      sum += value;
    }
    return { value: sum / columnMeasures.length, n: rows.length };
  },
};

/** Makes samples of different abilities comparable. The columns themselves are shares of all steps. */
const sampleScore: Measure = {
  kind: "mean",
  name: "sample.score",
  title: "Sample score",
  mode: "sample",
  note: "Mean over the samples of all abilities; the score of a sample is the judge's score or the share of right steps",
  unit: "percent",
  better: "higher",
  each: ({ score }) => score?.value,
};

const judgeMeasures: readonly Measure[] = [
  ...planDimensions.dimensions
    .filter(({ name }) => name !== "overall")
    .map(({ name, title }) =>
      meanMeasure(`planning.${name}`, {
        name: `judge.planning.${name}`,
        title: `Planning: ${title}`,
        mode: "judge",
        applies: ({ facets }) => facets["aspect"] === "planning",
      }),
    ),
  ...toolDimensions.dimensions
    .filter(({ name }) => name !== "overall")
    .map(({ name, title }) =>
      ratioMeasure(`tool_creation.${name}.sum`, "tool_creation.count", {
        name: `judge.tool_creation.${name}`,
        title: `Tool creation: ${title}`,
        mode: "judge",
        applies: ({ facets }) => facets["aspect"] === "tool_creation",
      }),
    ),
];

const readingMeasures: readonly Measure[] = [
  meanMeasure("parsed", { name: "reading.official", title: "Parsed, repairs included", mode: "reading" }),
  meanMeasure("strict.readable", {
    name: "reading.strict",
    title: "Plain JSON of the requested shape",
    mode: "reading",
  }),
];

export const measures: readonly Measure[] = [
  overall,
  ...columnMeasures,
  ...strictMeasures,
  ...readingMeasures,
  ...judgeMeasures,
  sampleScore,
];

const judged = "Judges are instructed to give 8 of 10 to a plan or tool that equals the reference";
const python = "Lists are requested as Python text unless `lists` is `json`; strict reading accepts only JSON";

const judgedMeasures = measures.filter(
  ({ name, mode }) => mode === "judge" || name === "official.planning" || name === "official.tool_creation",
);

export const ceilings: readonly Ceiling[] = [
  ...judgedMeasures.map(({ name }) => ({ measure: name, sample: 0.8, why: judged })),
  { measure: "official.overall", sample: 0.9556, why: judged },
  { measure: "sample.score", sample: 0.9333, why: judged },
  ...measures.filter(({ mode }) => mode === "strict").map(({ name }) => ({ measure: name, sample: 0, why: python })),
  { measure: "reading.strict", sample: 0, why: python },
];

type Metrics = Score["metrics"];

/** Converts a share of right steps to a number of right steps; a sample is right if all its steps are. */
export function withValue(value: number, metrics: Metrics, { aspect }: Facets): Metrics {
  const stepsOf = (name: string) => metrics[name] ?? 1;
  switch (aspect) {
    case "planning":
      return { planning: value };
    case "tool_creation": {
      const count = stepsOf("tool_creation.count");
      return { "tool_creation.count": count, "tool_creation.sum": value * count };
    }
    case "tool_usage": {
      const steps = stepsOf("tool_usage.steps");
      return { "tool_usage.steps": steps, "tool_usage.sum": value * steps };
    }
    default: {
      const steps = stepsOf(`${aspect}.steps`);
      return {
        [`${aspect}.global`]: value === 1 ? 1 : 0,
        [`${aspect}.steps`]: steps,
        [`${aspect}.correct`]: value * steps,
      };
    }
  }
}
