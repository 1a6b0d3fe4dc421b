import { describe, expect, it } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { symbolsOf } from "../../../source/look/signs.ts";
import { blockOf } from "../../../source/terminal/trajectory/block.ts";
import { stepOfBlock, hasOutline, outlineLines } from "../../../source/terminal/trajectory/outline.ts";
import { stepBlocks } from "../../../source/terminal/trajectory/sections/step-blocks.ts";
import { openScreen } from "../open-screen.tsx";
import { sampleEvents, runningWorkbench, sampleTrajectory } from "../sample-trajectory.ts";
import { openView } from "./open-view.ts";

const symbols = symbolsOf(false);
const steps = stepBlocks(sampleTrajectory, openView(80));
const outline = (here: number, rows = 10) =>
  outlineLines(sampleTrajectory, steps, here, rows, { symbols }).map((line) => lineText(line).trimEnd());

describe("the outline of a task", () => {
  it("lists speakers in order, the results of their calls, and errors", () => {
    expect(outline(0)).toEqual([
      "▸✗  1 Model  plan  6.0 s",
      " ✗      findferry ✗",
      "    2 Responder  2.0 s",
      " ✗  3 Model  plan  2.0 s",
    ]);
  });

  it("marks the entry at the cursor, and keeps it visible", () => {
    expect(outline(1, 2)).toEqual([" ✗  1 Model  plan  6.0 s", "▸✗      findferry ✗"]);
    expect(outline(99, 2)).toEqual(["    2 Responder  2.0 s", "▸✗  3 Model  plan  2.0 s"]);
  });

  it("is shown next to steps that are at least 100 columns wide, in windows of at least 150 columns", () => {
    expect([hasOutline(100, 150), hasOutline(99, 150), hasOutline(100, 149)]).toEqual([true, false, false]);
  });

  it("finds the entry to which a block belongs", () => {
    expect([stepOfBlock(blockOf("step 12 reply", [])), stepOfBlock(blockOf("mistake 0 in step", []))]).toEqual([
      12,
      undefined,
    ]);
  });
});

describe("the outline in a wide window", () => {
  it("is to the left of the steps, and u and U move between tool calls", async () => {
    const workbench = runningWorkbench();
    workbench.say("sm-004", ...sampleEvents.slice(0, 14));
    const screen = await openScreen({ columns: 160, rows: 40, workbench });
    await screen.press("j", "L", "\r");
    await screen.press("2", "g");
    expect(screen.text()).toMatch(/1 Model +plan +│/);
    expect(screen.text()).toMatch(/2 Responder/);
    await screen.press("u");
    expect(screen.lines().find((line) => line.includes('findferry(from_port="'))).toContain("▌");
    await screen.press("g", "U");
    expect(screen.lines().find((line) => line.includes('findferry(from_port="'))).toContain("▌");
    await screen.press("3", "u");
    expect(screen.text()).toContain("There is no tool call here: 2 shows the steps");
    await screen.close();
  });
});
