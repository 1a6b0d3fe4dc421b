import { expect, test } from "vitest";
import { readShipment, type Shipment } from "../../source/workers/messages.ts";

const shipment: Shipment = {
  task: "t",
  attempt: "r.1",
  worker: "w",
  from: 3,
  entries: [
    { event: { type: "note", kind: "a", text: "b", data: { any: ["thing"] }, task: "t", at: 5 } },
    { piece: { type: "text", request: 0, text: "c" } },
  ],
  end: { scored: false, hopeless: "always", failure: { kind: "model", message: "d" } },
};
const read = (changes: object) => readShipment(JSON.stringify({ ...shipment, ...changes }));
const names = { task: "t", attempt: "r.1", worker: "w" };

test("a shipment is read as written, with fields of later versions", () => {
  const later = { ...shipment, more: 1 };
  expect(read({})).toEqual(shipment);
  expect(read({ more: 1 })).toEqual(later);
});

test.each([
  [
    "a scored event without a score",
    { type: "scored", at: 1 },
    "Entry 0: Expected `score` to be an object, got `nothing`",
  ],
  [
    "an impossible time",
    { type: "answer", answer: 1, at: 1e300 },
    "Entry 0: Expected `at` to be a time in milliseconds since 1970, got `1e+300`",
  ],
  [
    "the end of a run",
    { type: "run-ended", reason: "done", at: 5 },
    /^Expected `entries\.0.*` to be one of started, prompt,/,
  ],
  [
    "a sequence number of its own",
    { type: "answer", answer: 1, at: 1, seq: 9 },
    "Entry 0: Expected an event without `seq`, which the log assigns, got one with `seq`",
  ],
])("a shipment with %s is rejected with its sender", (_, event, refused) => {
  expect(read({ entries: [{ event }] })).toEqual({
    refused: typeof refused === "string" ? refused : expect.stringMatching(refused),
    ...names,
  });
});

test("a shipment with parts that are not text is rejected", () => {
  expect(read({ entries: [{ piece: { type: "text", request: 0, text: 7 } }] })).toMatchObject(names);
});

test.each([
  ["text that is not JSON", "{", { refused: expect.stringMatching(/^Expected JSON: /) }],
  [
    "JSON that is not a shipment",
    '{"task":"t"}',
    { refused: "Expected `attempt` to be text, got `nothing`", task: "t" },
  ],
  ["nothing", "null", { refused: "Expected an object, got `null`" }],
  [
    "JSON that nests too deeply",
    "[".repeat(9000) + "]".repeat(9000),
    { refused: "Expected at most 1000 nested levels, got more" },
  ],
])("messages with %s are rejected", (_, text, refused) => {
  expect(readShipment(text)).toEqual(refused);
});

test("a shipment that starts before its first event is rejected", () => {
  expect(read({ from: -1 })).toEqual({ refused: "Expected `from` to be at least 0, got `-1`", ...names });
});
