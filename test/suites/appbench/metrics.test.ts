import { expect, it } from "vitest";
import { isScored, metricsOf } from "../../../suites/appbench/score/metrics.ts";
import type { Row } from "../../../source/engine/types.ts";

/** Scores of each mode with distinct numbers, by the names under which they are requested. */
function numbered() {
  const asked = new Map<string, number>();
  const mode = (name: string): never =>
    new Proxy(
      {},
      {
        get(_, field: string) {
          if (name === "analysis" && field === "counters") return mode("analysis");
          const full = `${name}.${field}`;
          asked.set(full, asked.get(full) ?? asked.size + 1);
          return asked.get(full);
        },
      },
    ) as never;
  const scores = { official: mode("official"), analysis: mode("analysis"), paper: mode("paper"), calls: mode("paper") };
  return { scores, asked };
}

it("every metric has the name of its mode in its own name", () => {
  const { scores, asked } = numbered();
  const metrics = metricsOf(scores as never);
  expect(metrics).toEqual(Object.fromEntries(asked));
  expect(Object.values(metrics).every((value) => value > 0)).toBe(true);
  expect(Object.keys(metrics)).toEqual(
    expect.arrayContaining(["official.total_match", "analysis.app_f1", "analysis.key_missing", "paper.em_app"]),
  );
});

it("an answer counts as scored if its row has the metric of the official match", () => {
  const row = (metrics: Readonly<Record<string, number>>) => ({ score: { metrics } }) as unknown as Row;
  expect([row({ "official.total_match": 0 }), row({ success: 1 })].map(isScored)).toEqual([true, false]);
  expect(isScored({ score: undefined } as Row)).toBe(false);
});
