/** Colours, signs and colour escapes are written out only in `source/look`; all other files name them. */
import { parseSync } from "rolldown/utils";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as signTokens from "../../source/look/signs.ts";

const look = "source/look/";
/** Files that may write signs out, each with its reason. */
const readers: Readonly<Record<string, string>> = {
  "source/engine/text/peelings.ts": "knows the bullets and quotes that models write, which nobody draws",
};

const files = readdirSync("source", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((path) => !path.startsWith(look));

type Node = { readonly [field: string]: unknown };

/** Returns the texts and patterns of a file: its strings, templates, regular expressions and elements, without comments. */
function textsOf(path: string): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== "object" || value === null) return;
    const node = value as Node;
    const raw = node["type"] === "TemplateElement" ? (node["value"] as Node)["raw"] : node["raw"];
    if (node["type"] === "Literal" || node["type"] === "TemplateElement" || node["type"] === "JSXText")
      found.push(String(raw));
    Object.values(node).forEach(visit);
  };
  visit(parseSync(path, readFileSync(path, "utf8")).program);
  return found;
}

const texts = new Map(files.map((path) => [path, textsOf(path)]));

const found = (pattern: RegExp) =>
  [...texts].flatMap(([path, own]) =>
    own.flatMap((text) => [...text.matchAll(pattern)].map(([part]) => `${path}: ${part} in ${text.slice(0, 80)}`)),
  );

describe("a file outside source/look", () => {
  it("contains no colour", () => {
    expect(found(/#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})(?![\w-])|\brgba?\(\d/gi)).toEqual([]);
    const named = "white|black|gr[ae]y|red|green|blue|yellow|magenta|cyan|orange|purple";
    expect(found(new RegExp(`(?:fill|stroke|color|background)\\s*[=:]\\s*["']?(?:${named})\\b`, "gi"))).toEqual([]);
  });

  it("contains no escape sequence of a colour", () => {
    expect(found(/(?:\\x1b|\\u001b|\\u\{1b\}|\\e|\\033)(?:\\)?\[[\d;()\\[\]*]*m/gi)).toEqual([]);
  });

  it("contains no listed sign", () => {
    const { signs, separator, dash, approximately, atMost, standIns } = signTokens;
    const all = [...Object.values(signs).flat(), separator, dash, approximately, atMost, ...Object.values(standIns)];
    const drawn = new Set([...all.join("")].filter((sign) => sign > "\u007f"));
    expect(drawn.size).toBeGreaterThan(50);
    const held = found(new RegExp(`[${[...drawn].join("")}]`, "gu"));
    expect(held.filter((line) => !(line.split(":")[0]! in readers))).toEqual([]);
    expect(Object.keys(readers).filter((path) => !held.some((line) => line.startsWith(path)))).toEqual([]);
  });
});
