import { expect, it } from "vitest";
import { callText, readableLine } from "../../../source/engine/text/call-text.ts";

it("writes a call with the names of its arguments, and one that could not be read as the model wrote it", () => {
  const given = { place: "Odeon", seats: [1, 2], at: { hour: 19 } };
  expect(callText({ name: "book", text: JSON.stringify(given, null, 2) })).toBe(
    'book(place="Odeon", seats=[1,2], at={"hour":19})',
  );
  expect(callText({ name: "now", text: "{}" })).toBe("now()");
  expect(callText({ name: "now", text: "" })).toBe("now()");
  expect(callText({ name: "book", text: "the Odeon" })).toBe("book(the Odeon)");
});

it("has arguments as they were sent: long numbers, names given twice, and what was cut off", () => {
  const sent =
    '{"id": 90071992547409931234, "share": 1.0, "id": 2, "__proto__": {"a": 1}, "at": "19:00", "near": ["Del';
  expect(callText({ name: "book", text: sent })).toBe(
    'book(id=90071992547409931234, share=1.0, id=2, __proto__={"a":1}, at="19:00", near=["Del',
  );
});

it.each([
  ['book({"seats": 2, "at": null})', "book(seats=2, at=null)"],
  ['→ {"Status": "Success", "Response": {"id": 7}}', "→ Status: Success, Response id: 7"],
  ['{"final": "Oslo"}', "final: Oslo"],
  ['{"a": {"b": [1, "x"], "c": {}}, "d": null}', 'a b: [1,"x"], a c: {}, d: null'],
  ['Action Input: {"city": "Oslo"}', "Action Input: city: Oslo"],
  ["book(seats=2)", "book(seats=2)"],
  ["→ Success", "→ Success"],
  ["→ {}", "→ {}"],
  ["{name} is missing", "{name} is missing"],
  ["f({)", "f({)"],
])("reads the line %j as %j", (line, read) => {
  expect(readableLine(line)).toBe(read);
});
