/** The Python grammar, compiled to WebAssembly, for looking at calls as the official scripts do. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { listNodesSimply, type CallNode, type ListNodes } from "./matching.ts";

/** Longer replies are cut before parsing: no model writes a call of a hundred thousand characters. */
const longestCall = 100_000;
let loading: Promise<ListNodes> | undefined;

/**
 * Loads grammar and parser (once) from the installed packages, wherever this program runs from. Rejects where they are
 * missing; callers then use the simpler rule and say so.
 */
export function loadPythonGrammar(): Promise<ListNodes> {
  loading ??= load();
  return loading;
}

async function load(): Promise<ListNodes> {
  const { Language, Parser } = await import("web-tree-sitter");
  const find = createRequire(import.meta.url);
  const [core, grammar] = await Promise.all([
    readFile(find.resolve("web-tree-sitter/web-tree-sitter.wasm")),
    readFile(find.resolve("@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm")),
  ]);
  await Parser.init({ wasmBinary: core });
  const parser = new Parser();
  parser.setLanguage(await Language.load(new Uint8Array(grammar)));
  return (reply) => {
    const call = reply.slice(0, longestCall);
    const tree = parser.parse(call);
    if (tree === null) return [];
    const nodes: CallNode[] = [];
    // Depth first from the root, the right sibling before the left one: the order of the original's stack.
    const stack = [tree.rootNode];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      const children = node.children.filter((child) => child !== null);
      if (children[0] === undefined) continue;
      const [first] = children;
      nodes.push({
        text: call.slice(node.startIndex, node.endIndex),
        first: call.slice(first.startIndex, first.endIndex),
      });
      stack.push(...children);
    }
    tree.delete();
    return nodes;
  };
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
