import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import zlib from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  blockSize,
  FilePieces,
  PackedBlocks,
  pieceSize,
  UnpackedText,
  unpackedBlocks,
} from "../../../suites/own/data/packed-file.ts";
import { parseQuestions } from "../../../suites/own/data/question-file.ts";
import { indexQuestions } from "../../../suites/own/data/question-index.ts";
import { questionsInLines } from "../../../suites/own/data/question-lines.ts";
import { wholeOf } from "../../../source/engine/work/whole-of.ts";

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-packed-"))));
afterAll(() => rmSync(folder, { recursive: true }));

function written(bytes: string | Uint8Array, name = "file"): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

function packed(text: string) {
  const blocks = new PackedBlocks();
  blocks.add(Buffer.from(text));
  return blocks.whole();
}

/** Calls a function and returns how often it unpacks a block. */
function unpackedBy(read: () => void): number {
  const { zstdDecompressSync } = zlib;
  let count = 0;
  zlib.zstdDecompressSync = ((bytes: Buffer) => {
    count += 1;
    return zstdDecompressSync(bytes);
  }) as typeof zstdDecompressSync;
  syncBuiltinESMExports();
  read();
  zlib.zstdDecompressSync = zstdDecompressSync;
  syncBuiltinESMExports();
  return count;
}

describe("packed bytes", () => {
  it("have blocks of 64 KB, the last one with the rest", () => {
    expect(blockSize).toBe(65_536);
    expect([0, 1, blockSize, blockSize + 1].map((size) => packed("a".repeat(size)).ends.length)).toEqual([0, 1, 1, 2]);
  });

  it("take far less room than the text of many similar questions", () => {
    const text = Array.from({ length: 10_000 }, (_, at) => `What is ${at} plus one?,${at + 1},1\n`).join("");
    const { packed: bytes, ends } = packed(text);
    expect(bytes.length).toBe(ends.at(-1));
    expect(bytes.length).toBeLessThan(text.length / 10);
  });

  it("give the text between any two bytes, also over several blocks and within characters of several bytes", () => {
    const text = `${"a".repeat(blockSize - 1)}你${"b".repeat(2 * blockSize)}é`;
    const bytes = Buffer.from(text);
    const file = new UnpackedText(packed(text));
    const ranges = [
      [0, 1],
      [blockSize - 2, blockSize - 1],
      [blockSize - 2, blockSize + 3],
      [blockSize - 1, blockSize + 2],
      [blockSize - 1, blockSize],
      [blockSize, blockSize + 5],
      [2 * blockSize - 1, 2 * blockSize],
      [2 * blockSize, 2 * blockSize + 1],
      [10, 3 * blockSize],
      [bytes.length - 2, bytes.length],
      [0, bytes.length],
    ] as const;
    for (const [from, to] of ranges) expect(file.text(from, to)).toBe(bytes.toString("utf8", from, to));
  });

  it("are unpacked once for all texts of a block, if they are read in order", () => {
    const file = new UnpackedText(packed("a".repeat(20 * blockSize)));
    const count = unpackedBy(() => {
      for (let at = 0; at < 20 * blockSize; at += 128) file.text(at, at + 128);
    });
    expect(count).toBe(20);
  });

  it("keep the eight blocks that were used last", () => {
    expect(unpackedBlocks).toBe(8);
    const file = new UnpackedText(packed("a".repeat(9 * blockSize)));
    const read = (...blocks: readonly number[]) =>
      unpackedBy(() => {
        for (const block of blocks) file.text(block * blockSize, block * blockSize + 1);
      });
    expect(read(0, 1, 2, 3, 4, 5, 6, 7)).toBe(8);
    expect(read(0, 1, 2, 3, 4, 5, 6, 7, 0)).toBe(0);
    // Block 1 is the one that was not used for longest.
    expect(read(8)).toBe(1);
    expect(read(0, 2)).toBe(0);
    expect(read(1)).toBe(1);
  });
});

