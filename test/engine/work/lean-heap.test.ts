import { execFileSync } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import v8 from "node:v8";
import { expect, it, vi } from "vitest";
import { growthAt, keepHeapLean, manyTasks, mostNew } from "../../../source/engine/work/lean-heap.ts";

it("the heap for new objects doubles up to 32 MB and then stays constant", () => {
  expect(mostNew).toBe(33_554_432);
  expect([growthAt(0), growthAt(mostNew - 1), growthAt(mostNew), growthAt(2 * mostNew)]).toEqual([2, 2, 1, 1]);
});

it("runs of 20,000 tasks or more collect garbage once half of the used heap is garbage", () => {
  expect(manyTasks).toBe(20_000);
  const set = vi.spyOn(v8, "setFlagsFromString").mockReturnValue();
  syncBuiltinESMExports();
  keepHeapLean(manyTasks - 1);
  keepHeapLean(manyTasks);
  const percents = set.mock.calls.flat().filter((flag) => flag.includes("percent"));
  set.mockRestore();
  syncBuiltinESMExports();
  expect(percents).toEqual(["--heap-growing-percent=50"]);
});

it("the heap for new objects is made small again, however large it was", () => {
  const file = new URL("../../../source/engine/work/lean-heap.ts", import.meta.url).href;
  // A program that discards almost everything it allocates, in pieces of work between two iterations of the event loop.
  const script = `
    const { getHeapSpaceStatistics } = await import("node:v8");
    const { keepHeapLean } = await import(${JSON.stringify(file)});
    const kept = Array.from({ length: 10 }, () => []);
    async function largest() {
      let most = 0;
      for (let turn = 0; turn < 200; turn++) {
        kept[turn % kept.length] = Array.from({ length: 20_000 }, (_, at) => ({ turn, at }));
        if (turn % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
        most = Math.max(most, getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size);
      }
      return most;
    }
    const usual = await largest();
    keepHeapLean(1);
    keepHeapLean(1);
    console.log(JSON.stringify([usual, await largest()]));
  `;
  const [usual, lean] = JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }),
  ) as readonly [number, number];
  expect(usual).toBeGreaterThan(1.9 * mostNew);
  expect(lean).toBeLessThan(1.1 * mostNew);
});

it("the heap for new objects stays as large as it is while many objects are made that stay", () => {
  const file = new URL("../../../source/engine/work/lean-heap.ts", import.meta.url).href;
  const script = `
    const { getHeapSpaceStatistics } = await import("node:v8");
    const { holdNewSpace } = await import(${JSON.stringify(file)});
    const size = () => getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size;
    const made = () => Array.from({ length: 600_000 }, (_, at) => ({ at, half: { of: at } }));
    const release = holdNewSpace(600_000);
    const before = size();
    const first = made();
    const held = size();
    holdNewSpace(1)();
    const second = made();
    const still = size();
    release();
    const third = made();
    console.log(JSON.stringify([before, held, still, size()]), [first, second, third].length);
  `;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  const [before, held, still, after] = JSON.parse(printed.slice(0, printed.indexOf("]") + 1)) as readonly number[];
  expect(before).toBeLessThan(mostNew / 8);
  // It may be smaller than the least size at first.
  expect(held).toBeLessThan(mostNew / 8);
  expect(still).toBe(held);
  expect(after).toBeGreaterThan(mostNew / 2);
});
