import { expect, it } from "vitest";
import { faultOfRow } from "../../../source/engine/log/rows/fault.ts";
import type { Row } from "../../../source/engine/types.ts";
import { bareRow } from "../../bare-row.ts";

const conversation = { strategy: "conversation" };
const scored = (score: Partial<NonNullable<Row["score"]>>): Row => ({
  ...bareRow("r", "t"),
  score: { value: 0, metrics: {}, checks: [], errors: [], ...score },
});

it("a row has the fault that its score contains, or no fault", () => {
  const fault = { by: "user", rule: "a call of the user failed" } as const;
  expect(faultOfRow(scored({ fault }), conversation)).toEqual(fault);
  expect(faultOfRow(scored({ value: 1 }), conversation)).toBeUndefined();
});

it("a task that the environment ended without a score has a fault of the environment only in a conversation", () => {
  const row: Row = { ...bareRow("r", "t"), score: undefined, cause: { cause: "environment", detail: "no message" } };
  expect(faultOfRow(row, conversation)).toEqual({ by: "environment", rule: "no message" });
  expect(faultOfRow(row, { strategy: "react" })).toBeUndefined();
});
