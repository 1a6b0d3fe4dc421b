/** Which span, or which trace, a log record beside spans is about. */
import { describe, expect, it } from "vitest";
import { LogRecords, recordsIn, timeAt } from "../../../../source/engine/workbench/recordings/log-records.ts";

const evaluation = "gen_ai.evaluation.result";
const details = "gen_ai.client.inference.operation.details";
const reply = (id: string) => new Map([["gen_ai.response.id", id]]);
const spans = [
  { trace: "t1", id: "a", attributes: reply("r1") },
  { trace: "t2", id: "a", attributes: reply("r2") },
  { trace: "t2", id: "b", attributes: new Map() },
];

/** Returns the places of a record: its span, its trace, or the trace that notes it. */
function placesOf(record: { name?: string; trace?: string; span?: string; reply?: string }) {
  const { name = evaluation, trace = "", span = "", reply: of } = record;
  const attributes = new Map([["gen_ai.evaluation.name", "tone"], ...(of === undefined ? [] : reply(of))]);
  const records = new LogRecords();
  records.add({ name, trace, span, attributes, at: 5 });
  records.place(spans);
  return [
    ...spans.flatMap((each) => records.eventsOf(each).map(() => `span ${each.trace} ${each.id}`)),
    ...["t1", "t2"].flatMap((each) => records.ofTrace(each).map(({ kind, at }) => `trace ${each} ${kind} ${at}`)),
    ...["t1", "t2"].flatMap((each) => records.unreadOf(each).map(({ at }) => `note ${each} ${at}`)),
  ];
}

describe("a log record", () => {
  it.each([
    [{ trace: "t2", span: "a" }, "span t2 a"],
    [{ trace: "t2", span: "a", name: details }, "span t2 a"],
    [{ trace: "t2", span: "b", reply: "r1" }, "span t2 b"],
    [{ reply: "r2" }, "span t2 a"],
    [{ trace: "t2", reply: "r2" }, "span t2 a"],
    [{ reply: "r2", name: details }, "span t2 a"],
    [{ trace: "t2" }, "trace t2 tone 5"],
    [{ trace: "t2", reply: "r1" }, "trace t2 tone 5"],
    // The messages of a request are of no use without it.
    [{ trace: "t2", name: details }, "note t2 5"],
    [{ trace: "t2", span: "c" }, "note t2 5"],
    [{ trace: "t2", span: "c", reply: "r2" }, "note t2 5"],
    [{ trace: "t3", span: "a" }, "note t1 5"],
    [{ reply: "r3" }, "note t1 5"],
    [{ trace: "t2", span: "a", name: "other" }, "note t2 5"],
    [{ reply: "r2", name: "other" }, "note t1 5"],
  ])("%j belongs to %s", (record, place) => {
    expect(placesOf(record)).toEqual([place]);
  });

  it("keeps the order of the records of a span", () => {
    const records = new LogRecords();
    for (const name of ["one", "two", "three"])
      records.add({ name: evaluation, trace: "t1", span: "a", at: 0, attributes: new Map([["n", name]]) });
    records.place(spans);
    expect(records.eventsOf(spans[0]!).map(({ attributes }) => attributes.get("n"))).toEqual(["one", "two", "three"]);
  });

  it("is read with its name, ids and time, whatever the types of their values", () => {
    const logRecords = [
      { eventName: "e", traceId: "t".repeat(70), spanId: "s", timeUnixNano: "1700000000123456789", attributes: [] },
      { attributes: [{ key: "event.name", value: { stringValue: "old" } }], observedTimeUnixNano: 2_000_000 },
      { attributes: [{ key: "event.name", value: { intValue: "3" } }], timeUnixNano: {} },
      "no record",
    ];
    const read = recordsIn({ resourceLogs: [{ scopeLogs: [{ logRecords }] }, 4] });
    expect(read.map(({ name, trace, span, at }) => [name, trace, span, at])).toEqual([
      ["e", "t".repeat(64), "s", 1_700_000_000_123],
      ["old", "", "", 2],
      ["", "", "", 0],
    ]);
    expect(recordsIn({ resourceSpans: [] })).toEqual([]);
    expect([timeAt({ at: -5_000_000 }, "at"), timeAt({ at: 999_999 }, "at"), timeAt({ at: 1e300 }, "at")]).toEqual([
      0, 0, 0,
    ]);
  });
});
