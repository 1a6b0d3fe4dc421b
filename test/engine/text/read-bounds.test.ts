import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { boundedBytes, boundedLines, boundedText } from "../../../source/engine/text/bounded-text.ts";
import { declaredSize, ReadBounds } from "../../../source/engine/text/read-bounds.ts";

const megabyte = 1024 * 1024;
let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-bounds-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

describe("limits on files that are read", () => {
  it("reject files that declare a larger total size, and name the option that allows such files", () => {
    const bounds = new ReadBounds();
    bounds.expect("one", 500 * megabyte);
    bounds.expect("other", 12 * megabyte);
    // A file that is read again counts once.
    bounds.expect("one", 500 * megabyte);
    expect(() => bounds.expect("third", 2000 * megabyte)).toThrow(
      "Expected at most 512 MB of unpacked data, got 2,512 MB with third: `planwright import --most 3GB` allows more",
    );
  });

  it("end the reading of a file at the first byte over the limit, regardless of its declared size", () => {
    const bounds = new ReadBounds({ most: 100 });
    bounds.expect("liar", 10);
    const take = bounds.begin("liar");
    take(100);
    expect(() => take(1)).toThrow("Expected at most 1 MB of unpacked data");
    // Reading it again does not count it again.
    const again = new ReadBounds({ most: 100 });
    for (let pass = 0; pass < 3; pass++) again.begin("same")(100);
  });

  it("report progress every 32 MB", () => {
    const said: string[] = [];
    const bounds = new ReadBounds({ report: (line) => said.push(line) });
    bounds.expect("/some/where/a.json", 100 * megabyte);
    const take = bounds.begin("/some/where/a.json");
    for (let at = 0; at < 100; at++) take(megabyte);
    expect(said).toEqual([
      "Reading a.json: 32 MB of 100 MB",
      "Reading a.json: 64 MB of 100 MB",
      "Reading a.json: 96 MB of 100 MB",
    ]);
  });
});

describe("the declared size of a file", () => {
  it("is the size of a plain file, and the size stated at the end of a gzip file", () => {
    expect(declaredSize(written("a.json", "x".repeat(70)))).toBe(70);
    expect(declaredSize(written("a.json.gz", gzipSync("x".repeat(1_000_000))))).toBe(1_000_000);
  });

  it("is ignored if the bytes of a gzip file cannot unpack to it", () => {
    const packed = gzipSync("x".repeat(100));
    packed.writeUInt32LE(4_000_000_000, packed.length - 4);
    expect(declaredSize(written("a.json.gz", packed))).toBe(packed.length);
  });
});

describe("files read within limits", () => {
  it("are rejected if a gzip file contains more than it declares", async () => {
    const path = written("a.json.gz", Buffer.concat([gzipSync(" ".repeat(3 * megabyte)), gzipSync("{}")]));
    expect(declaredSize(path)).toBeLessThan(megabyte);
    let read = 0;
    const reading = async () => {
      for await (const part of boundedBytes(path, new ReadBounds({ most: megabyte }))) read += part.length;
    };
    await expect(reading()).rejects.toThrow("Expected at most 1 MB of unpacked data");
    expect(read).toBeLessThanOrEqual(megabyte);
  });

  it("report a truncated gzip file with its path", async () => {
    const path = written("a.json.gz", gzipSync("x".repeat(1000)).subarray(0, 15));
    await expect(boundedText(path, new ReadBounds())).rejects.toThrow(
      /Expected .*a\.json\.gz to be a complete gzip file/,
    );
  });

  it("count blank lines in line numbers, although blank lines are skipped", async () => {
    const long = "é".repeat(400_000);
    const path = written("a.jsonl.gz", gzipSync(`one\n\n${long}\r\n  \nlast`));
    const lines = await Array.fromAsync(boundedLines(path, new ReadBounds(), (text, number) => [number, text.trim()]));
    expect(lines).toEqual([
      [1, "one"],
      [3, long],
      [5, "last"],
    ]);
  });

  it("report the number of a line that is too long", async () => {
    const path = written("a.jsonl", Buffer.concat([Buffer.from("{}\n"), Buffer.alloc(65 * megabyte, 0x20)]));
    const read = Array.fromAsync(boundedLines(path, new ReadBounds(), (text) => text.length));
    await expect(read).rejects.toThrow(/Expected line 2 of .*a\.jsonl to have at most 64 MB, got more/);
  });
});
