import { LineCounter } from "yaml";
import { expect, onTestFinished, test, vi } from "vitest";
import { parseYaml, yamlProblem } from "../../../source/engine/session/cell-yaml.ts";

test("of thousands of errors the first is described, and no other is", () => {
  const lines = new LineCounter();
  const text = `a: 1\nlimit: [1${"]".repeat(1500)}\n`;
  const document = parseYaml(text, lines);
  expect(document.errors.length).toBeGreaterThan(1000);
  // What the package adds to a message is the line, with a mark below it.
  expect(document.errors.every(({ message, linePos }) => !message.includes("\n") && linePos === undefined)).toBe(true);
  expect(yamlProblem(document, lines)).toEqual({
    message: expect.stringMatching(/^Expected YAML: .* at line 2, column \d+$/),
    line: 2,
  });
});

test("keys that are no texts are read without a warning, which would be written over the screen", () => {
  const warned = vi.spyOn(process, "emitWarning");
  onTestFinished(() => warned.mockRestore());
  expect(parseYaml("{{a: 1}: 2}").toJS()).toEqual({ "{ a: 1 }": 2 });
  expect(warned).not.toHaveBeenCalled();
});
