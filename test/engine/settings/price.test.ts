import { expect, test } from "vitest";
import { tokenCost } from "../../../source/engine/settings/price.ts";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import { Meter } from "../../../source/engine/run/budget.ts";

const price = { input: 2, output: 8 };
const usage = { type: "usage", request: 0, input: 300_000, output: 50_000, estimated: false } as const;

test("the cost of tokens is computed from the price per million, and unknown without a price", () => {
  expect(tokenCost(usage, price)).toBe(1);
  expect(tokenCost(usage, { input: 0, output: 0 })).toBe(0);
  expect(tokenCost(usage, undefined)).toBeUndefined();
});

test("a row and a budget count the same cost", () => {
  const table = new RowTable((model) => (model === "lab/m" ? price : undefined));
  const prompt = { type: "prompt", request: 0, role: "model", model: "lab/m", stage: "plan", messages: [] } as const;
  const stamp = { seq: 0, at: 0, task: "t" };
  table.take({ ...stamp, type: "started", facets: {}, question: "" });
  table.take({ ...stamp, ...prompt });
  table.take({ ...stamp, ...usage });
  const meter = new Meter(undefined, "run");
  meter.take(usage, price);
  expect([table.row("t")!.counted.cost, meter.cost]).toEqual([1, 1]);
});
