import { describe, expect, it } from "vitest";
import { ServerSentEvents } from "../../../source/engine/models/network/server-sent-events.ts";

/** Reads a stream that arrives in pieces of so many bytes. */
function events(text: string, size: number): readonly string[] {
  const stream = new ServerSentEvents();
  const bytes = Buffer.from(text);
  const taken = [];
  for (let at = 0; at < bytes.length; at += size) taken.push(...stream.take(bytes.subarray(at, at + size)));
  return [...taken, ...stream.end()].map(({ name, data }) => `${name}:${data}`);
}

describe("Server-Sent Events", () => {
  // The first four are examples of the WHATWG's standard, section 9.2.6.
  it.each([
    ["the standard's stock ticker", "data: YHOO\ndata: +2\ndata: 10\n\n", [":YHOO\n+2\n10"]],
    [
      "comments, ids, and data without a space",
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
      [":first event", ":second event", ": third event"],
    ],
    ["data without a value", "data\n\ndata\ndata\n\ndata:\n\n", [":", ":\n", ":"]],
    ["data with one space and without", "data:test\n\ndata: test\n\n", [":test", ":test"]],
    ["names, each of one event", "event: add\ndata: 73857293\n\nevent: none\n\ndata: 2\n\n", ["add:73857293", ":2"]],
    ["carriage returns only", "data: a\r\rdata: b\r\r", [":a", ":b"]],
    ["carriage returns and line feeds", "data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", [":a\nb", ":c"]],
    ["mixed line ends", "data: a\n\r\ndata: b\r\n\ndata: c\r\n\rdata: d\n\n", [":a", ":b", ":c", ":d"]],
    ["a byte order mark, once", "\ufeffdata: a\n\n\ufeffdata: b\n\ndata: c\n\n", [":a", ":c"]],
    ["an end in the middle of an event", "data: a\n\ndata: b", [":a", ":b"]],
    ["an end in the middle of a name", "data: a\n\neve", [":a"]],
    ["letters of several bytes", "data: Zürich 東京 👩\n\n", [":Zürich 東京 👩"]],
    ["nothing", "", []],
  ])("are parsed from %s, however the bytes are cut", (_name, text, expected) => {
    for (const size of [1, 2, 3, 7, 1000]) expect(events(text, size)).toEqual(expected);
  });

  it("are passed on as soon as each event is complete", () => {
    const stream = new ServerSentEvents();
    expect(stream.take(Buffer.from("data: a\n\nda"))).toEqual([{ name: "", data: "a" }]);
    expect(stream.take(Buffer.from("ta: b\r"))).toEqual([]);
    expect(stream.take(Buffer.from("\r"))).toEqual([{ name: "", data: "b" }]);
    expect(stream.take(Buffer.from("\n"))).toEqual([]);
  });

  it("report how many bytes of an incomplete event are pending", () => {
    const stream = new ServerSentEvents();
    stream.take(Buffer.from("data: abc\ndata: de"));
    expect(stream.pending).toBe("abc".length + "data: de".length);
    stream.take(Buffer.from("\n\n"));
    expect(stream.pending).toBe(0);
  });
});
