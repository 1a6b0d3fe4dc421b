import { LineCounter, parseDocument } from "yaml";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { yamlProblem } from "../../../source/engine/session/cell-text.ts";
import { parseYaml, yamlValue } from "../../../source/engine/text/yaml-document.ts";

describe("parsing YAML", () => {
  it("describes only the first of thousands of errors", () => {
    const lines = new LineCounter();
    const text = `a: 1\nlimit: [1${"]".repeat(1500)}\n`;
    const document = parseYaml(text, lines);
    expect(document.errors.length).toBeGreaterThan(1000);
    // The package adds the line to a message, with a mark below it.
    expect(document.errors.every(({ message, linePos }) => !message.includes("\n") && linePos === undefined)).toBe(
      true,
    );
    expect(yamlProblem(document, lines)).toEqual({
      message: expect.stringMatching(/^Expected YAML: .* at line 2, column \d+$/),
      line: 2,
    });
  });

  it("reads keys that are not text without printing a warning, which would overwrite the screen", () => {
    const warned = vi.spyOn(process, "emitWarning");
    onTestFinished(() => warned.mockRestore());
    expect(parseYaml("{{a: 1}: 2}").toJS()).toEqual({ "{ a: 1 }": 2 });
    expect(warned).not.toHaveBeenCalled();
  });

  it.each([
    ["a: 1\n---\nb: 2\n---\n- [1]\n", 2],
    ["%YAML 1.2\n---\na: 1\n...\n# no other document\n", undefined],
    ["", undefined],
    ["# a comment\n", undefined],
    ["a: [1\nb: {c: d]\n- 'e\n", 2],
    ["a: &x {b: c}\nd: *x\na: 2\n", 3],
  ])("gives the document, errors and lines that the package gives: %j", (text, line) => {
    const [lines, expectedLines] = [new LineCounter(), new LineCounter()];
    const document = parseYaml(text, lines);
    const options = { lineCounter: expectedLines, prettyErrors: false } as const;
    const expected = parseDocument(text, options);
    expect(String(document.contents)).toBe(String(expected.contents));
    expect(document.errors.map(({ code, message, pos: [at] }) => [code, message, at])).toEqual(
      expected.errors.map(({ code, message, pos: [at] }) => [code, message, at]),
    );
    expect(lines.lineStarts).toEqual(expectedLines.lineStarts);
    expect(yamlProblem(document, lines)?.line).toBe(line);
  });

  const nested = (open: string, levels: number, close = "") => open.repeat(levels) + "x" + close.repeat(levels);

  it.each([
    ["lists in brackets", nested("[", 100, "]")],
    ["maps in braces", nested("{a: ", 100, "}")],
    ["lists by dashes", nested("- ", 100)],
    ["lines of a text that look like lists", `a: |\n  ${nested("- ", 200)}\n  ${nested("[", 200)}\n`],
    ["adjacent lists", `a: [${"[1], ".repeat(500)}]\n`],
  ])("accepts %s that are nested at most 100 deep", (_, text) => {
    expect(parseYaml(text).errors).toEqual([]);
  });

  it.each([
    ["lists in brackets", `a: 1\nb: ${nested("[", 100, "]")}\n`, 2],
    ["maps in braces", `a: 1\nb: ${nested("{a: ", 100, "}")}\n`, 2],
    ["lists by dashes", `# deep\n\n${nested("- ", 101)}\n`, 3],
    ["keys by question marks", nested("? ", 101), 1],
    ["maps by lines", Array.from({ length: 102 }, (__, level) => `${" ".repeat(level)}a:`).join("\n"), 101],
    ["lists of 100,000 levels that are never closed", `a: ${"[".repeat(100_000)}`, 1],
    ["maps of 100,000 levels that are never closed", `${"a: {".repeat(100_000)}`, 1],
    ["dashes of 100,000 levels", "- ".repeat(100_000), 1],
  ])("rejects %s that are nested deeper, with their line", (_, text, line) => {
    const lines = new LineCounter();
    const document = parseYaml(text, lines);
    expect(document.errors).toHaveLength(1);
    expect(yamlProblem(document, lines)).toEqual({
      message: expect.stringMatching(
        new RegExp(`^Expected YAML: at most 100 nested lists and maps, got more at line ${line}, column \\d+$`),
      ),
      line,
    });
  });
});

describe("the value of a YAML document", () => {
  it("contains the values of its aliases", () => {
    expect(yamlValue(parseYaml("a: &a [1]\nb: [*a, *a]"))).toEqual({ a: [1], b: [[1], [1]] });
  });

  it.each([
    ["multiply", `a: &a [x, x, x]\nb: &b [${"*a, ".repeat(9)}]\nc: [${"*b, ".repeat(9)}]`, /alias count/],
    ["contain themselves", "a: &a [*a]", /aliases nest deeper than 100/],
    [
      "expand to a deeper nesting than the text",
      Array.from(
        { length: 5 },
        (_, at) => `k${at}: &k${at} ${"[".repeat(30)}${at === 0 ? "" : `*k${at - 1}`}${"]".repeat(30)}`,
      ).join("\n"),
      /aliases nest deeper than 100/,
    ],
  ])("is rejected if its aliases %s", (_, text, words) => {
    expect(() => yamlValue(parseYaml(text))).toThrow(words);
  });
});
