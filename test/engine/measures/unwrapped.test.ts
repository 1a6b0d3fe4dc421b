import { describe, expect, it } from "vitest";
import type { TextForm } from "../../../source/engine/benchmark.ts";
import { isClosedIn, unwrapped } from "../../../source/engine/log/rows/unwrapped.ts";
import { unwrappedMeasure } from "../../../source/engine/measures/unwrapped.ts";
import type { Row } from "../../../source/engine/types.ts";
import { madeRow } from "../../analyses/made-run.ts";

describe("the `unwrapped` measure of every suite", () => {
  const each = (more: object, cause?: string) =>
    unwrappedMeasure.each!({ ...madeRow("r", { task: "a", ...more }), ...(cause && { cause: { cause } }) } as Row);

  it("equals the score unless a wrapped answer was scored again", () => {
    expect(each({ right: 0 })).toBe(0);
    expect(each({ right: 0, metrics: { unwrapped: 1 } })).toBe(1);
    expect(each({ right: 0, metrics: { unwrapped: 1 } }, "wrapped")).toBe(1);
    expect(each({ right: 0, metrics: { unwrapped: 0.5 } }, "read")).toBe(0.5);
    expect(each({ right: 1 }, "read")).toBe(1);
  });

  it("is undefined without a score, and for a wrapped answer that could not be scored again", () => {
    expect(each({ right: 0 }, "wrapped")).toBeUndefined();
    expect(each({ right: null, metrics: { unwrapped: 1 } })).toBeUndefined();
    expect(each({ failed: "model" })).toBeUndefined();
  });
});

describe("an answer form inside a wrapping", () => {
  /** A list of numbers; without its end it is open, and a number behind a colon is a part. */
  const read = (text: string): TextForm | undefined => {
    const closed = /^\[[\d, ]*\]$/.test(text.trim());
    if (closed) return { got: text.trim(), extent: "closed" };
    if (/^\[[\d, ]*$/.test(text.trim())) return { got: text.trim(), extent: "open" } as TextForm;
    const part = /^part: (\d+)/.exec(text);
    return part === null ? undefined : { got: part[1]!, extent: "part" };
  };

  it("is found with the fewest layers removed", () => {
    expect(unwrapped("```json\n[1]\n```", read)).toMatchObject({ text: "[1]", layers: ["fence"] });
    expect(unwrapped("- **[1]**", read)).toMatchObject({ text: "[1]", layers: ["bullets", "bold"] });
    expect(unwrapped("Well:\n\n[1]\n\nThat is all.", read)).toMatchObject({
      text: "[1]",
      layers: ["surrounding prose"],
    });
  });

  it("is absent if the text itself is readable as the form, or contains no complete form", () => {
    expect(unwrapped("[1]", read)).toBeUndefined();
    expect(unwrapped("nothing here", read)).toBeUndefined();
    expect(unwrapped("**part: 7**", read)).toBeUndefined();
    // A part that can be read without unwrapping hides a complete form inside.
    expect(unwrapped("part: 7\n\n[1]", read)?.text).toBe("[1]");
  });

  it("is not searched for in replies longer than any answer", () => {
    const long = (length: number) => `**[1]**${" ".repeat(length - 7)}`;
    expect(unwrapped(long(200_000), read)?.text.trim()).toBe("[1]");
    expect(unwrapped(long(200_001), read)).toBeUndefined();
  });

  it("is complete if the end of the form is present, whatever text surrounds the form", () => {
    expect(["[1]", "**[1]**", "so: **[1]**\n\nend"].map((text) => isClosedIn(text, read))).toEqual([true, true, true]);
    expect(["[1, 2", "**[1, 2**", "part: 7", "nothing"].map((text) => isClosedIn(text, read))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
