/** Measures how plainly the titles of tests read: their length, and words that make a reader look for a subject. */
import { readFileSync } from "node:fs";

const title = /^[ \t]*(?:describe\w*|it|test)(?:\.\w+)*\(\s*("(?:[^"\\\n]|\\.)*")/gm;
/** Figures of speech, and pronouns whose noun is elsewhere: a title is read alone in the list of a failed run. */
const unclear =
  /\b(?:said|stands?(?! out)|stood|lies|keeps? to|goes|gone)\b|\bof it\b|\b(?:this|the|other|earlier|later|older|newer|first|last|next|previous|same) one\b|(?<!zeros and )\bones\b/;
const longest = 120;

/** Counts of the titles in these files, with their bounds: long titles, and titles with unclear words. */
export function titleCounts(
  files: readonly string[],
): readonly { readonly name: string; readonly value: number; readonly bound: number }[] {
  const titles = files
    .filter((file) => /\.test\.tsx?$/.test(file))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(title)].map(([, text]) => JSON.parse(text!) as string));
  const count = (is: (text: string) => boolean) => titles.filter(is).length;
  return [
    {
      name: `titles of tests of more than ${longest} characters`,
      value: count(({ length }) => length > longest),
      bound: 5,
    },
    {
      name: 'titles of tests with "the one", "of it" or a figure of speech',
      value: count((text) => unclear.test(text)),
      bound: 5,
    },
  ];
}