describe("a file that is read piece by piece", () => {
  it("has pieces of 1 MB, of which the bytes that are kept go before the next one", () => {
    const text = Array.from({ length: 300_000 }, (_, at) => `${at}\n`).join("");
    using file = new FilePieces(written(text), text.length);
    expect(pieceSize).toBe(2 ** 20);
    expect(file.next(0)).toBe(true);
    expect([file.from, file.bytes.length]).toEqual([0, pieceSize]);
    expect(file.next(pieceSize - 10)).toBe(true);
    expect([file.from, file.bytes.length]).toEqual([pieceSize - 10, text.length - pieceSize + 10]);
    expect(file.bytes.toString()).toBe(text.slice(pieceSize - 10));
    expect(file.next(0)).toBe(false);
    expect(file.text(5, 3_000)).toBe(text.slice(5, 3_000));
    expect(new UnpackedText(file.blocks.whole()).text(0, text.length)).toBe(text);
  });

  it("reads as much as it keeps, so that a long record is copied a few times only", () => {
    const text = "a".repeat(9 * pieceSize);
    using file = new FilePieces(written(text), text.length);
    const sizes: number[] = [];
    while (file.next(0)) sizes.push(file.bytes.length / pieceSize);
    expect(sizes).toEqual([1, 2, 4, 8, 9]);
  });

  it("ends with the bytes there are if the file has become shorter", () => {
    using file = new FilePieces(written("short"), 100);
    expect(file.next(0)).toBe(true);
    expect(file.bytes.toString()).toBe("short");
    expect(file.next(0)).toBe(false);
  });

  it("may have a character of several bytes at the end of a piece, but no other encoding", () => {
    const start = Buffer.from(`line\n${"a".repeat(pieceSize - 6)}`);
    const read = (end: readonly number[]) => {
      const bytes = Buffer.concat([start, Buffer.from(end)]);
      using file = new FilePieces(written(bytes), bytes.length);
      while (file.next(0)) continue;
      return file.bytes.length;
    };
    expect(read([0xe4, 0xbd, 0xa0])).toBe(pieceSize + 2);
    expect(() => read([0xe4, 0xbd, 0x0a])).toThrow("Expected UTF-8");
    expect(() => read([0xe4, 0xbd])).toThrow("Expected UTF-8");
    expect(() => read([0x0a, 0x61, 0x0a, 0xff])).toThrow("Expected UTF-8");
  });
});

describe("questions around the end of a piece", () => {
  const records = {
    csv: 'x,"1",a\n"He said ""no"",\n你好?","2",b\n\n plain ,3,\n"last one",4,"c"',
    "csv with returns": 'x,"1",a\r\n"He said ""no"",\n你好?","2",b\r\n\r\nplain,3,\r\n"last one",4,"c"\r\n',
    jsonl: [
      '{"question":"x","answer":"1"}',
      '{"question":"He said \\"no\\", 你好?","answer":2,"id":"é"}',
      "",
      ' {"question": "last one", "answer": "4" }',
    ].join("\n"),
  };

  it.each(Object.keys(records) as (keyof typeof records)[])("are those of the whole file (%s)", (form) => {
    const name = form === "jsonl" ? "q.jsonl" : "q.csv";
    const first = {
      csv: (length: number) => `question,answer,group\n${"q".repeat(length)},0,z\n`,
      "csv with returns": (length: number) => `question,answer,group\r\n"${"q".repeat(length)}",0,z\r\n`,
      jsonl: (length: number) => `{"question":"${"q".repeat(length)}","answer":"0"}\n`,
    }[form];
    const empty = Buffer.byteLength(first(0));
    const rest = Buffer.byteLength(records[form]);
    const { tasks, facets } = parseQuestions(first(1) + records[form], name);
    // The piece ends at each byte of the other records, at their end, and before them.
    for (let within = -3; within <= rest + 1; within++) {
      const text = first(pieceSize - empty - within) + records[form];
      const found = indexQuestions(written(text, name), Buffer.byteLength(text), "questions")!;
      const questionAt = questionsInLines(found.bytes, found.index);
      expect(found.index.places.length / 2).toBe(tasks.length);
      expect(questionAt(0).question).toHaveLength(pieceSize - empty - within);
      expect(tasks.slice(1).map((_, at) => wholeOf(questionAt(at + 1)))).toEqual(tasks.slice(1));
      expect([...found.index.facets.keys()]).toEqual(facets);
    }
  });

  it("are rejected if an earlier piece has their id", () => {
    const line = (id: string, length: number) => `{"id":"${id}","question":"${"q".repeat(length)}","answer":"0"}\n`;
    const places = (last: string) => {
      const text = line("a", 10) + line("b", pieceSize) + line("c", 10) + line(last, 10);
      return indexQuestions(written(text, "q.jsonl"), text.length, "questions")?.index.places.length;
    };
    expect([places("d"), places("a"), places("c")]).toEqual([8, undefined, undefined]);
  });
});
