import { expect, test } from "vitest";
import type { Shipment } from "../../source/workers/messages.ts";
import { readShipment } from "../../source/workers/read-shipment.ts";

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

test("a shipment is read as it was written", () => {
  expect(readShipment(JSON.stringify(shipment))).toEqual(shipment);
});

test.each([
  ["what is no JSON", "{"],
  ["what is no shipment", JSON.stringify({ task: "t" })],
  [
    "the end of a run",
    JSON.stringify({ ...shipment, entries: [{ event: { type: "run-ended", reason: "done", at: 5 } }] }),
  ],
  ["numbers that are none", JSON.stringify({ ...shipment, from: -1 })],
  [
    "pieces that are no text",
    JSON.stringify({ ...shipment, entries: [{ piece: { type: "text", request: 0, text: 7 } }] }),
  ],
])("%s is passed over", (_, text) => {
  expect(readShipment(text)).toBeUndefined();
});
