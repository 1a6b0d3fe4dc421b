import { expect, test } from "vitest";
import { Beside } from "../../../source/engine/measures/beside.ts";
import type { Row } from "../../../source/engine/types.ts";
import { bareRow } from "../../bare-row.ts";

test("numbers beside a run are worked out anew for one in a hundred more tasks, and at the end for all", () => {
  const rows: Row[] = [];
  let looks = 0;
  const offered = {
    name: "offered",
    title: "APIs offered",
    mode: "official",
    unit: "number",
    better: "higher",
    of: (given: readonly Row[]) => ((looks += 1), { value: given.length, n: given.length }),
  } as const;
  const beside = new Beside();
  const texts = (isRunning: boolean, given: () => readonly Row[]) => {
    const sums = () => ({ right: rows.length, wrong: 0, unscored: 0 });
    return beside.texts({ beside: [offered] }, { hasRows: true, table: { sums, rows: given } }, isRunning);
  };
  for (let task = 1; task <= 5000; task++) {
    rows.push(bareRow("r", `t${task}`));
    const [text] = texts(true, () => [...rows])!;
    expect(Number(/\d+/.exec(text!)![0])).toBeGreaterThan(task / 1.02);
    const before = looks;
    // Frames in between look at no row, but for the first hundred tasks.
    texts(true, () => rows);
    if (task > 100) expect(looks).toBe(before);
  }
  expect(looks).toBeLessThan(700);
  expect(texts(false, () => [...rows])).toEqual(["APIs offered 5000"]);
});
