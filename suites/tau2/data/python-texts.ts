/**
 * Reads texts in Python files: descriptions of tools in docstrings (Google's style, as docstring_parser 0.18 reads it), constants
 * and descriptions of fields. No code is executed.
 */

/** The description of a function, and of its arguments by name. */
export type FunctionTexts = { readonly description: string; readonly arguments: Readonly<Record<string, string>> };

const quotes = '"""';

/** Returns the texts of all functions that are tools, in order. */
export function toolTexts(source: string): ReadonlyMap<string, FunctionTexts> {
  const texts = new Map<string, FunctionTexts>();
  for (const part of source.split("    @is_tool(").slice(1)) {
    const name = /^[^\n]*\)\n    def (\w+)\(/.exec(part)?.[1];
    const text = quoted(part, 0);
    if (name !== undefined && text !== undefined) texts.set(name, readDocstring(text));
  }
  return texts;
}

/** Returns the constant `NAME = """...""".strip()` of a module; undefined if the module does not define it. */
export function constantText(source: string, name: string): string | undefined {
  const at = source.indexOf(`\n${name} = ${quotes}`);
  return at < 0 ? undefined : quoted(source, at)?.trim();
}

/** Returns the docstring of a class and the descriptions of its fields; undefined if the class does not exist. */
export function classTexts(source: string, name: string): FunctionTexts | undefined {
  const at = source.indexOf(`\nclass ${name}(`);
  if (at < 0) return undefined;
  const [head = ""] = source.slice(at + 1).split(/\n(?=\S)/, 1);
  const docstring = /^[^\n]*\n\s*"""/.test(head) ? quoted(head, 0) : undefined;
  const members = head.split(/\n    (?=\w)/).slice(1);
  const described = members.flatMap((field) => {
    if (!/^\w+: /.test(field)) return [];
    const text = /description="([^"\\]*)"/.exec(field)?.[1];
    return text === undefined ? [] : [[field.slice(0, field.indexOf(":")), text] as const];
  });
  return { description: clean(docstring ?? ""), arguments: Object.fromEntries(described) };
}

/** The text between the first two triple quotes from there on. */
function quoted(source: string, from: number): string | undefined {
  const begin = source.indexOf(quotes, from);
  const end = begin < 0 ? -1 : source.indexOf(quotes, begin + quotes.length);
  return end < 0 ? undefined : source.slice(begin + quotes.length, end);
}

const sections = [
  "Args",
  "Arguments",
  "Returns",
  "Return",
  "Raises",
  "Raise",
  "Example",
  "Examples",
  "Yields",
  "Attributes",
];
const heading = new RegExp(`^(${sections.join("|")}):[ \\t\\r\\f\\v]*$`);

function readDocstring(docstring: string): FunctionTexts {
  const lines = clean(docstring).split("\n");
  const found = lines.findIndex((line) => heading.test(line));
  const start = found < 0 ? lines.length : found;
  const [short = "", ...rest] = lines.slice(0, start).join("\n").trim().split("\n");
  const long = rest.join("\n").trim();
  const description = long === "" ? short : `${short}\n\n${long}`;
  const args = lines.findIndex((line) => /^(?:Args|Arguments):\s*$/.test(line));
  if (args < 0) return { description, arguments: {} };
  const end = lines.findIndex((line, index) => index > args && heading.test(line));
  return { description, arguments: argumentTexts(lines.slice(args + 1, end < 0 ? lines.length : end)) };
}

/** Each argument begins at the indentation of the first. */
function argumentTexts(lines: readonly string[]): FunctionTexts["arguments"] {
  const first = lines.find((line) => line.trim() !== "") ?? "";
  const indent = first.length - first.trimStart().length;
  const found: [name: string, lines: string[]][] = [];
  for (const line of lines) {
    const isNew = line.trim() !== "" && line.length - line.trimStart().length === indent;
    const colon = line.indexOf(":");
    if (isNew && colon > 0) found.push([line.slice(0, colon).trim().split(" ")[0]!, [line.slice(colon + 1).trim()]]);
    else found.at(-1)?.[1].push(line);
  }
  return Object.fromEntries(
    found.map(([name, [head = "", ...more]]) => {
      const rest = clean(`\n${more.join("\n")}`);
      return [name, rest === "" ? head : `${head}\n${rest}`];
    }),
  );
}

/** Returns a text as Python's `inspect.cleandoc` does: without the common indentation of all lines but the first. */
function clean(text: string): string {
  const [first = "", ...rest] = text.replaceAll("\t", "        ").split("\n");
  const indents = rest.flatMap((line) => (line.trim() === "" ? [] : [line.length - line.trimStart().length]));
  const margin = Math.min(...indents, Infinity);
  const lines = [first.trimStart(), ...rest.map((line) => (margin === Infinity ? line : line.slice(margin)))];
  while (lines.length > 0 && lines.at(-1)!.trim() === "") lines.pop();
  while (lines.length > 0 && lines[0]!.trim() === "") lines.shift();
  return lines.join("\n").trim();
}
