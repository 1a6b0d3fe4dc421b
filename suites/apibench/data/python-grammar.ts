/**
 * The Python grammar, compiled to WebAssembly, reads calls as the official scripts do. Parser (core 0.20) and grammar
 * (0.20.1) are as old as the scripts because later grammars recover differently from prose.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { programBytes } from "../../../source/engine/work/program-files.ts";
import { inBytes, readingBytes } from "./byte-core.ts";
import type { CallNode, ListNodes } from "../score/extraction.ts";

/**
 * Maximum characters of a reply that are parsed; the longest published reply is a tenth as long. The grammar scans all following
 * comments at every line, so that doubling the length can quadruple the time (2 s at this length).
 */
const longestCall = 30_000;

/** The patched parser core and the Python grammar, both compiled to WebAssembly. */
export type GrammarFiles = { readonly core: Uint8Array; readonly grammar: Uint8Array };

/** Four numbers per node: start and end of its text, start and end of its first child. */
type NodePlaces = Int32Array<ArrayBuffer>;
export type FindPlaces = (call: string) => NodePlaces;

/**
 * Reads the files from the installed packages, wherever the program runs from. Rejects if they are missing or of
 * another release.
 */
export async function grammarFiles(): Promise<GrammarFiles> {
  const [core, grammar] = await Promise.all([
    programBytes(placeOf("web-tree-sitter/tree-sitter.wasm")),
    programBytes(placeOf("tree-sitter-wasms/out/tree-sitter-python.wasm")),
  ]);
  return { core: readingBytes(core), grammar: new Uint8Array(grammar) };
}

/** Returns the part of a call that is parsed; positions refer to this text. */
export const parsedText = (call: string): string => call.slice(0, longestCall).toWellFormed();

/**
 * Returns the nodes at these positions. Slices share memory with the whole text, because 30,000 nested calls would otherwise take
 * gigabytes.
 */
export const nodesAt = (places: NodePlaces, text: string): CallNode[] =>
  Array.from({ length: places.length / 4 }, (_, node) => {
    const [from, to, firstFrom, firstTo] = places.subarray(4 * node, 4 * node + 4);
    return { text: text.slice(from, to), first: text.slice(firstFrom, firstTo) };
  });

/** Creates a parser in this thread for texts from `parsedText`. */
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
    // Depth first from the root, right siblings first, like the stack of the original.
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

/** Loads the grammar-based reader in this thread once. Rejects as `grammarFiles` does. */
export function loadPythonGrammar(): Promise<ListNodes> {
  loading ??= grammarFiles()
    .then(pythonParser)
    .then((parse) => (call: string) => {
      const text = parsedText(call);
      return nodesAt(parse(text), text);
    });
  return loading;
}

/** Locates a package's file: in the package when running from source, beside the bundle when built. */
const placeOf = (file: string): URL =>
  import.meta.url.endsWith(".ts")
    ? pathToFileURL(createRequire(import.meta.url).resolve(file))
    : new URL(`./${file.split("/").at(-1)!}`, import.meta.url);

/** Maps each byte of the UTF-8 text, and its end, to the string index of its character. */
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
