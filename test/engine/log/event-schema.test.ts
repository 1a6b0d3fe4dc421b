import { describe, expect, it } from "vitest";
import {
  fittingEvent,
  fittingLine,
  parsedShallow,
  timeSchema,
  wholeSchema,
  writableEvent,
} from "../../../source/engine/log/file/event-schema.ts";
import { bareSpec } from "../../bare-spec.ts";

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
    expect([8.64e15 + 1, -8.64e15 - 1, NaN, Infinity, "0"].map((value) => fits(timeSchema, value))).toEqual([
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
    expect(() => writableEvent(usage({ task: 1 }))).toThrow("Could not write an event into the log: ");
    expect(writableEvent(usage())).toEqual(usage());
  });

  it("can refer to earlier messages in its line of the log, but not in memory", () => {
    const line = { seq: 0, at: 0, task: "t", type: "prompt", request: 1, role: "model", model: "m", stage: "s" };
    const brief = { ...line, messages: [{ role: "assistant", reply: 0 }], after: { request: 0, messages: 1 } };
    expect(fittingLine(JSON.stringify(brief))).toEqual(brief);
    expect(() => fittingEvent(brief)).toThrow(TypeError);
    expect(() => fittingLine(JSON.stringify({ ...brief, after: { request: -1, messages: 1 } }))).toThrow(TypeError);
    expect(fittingLine('{"type":"content","ref":"1.0"}')).toEqual({ type: "content", ref: "1.0" });
    const thinking = (thought: boolean) => ({
      ...line,
      messages: [{ role: "assistant", reply: 0, thinking: thought }],
    });
    expect(fittingLine(JSON.stringify(thinking(true)))).toEqual(thinking(true));
    expect(() => fittingLine(JSON.stringify(thinking(false)))).toThrow(TypeError);
  });

  it("has marks that are true or absent, and scores whose figures may be null", () => {
    const task = { seq: 0, at: 0, task: "t" };
    const failure = { kind: "model", message: "away" };
    const start = { seq: 0, at: 0, type: "run-started", run: "r", spec: bareSpec("made"), total: 1 };
    const marked: readonly (readonly [string, object])[] = [
      ["textBefore", { ...task, type: "thinking", request: 0, text: "x" }],
      ["refused", { ...task, type: "failed", failure }],
      ["joins", start],
    ];
    for (const [mark, event] of marked) {
      for (const valid of [event, { ...event, [mark]: true }]) expect(fittingEvent(valid), mark).toEqual(valid);
      expect(() => fittingEvent({ ...event, [mark]: false }), mark).toThrow(TypeError);
    }
    const scored = (value: unknown) =>
      fittingEvent({
        ...task,
        type: "scored",
        score: { value, metrics: { a: value }, checks: [], errors: [] },
        suiteRevision: 1,
      });
    for (const value of [null, 0.5, NaN]) expect(scored(value)).toMatchObject({ score: { metrics: { a: value } } });
    for (const value of ["1", true]) expect(() => scored(value)).toThrow(TypeError);
  });

  it("that starts a run has at least the settings that every run has", () => {
    const spec = bareSpec("made");
    const start = { seq: 0, at: 0, type: "run-started", run: "r", total: 1 };
    const isNeeded = (name: string) => {
      const { [name]: _, ...without } = spec as unknown as Record<string, unknown>;
      return !fitsStart({ ...start, spec: without });
    };
    const fitsStart = (event: object) => {
      try {
        return fittingEvent(event) === event;
      } catch {
        return false;
      }
    };
    expect(fitsStart({ ...start, spec })).toBe(true);
    expect(Object.keys(spec).filter((name) => !isNeeded(name))).toEqual([]);
  });
});
