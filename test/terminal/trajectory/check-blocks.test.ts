/** The checks of one task, as the screen shows them. */
import { expect, it } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { checkBlocks } from "../../../source/terminal/trajectory/sections/check-blocks.ts";
import { sampleTrajectory, score } from "../sample-trajectory.ts";
import { openView } from "./open-view.ts";

const linesOf = (fault: (typeof score)["fault"], columns: number) =>
  checkBlocks({ ...sampleTrajectory, score: { ...score, ...(fault && { fault }) } }, undefined, openView(columns))
    .filter(({ id }) => id === "fault")
    .flatMap((block) => Array.from({ length: block.count }, (_, index) => lineText(block.line(index))));

it("the checks show the party at fault, with the rule that determined it, below the score", () => {
  const fault = { by: "user", rule: "the user repeats itself\u001b[2J until the limit" } as const;
  expect(linesOf(fault, 120)).toEqual([
    "  Fault  user: the user repeats itself␛[2J until the limit (guessed by this rule)",
  ]);
  expect(linesOf(fault, 40).length).toBeGreaterThan(1);
  expect(linesOf(undefined, 120)).toEqual([]);
});
