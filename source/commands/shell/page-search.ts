/** Finds words in the pages of the documentation and in the commands' usages. */
import { signs } from "../../look/signs.ts";
import { fit } from "../../engine/text/printable.ts";

/** A page that can be searched: its text, and the command that prints it. */
export type Page = { readonly prints: string; readonly text: string };

const mostLines = 30;
/** Maximum columns of a line that was found, after the command that prints its page. */
const lineColumns = 80;

/**
 * Returns the lines that contain the words, best first, each after the command that prints its page: the words as a phrase
 * before all of them anywhere, whole words before parts of words, then rows of the index before headings before other lines. All
 * lines of the history come last. A line that several pages contain is listed once, with the first page. Empty if no line contains
 * all the words.
 */
export function foundLines(pages: readonly Page[], words: string): readonly string[] {
  const wanted = words.toLowerCase().trim().split(/\s+/);
  const found = pages.flatMap((page) =>
    page.text.split("\n").flatMap((line) => {
      const place = line.startsWith("#") ? 1 : 2;
      const given = page.prints === indexPage ? indexRow(line) : { prints: page.prints, line: line.trim(), place };
      const match = given && matchOf(given.line.toLowerCase(), wanted);
      if (given === undefined || match === undefined) return [];
      const rank = (page.prints === historyPage ? 100 : 0) + match.rank * 10 + given.place;
      return [{ ...given, at: match.at, rank }];
    }),
  );
  // The page of all commands repeats their usages.
  const byText = Map.groupBy(
    found.toSorted((a, b) => a.rank - b.rank),
    ({ line }) => line.toLowerCase().replace(/\.$/, ""),
  );
  const unique = [...byText.values()].map(([first]) => first!);
  const sorted = unique.slice(0, mostLines);
  const width = Math.max(...sorted.map(({ prints }) => prints.length));
  const lines = sorted.map((each) => `${each.prints.padEnd(width)}  ${around(each, words.length)}`);
  const left = unique.length - sorted.length;
  const contain = left === 1 ? "line contains" : "lines contain";
  return left > 0 ? [...lines, `${left} more ${contain} the word${wanted.length > 1 ? "s" : ""}.`] : lines;
}

const indexPage = "planwright help index";
const historyPage = "planwright help history";

/** Returns a row of the index as a sentence, with the command that prints the page to which it leads; undefined for other lines. */
function indexRow(line: string) {
  const [, aim = "", suite, page] =
    /^\| (.+?) \| \[[^\]]*\]\((?:\.\.\/suites\/([^/]+)\/|([^).#]+)\.md)/.exec(line) ?? [];
  const name = suite ?? page;
  return name === undefined ? undefined : { prints: `planwright help ${name}`, line: `I want to ${aim}`, place: 0 };
}

/** Returns the rank of a line, lower is better, and the place of the words; undefined if it does not contain all of them. */
function matchOf(text: string, wanted: readonly string[]) {
  const phrase = placeOf(text, wanted.join(" "));
  const places = wanted.map((word) => placeOf(text, word));
  if (phrase?.isWhole === true) return { rank: 0, ...phrase };
  if (!places.every((each) => each !== undefined)) return undefined;
  const at = phrase?.at ?? Math.min(...places.map((each) => each.at));
  const isWhole = places.every((each) => each.isWhole);
  return { at, rank: isWhole ? 1 : phrase === undefined ? 3 : 2 };
}

/** Returns the first place of a text as whole words, else as parts of words. */
function placeOf(text: string, wanted: string): { readonly at: number; readonly isWhole: boolean } | undefined {
  const first = text.indexOf(wanted);
  for (let at = first; at >= 0; at = text.indexOf(wanted, at + 1))
    if (!letter.test(text[at - 1] ?? "") && !letter.test(text[at + wanted.length] ?? "")) return { at, isWhole: true };
  return first < 0 ? undefined : { at: first, isWhole: false };
}

const letter = /[\p{L}\p{N}_]/u;

/** Returns the part of a long line at which the words begin. */
function around({ line, at }: { readonly line: string; readonly at: number }, length: number): string {
  const from = at + length > lineColumns ? line.indexOf(" ", Math.max(0, at - lineColumns / 2)) : 0;
  return `${from > 0 ? signs.more : ""}${fit(line.slice(Math.max(0, from)).trim(), lineColumns)}`;
}
