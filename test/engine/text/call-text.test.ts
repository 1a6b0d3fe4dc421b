import { expect, it } from "vitest";
import { callText } from "../../../source/engine/text/call-text.ts";

it("writes a call with the names of its arguments, and one that could not be read as the model wrote it", () => {
  const given = { place: "Odeon", seats: [1, 2], at: { hour: 19 } };
  expect(callText({ name: "book", text: JSON.stringify(given), arguments: given })).toBe(
    'book(place="Odeon", seats=[1,2], at={"hour":19})',
  );
  expect(callText({ name: "now", text: "{}", arguments: {} })).toBe("now()");
  expect(callText({ name: "book", text: '{"place": ', arguments: undefined })).toBe('book({"place": )');
});
