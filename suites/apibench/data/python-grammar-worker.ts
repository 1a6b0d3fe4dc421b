/** The thread that parses replies as Python. Answers every text with the places of its nodes, in the order they came. */
import { parentPort, workerData } from "node:worker_threads";
import { type GrammarFiles, pythonParser } from "./python-grammar.ts";

const parsing = pythonParser(workerData as GrammarFiles);
parentPort!.on("message", async (text: string) => {
  const places = (await parsing)(text);
  parentPort!.postMessage(places, [places.buffer]);
});
