import { describe, expect, test } from "vitest";
import { atOnce } from "../../../source/engine/work/pieces.ts";
import { blockOf, textBlock } from "../../../source/terminal/trajectory/block.ts";
import { nextFound } from "../../../source/terminal/trajectory/find.ts";
import { stepBlocks } from "../../../source/terminal/trajectory/sections/step-blocks.ts";
import { trajectoryOf } from "../../../source/engine/log/trajectory.ts";
import { type BareEvent, asking, eventsOf } from "../sample-trajectory.ts";
import { enter, escape, openScreen } from "../open-screen.tsx";
import { runningWorkbench } from "../sample-trajectory.ts";
import { openView } from "./open-view.ts";

const folded = { id: "b text", lines: ["First I look", "at Mull,", "then at Oban"] };
const blocks = [
  textBlock("a", ["A plan for Oban", "with two", "steps"], "plain"),
  blockOf("b", [[{ text: "Thinking  First I lo" }]], { folds: true, folded }),
  textBlock("c", ["Nothing else", "in OBAN"], "plain"),
];
const places = (text: string, by: 1 | -1, from: readonly number[]) =>
  from.map((here) => {
    const found = atOnce(nextFound(blocks, here, text, by));
    return found && [found.block, found.line, ...(found.opens === undefined ? [] : [found.opens])].join(" ");
  });

describe("finding text in a trajectory", () => {
  test("continues from the cursor into folded texts, starts again at the top, and ignores case", () => {
    expect(places("oban", 1, [0, 3, 4, 5])).toEqual(["b text 2 b", "b text 2 b", "c 1", "a 0"]);
    expect(places("oban", -1, [0, 3, 5])).toEqual(["c 1", "a 0", "b text 2 b"]);
  });

  test("finds text that is broken over two lines, and returns nothing if the text is absent", () => {
    expect(places("two steps", 1, [0])).toEqual(["a 1"]);
    expect(places("look at mull", 1, [0])).toEqual(["b text 0 b"]);
    expect(places("steps Thinking", 1, [0])).toEqual([undefined]);
    expect(places("Skye", 1, [0])).toEqual([undefined]);
    expect(places("Skye", -1, [0])).toEqual([undefined]);
  });

  test("treats a search text literally", () => {
    expect(places("(.*", 1, [0])).toEqual([undefined]);
  });

  test("finds text in the folded thinking of a reply", () => {
    const thinking =
      "I should look at the ferries first.\nThey leave from Oban.\nThen at the hotels.\nAnd the weather.";
    const events: readonly BareEvent[] = [
      ...asking,
      { type: "thinking", request: 0, text: thinking },
      { type: "text", request: 0, text: "Ferries" },
      { type: "finish", request: 0, reason: "stop" },
    ];
    const trajectory = trajectoryOf("t", eventsOf("t", events));
    const view = openView(60);
    expect(atOnce(nextFound(stepBlocks(trajectory, view), 0, "the weather", 1))).toMatchObject({
      line: 3,
      opens: expect.stringContaining("thinking"),
    });
  });
});

test("a search unfolds texts with matches; n and N continue the search, or move between errors without a search", async () => {
  const screen = await openScreen({ workbench: runningWorkbench() });
  await screen.press("j", "L", "g", enter);
  await screen.pass(60);
  const here = () => screen.lines().find((line) => line.startsWith("▌"));
  await screen.press("2", "/");
  expect(screen.text()).toContain("Find");
  await screen.press("default values", enter);
  expect(here()).toContain("Never fill in default values");
  await screen.press("/", "wyvernholm", enter);
  const first = here();
  expect(first?.toLowerCase()).toContain("wyvernholm");
  await screen.press("n");
  expect(here()).not.toBe(first);
  await screen.press("N");
  expect(here()).toBe(first);
  await screen.press("/", "nowhere at all", enter);
  expect(screen.text()).toContain("Not found in this section: nowhere at all");
  expect(here()).toBe(first);
  await screen.press("/", enter, "n");
  expect(here()).not.toBe(first);
  await screen.press("/", escape);
  expect(screen.text()).not.toContain("n and N go on");
  await screen.close();
});
