/** documentation/examples/conversation.ts: a user's suite in which two models act, using only the public API. */
import { expect, test } from "vitest";
import { notebook, userFolder } from "./program.ts";

const example = `${import.meta.dirname}/../../documentation/examples/conversation.ts`;
const user = userFolder();

test("a user's suite with two sides plays each side with its own model, and reuses the answers", () => {
  user.write("session/session.md", notebook("suite: library\nmodel: builtin/oracle\nuser: builtin/oracle"));
  const right = [{ status: "done", counts: { right: 2, wrong: 0, failed: 0 } }];
  const first = user.runs("--with", example);
  expect(first).toMatchObject(right);
  expect(user.runs("--with", example)).toEqual(first);
});
