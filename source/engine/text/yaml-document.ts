/** Untrusted YAML, with limits on depth and on values multiplied by aliases, before any recursive code reads it. */
import {
  Composer,
  type CST,
  Document,
  type ErrorCode,
  Lexer,
  LineCounter,
  type parseDocument,
  Parser,
  YAMLParseError,
} from "yaml";
import type { Json } from "../types.ts";

export type YamlDocument = ReturnType<typeof parseDocument>;

/**
 * Maximum depth of nested lists and maps. The package composes, converts and prints by recursion, in time that grows with the
 * square of the depth.
 */
const deepestYaml = 100;

const tooDeep = `at most ${deepestYaml} nested lists and maps, got more`;
/** The package's own message. */
const several = "Source contains multiple documents; please use YAML.parseAllDocuments()";

/** Maximum number of values that one alias may produce in all its uses together. */
const mostAliased = 20;

/**
 * Parses YAML. Its errors have no excerpts: the package makes an excerpt for each, which takes seconds for a text with thousands
 * of errors. Warnings are off, because they would be written over the screen. A text that is nested more deeply than
 * `deepestYaml` becomes an empty document with this error.
 */
export function parseYaml(source: string, lineCounter = new LineCounter()): YamlDocument {
  const options = { lineCounter, prettyErrors: false, logLevel: "error" } as const;
  const tokens = tokensOf(source, lineCounter);
  if (typeof tokens === "number") {
    const empty = new Document(null, options) as YamlDocument;
    return withError(empty, [tokens, tokens + 1], "IMPOSSIBLE", tooDeep);
  }
  const [first, second] = new Composer(options).compose(tokens, true, source.length);
  const document = first as YamlDocument;
  return second === undefined ? document : withError(document, [...second.range], "MULTIPLE_DOCS", several);
}

function withError(document: YamlDocument, [from, to]: readonly number[], code: ErrorCode, message: string) {
  document.errors.push(new YAMLParseError([from!, to!], code, message));
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

/**
 * Returns the tokens of the documents in a text, or the offset at which the text is nested too deeply. The package's parser keeps
 * a stack, and no text after this offset is examined. `lineCounter` receives the lines up to the offset.
 */
function tokensOf(source: string, lineCounter: LineCounter): readonly CST.Token[] | number {
  const parser = new Parser(lineCounter.addNewLine);
  lineCounter.addNewLine(0);
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(source)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length <= deepestYaml + 1) continue;
    // The document is below them; a scalar may be above them.
    const isScalar = /scalar|alias/.test(parser.stack.at(-1)!.type);
    if (parser.stack.length - (isScalar ? 1 : 0) > deepestYaml + 1) return parser.offset - lexeme.length;
  }
  tokens.push(...parser.end());
  return tokens;
}
