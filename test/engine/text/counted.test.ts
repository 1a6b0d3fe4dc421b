import { expect, test } from "vitest";
import { counted } from "../../../source/engine/text/counted.ts";

test("a number with its noun is written as in English", () => {
  expect(counted(1, "request")).toBe("1 request");
  expect(counted(0, "task")).toBe("0 tasks");
  for (const count of [2, -1, 12, 999, 1000, -1000, 16_531, 123_456, 1_000_000, 2 ** 53 - 1, 1e21, 0.5, 1234.5678])
    expect(counted(count, "API")).toBe(`${count.toLocaleString("en")} APIs`);
});
