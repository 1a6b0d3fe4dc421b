import { expect, it } from "vitest";
import { RunCourse } from "../../../source/engine/run/run-course.ts";
import type { CauseName, Row, Task } from "../../../source/engine/types.ts";
import { bareRow } from "../../bare-row.ts";
import { bareSpec } from "../../bare-spec.ts";

/** Ends ten of eleven tasks as unread for this cause; returns how often the user was asked. */
function asked(model: string, cause: CauseName): number {
  const tasks = Array.from({ length: 11 }, (_, at) => ({ id: `t${at}` }) as Task);
  let times = 0;
  const rowOf = (task: string): Row => ({ ...bareRow("r", task, {}), cause: { cause } });
  const failingAlike = () => void (times += 1);
  const course = new RunCourse({ spec: bareSpec("made", { model }), tasks, rowOf, failingAlike }, () => {});
  for (const { id } of tasks.slice(0, 10)) course.learnFrom(id, { scored: true, hopeless: false }, false);
  return times;
}

it.each(["repeats", "no-call"] as const)(
  "the user is asked after ten answers with cause %s, unless the model is built in",
  (cause) => {
    expect(asked("lab/m", cause)).toBe(1);
    // Toolkits contain thousands of tools, so the ten that are tried seldom help.
    expect(asked("builtin/slips?rate=0.3", cause)).toBe(0);
  },
);

it("the user is asked after ten unreadable answers of a built-in model, because then the suite probably reads nothing", () => {
  expect(asked("builtin/oracle", "other-form")).toBe(1);
});
