/**
 * The parser of Python in a thread of its own, one a program, begun with the first reply: what it takes is not taken from the
 * streams and the screen.
 */
import { Worker } from "node:worker_threads";
import { programFile } from "../../../source/engine/work/program-files.ts";
import { type FindNodes, listNodesSimply } from "../score/matching.ts";
import {
  type FindPlaces,
  grammarFiles,
  type GrammarFiles,
  loadPythonGrammar,
  nodesAt,
  parsedText,
} from "./python-grammar.ts";

type Places = ReturnType<FindPlaces>;
type Waiting = { readonly resolve: (places: Places) => void; readonly reject: (error: Error) => void };

export class GrammarThread {
  readonly #worker: Worker;
  /** For texts that were sent, in their order. */
  #waiting: Waiting[] = [];
  hasEnded = false;

  constructor(file: URL, files: GrammarFiles) {
    const worker = (this.#worker = new Worker(file, { workerData: files, name: "python-grammar" }));
    // A program that ends waits for it only as long as somebody waits for a text.
    worker.unref();
    worker.on("message", (places: Places) => {
      this.#waiting.shift()?.resolve(places);
      if (this.#waiting.length === 0) worker.unref();
    });
    worker.on("error", (error) => this.#end(error as Error));
    worker.on("exit", () => this.#end(new Error("The thread that parses Python ended unexpectedly")));
  }

  find(text: string): Promise<Places> {
    const { promise, resolve, reject } = Promise.withResolvers<Places>();
    this.#waiting.push({ resolve, reject });
    this.#worker.ref();
    this.#worker.postMessage(text);
    return promise;
  }

  #end(error: Error): void {
    this.hasEnded = true;
    for (const { reject } of this.#waiting) reject(error);
    this.#waiting = [];
  }
}

const workerFile = programFile(
  new URL(
    import.meta.url.endsWith(".ts") ? "./python-grammar-worker.ts" : "./python-grammar-worker.js",
    import.meta.url,
  ),
);
let thread: GrammarThread | undefined;

/** The grammar's reading. Rejects where the grammar cannot be loaded. */
async function grammarNodes(): Promise<FindNodes> {
  const files = await grammarFiles();
  return async (call) => {
    const file = workerFile();
    // Another build has been put in the place of this one.
    if (file === undefined) return (await loadPythonGrammar())(call);
    if (thread === undefined || thread.hasEnded) thread = new GrammarThread(file, files);
    const text = parsedText(call);
    return nodesAt(await thread.find(text), text);
  };
}

/** Letters of a text that is parsed in less than 100 ms, whatever it says, and mostly in one; the longest published reply is shorter. */
const shortCall = 6000;

/** As `nodesOrFallback`, where answers come all at once and nothing streams: a thread takes longer to begin than hundreds of short texts. */
export function nodesHere(): ReturnType<typeof nodesOrFallback> {
  return nodesOrFallback(async () => {
    const [here, there] = await Promise.all([loadPythonGrammar(), grammarNodes()]);
    return async (call) => (call.length <= shortCall ? here(call) : there(call));
  });
}

/** The grammar's reading, or the simple rule with a warning where the grammar cannot be loaded. */
export async function nodesOrFallback(
  load: () => Promise<FindNodes> = grammarNodes,
): Promise<{ readonly findNodes: FindNodes; readonly warning: string | undefined }> {
  try {
    return { findNodes: await load(), warning: undefined };
  } catch (error) {
    const warning = `Python's grammar could not be loaded (${(error as Error).message}): calls were found by a simpler rule, which differs from the official one on about 7 % of replies`;
    return { findNodes: async (call) => listNodesSimply(call), warning };
  }
}
