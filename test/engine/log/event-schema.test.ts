import { describe, expect, it } from "vitest";
import {
  fittingEvent,
  fittingLine,
  parsedShallow,
  timeSchema,
  wholeSchema,
  writableEvent,
} from "../../../source/engine/log/file/event-schema.ts";

const fits = (schema: typeof wholeSchema, value: unknown) => schema.safeParse(value).success;
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const usage = (more: object = {}) => ({
  seq: 0,
  at: 0,
  task: "t",
  type: "usage",
  request: 0,
  input: 1,
  output: 2,
  estimated: false,
  ...more,
});

describe("a number in an event", () => {
  it("is a valid date if the number is a time", () => {
    expect([0, -8.64e15, 8.64e15, 1.5].map((value) => fits(timeSchema, value))).toEqual([true, true, true, true]);
    expect([8.64e15 + 2, -8.64e15 - 2, NaN, Infinity, "0"].map((value) => fits(timeSchema, value))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it("is whole and at most 10^15 if the number is a count, so that sums stay exact", () => {
    expect([0, 1, 1e15].map((value) => fits(wholeSchema, value))).toEqual([true, true, true]);
    expect([-1, 1e15 + 1, 0.5, "1", NaN].map((value) => fits(wholeSchema, value))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(fittingEvent(usage({ input: 1e15 }))).toMatchObject({ input: 1e15 });
    for (const input of [1e15 + 1, "1", undefined]) expect(() => fittingEvent(usage({ input }))).toThrow(TypeError);
  });
});

describe("an event", () => {
  it("contains at most a thousand nested levels", () => {
    const deep = (depth: number) => usage({ more: JSON.parse(nested(depth)) as unknown });
    expect(fittingEvent(deep(999))).toBeDefined();
    expect(() => fittingEvent(deep(1000))).toThrow("Expected at most 1000 nested levels, got more");
    expect(parsedShallow(nested(1000))).toBeDefined();
    expect(() => parsedShallow(nested(1001))).toThrow("Expected at most 1000 nested levels, got more");
    expect(() => parsedShallow("{")).toThrow(SyntaxError);
  });

  it("can have an unknown kind and unknown fields, but must have all fields of a known kind", () => {
    const unknown = { seq: 0, at: 0, type: "later", more: 1 };
    expect(fittingEvent(unknown)).toBe(unknown);
    expect(() => fittingEvent({ at: 0, type: "later" })).toThrow(TypeError);
    expect(() => fittingEvent(null)).toThrow(TypeError);
    expect(() => writableEvent(usage({ task: 1 }))).toThrow("it cannot be written into the log");
    expect(writableEvent(usage())).toEqual(usage());
  });

  it("can refer to earlier messages in its line of the log, but not in memory", () => {
    const line = { seq: 0, at: 0, task: "t", type: "prompt", request: 1, role: "model", model: "m", stage: "s" };
    const brief = { ...line, messages: [{ role: "assistant", reply: 0 }], after: { request: 0, messages: 1 } };
    expect(fittingLine(JSON.stringify(brief))).toEqual(brief);
    expect(() => fittingEvent(brief)).toThrow(TypeError);
    expect(() => fittingLine(JSON.stringify({ ...brief, after: { request: -1, messages: 1 } }))).toThrow(TypeError);
    expect(fittingLine('{"type":"content","ref":"1.0"}')).toEqual({ type: "content", ref: "1.0" });
  });
});
