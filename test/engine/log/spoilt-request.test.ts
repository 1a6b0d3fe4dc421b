import { expect, it } from "vitest";
import { spoiltRequest } from "../../../source/engine/log/rows/spoilt-request.ts";
import { spoiltMark } from "../../../source/engine/protocol.ts";
import type { TaskEvent } from "../../../source/engine/types.ts";

const finish = (request: number, fingerprint?: string) =>
  ({ type: "finish", task: "t", request, reason: "stop", fingerprint }) as unknown as TaskEvent;
const text = { type: "text", task: "t", request: 9, text: spoiltMark, fingerprint: spoiltMark } as unknown as TaskEvent;

it("the request to which a failure is attributed is the first whose reply is marked as spoilt", () => {
  expect(
    spoiltRequest([text, finish(0), finish(1, "fp"), finish(2, `${spoiltMark}: slip`), finish(3, spoiltMark)]),
  ).toBe(2);
  expect(spoiltRequest([finish(0, spoiltMark)])).toBe(0);
});

it("a failure is attributed to no request if no reply is marked as spoilt", () => {
  expect(spoiltRequest([])).toBeUndefined();
  expect(spoiltRequest([text, finish(0), finish(1, `not ${spoiltMark}`)])).toBeUndefined();
});
