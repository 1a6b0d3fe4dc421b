import { describe, expect, test } from "vitest";
import { z } from "zod";
import { anyJson, recordOf, quickLook } from "../../../source/engine/text/checked-record.ts";

const point = z.object({ x: z.number(), y: z.number().optional(), tag: z.exactOptional(z.string()) });
const schemas: Readonly<Record<string, z.ZodType>> = {
  text: z.string(),
  "text of some length": z.string().min(2),
  "an address": z.email(),
  "a number": z.number(),
  "a number above 0": z.number().positive(),
  "a whole number": z.int(),
  "a small whole number": z.int().max(3),
  "true or false": z.boolean(),
  null: z.null(),
  "one of two words": z.enum(["a", "b"]),
  "one of two values": z.literal(["a", 1]),
  "text or null": z.string().nullable(),
  "text, null or nothing": z.string().nullish(),
  "text or a number": z.union([z.string(), z.number()]),
  "any JSON": anyJson,
  "a list of texts": z.array(z.string()),
  "one or two texts": z.array(z.string()).min(1).max(2),
  "a pair": z.tuple([z.string(), z.number()]),
  "a word and numbers": z.tuple([z.string()], z.number()),
  "a point": point,
  "a point and nothing else": z.strictObject(point.shape),
  "a point and texts": point.catchall(z.string()),
  "any JSON at a key": z.object({ x: anyJson, y: z.exactOptional(anyJson) }),
  "texts by key": recordOf(z.string()),
  "points by key by key": recordOf(recordOf(point)),
  "text that is refined": z.string().refine((text) => text !== "a"),
  "text with a default": z.string().default("a"),
  "a number made of text": z.string().transform(Number),
};
const leaves = [undefined, null, true, "", "a", "abc", "a@b.example", 0, 1, 1.5, 5, -1, Number.NaN, Infinity];
const values: readonly unknown[] = [
  ...leaves,
  ...leaves.flatMap((one) => [
    [one],
    ["a", one],
    { x: one },
    { x: 1, y: one },
    { x: 1, tag: one },
    { x: 1, more: one },
  ]),
  ...leaves.map((one) => ({ a: { b: { x: one } }, c: {} })),
  [],
  {},
  ["a", 1, 2],
  ["a", "b", "c"],
  new Date(0),
  () => 1,
  JSON.parse('{"__proto__": {"x": 1}}'),
  JSON.parse('{"a": {"__proto__": 5}}'),
  Object.create({ x: 1 }),
];

describe("a quick look at whether a value fits", () => {
  test.each(Object.entries(schemas))("never takes for %s what zod refuses", (_name, schema) => {
    const fits = quickLook(schema);
    const taken = values.filter(fits);
    expect(taken.filter((value) => !schema.safeParse(value).success)).toEqual([]);
  });

  test("takes what data files are made of without asking zod", () => {
    const record = z.object({
      id: z.int(),
      name: z.string().nullable(),
      level: z.enum(["easy", "hard"]),
      tags: z.array(z.union([z.string(), z.number()])),
      pair: z.tuple([z.string(), z.boolean()]),
      note: z.exactOptional(anyJson),
      more: z.string().optional(),
      given: recordOf(recordOf(z.string())),
    });
    const value = { id: 1, name: null, level: "easy", tags: ["a", 1], pair: ["a", true], given: { a: { b: "c" } } };
    expect(quickLook(record)(value)).toBe(true);
    expect(quickLook(record)({ ...value, note: [null], more: "b" })).toBe(true);
  });
});
