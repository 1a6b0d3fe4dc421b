/** Untrusted YAML, with limits on depth and on values multiplied by aliases, before any recursive code reads it. */
import { Document, Lexer, LineCounter, parseDocument, Parser, YAMLParseError } from "yaml";
import type { Json } from "../types.ts";

export type YamlDocument = ReturnType<typeof parseDocument>;

/**
 * Maximum depth of nested lists and maps. The package composes, converts and prints by recursion, in time that grows with the
 * square of the depth.
 */
const deepestYaml = 100;

/** Maximum number of values that one alias may produce in all its uses together. */
const mostAliased = 20;

/**
 * Parses YAML. Its errors have no excerpts: the package makes an excerpt for each, which takes seconds for a text with thousands
 * of errors. Warnings are off, because they would be written over the screen. A text that is nested more deeply than
 * `deepestYaml` becomes an empty document with this error.
 */
export function parseYaml(source: string, lineCounter = new LineCounter()): YamlDocument {
  const options = { lineCounter, prettyErrors: false, logLevel: "error" } as const;
  const at = tooDeepAt(source, lineCounter);
  if (at === undefined) return parseDocument(source, options);
  const message = `at most ${deepestYaml} nested lists and maps, got more`;
  const document = new Document(null, options) as YamlDocument;
  document.errors.push(new YAMLParseError([at, at + 1], "IMPOSSIBLE", message));
  return document;
}

/**
 * Returns the value of a document. Throws an `Error` when aliases multiply without end, contain themselves or nest too deep.
 */
export function yamlValue(document: YamlDocument): Json {
  const value = document.toJS({ maxAliasCount: mostAliased }) as Json;
  mustEnd(value, 0);
  return value;
}

function mustEnd(value: Json, depth: number): void {
  if (value === null || typeof value !== "object") return;
  if (depth === deepestYaml) throw new Error(`aliases nest deeper than ${deepestYaml} lists and maps`);
  for (const each of Object.values(value)) mustEnd(each, depth + 1);
}

/** Signs that every list or map contains. */
const beginnings = /[[{:?-]/g;

/**
 * Returns the offset at which a text is nested too deeply; undefined if it is not. The package's parser keeps a stack, and no
 * text after this offset is examined. `lineCounter` receives the lines up to the offset.
 */
function tooDeepAt(source: string, lineCounter: LineCounter): number | undefined {
  if ((source.match(beginnings)?.length ?? 0) <= deepestYaml) return undefined;
  const lines = new LineCounter();
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(source)) {
    for (const _ of parser.next(lexeme));
    // The document is below them; a scalar may be above them.
    const isScalar = /scalar|alias/.test(parser.stack.at(-1)?.type ?? "");
    if (parser.stack.length - (isScalar ? 1 : 0) <= deepestYaml + 1) continue;
    for (const start of lines.lineStarts) lineCounter.addNewLine(start);
    return parser.offset - lexeme.length;
  }
  return undefined;
}
