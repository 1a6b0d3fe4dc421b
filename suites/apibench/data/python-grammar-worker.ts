/** Worker thread that parses replies as Python. Answers each text with its node positions, in order of arrival. */
import { parentPort, workerData } from "node:worker_threads";
import { type GrammarFiles, pythonParser } from "./python-grammar.ts";

const parsing = pythonParser(workerData as GrammarFiles);
parentPort!.on("message", async (text: string) => {
  const places = (await parsing)(text);
  parentPort!.postMessage(places, [places.buffer]);
});
