/**
 * Reads a plan from model text line by line, like both official scorers (commit 81539ee of the benchmark's repository).
 * Only lines of the form `Name: [ ... ]` count; decoration before the name becomes part of it.
 */
import { strip } from "../../../source/engine/python/text.ts";
import { blank, matchAt, word } from "./text.ts";

export type PlanText = {
  /** App names in order; one fewer than `calls` for each line that starts with a colon. */
  readonly apps: readonly string[];
  /** Call texts in order; may be empty. */
  readonly calls: readonly string[];
  /** For each call, the app name of its line; empty if the line starts with a colon. */
  readonly appOf: readonly string[];
};

const nameAtStart = new RegExp(`${word}+`, "uy");
const colonAndBracket = new RegExp(`:${blank}*\\[`, "uy");

/** Splits `text` into apps and call texts. Never fails; ignores lines without a call. */
export function readPlan(text: string): PlanText {
  const apps: string[] = [];
  const calls: string[] = [];
  const appOf: string[] = [];
  for (const line of text.split("\n")) {
    const read = readLine(line);
    if (read === undefined) continue;
    if (read.app !== "") apps.push(read.app);
    calls.push(strip(read.call.replaceAll("[", "").replaceAll("]", "")));
    appOf.push(read.app);
  }
  return { apps, calls, appOf };
}

function readLine(line: string): { app: string; call: string } | undefined {
  const last = line.lastIndexOf("]");
  const name = matchAt(nameAtStart, line, 0)?.[0];
  if (name !== undefined) {
    const opening = matchAt(colonAndBracket, line, name.length)?.[0];
    if (opening !== undefined) {
      const from = name.length + opening.length;
      if (last >= from) return { app: name, call: line.slice(from, last) };
    }
  }
  const colon = line.indexOf(":");
  if (colon === -1 || last === -1 || !line.includes("[")) return undefined;
  return { app: strip(line.slice(0, colon)), call: line.slice(colon + 1) };
}
