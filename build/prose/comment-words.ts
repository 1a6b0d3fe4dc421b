/**
 * Measures how plainly the comments read: the share without a subject at the start, and words that make a sentence hard to
 * follow.
 */
import { readFileSync } from "node:fs";

/** A first word that replaces the subject instead of naming it. */
const fused =
  /^(What|Where|Who|Whether|Those|Of|So many|As|In what|By what|How|Which|All that|Not|Nothing|None|One|The same)\b/;
const commentLine = /^\s*(?:\/\/|\/\*\*|\*)\s+([A-Za-z`].{15,})$/;

/** Comment lines of a text, and the first line of each block of them. Lines under 16 characters do not count. */
function comments(text: string): { readonly lines: readonly string[]; readonly starts: readonly string[] } {
  const lines: string[] = [];
  const starts: string[] = [];
  let before = false;
  for (const line of text.split("\n")) {
    const comment = commentLine.exec(line)?.[1]?.replace(/\*\/$/, "").trim();
    if (comment !== undefined) {
      lines.push(comment);
      if (!before) starts.push(comment);
    }
    before = comment !== undefined;
  }
  return { lines, starts };
}

/** Counts of the comments in these files, with their bounds: percent of fused starts, and words in a thousand. */
export function wordCounts(
  folder: string,
  files: readonly string[],
): readonly { readonly name: string; readonly value: number; readonly bound: number }[] {
  const all = files.map((file) => comments(readFileSync(file, "utf8")));
  const starts = all.flatMap((each) => each.starts);
  const text = all.flatMap((each) => each.lines).join(" ");
  const words = Math.max(1, text.split(/\s+/).length);
  const perThousand = (word: RegExp) => hundredths((1000 * (text.match(word) ?? []).length) / words);
  const share = (100 * starts.filter((start) => fused.test(start)).length) / Math.max(1, starts.length);
  return [
    { name: `% of the comments in ${folder} that begin without a subject`, value: hundredths(share), bound: 5 },
    { name: `"where" in 1,000 words of comments in ${folder}`, value: perThousand(/\bwhere\b/gi), bound: 2 },
    { name: `"stand" in 1,000 words of comments in ${folder}`, value: perThousand(/\bstands?\b/g), bound: 0.2 },
  ];
}

const hundredths = (value: number) => Math.round(value * 100) / 100;
