/** The counts of `npm run house`: code without comments, and the style of comments. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { codeLines, houseCounts, withoutComments } from "../../build/house.ts";
import { wordCounts } from "../../build/prose/comment-words.ts";
import { titleCounts } from "../../build/prose/title-words.ts";
import { screenTexts } from "../../build/texts.ts";

describe("lines of code", () => {
  it("exclude comments and blank lines, and keep text that only resembles a comment", () => {
    const text = ["/** Why. */", "", 'const url = "http://x"; // a place', "/* more", "of it */ const two = 2;"].join(
      "\n",
    );
    const code = withoutComments({ path: "file.ts", text });
    expect(code).toContain('"http://x"');
    expect(code).not.toMatch(/Why|place|more/);
    expect([code.split("\n").length, codeLines(code)]).toEqual([5, 2]);
  });
});

describe("words of comments", () => {
  it("count comments that begin without a subject, and each word in a thousand", () => {
    const folder = mkdtempSync(join(tmpdir(), "planwright-words-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "file.ts");
    writeFileSync(file, "// What is kept where it stands here.\n\n/** Returns the number of tasks kept. */\n");
    const found = wordCounts("x", [file]).map(({ value }) => value);
    // Seven words and seven words, one of each kind in the first comment.
    expect(found).toEqual([50, 76.92, 76.92]);
  });
});

describe("titles of tests", () => {
  it("count if they have more than 120 characters, or a pronoun or a figure of speech without a noun", () => {
    const folder = mkdtempSync(join(tmpdir(), "planwright-titles-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [tests, other] = [join(folder, "a.test.ts"), join(folder, "a.ts")];
    const unclear = ["keeps the last one", "drops the earlier ones", "rejects a link out of it"];
    const clear = ["omits tasks that one person has not labelled", "counts zeros and ones", "stand out from bars"];
    const long = "a".repeat(120);
    const lines = [...unclear, ...clear, long, `${long}a`].map((text) => `  it("${text}", () => {});`);
    writeFileSync(tests, ['describe("what is said", () => {', ...lines, "});"].join("\n"));
    writeFileSync(other, lines.join("\n"));
    expect(titleCounts([tests, other]).map(({ value }) => value)).toEqual([1, 4]);
  });
});

describe("the counts of this checkout", () => {
  it("are above 0 for every counted feature that any program has", () => {
    const counts = new Map(houseCounts().map(({ name, value }) => [name, value]));
    expect(counts.get("lines of code")).toBeGreaterThan(10_000);
    expect(counts.get("files")).toBeGreaterThan(100);
  });
});

describe("the list of the program's texts", () => {
  it("contains the texts of screens, but no prompts", () => {
    const texts = screenTexts();
    expect(texts.map(({ text }) => text)).toContain("There is nothing to undo");
    expect(texts.filter(({ path }) => path.includes("/ask/"))).toEqual([]);
  });
  it("contains neither the ids of blocks nor scripts and queries", () => {
    const texts = screenTexts().map(({ text }) => text);
    expect(texts.filter((text) => /^plans? gap$|redis\.call|^SET \w+ = /.test(text))).toEqual([]);
  });
});
