/**
 * The Python grammar, compiled to WebAssembly, for looking at calls as the official scripts do: a parser and a grammar of the
 * time of those scripts (core 0.20, grammar 0.20.1), as later grammars recover from prose differently.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { programBytes } from "../../../source/engine/work/program-files.ts";
import type Parser from "web-tree-sitter";
import { inBytes, readingBytes } from "./byte-core.ts";
import { listNodesSimply, type CallNode, type ListNodes } from "../score/matching.ts";

/**
 * Longer replies are cut before parsing; the longest published one has a tenth of it. The grammar looks through all comments
 * that follow at every line, so that twice the length can take four times as long (2 s for this).
 */
const longestCall = 30_000;
let loading: Promise<ListNodes> | undefined;

/**
 * Loads grammar and parser (once) from the installed packages, wherever this program runs from. Rejects where they are
 * missing; callers then use the simpler rule and report it.
 */
export function loadPythonGrammar(): Promise<ListNodes> {
  loading ??= load();
  return loading;
}

async function load(): Promise<ListNodes> {
  const { default: TreeSitter } = await import("web-tree-sitter");
  const [core, grammar] = await Promise.all([
    programBytes(placeOf("web-tree-sitter/tree-sitter.wasm")),
    programBytes(placeOf("tree-sitter-wasms/out/tree-sitter-python.wasm")),
  ]);
  await TreeSitter.init({ wasmBinary: readingBytes(core) });
  const parser = new TreeSitter();
  parser.setLanguage(await TreeSitter.Language.load(new Uint8Array(grammar)));
  return (reply) => {
    const call = reply.slice(0, longestCall).toWellFormed();
    const bytes = new TextEncoder().encode(call);
    const at = bytes.length === call.length ? undefined : unitsOf(call, bytes.length);
    // Slices share their letters with the whole: 30,000 calls inside one another would else take gigabytes.
    const textOf = ({ startIndex, endIndex }: Parser.SyntaxNode) =>
      at === undefined ? call.slice(startIndex, endIndex) : call.slice(at[startIndex], at[endIndex]);
    const tree = parser.parse(inBytes(bytes));
    const nodes: CallNode[] = [];
    // Depth first from the root, the right sibling before the left one: the order of the original's stack.
    const stack = [tree.rootNode];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      const [first] = node.children;
      if (first === undefined) continue;
      nodes.push({ text: textOf(node), first: textOf(first) });
      stack.push(...node.children);
    }
    tree.delete();
    return nodes;
  };
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

/** The grammar's reading, or the simple rule with a warning where the grammar cannot be loaded. */
export async function nodesOrFallback(
  load: () => Promise<ListNodes> = loadPythonGrammar,
): Promise<{ readonly listNodes: ListNodes; readonly warning: string | undefined }> {
  try {
    return { listNodes: await load(), warning: undefined };
  } catch (error) {
    const warning = `Python's grammar could not be loaded (${(error as Error).message}): calls were found by a simpler rule, which differs from the official one on about 7 % of replies`;
    return { listNodes: listNodesSimply, warning };
  }
}
