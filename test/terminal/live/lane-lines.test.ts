import { expect, test } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { TrajectoryFold } from "../../../source/engine/log/trajectory.ts";
import type { ErrorKind } from "../../../source/engine/suite.ts";
import type { TaskEvent } from "../../../source/engine/types.ts";
import { openTheme } from "../../../source/terminal/drawing/theme.ts";
import { WrappedTexts } from "../../../source/terminal/drawing/wrapped-text.ts";
import { laneLines } from "../../../source/terminal/live/lane-lines.ts";
import { LaneTops } from "../../../source/terminal/live/lane-tops.ts";
import type { Lane, Size } from "../../../source/terminal/live/lanes.ts";

const theme = openTheme({ colour: false, ascii: false });
const none: ReadonlySet<string> = new Set();
const errorKinds: readonly ErrorKind[] = [];
const size: Size = { columns: 200, rows: 50 };

/** Tasks in lanes, and what draws them frame by frame, or as if for the first time. */
function opened(count: number, isDialogue = false) {
  const lanes = Array.from({ length: count }, (_, lane) => {
    const [task, fold, texts] = [`t-${lane}`, new TrajectoryFold(`t-${lane}`), new WrappedTexts()] as const;
    const take = (event: object) => fold.take({ seq: 0, at: 0, task, ...event } as TaskEvent);
    const asked = [{ role: "user", content: "Plan a journey." }];
    take({ type: "prompt", request: 0, role: "model", model: "m", stage: "step", messages: asked });
    if (isDialogue) {
      take({ type: "text", request: 0, text: "I ask for a table." });
      take({ type: "prompt", request: 1, role: "responder", model: "m", stage: "step", messages: asked });
    }
    const request = isDialogue ? 1 : 0;
    return { task, fold, texts, write: (text: string) => take({ type: "text", request, text }) };
  });
  const drawer = (textsOf: (lane: number) => WrappedTexts) => {
    const [tops, known] = [new LaneTops(), []];
    return () => {
      const shown = lanes.map(({ task, fold }): Lane => {
        const board = { task, question: "", state: "running", row: undefined } as const;
        return { task: board, trajectory: fold.trajectory, chosen: false };
      });
      const about = { state: { total: count }, isDialogue, errorKinds, now: undefined };
      const viewOf = ({ task }: Lane, columns: number) => {
        const texts = textsOf(lanes.findIndex((lane) => lane.task === task?.task));
        const { symbols } = theme;
        return { columns, symbols, texts, wrapped: true, brief: true, toggled: none, errorKinds };
      };
      return laneLines(shown, size, { theme, about, tops, known, viewOf });
    };
  };
  return {
    write: (lane: number, text: string) => lanes[lane]!.write(text),
    draw: drawer((lane) => lanes[lane]!.texts),
    drawAnew: () => drawer(() => new WrappedTexts())(),
  };
}

test.each([
  { what: "four replies", count: 4, isDialogue: false },
  { what: "a dialogue", count: 1, isDialogue: true },
])("of $what a frame draws the rows anew in which something has been added", ({ count, isDialogue }) => {
  const { write, draw, drawAnew } = opened(count, isDialogue);
  for (let lane = 0; lane < count; lane++) write(lane, "Words of a reply. ".repeat(30 + lane));
  let before = draw();
  let same = 0;
  let frames = 0;
  for (; frames < 40; frames++) {
    for (let lane = 0; lane < count; lane++) write(lane, `word${frames} `);
    const lines = draw();
    expect(lines.map(lineText)).toEqual(drawAnew().map(lineText));
    same += lines.filter((line, row) => line === before[row]).length;
    before = lines;
  }
  // Of lanes the head, that of the request, and the last lines of the reply; of a dialogue the heads of both sides and of the round.
  expect(same / frames).toBeGreaterThan(size.rows - (isDialogue ? 9 : 5 * count));
});
