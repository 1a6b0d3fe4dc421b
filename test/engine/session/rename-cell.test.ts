import { describe, expect, test } from "vitest";
import { nameProblem, renameCell } from "../../../source/engine/session/document/rename-cell.ts";
import { readSession, writeSession } from "../../../source/engine/session/document/session-document.ts";

const text = [
  "# Prompting\r\n",
  "\r\n",
  "```run first\r\n",
  "suite: appbench   # the benchmark\r\n",
  "```\r\n",
  "~~~  run   second  \n",
  "suite: appbench\n",
  "~~~\n",
  "```run\n",
  "suite: appbench\n",
  "```\n",
  "```analysis heat\n",
  "of:   [ first,second ]   # both, first of all\n",
  "pane: scale # first\n",
  "```\n",
  "```analysis list\n",
  "pane: errors\n",
  "of:\n",
  '  - "first" # quoted\n',
  "  - second\n",
  "```\n",
  "```analysis one\n",
  "pane: first\n",
  "of: first\n",
  "```\n",
  "```analysis all\n",
  "pane: scale\n",
  "```\n",
  "```analysis broken\n",
  "of: [first\n",
  "```\n",
].join("");

const rename = (index: number, name: string, from = text) => {
  const document = readSession(from);
  return writeSession(renameCell(document, document.segments[index]!.id, name));
};

describe("renaming a cell", () => {
  test("changes only the cell's first line and every `of` that names it", () => {
    expect(rename(1, "base")).toBe(
      text
        .replace("run first", "run base")
        .replace("[ first,second ]", "[ base,second ]")
        .replace('"first" # quoted', "base # quoted")
        .replace("of: first\n", "of: base\n"),
    );
    expect(rename(2, "other")).toBe(
      text
        .replace("~~~  run   second  \n", "~~~  run other\n")
        .replace("first,second", "first,other")
        .replace("- second", "- other"),
    );
  });
  test("accepts any name that can be read from the cell again", () => {
    for (const name of ["two words", "on", "1e3", "[a, b]", "a: b", "# no", "日本"]) {
      const document = readSession(rename(1, name));
      expect(document.segments[1]!.name).toBe(name);
      expect(readSession(writeSession(renameCell(document, document.segments[1]!.id, "first"))).segments[1]!.name).toBe(
        "first",
      );
    }
    expect(rename(1, "a: b")).toContain('[ "a: b",second ]');
    expect(rename(1, "$& $1")).toContain("run $& $1\r\n");
  });
  test("works for a cell without a name, and for an analysis", () => {
    expect(rename(3, "third")).toBe(text.replace("```run\n", "```run third\n"));
    expect(rename(4, "map")).toBe(text.replace("analysis heat", "analysis map"));
  });
  test("rejects a name that is taken, empty or invalid", () => {
    expect(() => rename(1, "second")).toThrow("another run cell is called `second`");
    expect(() => rename(1, "  ")).toThrow("Expected a name");
    expect(() => rename(1, "a`b")).toThrow("backticks");
    expect(nameProblem("a\nb")).toContain("control");
    expect(nameProblem("x".repeat(81))).toBe("Expected a name of at most 80 characters");
    expect(() => rename(0, "note")).toThrow("notes have no name");
    expect(rename(1, "heat")).toContain("run heat");
  });
  test("leaves analyses unchanged if another run cell has the old name", () => {
    const two = "```run a\nx: 1\n```\n```run a\nx: 2\n```\n```analysis b\nof: [a]\n```\n";
    expect(rename(1, "c", two)).toBe("```run a\nx: 1\n```\n```run c\nx: 2\n```\n```analysis b\nof: [a]\n```\n");
  });
});
