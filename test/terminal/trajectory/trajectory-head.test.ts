import { expect, test } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { openTheme } from "../../../source/terminal/drawing/theme.ts";
import { trajectoryHead } from "../../../source/terminal/trajectory/trajectory-head.ts";
import { runState } from "../double-workbench.ts";
import { sampleTrajectory } from "../sample-trajectory.ts";

test("above a trajectory that was made elsewhere stands the whole name of its file, at 80 columns too", () => {
  const file = "inspect-builtin-slips-rate-0.3-51a58d1f530b8e76.eval";
  const head = trajectoryHead({
    task: "1",
    trajectory: sampleTrajectory,
    run: runState({ label: `a-model (${file})`, predictions: `predictions/b6287217-${file}` }),
    colour: undefined,
    state: "right",
    place: "1 of 2",
    section: "plan",
    sections: ["plan"],
    theme: openTheme({ colour: false, ascii: false }),
    columns: 80,
    mostDetails: 4,
  }).map(lineText);
  expect(head.join("\n")).toContain("made elsewhere");
  expect(head.some((line) => line.includes(`from ${file}`))).toBe(true);
  expect(head.every((line) => line.length <= 80)).toBe(true);
});
