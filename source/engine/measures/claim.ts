/** Parses a claim of a paper as written in an analysis cell: `A > B on METRIC by AT LEAST`. */

/** A value of a run setting or of a task facet. */
export type ClaimSide = { readonly field: string; readonly value: string };

export type Claim = {
  /** The text as written in the cell. */
  readonly text: string;
  readonly more: ClaimSide;
  readonly less: ClaimSide;
  readonly metric: string;
  /** The smallest difference claimed, in the displayed unit of the measure: points for percentages. */
  readonly least: number;
  /** The time at which the claim's text was first seen; absent if unknown. */
  readonly written?: WrittenClaim;
};

/** The time at which a claim was first seen, with the numbers of tasks and of tasks with a result at this time. */
export type WrittenClaim = { readonly at: string; readonly known: number; readonly of: number };

const form = "`FIELD=VALUE > FIELD=VALUE on METRIC`, optionally followed by `by NUMBER`";

/** Returns the claim, or the problem with the text. Values that contain blanks or `>` must be quoted. */
export function readClaim(text: string): Claim | { readonly problem: string } {
  const refused = (what: string) => ({ problem: `Expected \`claim\` as ${form}, ${what}, got \`${text}\`` });
  const words = wordsOf(text);
  if (words === undefined) return refused("with a closing quote for every opening quote");
  const [one, sign, other, on, metric, by, amount, unit, ...rest] = words;
  if (sign?.text === "<") return refused("with the larger value first");
  if (sign?.text !== ">" || sign.quoted === true) return refused("with `>` after the first value");
  const [more, less] = [sideOf(one), sideOf(other)];
  if (more === undefined || less === undefined) return refused("with values such as `prompting=flat`");
  if (more.field !== less.field) return refused("with two values of one setting or facet");
  if (more.value === less.value) return refused("with two different values");
  if (on?.text !== "on" || metric === undefined) return refused("with `on` and the name of a measure after the values");
  const claim = { text, more, less, metric: metric.text };
  if (by === undefined) return { ...claim, least: 0 };
  const least = amount === undefined || amount.text.trim() === "" ? Number.NaN : Number(amount.text);
  const hasUnit = unit === undefined || ["%", "point", "points"].includes(unit.text);
  if (by.text !== "by" || !Number.isFinite(least) || least < 0 || !hasUnit || rest.length > 0)
    return refused("ending with the measure, or with `by` and a number of at least 0");
  return { ...claim, least };
}

type Word = { readonly text: string; readonly quoted?: boolean };

/** Splits text at blanks; `>` and `<` are separate words. Quotes may start within a word and protect their contents. */
function wordsOf(text: string): readonly Word[] | undefined {
  const words: Word[] = [];
  let word: Word | undefined;
  const end = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (letter === '"' || letter === "'") {
      const close = text.indexOf(letter, at + 1);
      if (close === -1) return undefined;
      word = { text: `${word?.text ?? ""}${text.slice(at + 1, close)}`, quoted: true };
      at = close;
    } else if (letter === ">" || letter === "<") {
      end();
      words.push({ text: letter });
    } else if (/\s/.test(letter)) end();
    else word = { text: `${word?.text ?? ""}${letter}` };
  }
  end();
  return words;
}

function sideOf(word: Word | undefined): ClaimSide | undefined {
  if (word === undefined) return undefined;
  const at = word.text.indexOf("=");
  if (at < 1 || at === word.text.length - 1) return undefined;
  return { field: word.text.slice(0, at), value: word.text.slice(at + 1) };
}
