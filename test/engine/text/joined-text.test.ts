import { describe, expect, it, test } from "vitest";
import { joined } from "../../../source/engine/text/joined-text.ts";
import type { Chunk } from "../../../source/engine/types.ts";
import { counted } from "../../../source/engine/text/counted.ts";

describe("streamed text in chunks", () => {
  it("is joined into one chunk while its kind stays the same", () => {
    const chunks: Chunk[] = [
      { type: "thinking", text: "W", field: "reasoning" },
      { type: "thinking", text: "hy", field: "reasoning" },
      { type: "thinking", text: "!", field: "reasoning_content" },
      { type: "text", text: "Pick" },
      { type: "text", text: " B" },
      { type: "thinking", text: "", textBefore: true },
      { type: "text", text: "B" },
      { type: "finish", reason: "stop" },
    ];
    expect([...joined(chunks)]).toEqual([
      { type: "thinking", text: "Why", field: "reasoning" },
      { type: "thinking", text: "!", field: "reasoning_content" },
      { type: "text", text: "Pick B" },
      { type: "thinking", text: "", textBefore: true },
      { type: "text", text: "B" },
      { type: "finish", reason: "stop" },
    ]);
  });

  it("is passed on before an error that follows it", () => {
    const taken: Chunk[] = [];
    const broken = function* (): Generator<Chunk> {
      yield { type: "text", text: "half of " };
      throw new Error("cut");
    };
    expect(() => {
      for (const chunk of joined(broken())) taken.push(chunk);
    }).toThrow("cut");
    expect(taken).toEqual([{ type: "text", text: "half of " }]);
  });
});

test("a count with its noun is singular or plural, with separators between thousands", () => {
  expect(counted(1, "request")).toBe("1 request");
  expect(counted(0, "task")).toBe("0 tasks");
  for (const count of [2, -1, 12, 999, 1000, -1000, 16_531, 123_456, 1_000_000, 2 ** 53 - 1, 1e21, 0.5, 1234.5678])
    expect(counted(count, "API")).toBe(`${count.toLocaleString("en")} APIs`);
});
