import { describe, expect, it } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import type { Mistake } from "../../../source/engine/types.ts";
import { blockOf } from "../../../source/terminal/trajectory/block.ts";
import { markedBlocks } from "../../../source/terminal/trajectory/sections/mistake-marks.ts";
import { openView } from "./open-view.ts";

const view = openView(60);
const reply = (...lines: string[]) => [
  blockOf("step 0", [[{ text: "── Model" }]]),
  blockOf(
    "step 0 reply",
    lines.map((text) => [{ text }]),
  ),
];
const made = (id: string, words: string | undefined, mistake: Mistake) => ({
  id,
  mistake,
  place: { entry: 0 },
  ...(words !== undefined && { words }),
});
const drawn = (blocks: ReturnType<typeof markedBlocks>) =>
  blocks.flatMap(({ count, line }) => Array.from({ length: count }, (_, index) => lineText(line(index))));

describe("marks of mistakes in a reply", () => {
  it("are under the words next to their key, not under the same words elsewhere", () => {
    const blocks = reply("from Oban", "a = book(to=Oban)", "back to Oban");
    const marked = markedBlocks(
      "step 0",
      blocks,
      [made("m", "Oban", { kind: "place", key: "to=", got: "Oban" })],
      view,
    );
    expect(drawn(marked)).toEqual([
      "── Model",
      "from Oban",
      "a = book(to=Oban)",
      "            ▔▔▔▔  ✗ place: to=, got Oban",
      "back to Oban",
    ]);
    expect(marked[1]!.line(1).find(({ style }) => style === "bad")?.text).toBe("Oban");
  });

  it("are each under their own words, even if one line has two marks", () => {
    const mistakes = [made("m1", "Oban", { kind: "place" }), made("m2", "Mull", { kind: "place" })];
    expect(drawn(markedBlocks("step 0", reply("Oban to Mull", "end"), mistakes, view))).toEqual([
      "── Model",
      "Oban to Mull",
      "        ▔▔▔▔  ✗ place",
      "▔▔▔▔  ✗ place",
      "end",
    ]);
  });

  it("have their reason below the whole call, never inside the call", () => {
    const lines = reply("a = book(to=Oban,", "  seats=(1, 2),", "  day=5)", "next(to=Oban)");
    const mistakes = [made("m", "book", { kind: "wrong-api" })];
    expect(drawn(markedBlocks("step 0", lines, mistakes, view)).slice(1)).toEqual([
      "a = book(to=Oban,",
      "    ▔▔▔▔",
      "  seats=(1, 2),",
      "  day=5)",
      "    ✗ wrong-api",
      "next(to=Oban)",
    ]);
  });

  it("have their reason immediately below if a bracket is never closed", () => {
    const lines = reply("a = book(to=Oban,", "and so on");
    expect(drawn(markedBlocks("step 0", lines, [made("m", "book", { kind: "wrong-api" })], view)).slice(1)).toEqual([
      "a = book(to=Oban,",
      "    ▔▔▔▔  ✗ wrong-api",
      "and so on",
    ]);
  });

  it("are below all lines if no line contains the words, for example for a missing call", () => {
    const mistakes = [made("m1", "nowhere", { kind: "place" }), made("m2", undefined, { kind: "missing" })];
    expect(drawn(markedBlocks("step 0", reply("Oban"), mistakes, view)).slice(2)).toEqual([
      "    ✗ place",
      "    ✗ missing",
    ]);
  });

  it("have their text below the words if there is no room next to the words at the drawn width", () => {
    const far = `ホテル${" ".repeat(30)}`;
    const mistake = { kind: "place", expected: "a long answer", got: "ホテル" };
    const [, line, stroke, sentence] = drawn(
      markedBlocks("step 0", reply(`${far}ホテル`), [made("m", "ホテル", mistake)], view),
    );
    expect([line, stroke, sentence]).toEqual([
      `${far}ホテル`,
      `${" ".repeat(36)}▔▔▔▔▔▔`,
      "    ✗ place: expected a long answer, got ホテル",
    ]);
  });

  it("open the folded call that contains the words", () => {
    const folded = blockOf("step 0 call 0", [[{ text: "Tool call  5 more lines" }]], {
      folded: { id: "text", lines: ["x"] },
    });
    const mistake = { id: "m", mistake: { kind: "place" }, place: { entry: 0, call: 0 }, words: "deep inside" };
    expect(markedBlocks("step 0", [folded], [mistake], view)[1]).toMatchObject({
      id: "m",
      opens: "step 0 call 0",
      error: true,
    });
  });
});
