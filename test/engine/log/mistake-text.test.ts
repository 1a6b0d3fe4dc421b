import { describe, expect, test } from "vitest";
import { mistakeText } from "../../../source/engine/log/rows/mistake-text.ts";

const errorKinds = [
  { name: "value-space", title: "Wrong place" },
  { name: "fictitious tool", title: "Fictitious tool" },
  { name: "missing-key", title: "Missing key" },
];

describe("a mistake in words", () => {
  test("is named as people say it, and by its name where that is another", () => {
    const place = { kind: "value-space", key: "town", expected: "'Delft'", got: "'Utrecht'" };
    expect(mistakeText(place, { errorKinds })).toBe("Wrong place (value-space): town, expected 'Delft', got 'Utrecht'");
    expect(mistakeText({ kind: "fictitious tool", got: "Kit" }, { errorKinds })).toBe("Fictitious tool: got Kit");
    expect(mistakeText({ kind: "missing-key" }, { errorKinds })).toBe("Missing key");
    expect(mistakeText({ kind: "bygone" }, { errorKinds })).toBe("bygone");
  });
});
