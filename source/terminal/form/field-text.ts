/** Reads typed text as the value of a field. */
import type { SettingValue } from "../../engine/run-settings-rows.ts";
import { readRequestFields, readRole, Unfit, unfitText } from "../../engine/session/fields/setting-value.ts";
import { fieldProblem } from "../../engine/session/fields/given-fields.ts";
import type { Suite } from "../../engine/suite.ts";
import { isRecord, parseJson } from "../../engine/text/json-record.ts";
import { parseYaml, yamlValue } from "../../engine/text/yaml-document.ts";
import type { Json } from "../../engine/types.ts";

/** Returns a value, or the problem with the text. */
export type ReadText = (text: string) => SettingValue | { readonly problem: string };

/** Returns the problem with the text, or undefined if it was read as a value. */
export const problemIn = (read: ReturnType<ReadText>): string | undefined =>
  typeof read === "object" && "problem" in read && typeof read.problem === "string" ? read.problem : undefined;

export const readNumber =
  (least: number, most: number): ReadText =>
  (text) => {
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (!Number.isFinite(value)) return { problem: "Expected a number" };
    if (value < least) return { problem: `Expected at least ${least}` };
    return value > most ? { problem: `Expected at most ${most}` } : value;
  };

export const readWhole =
  (least: number, most: number): ReadText =>
  (text) => {
    const value = readNumber(least, most)(text);
    return typeof value === "number" && !Number.isSafeInteger(value) ? { problem: "Expected a whole number" } : value;
  };

/** Reads a value of a facet or of an option with a few values: a number if the text is a number. */
export const readFacet = (text: string): string | number =>
  text.trim() !== "" && String(Number(text)) === text.trim() ? Number(text) : text.trim();

/** Reads the name of a model that no list contains. */
export function readModel(text: string): string | { readonly problem: string } {
  const name = text.trim();
  return /^[^/\s]+\/\S+$/.test(name) ? name : { problem: "Expected ENDPOINT/MODEL, such as local/qwen3" };
}

/** Reads a role: the name of a model, or a map of the model and its own settings as JSON. */
export const readRoleText: ReadText = (text) => {
  if (!text.trim().startsWith("{")) return readModel(text);
  const example = '{"model":"local/qwen3","temperature":0}';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: `Expected ENDPOINT/MODEL or JSON, such as ${example}` };
  }
  const role = readRole(value as { readonly [key: string]: Json }, "judge");
  return role instanceof Unfit ? { problem: unfitText("", role, null).message } : role;
};

/** Reads one text literally, or JSON if it starts with a quote or a bracket. */
export const readTexts: ReadText = (text) => {
  const trimmed = text.trim();
  if (trimmed === "") return { problem: "Expected a text" };
  if (!/^["[]/.test(trimmed)) return [trimmed];
  const texts = [parseJson(trimmed)].flat();
  if (texts.every((each) => typeof each === "string" && each !== "")) return texts as readonly string[];
  return { problem: 'Expected a text, "text" or ["one","two"]' };
};

/** Reads fields of a request as JSON. */
export const readJsonFields: ReadText = (text) => {
  const value = parseJson(text);
  if (value === undefined) return { problem: 'Expected JSON, such as {"reasoning_effort":"low"}' };
  const fields = readRequestFields(value);
  return fields instanceof Unfit ? { problem: `Expected ${fields.expected}` } : fields;
};

/** Reads prompts with the files of their texts, such as `plan: careful.md`, or as JSON. */
export const readPromptFiles: ReadText = (text) => {
  const pairs = text.split(",").map((pair) => /^\s*([\w.-]+)\s*:\s*(\S+)\s*$/.exec(pair));
  if (pairs.every((pair) => pair !== null)) return Object.fromEntries(pairs.map(([, name, file]) => [name, file]));
  const value = parseJson(text);
  return isRecord(value) && Object.values(value).every((each) => typeof each === "string")
    ? value
    : { problem: 'Expected prompts and files, such as plan: careful.md, or JSON such as {"plan":"a text"}' };
};

/** Reads fields of a run cell that several cells may share, as YAML on one line: `maxTokens: 512, prompts: {plan: careful.md}`. */
export const readSettings =
  (suites: readonly Suite[]): ReadText =>
  (text) => {
    const document = parseYaml(`{${text}}`);
    const value = document.errors.length > 0 ? undefined : yamlValue(document);
    if (!isRecord(value)) return { problem: "Expected fields of a run cell, such as maxTokens: 512, topP: 0.9" };
    const problem = Object.entries(value).flatMap(([name, each]) => fieldProblem(name, each as Json, suites) ?? [])[0];
    return problem === undefined ? value : { problem };
  };

/** Reads the variants of a run, such as `tools: 5, questions: paraphrases.csv`, or the same as JSON. */
export const readVariants: ReadText = (text) => {
  const inner = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1] ?? text;
  const pairs = inner.split(",").map((pair) => /^\s*"?(\w+)"?\s*:\s*"?([^\s"]+)"?\s*$/.exec(pair));
  if (!pairs.every((pair) => pair !== null))
    return {
      problem: "Expected variations, each with a number or a file, such as tools: 5, questions: paraphrases.csv",
    };
  return Object.fromEntries(pairs.map(([, kind, value]) => [kind!, /^\d+$/.test(value!) ? Number(value) : value!]));
};

/** Writes texts so that `readTexts` reads them again. */
export function shownTexts(texts: readonly string[]): string {
  const [only = ""] = texts;
  // oxlint-disable-next-line no-control-regex -- a line break must be seen, and typed, as \n
  const plain = texts.length === 1 && only.trim() === only && !/^["[]|[\u0000-\u001f\u007f]/.test(only);
  return plain ? only : JSON.stringify(texts.length === 1 ? only : texts);
}
