import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { anyJson, readJsonRecords } from "../../../source/engine/text/checked-record.ts";
import { readJson } from "../../../source/engine/text/json-lines.ts";
import { asciiJson, escapedJson, jsonText } from "../../../source/engine/text/json-text.ts";
import { printable } from "../../../source/engine/text/printable.ts";

function file(name: string, content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), "planwright-lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

describe("a line longer than 64 MB", () => {
  const long = Buffer.alloc(64 * 1024 * 1024 + 1, "x");
  const lines = Buffer.concat([Buffer.from("{}\n"), long, Buffer.from("\n{}\n")]);

  it.each([
    ["plain", "a.jsonl", lines],
    ["zipped", "a.jsonl.gz", gzipSync(lines)],
  ])("is rejected for its length, with its line number, in a %s file of JSON Lines", async (_, name, content) => {
    await expect(readJsonRecords(file(name, content), anyJson)).rejects.toThrow(
      /^Expected line 2 of \S+ to have at most 64 MB, got 65 MB$/,
    );
  });

  it("is allowed if the file is a single JSON value", async () => {
    const value = `"${long.toString("latin1")}"`;
    expect(await readJson(file("a.json", value))).toHaveLength(long.length);
  });
});

it("a line of exactly 64 MB is read", async () => {
  const text = `"${"x".repeat(64 * 1024 * 1024 - 2)}"`;
  expect(await readJsonRecords(file("a.jsonl", `${text}\n1\n`), anyJson)).toHaveLength(2);
});

const every = [
  ...Array.from({ length: 0xa0 }, (_, code) => String.fromCodePoint(code)),
  ..."\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u202a\u202e\u2028\u2029\u2060\u2066\u2069\u3164\ufe0f\ufeff\ufff9",
  "\u{e0041}",
  "\u{e0100}",
  "\u{1d173}",
  "\ud800",
];
const value = { [`key ${every.join("")}`]: [every, "می\u200cخواهم", "👩\u200d👩\u200d👧", 1, null, { a: true }] };

test("JSON for terminals contains every character, with dangerous characters as escapes", () => {
  for (const space of [undefined, 2]) {
    const json = jsonText(value, space);
    expect(JSON.parse(json)).toEqual(value);
    expect(json.split("\n").map(printable).join("\n")).toBe(json);
  }
  expect(jsonText("می\u200cخواهم \u202e")).toBe('"می\\u200cخواهم \\u202e"');
});

test("JSON for terminals keeps harmless characters readable", () => {
  expect(jsonText({ é: "日本語 ✓ 👍" })).toBe('{"é":"日本語 ✓ 👍"}');
  expect(escapedJson('{"a": 1}\n{"b": 2}\n')).toBe('{"a": 1}\n{"b": 2}\n');
});

test("JSON in ASCII parses to the original value", () => {
  const json = asciiJson(JSON.stringify(value));
  expect(json).toMatch(/^\p{ASCII}*$/u);
  expect(JSON.parse(json)).toEqual(value);
});
