import { expect, test } from "vitest";
import { appbench } from "../../../suites/appbench/index.ts";
import { bareRow } from "../../bare-row.ts";
import type { Row } from "../../../source/engine/types.ts";

test("a dozen measures of the same rows look at each row a few times, not once a counter and measure", () => {
  const tasks = 500;
  let looks = 0;
  const rows = Array.from({ length: tasks }, (_, index): Row => {
    const metrics = { "official.total_match": index % 2, "official.app_hit_count": 1, "paper.app_hit": 1 };
    const score = { value: 1, metrics, checks: [], errors: [] };
    const row = { ...bareRow("run", `t${index}`), state: "scored" as const };
    return Object.defineProperty(row, "score", { enumerable: true, get: () => ((looks += 1), score) });
  });
  const ofSums = appbench.measures.filter(({ each, mode }) => each === undefined && mode.startsWith("official"));
  for (const measure of ofSums) measure.of(rows);
  expect(ofSums.length).toBeGreaterThan(10);
  // Which are scored, then the sums of the two official programs.
  expect(looks).toBeLessThanOrEqual(3 * tasks);
});
