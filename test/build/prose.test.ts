/** The prose linter: every rule rejects its bad sentence and accepts its good one, in documents and in texts of the screen. */
import { describe, expect, it, test } from "vitest";
import { proseFindings } from "../../build/prose/lint.ts";
import { rules } from "../../build/prose/rules.ts";

describe("a rule of the prose linter", () => {
  test.each(rules)("rejects its bad example and accepts its good one: $name", async ({ name, refuses, accepts }) => {
    expect(await proseFindings(`# Title\n\nFine.\n${refuses}\n`, ".md")).toMatchObject([
      { line: 4, message: expect.stringContaining(`${name}: `) },
    ]);
    expect(await proseFindings(`# Title\n\n${accepts}\n`, ".md")).toEqual([]);
  });
});

describe("a sentence of a document", () => {
  it("is rejected if it begins without a subject", async () => {
    expect(await proseFindings("What a notebook can hold.\n", ".md")).toMatchObject([{ line: 1 }]);
    expect(await proseFindings("A note. Whether it fits.\n", ".md")).toMatchObject([{ line: 1 }]);
    expect(await proseFindings("A notebook holds cells. What is a cell?\n", ".md")).toEqual([]);
  });

  it("is checked across links, emphasis, line breaks and table cells", async () => {
    expect(await proseFindings("The run [goes](a.md)\n**on** later.\n", ".md")).toHaveLength(1);
    expect(await proseFindings("| a |\n|---|\n| the run goes on |\n", ".md")).toMatchObject([{ line: 3 }]);
  });

  it("is not rejected for words in code and in addresses", async () => {
    expect(await proseFindings("See `where` and [this](stand.md).\n\n```\nit goes on\n```\n", ".md")).toEqual([]);
  });
});

describe("a text of the screen in the prose linter", () => {
  it("can be a label without a subject, but not a sentence without a subject", async () => {
    expect(await proseFindings("What to show\n\nTasks of the run", ".txt")).toEqual([]);
    expect(await proseFindings("Tasks of the run\n\nOf all requests; nothing is left.", ".txt")).toMatchObject([
      { line: 3 },
    ]);
  });
});
