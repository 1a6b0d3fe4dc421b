/** The screen for a screen reader: new text is printed line by line below earlier text, and printed text never changes. */
import { toAscii } from "../../engine/text/ascii-text.ts";
import { type Clock, type Timer, machineClock } from "../../engine/work/clock.ts";
import type { Painting } from "./painting.ts";
import { type Sentence, sentences } from "./sentence.ts";
import { withMembers } from "./stream.ts";
import { oncePerTurn, Surface } from "./surface.ts";

/** Milliseconds without a new word after which the screen counts as unchanging. */
const rest = 300;
/** Limit in milliseconds before new words are printed, for example while an answer streams in. */
const patience = 3_000;
/** The limit if only numbers change, for example while a run executes. */
const numberPatience = 10_000;
/** Columns at which no text is side by side, whatever the width of the window. */
const columns = 75;

/** `ascii`: the terminal shows only ASCII. `obeysNothing`: it would show the escape sequences that Ink writes. */
type Options = { readonly ascii: boolean; readonly obeysNothing: boolean };

export class Narration implements Painting {
  readonly isSpoken = true;
  readonly stdout: NodeJS.WriteStream;
  readonly #terminal: NodeJS.WriteStream;
  readonly #ascii: boolean;
  readonly #clock: Clock;
  /** The sentences on the screen when text was last printed, and those on it now. */
  #said: readonly Sentence[] = [];
  #seen: readonly Sentence[] = [];
  /** The time at which the oldest unprinted sentence appeared. */
  #since: number | undefined;
  /** The time of the last key press, if no text has been printed since. */
  #pressed: number | undefined;
  #timer: Timer | undefined;
  #maySpeak = true;

  constructor(terminal: NodeJS.WriteStream, { ascii, obeysNothing }: Options, clock: Clock = machineClock) {
    this.#terminal = terminal;
    this.#ascii = ascii;
    this.#clock = clock;
    // Without `isTTY: false` Ink would show the cursor again at the end, past `write`.
    this.stdout = withMembers(terminal, { columns, ...(obeysNothing && { write: unwritten, isTTY: false }) });
  }

  readonly laidOut = oncePerTurn(() => this.#look());

  readonly surface = new Surface(this.laidOut);

  readonly pressed = (): void => {
    this.#pressed = this.#clock.now();
  };

  readonly suspended: Painting["suspended"] = async (suspend, callback) => {
    try {
      await suspend(async () => {
        this.#silence();
        await callback();
      });
    } finally {
      // Everything is printed again, because whoever comes back wants to know where they are.
      this.#maySpeak = true;
      this.#said = [];
      this.#seen = [];
      this.laidOut();
    }
  };

  readonly close = (): void => {
    if (this.#maySpeak) this.#speak();
    this.#silence();
  };

  #silence(): void {
    this.#maySpeak = false;
    this.#clock.clearTimeout(this.#timer);
  }

  /** Reads the screen, and decides when its news are printed. */
  #look(): void {
    if (!this.#maySpeak) return;
    const now = sentences(this.surface.frame(columns, this.#terminal.rows));
    const hasNewWords = news(this.#seen, now, wordsOf).length > 0;
    this.#seen = now;
    if (news(this.#said, now, wholeOf).length === 0) {
      this.#since = undefined;
      this.#clock.clearTimeout(this.#timer);
      this.#said = now;
      return;
    }
    this.#since ??= this.#clock.now();
    const hasWords = news(this.#said, now, wordsOf).length > 0;
    // Counting numbers do not delay waiting sentences.
    if (hasWords && !hasNewWords) return;
    const due = Math.min(this.#since + (hasWords ? patience : numberPatience), (this.#pressed ?? Infinity) + rest);
    const latest = due - this.#clock.now();
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(() => this.#speak(), Math.max(0, hasWords ? Math.min(rest, latest) : latest));
  }

  #speak(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#since = undefined;
    this.#pressed = undefined;
    const lines = news(this.#said, this.#seen, wholeOf).map(({ text }) => (this.#ascii ? toAscii(text) : text));
    this.#said = this.#seen;
    if (lines.length > 0 && this.#terminal.writable) this.#terminal.write(lines.map((line) => `${line}\n`).join(""));
  }
}

/** Behaves like a stream's `write`, but writes nothing. */
function unwritten(_text: unknown, ...rest: readonly unknown[]): boolean {
  for (const then of rest) if (typeof then === "function") setImmediate(() => void then());
  return true;
}

const wholeOf = ({ text, cursor }: Sentence): string => `${cursor ?? ""}:${text}`;
const wordsOf = (sentence: Sentence): string => wholeOf(sentence).replaceAll(/\d[\d.,]*/g, "0");

/** Returns the sentences that are new; a sentence from which only the cursor has moved is not new. */
function news(
  before: readonly Sentence[],
  now: readonly Sentence[],
  keyOf: (sentence: Sentence) => string,
): readonly Sentence[] {
  const known = new Map<string, number>();
  for (const sentence of before) {
    const unmarked = { text: sentence.text.replace("selected ", "") };
    const keys = sentence.cursor === undefined ? [keyOf(sentence)] : [keyOf(sentence), keyOf(unmarked)];
    for (const key of keys) known.set(key, (known.get(key) ?? 0) + 1);
  }
  return now.filter((sentence) => {
    const key = keyOf(sentence);
    const left = known.get(key) ?? 0;
    known.set(key, left - 1);
    return left <= 0;
  });
}
