import { expect, it } from "vitest";
import { nextWait, retryAfter, defaultPolicy } from "../../../source/engine/models/limits/retry-policy.ts";

const failure = (kind: "busy" | "broken" | "refused", after?: number) => ({
  kind,
  status: undefined,
  error: "",
  ...(after === undefined ? {} : { retryAfter: after }),
});

it("a retry doubles the wait up to a maximum, and shortens it at random by at most half", () => {
  const wait = (attempt: number, drawn: number) =>
    nextWait({ ...defaultPolicy, attempts: 99 }, failure("broken"), { attempt, busy: 0 }, () => drawn);
  expect([1, 2, 3, 4].map((attempt) => wait(attempt, 1))).toEqual([500, 1000, 2000, 4000].map((ms) => ({ wait: ms })));
  expect(wait(3, 0)).toEqual({ wait: 1000 });
  expect(wait(50, 1)).toEqual({ wait: 30_000 });
});

it("attempts at a busy server are counted separately from attempts that break", () => {
  const policy = { ...defaultPolicy, attempts: 2, busyAttempts: 3 };
  expect(nextWait(policy, failure("broken"), { attempt: 4, busy: 3 })).toHaveProperty("wait");
  expect(nextWait(policy, failure("broken"), { attempt: 5, busy: 3 })).toEqual({ giveUp: "after 5 attempts" });
  expect(nextWait(policy, failure("busy", 10), { attempt: 3, busy: 3 })).toEqual({ giveUp: "after 3 attempts" });
  expect(nextWait(policy, failure("refused"), { attempt: 1, busy: 0 })).toEqual({ giveUp: "" });
});

it("Retry-After is read as seconds or as a date", () => {
  const now = Date.parse("Wed, 21 Oct 2015 07:28:00 GMT");
  expect(retryAfter("2", now)).toBe(2000);
  expect(retryAfter(" 0.25 ", now)).toBe(250);
  expect(retryAfter("Wed, 21 Oct 2015 07:28:30 GMT", now)).toBe(30_000);
  expect(retryAfter("Wed, 21 Oct 2015 07:00:00 GMT", now)).toBe(0);
  for (const odd of ["", "soon", "-3", null, undefined]) expect(retryAfter(odd, now)).toBeUndefined();
});
