import { expect, test } from "vitest";
import { travelplanner } from "../../../suites/travelplanner/index.ts";
import { describePublished, shared } from "../../shared.ts";
import { played } from "./player.ts";

describePublished("the 45 training requests", () => {
  test.each([
    ["direct", "sole-planning"],
    ["react", "sole-planning"],
    ["react", "two-stage"],
  ])("can all be solved with %s, %s, within the published limits", async (name, mode) => {
    const bench = await travelplanner.open({ folder: shared("data/travelplanner"), data: "published" });
    const strategy = travelplanner.strategies.find((each) => each.name === name)!;
    const tasks = await bench.tasks("train");
    expect(tasks).toHaveLength(45);
    for (const task of tasks) {
      const { score } = await played(bench, task, strategy, mode, (asked) => bench.oracle(task, asked).text);
      expect([score.value, score.errors], task.id).toEqual([1, []]);
    }
    bench.close!();
  });
});
