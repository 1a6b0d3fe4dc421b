import { expect, test } from "vitest";
import { modelChoices } from "../../../source/terminal/form/form-fields.ts";

const workbench = { modelNames: () => ["builtin/oracle", "builtin/responder", "lab/one"] };
const offered = (role?: Parameters<typeof modelChoices>[1]) => modelChoices(workbench, role).map(({ value }) => value);

test("a model that can only answer other models is offered as responder and judge, but not as planner or agent", () => {
  expect(offered()).toEqual(["builtin/oracle", "lab/one"]);
  expect(offered("actor")).toEqual(["builtin/oracle", "lab/one"]);
  expect(offered("responder")).toContain("builtin/responder");
  expect(offered("judge")).toContain("builtin/responder");
});
