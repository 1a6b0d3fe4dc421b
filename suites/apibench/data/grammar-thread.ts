/**
 * Runs the Python parser in a separate thread, started by the first reply, so that parsing does not block streams or
 * the screen.
 */
import { Worker } from "node:worker_threads";
import { programFile } from "../../../source/engine/work/program-files.ts";
import { type FindNodes, listNodesSimply } from "../score/extraction.ts";
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
  /** Requests in the order they were sent. */
  #waiting: Waiting[] = [];
  hasEnded = false;

  constructor(file: URL, files: GrammarFiles) {
    const worker = (this.#worker = new Worker(file, { workerData: files, name: "python-grammar" }));
    // The thread keeps the process alive only while a request is pending.
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

/** The nodes of the latest short texts, because a call is read when it is executed and again when it is scored. */
const kept = new Map<string, Places>();
const mostKept = 64;

function keep(text: string, places: Places): void {
  if (text.length > shortCall) return;
  kept.delete(text);
  kept.set(text, places);
  if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
}

/** Loads the grammar-based reading. Rejects if the grammar cannot be loaded. */
async function grammarNodes(): Promise<FindNodes> {
  const files = await grammarFiles();
  return async (call) => {
    const file = workerFile();
    // The worker file is gone because another build replaced this one.
    if (file === undefined) return (await loadPythonGrammar())(call);
    if (thread === undefined || thread.hasEnded) thread = new GrammarThread(file, files);
    const text = parsedText(call);
    const places = kept.get(text) ?? (await thread.find(text));
    keep(text, places);
    return nodesAt(places, text);
  };
}

/** Length up to which any text parses in less than 100 ms, and most in 1 ms. The longest published reply is shorter. */
const shortCall = 6000;

/** Like `nodesOrFallback`, for many replies at once: starting a thread costs more than hundreds of short texts. */
export const nodesHere = (): ReturnType<typeof nodesOrFallback> =>
  nodesOrFallback(async () => {
    const [here, there] = await Promise.all([loadPythonGrammar(), grammarNodes()]);
    return async (call) => (call.length <= shortCall ? here(call) : there(call));
  });

/** Loads the grammar-based reading; if that fails, returns the simple rule with a warning. */
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
