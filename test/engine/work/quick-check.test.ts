/** Quick checks beside zod, which decides about every value that does not pass them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { scoreSchema, specSchema, textStepSchema } from "../../../source/engine/log/file/event-schema.ts";
import { anyJson, recordOf } from "../../../source/engine/text/checked-record.ts";
import { quickCheck } from "../../../source/engine/work/quick-check.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import { mutated } from "../../mutated-json.ts";

const released = join(import.meta.dirname, "../../released/0.2.0/runs");
const savedEvents = readdirSync(released).flatMap((run) =>
  gunzipSync(readFileSync(join(released, run, "events.jsonl.gz")))
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly type: string } & Readonly<Record<string, unknown>>),
);
const every = (type: string) => savedEvents.filter((event) => event.type === type);

describe("the quick check of a schema", () => {
  const ofAll: readonly (readonly [string, z.ZodType, readonly unknown[]])[] = [
    ["the settings of a saved run", specSchema, every("run-started").map(({ spec }) => spec)],
    ["a saved score", scoreSchema, every("scored").map(({ score }) => score)],
    ["a saved piece of text", textStepSchema, every("text")],
  ];
  it.each(ofAll)("accepts %s, and after a change exactly if zod accepts it", (_, schema, values) => {
    expect(values.length).toBeGreaterThan(5);
    const check = quickCheck(schema);
    const random = randomFrom(7);
    const decided = { yes: 0, no: 0 };
    for (const value of values.slice(0, 20)) {
      expect(check(value)).toBe(true);
      for (let change = 0; change < 40; change++) {
        const changed: unknown = JSON.parse(mutated(JSON.stringify(value), random));
        const { success } = schema.safeParse(changed);
        decided[success ? "yes" : "no"] += 1;
        expect(check(changed)).toBe(success);
      }
    }
    expect(Math.min(decided.yes, decided.no)).toBeGreaterThan(20);
  });

  const fields = z.object({ a: z.string(), b: z.number().optional(), c: z.exactOptional(z.null()) });
  const accepted: readonly (readonly [string, z.ZodType, readonly unknown[]])[] = [
    ["text", z.string(), ["", "a"]],
    ["a finite number", z.number(), [0, -1.5]],
    ["a whole number that is exact", z.int(), [2 ** 53 - 1, -1]],
    ["true and false", z.boolean(), [true, false]],
    ["null", z.null(), [null]],
    ["one of several literals", z.literal(["a", 1]), ["a", 1]],
    ["one of several names", z.enum(["a", "b"]), ["b"]],
    ["a value that passes a function", anyJson, [null, 0, {}]],
    ["a value or null", z.string().nullable(), [null, "a"]],
    ["a value or nothing", z.string().optional(), [undefined, "a"]],
    ["a value of one of several kinds", z.union([z.string(), z.array(z.null())]), ["a", [], [null]]],
    ["a list", z.array(z.number()), [[], [1, 2]]],
    [
      "an object with or without optional fields",
      fields,
      [{ a: "" }, { a: "", b: undefined }, { a: "", b: 1, c: null }],
    ],
    ["unknown fields of an open object", fields, [{ a: "", d: [[]] }]],
    ["an object of any keys", recordOf(z.number()), [{}, { a: 1, toString: 2 }]],
    ["a closed object", z.strictObject({ a: z.null() }), [{ a: null }]],
  ];
  it.each(accepted)("accepts %s", (_, schema, values) => {
    for (const value of values) {
      expect(quickCheck(schema)(value)).toBe(true);
      expect(schema.safeParse(value).success).toBe(true);
    }
  });

  const sparse: unknown[] = [];
  sparse[1] = "a";
  const refused: readonly (readonly [string, z.ZodType, readonly unknown[]])[] = [
    ["another type than text", z.string(), [1, null, undefined, ["a"]]],
    ["a number that is not finite", z.number(), [NaN, Infinity, "1"]],
    ["a number that is not whole or not exact", z.int(), [0.5, 2 ** 53, NaN]],
    ["another type than true and false", z.boolean(), [0, "true"]],
    ["a literal of another type", z.literal("1"), [1, undefined]],
    ["a name that is not listed", z.enum(["a", "b"]), ["c", "toString"]],
    ["nothing in place of a value", anyJson, [undefined]],
    ["nothing in place of null", z.string().nullable(), [undefined]],
    ["null in place of nothing", z.string().optional(), [null]],
    ["a list with an absent item", z.array(z.string()), [sparse, [undefined]]],
    ["an object in place of a list, and a list in place of an object", z.array(z.null()), [{}, { length: 0 }]],
    ["an object without a required field", fields, [{}, { b: 1 }, { a: undefined }, [], null, "a"]],
    ["an undefined field that can only be absent", fields, [{ a: "", c: undefined }]],
    ["a field of another type", fields, [{ a: 1 }, { a: "", b: null }, { a: "", c: 1 }]],
    ["the key `__proto__`", recordOf(z.number()), [JSON.parse('{"__proto__":1}')]],
    ["a value of any key that is of another type", recordOf(z.number()), [{ a: 1, b: "2" }]],
    ["an unknown field of a closed object", z.strictObject({ a: z.null() }), [{ a: null, b: null }]],
    ["a value of no kind", z.union([z.string(), z.array(z.null())]), [1, [1], undefined]],
  ];
  it.each(refused)("refuses %s, as zod does", (_, schema, values) => {
    for (const value of values) {
      expect(quickCheck(schema)(value)).toBe(false);
      expect(schema.safeParse(value).success).toBe(false);
    }
  });

  const left: readonly (readonly [string, z.ZodType, unknown])[] = [
    ["a length", z.string().min(1), "a"],
    ["the format of a text", z.email(), "a@example.org"],
    ["the format of a number", z.float32(), 1],
    ["a refinement", z.custom<number>((value) => value === 1).refine(() => true), 1],
    ["a conversion", z.coerce.number(), 1],
    ["a default", z.string().default("a"), "b"],
    ["a value of exactly one kind", z.xor([z.string(), z.null()]), "a"],
    ["a list of lengths", z.array(z.string().min(1)), []],
    ["an object with a length", z.object({ a: z.string().min(1) }), { a: "a" }],
    ["a length as the only kind", z.union([z.string().min(1)]), "a"],
    ["a second schema with a length", z.string().pipe(z.string().min(1)), "a"],
  ];
  it.each(left)("leaves %s to zod", (_, schema, value) => {
    expect(quickCheck(schema)(value)).toBe(false);
    expect(schema.safeParse(value).success).toBe(true);
  });

  it("decides about the kinds of a union that it can check", () => {
    const check = quickCheck(z.union([z.string().min(1), z.null()]));
    expect([check(null), check("a")]).toEqual([true, false]);
  });
});
