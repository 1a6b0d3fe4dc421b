import { expect, onTestFinished, test } from "vitest";
import { dataWarnings } from "../../../source/engine/loaded-suite.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { travelplanner } from "../../../suites/travelplanner/index.ts";
import { bareSpec } from "../../bare-spec.ts";
import { describePublished, shared } from "../../shared.ts";
import { runWithReplies } from "./run-with-replies.ts";

describePublished("the 45 training requests of TravelPlanner", () => {
  test.each([
    ["direct", "sole-planning"],
    ["react", "sole-planning"],
    ["react", "two-stage"],
  ])("can all be solved with %s, %s, within the published limits", async (name, mode) => {
    const loaded = await travelplanner.open({ folder: shared("data/travelplanner"), data: "published" });
    const strategy = travelplanner.strategies.find((each) => each.name === name)!;
    const tasks = await loaded.tasks("train");
    expect(tasks).toHaveLength(45);
    for (const task of tasks) {
      const { score } = await runWithReplies(loaded, task, strategy, mode, (asked) => loaded.oracle!(task, asked).text);
      expect([score.value, score.errors], task.id).toEqual([1, []]);
    }
    loaded.close!();
  });
});

describePublished("the 180 validation requests of TravelPlanner", () => {
  test("have no plans to submit, and results of built-in models carry a warning about this", async () => {
    const loaded = await travelplanner.open({ folder: shared("data/travelplanner"), data: "published" });
    onTestFinished(() => loaded.close!());
    const [task] = await loaded.tasks("validation");
    const react = travelplanner.strategies.find(({ name }) => name === "react")!;
    const { score } = await runWithReplies(
      loaded,
      task!,
      react,
      "two-stage",
      (asked) => loaded.oracle!(task!, asked).text,
    );
    expect([score.value, score.errors[0]]).toEqual([0, { kind: "not-delivered" }]);
    const said = (of: Partial<RunSpec>) =>
      dataWarnings(loaded, bareSpec("travelplanner", { data: "published", ...of })).filter((warning) =>
        warning.includes("reference plans"),
      );
    expect(said({ split: "validation" })).toEqual([
      "no reference plans are published for validation, so built-in models submit no plan and score 0; this 0 is not an upper bound",
    ]);
    expect(said({ split: "train" })).toEqual([]);
    expect(said({ split: "validation", model: "lab/m" })).toEqual([]);
  });
});
