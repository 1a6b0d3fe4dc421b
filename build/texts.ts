/**
 * Prints every text that the program can show, one per line after its place (`npm run texts`), so that all of them can be read in
 * one go. A text is a string of at least two words in the code of the product. A value in it is printed as the code that gives it,
 * `${tasks.length}`, and a choice between strings as `{one | other}`. Prompts are not among them: they are the papers' words.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";

const folders = ["source", "suites", "analyses"];
/** Prompts, tasks written for models, words that are looked for in replies, and simulated systems whose words a benchmark prescribes. */
const forModels =
  /\/(ask|sample|sample-apis|prompts|chains|environment|generator)\/|prompt|\/strategies\/|\/models\/builtin\/|\/score\/(plan-steps|words|values)\.ts|\/calendar\.ts|\/evolution\/stand-in\.ts/;

/** `text` has `${}` in place of each value; `readable` is undefined if the text is part of another one. */
type Text = {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly readable: string | undefined;
};

type Node = { readonly type?: string; readonly start?: number; readonly [field: string]: unknown };

/** The words of a string, a template or JSX; undefined for other nodes. */
function wordsOf(node: Node): string | undefined {
  if (node.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node.type === "JSXText") return node["value"] as string;
  if (node.type !== "TemplateLiteral") return undefined;
  const quasis = node["quasis"] as readonly { readonly value: { readonly cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join("${}");
}

const isString = ({ type, value }: Node) =>
  type === "TemplateLiteral" || (type === "Literal" && typeof value === "string");

/** A string as a reader of the list sees it: values by their code, strings to choose from beside each other. */
function readable(node: Node, code: string): string {
  if (node.type === "Literal") return node["value"] as string;
  if (node.type === "ConditionalExpression") {
    const branches = [node["consequent"], node["alternate"]] as Node[];
    if (branches.some(isString)) return `{${branches.map((each) => readable(each, code)).join(" | ")}}`;
  }
  if (node.type !== "TemplateLiteral") {
    const value = code.slice(node.start, node["end"] as number).replace(/\s+/g, " ");
    return value.length > longestValue ? "${...}" : `\${${value}}`;
  }
  const quasis = node["quasis"] as readonly { readonly value: { readonly cooked: string } }[];
  const values = node["expressions"] as readonly Node[];
  return quasis.map(({ value }, k) => value.cooked + (k < values.length ? readable(values[k]!, code) : "")).join("");
}

/** Code of more characters than this says less than that it is a value. */
const longestValue = 50;

/** The strings that `readable` prints within another one. */
function within(node: Node): readonly Node[] {
  if (node.type === "TemplateLiteral") return (node["expressions"] as readonly Node[]).flatMap(withinValue);
  return [];
}

function withinValue(node: Node): readonly Node[] {
  if (node.type !== "ConditionalExpression") return isString(node) ? [node, ...within(node)] : [];
  const branches = [node["consequent"], node["alternate"]] as Node[];
  return branches.some(isString) ? branches.flatMap(withinValue) : [];
}

/** Two words with a blank between them, one of which has three letters: names, keys and formats have none. */
const isText = (text: string) => /\p{L}\S* \S/u.test(text) && /\p{L}{3}/u.test(text) && !forPrograms.test(text);

/** Attributes, macros of LaTeX, expressions of Vega, scripts, queries and styles: no person reads them in Planwright. */
const forPrograms =
  /^\s*([a-z-]+="|\\[a-z]|datum\.|isValid|--ink|SET \w+ = |\(?SELECT (?!\.)|CREATE (VIEW|TABLE|INDEX) |INSERT INTO |PRAGMA |default-src)|redis\.call|"use strict"|color-scheme/;

/** Functions whose first argument no screen shows: the id of a block or of work, or words to look for in another text. */
const takesId: ReadonlySet<unknown> = new Set([
  "blockOf",
  "gap",
  "want",
  "do",
  "loaded",
  "linesOfText",
  "Symbol",
  "startsWith",
  "endsWith",
]);

/** The parts of a node, without ids. */
function partsOf(node: Node): readonly unknown[] {
  const [name, value] = node.type === "Property" ? [node["key"], node["value"]] : [node["id"], node["init"]];
  if ((name as Node | null)?.["name"] === "id" && wordsOf((value ?? {}) as Node)?.includes("${}")) return [];
  const callee = node.type === "CallExpression" ? (node["callee"] as Node) : {};
  const isTaking = takesId.has(callee["name"] ?? (callee["property"] as Node | undefined)?.["name"]);
  return Object.entries(node).flatMap(([field, part]) =>
    field === "quasis" ? [] : [isTaking && field === "arguments" ? (part as unknown[]).slice(1) : part],
  );
}

/** The text between tags. */
const untagged = (text: string) => text.replace(/<\/?[!?a-z][^<>]*>/g, " ");

function collect(value: unknown, take: (node: Node, text: string) => void): void {
  if (Array.isArray(value)) return value.forEach((each) => collect(each, take));
  if (typeof value !== "object" || value === null) return;
  const node = value as Node;
  if (node.type === "ImportDeclaration" || node.type === "TSLiteralType") return;
  const text = wordsOf(node);
  if (text !== undefined && isText(untagged(text))) take(node, text);
  for (const part of partsOf(node)) collect(part, take);
}

/** All texts of the product in the current folder, by file and place. */
export function screenTexts(): readonly Text[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !forModels.test(path))
      .toSorted()
      .flatMap(textsOf),
  );
}

function textsOf(path: string): readonly Text[] {
  const code = readFileSync(path, "utf8");
  const found: Text[] = [];
  const parts = new Set<Node>();
  const short = (text: string) => untagged(text).replace(/\s+/g, " ").trim();
  // A text comes before its parts.
  collect(parseSync(path, code).program, (node, text) => {
    const line = code.slice(0, node.start).split("\n").length;
    for (const part of within(node)) parts.add(part);
    found.push({ path, line, text: short(text), readable: parts.has(node) ? undefined : short(readable(node, code)) });
  });
  return found;
}

if (import.meta.main)
  for (const { path, line, readable: text } of screenTexts())
    if (text !== undefined) process.stdout.write(`${path}:${line}  ${text}\n`);
