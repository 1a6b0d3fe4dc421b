import { describe, expect, it } from "vitest";
import { SplitDocument } from "../../../source/engine/text/split-document.ts";

/** Items and remainder of a text that arrives in parts of so many bytes. */
function split(text: string, size: number) {
  const document = new SplitDocument("samples", (item, number) => [number, JSON.parse(item) as unknown] as const);
  const bytes = Buffer.from(text);
  const items: unknown[] = [];
  for (let at = 0; at < bytes.length; at += size) items.push(...document.take(bytes.subarray(at, at + size)));
  return { items, ...document.end(), count: document.count, isOther: document.isOther };
}

describe("a document split while it is read", () => {
  const samples = [
    { id: "a", text: 'quotes " and \\ and ] } , [ {', deep: [[{ samples: [1, 2] }]] },
    ["a list", []],
    "a text, with ] in it",
    12,
    { übung: "日本語 👍" },
  ];
  const whole = { version: 2, note: "samples", eval: { samples: [{ id: "not one" }] }, samples, after: ['"', "]"] };

  it.each([1, 2, 3, 7, 64, 10_000])("returns its items and all other parts, arriving %d bytes at a time", (size) => {
    for (const text of [JSON.stringify(whole), JSON.stringify(whole, null, 2)]) {
      const { items, rest, isWhole, count } = split(text, size);
      expect(items).toEqual(samples.map((sample, index) => [index + 1, sample]));
      expect(JSON.parse(rest)).toEqual({ ...whole, samples: [] });
      expect({ isWhole, count }).toEqual({ isWhole: true, count: samples.length });
    }
  });

  it("counts its items without storing any", () => {
    const document = new SplitDocument<never>("samples");
    expect(document.take(Buffer.from(`{"samples": [{"a": 1}, {"b": [1, 2]}], "x": []}`))).toEqual([]);
    expect({ count: document.count, ...document.end() }).toEqual({
      count: 2,
      rest: `{"samples": [], "x": []}`,
      isWhole: true,
    });
  });

  it.each([
    ["an empty list", `{"samples": []}`],
    ["a list of another name", `{"others": [{"a": 1}]}`],
    ["a value that is not a list", `{"samples": {"a": [1]}}`],
    ["a nested list", `{"eval": {"samples": [1]}}`],
    ["a string with the name of the list", `{"a": "samples", "b": [1]}`],
  ])("contains no items in %s", (_, text) => {
    expect(split(text, 4)).toMatchObject({ items: [], rest: text, isWhole: true });
  });

  it.each([
    ["is cut", `{"samples": [{"a": 1}, {"b"`],
    ["is cut within a string", `{"a": "`],
    ["has text after its end", `{"samples": []} {}`],
    ["closes more brackets than it opens", `{"samples": []}}`],
    ["is empty", ""],
  ])("is incomplete if it %s", (_, text) => {
    expect(split(text, 5)).toMatchObject({ isWhole: false });
  });

  it.each(["[1, 2]", '"samples"', "12", "\u001f\u008b"])(
    "is reported if it does not start with an object: %j",
    (text) => {
      expect(split(text, 5)).toMatchObject({ isOther: true, isWhole: false });
    },
  );
});
