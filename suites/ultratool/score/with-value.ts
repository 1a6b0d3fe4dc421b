/** What a person's value of an answer is in the counters of its ability. */
import type { Facets, Score } from "../../../source/engine/types.ts";

type Metrics = Score["metrics"];

/** Of a share of steps that are right, as many of the steps asked; a sample is right where all of them are. */
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
