import { expect, it } from "vitest";
import { settleChoices } from "../../../source/engine/session/analysis-cell.ts";

it("an unknown choice is an error that lists the known ones, of many some and how many more", () => {
  const few = settleChoices({ by: ["set", "group"] }, { by: "moon" });
  expect(few.problems.map(({ message }) => message)).toEqual(["Expected `by` to be one of set, group, got `moon`"]);
  const names = Array.from({ length: 16_000 }, (_, index) => `api-${index}`);
  const [many] = settleChoices({ api: names }, { api: "moon" }).problems;
  expect(many!.message).toMatch(/^Expected `api` to be one of api-0, .*, api-39 and 15,960 more, got `moon`$/);
  expect(settleChoices({ api: names }, { api: "api-15999" })).toEqual({ settled: { api: "api-15999" }, problems: [] });
});
