/**
 * The Python grammar, compiled to WebAssembly, for looking at calls as the official scripts do: a parser and a grammar of the
 * time of those scripts (core 0.20, grammar 0.20.1), as later grammars recover from prose differently.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { programBytes } from "../../../source/engine/work/program-files.ts";
import { inBytes, readingBytes } from "./byte-core.ts";
import type { CallNode, ListNodes } from "../score/matching.ts";

/**
 * Longer replies are cut before parsing; the longest published one has a tenth of it. The grammar looks through all comments
 * that follow at every line, so that twice the length can take four times as long (2 s for this).
 */
const longestCall = 30_000;

/** The parser's core, changed to read bytes, and Python's grammar, both compiled to WebAssembly. */
export type GrammarFiles = { readonly core: Uint8Array; readonly grammar: Uint8Array };

/** Four numbers a node: where its text begins and ends, and where its first child does. */
type NodePlaces = Int32Array<ArrayBuffer>;
export type FindPlaces = (call: string) => NodePlaces;

/** From the installed packages, wherever this program runs from. Rejects where they are missing or of another release. */
export async function grammarFiles(): Promise<GrammarFiles> {
  const [core, grammar] = await Promise.all([
    programBytes(placeOf("web-tree-sitter/tree-sitter.wasm")),
    programBytes(placeOf("tree-sitter-wasms/out/tree-sitter-python.wasm")),
  ]);
  return { core: readingBytes(core), grammar: new Uint8Array(grammar) };
}

/** What is parsed of a call; places are in this text. */
export function parsedText(call: string): string {
  return call.slice(0, longestCall).toWellFormed();
}

/** The nodes at these places. Slices share their letters with the whole: 30,000 calls inside one another would else take gigabytes. */
export function nodesAt(places: NodePlaces, text: string): CallNode[] {
  return Array.from({ length: places.length / 4 }, (_, node) => {
    const [from, to, firstFrom, firstTo] = places.subarray(4 * node, 4 * node + 4);
    return { text: text.slice(from, to), first: text.slice(firstFrom, firstTo) };
  });
}

/** A parser in this thread, for texts as `parsedText` gives them. */
export async function pythonParser({ core, grammar }: GrammarFiles): Promise<FindPlaces> {
  const { default: TreeSitter } = await import("web-tree-sitter");
  await TreeSitter.init({ wasmBinary: core });
  const parser = new TreeSitter();
  parser.setLanguage(await TreeSitter.Language.load(grammar));
  return (text) => {
    const bytes = new TextEncoder().encode(text);
    const at = bytes.length === text.length ? undefined : unitsOf(text, bytes.length);
    const unit = (byte: number) => (at === undefined ? byte : at[byte]!);
    const tree = parser.parse(inBytes(bytes));
    const places: number[] = [];
    // Depth first from the root, the right sibling before the left one: the order of the original's stack.
    const stack = [tree.rootNode];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      const { children } = node;
      const [first] = children;
      if (first === undefined) continue;
      places.push(unit(node.startIndex), unit(node.endIndex), unit(first.startIndex), unit(first.endIndex));
      stack.push(...children);
    }
    tree.delete();
    return Int32Array.from(places);
  };
}

let loading: Promise<ListNodes> | undefined;

/** The grammar's reading in this thread, loaded once. Rejects like `grammarFiles`. */
export function loadPythonGrammar(): Promise<ListNodes> {
  loading ??= grammarFiles()
    .then(pythonParser)
    .then((parse) => (call: string) => {
      const text = parsedText(call);
      return nodesAt(parse(text), text);
    });
  return loading;
}

/** A package's file: in its package where the program runs from source, beside the bundle where that was built. */
function placeOf(file: string): URL {
  return import.meta.url.endsWith(".ts")
    ? pathToFileURL(createRequire(import.meta.url).resolve(file))
    : new URL(`./${file.split("/").at(-1)!}`, import.meta.url);
}

/** For each byte of a text in UTF-8, and for its end, where in the string its letter begins. */
function unitsOf(text: string, length: number): Uint32Array {
  const units = new Uint32Array(length + 1).fill(text.length);
  let byte = 0;
  let unit = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0)!;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    units.fill(unit, byte, byte + size);
    byte += size;
    unit += letter.length;
  }
  return units;
}
