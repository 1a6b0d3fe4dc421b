/** documentation/examples/conversation.ts: a suite of the user's in which two models act, by the public API alone. */
import { expect, test } from "vitest";
import { notebook, userFolder } from "./program.ts";

const example = `${import.meta.dirname}/../../documentation/examples/conversation.ts`;
const user = userFolder();

test("a suite of one's own plays both sides, each with its own model, and reuses the answers", () => {
  user.write("session/session.md", notebook("suite: library\nmodel: builtin/oracle\nuser: builtin/oracle"));
  const right = [{ status: "done", counts: { right: 2, wrong: 0, failed: 0 } }];
  const first = user.runs("--with", example);
  expect(first).toMatchObject(right);
  expect(user.runs("--with", example)).toEqual(first);
});
