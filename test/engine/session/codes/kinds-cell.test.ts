import { describe, expect, it } from "vitest";
import { readKindsCell } from "../../../../source/engine/session/codes/kinds-cell.ts";

describe("a kinds cell", () => {
  it("reads one kind per line, with indented kinds below their parent kind", () => {
    const { kinds, problems } = readKindsCell(
      "# of the first round\nmisread: the question says something else\n  wrong day: 3 for 13\n    off by one\n  wrong place\n\nformat\n",
    );
    expect(problems).toEqual([]);
    expect(kinds).toEqual([
      { name: "misread", meaning: "the question says something else" },
      { name: "wrong day", meaning: "3 for 13", parent: "misread" },
      { name: "off by one", parent: "wrong day" },
      { name: "wrong place", parent: "misread" },
      { name: "format" },
    ]);
  });

  it("treats a tab as spaces up to a multiple of four", () => {
    expect(readKindsCell("a\n\tb\n    c\n").kinds).toEqual([
      { name: "a" },
      { name: "b", parent: "a" },
      { name: "c", parent: "a" },
    ]);
  });

  it.each([
    ["a: one\na: two", 2, "Expected each kind once, got `a` again"],
    ["a|b: one", 1, "without `|`"],
    [": one", 1, "Expected a name"],
    [`${"x".repeat(61)}: one`, 1, "at most 60 characters, got 61"],
    ["__proto__: one", 1, "Expected a name other than __proto__"],
  ])("reports the line of a mistake: %j", (source, line, message) => {
    const { problems } = readKindsCell(source);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ line, message: expect.stringContaining(message) as unknown });
  });
});
