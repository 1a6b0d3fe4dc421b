import { expect, it } from "vitest";
import {
  assignedCall,
  callText,
  readableLine,
  valuesText,
  writtenCall,
} from "../../../source/engine/text/call-text.ts";

it("a call is shown with the names of its arguments, and an unreadable call is shown as written", () => {
  const given = { place: "Odeon", seats: [1, 2], at: { hour: 19 } };
  expect(callText({ name: "book", text: JSON.stringify(given, null, 2) })).toBe(
    'book(place="Odeon", seats=[1,2], at={"hour":19})',
  );
  expect(callText({ name: "now", text: "{}" })).toBe("now()");
  expect(callText({ name: "now", text: "" })).toBe("now()");
  expect(callText({ name: "book", text: "the Odeon" })).toBe("book(the Odeon)");
});

it("arguments of a call are shown as sent: long numbers, duplicate names, and truncated values", () => {
  const sent =
    '{"id": 90071992547409931234, "share": 1.0, "id": 2, "__proto__": {"a": 1}, "at": "19:00", "near": ["Del';
  expect(callText({ name: "book", text: sent })).toBe(
    'book(id=90071992547409931234, share=1.0, id=2, __proto__={"a":1}, at="19:00", near=["Del',
  );
});

it("the name of a call is shown once if the model also wrote it into its arguments", () => {
  expect(callText({ name: "Cost", text: 'Cost[{"day": 1, "city": "Oslo"}]' })).toBe('Cost(day=1, city="Oslo")');
  expect(callText({ name: "Flights", text: "Flights[Oslo, Bergen]" })).toBe("Flights[Oslo, Bergen]");
});

it.each([
  ["book({'seats': [1, {'a': ')'}], 'at': None})", "book(seats=[1, {'a': ')'}], at=None)"],
  ["book({'who': 'Ann\\'s, and', \"b\": true,})", "book(who='Ann\\'s, and', b=true)"],
  ["book({})", "book()"],
  ["book({'seats': 2, 'at': '19:", "book(seats=2, at='19:"],
  ["book({'seats': 2, 'a", "book(seats=2"],
  ["book({", "book("],
  ['Book[{"seats": 2, "place": "Ode', 'Book(seats=2, place="Ode'],
  ['Book[{"seats": 2}', "Book(seats=2"],
  ["book({'seats': 2}) and go", undefined],
  ["book({'seats': 2]})", undefined],
  ["book({seats: 2})", undefined],
  ["book({'seats', 2})", undefined],
  ["book(seats=2)", undefined],
  ["two words({'a': 1})", undefined],
])("the call %j, written by a model, is shown as %j", (text, read) => {
  expect(writtenCall(text)).toBe(read);
});

it("a call that is never closed is parsed in linear time", () => {
  const text = `f({${"'a': [(".repeat(100_000)}`;
  expect(writtenCall(text)).toMatch(/^f\(a=/);
});

it.each([
  ["→ book({'seats': 2})", "→ book(seats=2)"],
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
])("the line %j is shown as %j", (line, read) => {
  expect(readableLine(line)).toBe(read);
});

it.each([
  ["Trains: [fare, time = find(#to='Oslo', #seats='2')]", "Trains: fare, time = find(to='Oslo', seats='2')"],
  ["Home: [lamp()]", "Home: lamp()"],
  ["A b: [x = f(#a=y)]", "A b: x = f(a=y)"],
])("the call %j of an app is shown like other calls", (line, read) => {
  expect(assignedCall(line)).toBe(read);
});

it.each(["Trains: find(#to='Oslo')", "[x = f()]", "Trains: [find]", "Trains: [x = f()] and more", ""])(
  "the text %j is not a call of an app",
  (line) => {
    expect(assignedCall(line)).toBeUndefined();
  },
);

it("a call of an app is parsed in linear time", () => {
  expect(assignedCall(`App: [${"a, ".repeat(100_000)}= f(${"(".repeat(100_000)}`)).toBeUndefined();
});

it.each([
  ['{"a": 1, "b": {"c": "x", "d": [1, 2]}}', "a 1, c x, d [1,2]"],
  ['{"error": "", "none": null, "list": [], "of": {}, "rate": 3}', "rate 3"],
  ['{"error": ""}', undefined],
  ['{"cut": 1', undefined],
  ["[1]", undefined],
  ["plain", undefined],
])("the values of %s are shown on one line", (text, values) => {
  expect(valuesText(text)).toBe(values);
});
