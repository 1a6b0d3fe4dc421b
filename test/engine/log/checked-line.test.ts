import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkedLine, textOfLine, valueOfLine } from "../../../source/engine/log/file/checked-line.ts";

describe("a line with a checksum", () => {
  it("consists of eight hexadecimal digits, a space and the value", () => {
    const line = checkedLine({ a: 1 });
    expect(line).toBe(`${crc32('{"a":1}').toString(16).padStart(8, "0")} {"a":1}\n`);
    const bytes = Buffer.from(line.trimEnd());
    expect(textOfLine(bytes)!.toString()).toBe('{"a":1}');
    const schema = z.object({ a: z.number() });
    expect([valueOfLine(bytes, schema), valueOfLine(bytes, z.object({ a: z.string() }))]).toEqual([
      { a: 1 },
      undefined,
    ]);
    for (const spoilt of [line.replace("1}", "2}"), line.slice(1), "", "x".repeat(9)])
      expect(textOfLine(Buffer.from(spoilt.trimEnd()))).toBeUndefined();
    // The checksum of no text is 0, but no text is no value.
    expect(textOfLine(Buffer.from("00000000 "))).toBeUndefined();
    // A checksum may begin with zeros.
    const zero = Array.from({ length: 2000 }, (_, at) => at).find((at) => crc32(`${at}`) < 2 ** 24)!;
    expect(textOfLine(Buffer.from(checkedLine(zero).trimEnd()))!.toString()).toBe(`${zero}`);
  });
});
