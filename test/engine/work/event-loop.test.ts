import { expect, test } from "vitest";
import { nextTurn } from "../../../source/engine/work/event-loop.ts";

test("several long works take turns: between two iterations of the event loop only one of them goes on", async () => {
  let iteration = 0;
  let isOver = false;
  const tick = () => {
    iteration += 1;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const at: number[] = [];
  const work = async () => {
    for (let turn = 0; turn < 5; turn++) {
      await nextTurn();
      at.push(iteration);
    }
  };
  await Promise.all([work(), work(), work()]);
  isOver = true;
  expect(at).toHaveLength(15);
  expect(new Set(at).size).toBe(15);
});
