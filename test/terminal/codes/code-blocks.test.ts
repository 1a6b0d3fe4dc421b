import { describe, expect, it } from "vitest";
import { lineText, plain } from "../../../source/engine/figures/drawing/line.ts";
import type { Code } from "../../../source/engine/analysis.ts";
import { placeOf, type ShownCode, withCodes } from "../../../source/terminal/codes/code-blocks.ts";
import { type Block, blockOf } from "../../../source/terminal/trajectory/block.ts";
import { openView } from "../trajectory/open-view.ts";

const view = openView(80);
const blocks: readonly Block[] = [
  blockOf("step 0", [plain("Model  plan")]),
  blockOf("step 0 reply", ["    one", "    two", "    three"].map(plain)),
  blockOf("step 1 gap", [[]]),
  blockOf("step 1", [plain("Tool result")]),
];
const texts = (shown: readonly Block[]) =>
  shown.flatMap((block) => Array.from({ length: block.count }, (_, at) => lineText(block.line(at)).trim()));
const coded = (place: Code["place"], counts = true, more: Partial<Code> = {}): ShownCode => ({
  code: { id: "1", by: "anna", at: "2026-01-01T00:00:00Z", kind: "misread", ...(place && { place }), ...more },
  counts,
});
const placeAt = (from: number, to = from, of = blocks) => placeOf("steps", { blocks: of, from, to }, () => 0);

describe("the place of a code", () => {
  it("contains section, request, step, block and the quoted text of the line", () => {
    expect(placeAt(2)).toEqual({ section: "steps", request: 0, step: 0, block: "step 0 reply", quote: "two" });
  });

  it("is in the step to which a mistake belongs, at the words that describe the mistake", () => {
    const marked = [
      ...blocks.slice(0, 2),
      blockOf("mistake 0 in step", ["    ▔▔▔", "      ✗ Three too many"].map(plain)),
      blockOf("mistake 1 in step stroke", [plain("    ^^^")]),
      blockOf("step 0 reply after it", [plain("    four")]),
      ...blocks.slice(2),
    ];
    const requests: string[] = [];
    const at = (from: number, to = from) =>
      placeOf("steps", { blocks: marked, from, to }, (block) => requests.push(block));
    const mistake = { section: "steps", step: 0, block: "mistake 0 in step", quote: "✗ Three too many" };
    expect(at(4)).toEqual({ ...mistake, request: 1 });
    expect(at(5)).toEqual({ ...mistake, request: 2 });
    expect(at(6)).toMatchObject({ step: 0, block: "step 0 reply", quote: "four" });
    const beside = [blocks[0]!, blockOf("mistake 0 in step", [plain("      ▔▔▔▔  ✗ Wrong place")])];
    expect(placeAt(1, 1, beside)).toMatchObject({ step: 0, quote: "✗ Wrong place" });
    expect(texts(withCodes(beside, [coded(placeAt(1, 1, beside))], "steps", view))).toEqual([
      "Model  plan",
      "▔▔▔▔  ✗ Wrong place",
      "# misread  anna",
    ]);
    expect(at(3, 5)).toMatchObject({
      block: "step 0 reply",
      end: "mistake 0 in step",
      quote: "three\n✗ Three too many",
    });
    expect(requests).toEqual(["step 0 reply", "step 0 reply", "step 0 reply", "step 0 reply"]);
  });

  it("contains both ends of a range, without blank lines around it", () => {
    expect(placeAt(3, 5)).toEqual({
      section: "steps",
      request: 0,
      step: 0,
      block: "step 0 reply",
      end: "step 1",
      quote: "three\n\nTool result",
    });
    expect(placeAt(3, 4)).toMatchObject({ block: "step 0 reply", quote: "three" });
    expect(placeAt(4)).toBeUndefined();
  });

  it("is marked below its line, and the key e moves to it", () => {
    const shown = withCodes(blocks, [coded(placeAt(2), true, { remark: "two is too many" })], "steps", view);
    expect(texts(shown)).toEqual([
      "Model  plan",
      "one",
      "two",
      "# misread  anna: two is too many",
      "three",
      "",
      "Tool result",
    ]);
    expect(shown.filter(({ error }) => error === true)).toHaveLength(1);
    // The same line has the same place next to the code, and so has the code's own line.
    expect(placeAt(2, 2, shown)).toEqual(placeAt(2));
    expect(placeAt(3, 3, shown)).toEqual(placeAt(2));
    expect(placeAt(4, 4, shown)).toMatchObject({ block: "step 0 reply", quote: "three" });
  });

  it("is its block if the text was folded, and the end of the section if that block no longer exists", () => {
    const folded = [blocks[0]!, blockOf("step 0 reply", [plain("    one …")]), ...blocks.slice(2)];
    expect(texts(withCodes(folded, [coded(placeAt(2))], "steps", view)).indexOf("# misread  anna")).toBe(2);
    const gone = coded({ section: "steps", block: "step 9 reply" });
    expect(texts(withCodes(blocks, [gone], "steps", view)).at(-1)).toBe("# misread  anna");
  });

  it("is only in its own section, and in the list of the task's codes in the checks", () => {
    const checks = [blockOf("score", [plain("  Score  1")]), blockOf("checks", [[], plain("  Checks")])];
    const all = [
      coded(placeAt(2)),
      coded(undefined, true, { kind: "whole" }),
      coded(placeAt(2), false, { kind: "old" }),
    ];
    expect(withCodes(blocks, [all[1]!], "steps", view)).toEqual(blocks);
    expect(texts(withCodes(checks, all, "checks", view))).toEqual([
      "Score  1",
      "",
      "Codes",
      "# misread  anna",
      "# whole  anna",
      '# old  anna (of an attempt that no longer counts)  "two"',
      "",
      "Checks",
    ]);
  });

  it("is shown without the escapes of a hostile remark", () => {
    const shown = withCodes(blocks, [coded(placeAt(2), true, { remark: "\u001b[2Jgone" })], "steps", view);
    expect(texts(shown).join("")).not.toContain("\u001b");
  });
});
