import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { anyJson, readJsonRecords } from "../../../source/engine/text/checked-record.ts";
import { readJson } from "../../../source/engine/text/json-lines.ts";

function file(name: string, content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), "planwright-lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

describe("a line of more than 64 MB", () => {
  const long = Buffer.alloc(64 * 1024 * 1024 + 1, "x");
  const lines = Buffer.concat([Buffer.from("{}\n"), long, Buffer.from("\n{}\n")]);

  it.each([
    ["plain", "a.jsonl", lines],
    ["zipped", "a.jsonl.gz", gzipSync(lines)],
  ])("is refused by its length, with its number, in a %s file of JSON Lines", async (_, name, content) => {
    await expect(readJsonRecords(file(name, content), anyJson)).rejects.toThrow(
      /^Expected line 2 of \S+ to have at most 64 MB, got 65 MB$/,
    );
  });

  it("is nothing unusual in a file of one JSON value", async () => {
    const value = `"${long.toString("latin1")}"`;
    expect(await readJson(file("a.json", value))).toHaveLength(long.length);
  });
});

it("a line of 64 MB is read", async () => {
  const text = `"${"x".repeat(64 * 1024 * 1024 - 2)}"`;
  expect(await readJsonRecords(file("a.jsonl", `${text}\n1\n`), anyJson)).toHaveLength(2);
});
