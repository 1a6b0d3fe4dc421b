/**
 * The two official rule-based extractors: PlanBench's own, and the extractor of its analysis tree. Both drop lines that they
 * cannot read, so that an unreadable line shortens the plan.
 */
import { isBlankAt, strip } from "../../../source/engine/python/text.ts";
import { arityOf, readingOf, wordsOf, type Words } from "./words.ts";

export type Extractor = "plan-bench" | "analysis";

/** Returns the PDDL plan of a reply in words, a step a line; null if the official program raises. */
export function extractOfficial(config: string, task: string, raw: string, extractor: Extractor): string | null {
  const text = task.includes("state_tracking") ? actionLines(raw) : raw;
  switch (readingOf(config)) {
    case "blocks":
      return blocksPlan(text, wordsOf(config), extractor);
    case "logistics":
      return logisticsPlan(text);
    case "depots":
      return depotsPlan(text);
    case "obfuscated":
      return null;
    case "pddl":
      return text;
  }
}

/** Splits as Python's `split()` does. */
export function pythonWords(text: string): readonly string[] {
  const words: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const from = at;
    while (at < text.length && !isBlankAt(text, at)) at++;
    if (at > from) words.push(text.slice(from, at));
  }
  return words;
}

/** Returns the lines after `Action:` in a plan with states between the actions. */
function actionLines(raw: string): string {
  return raw
    .split("\n")
    .filter((line) => line.includes("Action:"))
    .map((line) => strip(line.split(":")[1]!))
    .join("\n");
}

/** The actions of the blocks domains in a text, each as `[action, objects]`; `lineOf` changes a line before it is read. */
export function blocksActions(
  text: string,
  words: Words,
  lineOf: (line: string) => string,
): readonly (readonly [string, ...string[]])[] {
  const actions = Object.entries(words.actions);
  let replaced = text;
  for (const [name, template] of actions) {
    const first = template.split(" ")[0]!;
    replaced = replaced.replaceAll(name.includes(first) ? name.replace("-", " ") : first, name);
  }
  return replaced.split("\n").flatMap((raw) => {
    const line = lineOf(raw);
    const tokens = new Set(pythonWords(line));
    const found = actions.find(([name]) => tokens.has(name));
    if (found === undefined) return [];
    const [name, template] = found;
    const objects = objectsIn(line, words);
    return objects.length === arityOf(template) ? [[name, ...objects] as const] : [];
  });
}

function blocksPlan(raw: string, words: Words, extractor: Extractor): string {
  let text = strip(raw.toLowerCase());
  if (extractor === "plan-bench") return lines(blocksActions(text, words, strip));
  text = text.split("### plan:")[1] ?? text;
  const inside = text.split("[plan]")[1];
  text = inside === undefined ? text : inside.split("[plan end]")[0]!;
  return lines(blocksActions(text, words, (line) => strip(line).replaceAll("*", "")));
}

function lines(actions: readonly (readonly string[])[]): string {
  return actions.map((action) => `(${action.join(" ")})`).join("\n");
}

/** Returns the known objects that a line names, each once, in the order of their first mention. */
function objectsIn(line: string, words: Words): readonly string[] {
  return Object.entries(words.objects)
    .map(([object, text]) => ({ object, text, at: line.indexOf(text) }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => a.at - b.at || (a.text < b.text ? -1 : 1))
    .map(({ object }) => object);
}

/** Thrown instead of Python's own errors, because the official program scores a reply that raises one with 0. */
export class Raised extends Error {}

const isDigit = (text: string | undefined) => text !== undefined && /^\p{Nd}$/u.test(text);
const hasDigit = (text: string) => /\p{Nd}/u.test(text);

function logisticsPlan(text: string): string | null {
  try {
    return lines(text.split("\n").flatMap((line) => logisticsStep(strip(line).toLowerCase())));
  } catch (error) {
    if (error instanceof Raised) return null;
    throw error;
  }
}

/** Returns the step of a line in words, as a list; an empty list if the line does not start with an action. Throws `Raised`. */
export function logisticsStep(given: string): readonly (readonly string[])[] {
  if (given === "") return [];
  const line = withoutNumber(given);
  const objects = pythonWords(line)
    .filter(hasDigit)
    .map((word) => word[0]! + word.split("_").slice(1).join("-"));
  const [verb] = pythonWords(line);
  if (verb === undefined) throw new Raised();
  if (!["load", "unload", "drive", "fly"].includes(verb)) return [];
  const vehicle = objects[verb.endsWith("load") ? 1 : 0];
  if (vehicle === undefined) throw new Raised();
  const kind = vehicle.includes("a") ? "airplane" : vehicle.includes("t") ? "truck" : undefined;
  if (kind === undefined) throw new Raised();
  const action = `${verb}-${kind}`;
  if (action !== "drive-truck" || objects.length !== 3) return [[action, ...objects]];
  const digit = [...objects[1]!].find(isDigit);
  if (digit === undefined) throw new Raised();
  return [[action, ...objects, `c${digit}`]];
}

/** Removes a number of one or two digits at the start, together with all dots of the line. */
function withoutNumber(line: string): string {
  if (!isDigit(line[0])) return line;
  if (line.length < 2) throw new Raised();
  if (line[1] === ".") return line.slice(2).replaceAll(".", "");
  if (!isDigit(line[1])) return line;
  if (line.length < 3) throw new Raised();
  return line[2] === "." ? line.slice(3).replaceAll(".", "") : line;
}

function depotsPlan(text: string): string {
  return lines(text.split("\n").flatMap((line) => depotsStep(strip(line).toLowerCase())));
}

/** Returns the step of a line of Depots, as a list: the last action that it names, with its words that contain a digit. */
export function depotsStep(given: string): readonly (readonly string[])[] {
  const line = given.replace(/^[0-9]+/, "").replaceAll(".", "");
  const action = ["drive", "lift", "drop", "load", "unload"].findLast((name) => line.includes(name));
  return action === undefined ? [] : [[action, ...pythonWords(line).filter(hasDigit)]];
}
