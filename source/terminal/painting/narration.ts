/**
 * The screen for a screen reader: what is new on it is printed below what was said before, line by line, and nothing that was
 * printed is touched again.
 */
import { toAscii } from "../../engine/figures/drawing/symbols.ts";
import { type Clock, type Timer, machineClock } from "../../engine/work/clock.ts";
import type { Painting } from "./painting.ts";
import { type Sentence, sentences } from "./sentence.ts";
import { Surface } from "./surface.ts";

/** Milliseconds without a new word after which the screen is said to be at rest. */
const rest = 300;
/** Words are printed after so many milliseconds at the latest, as while an answer streams in. */
const patience = 3_000;
/** Where nothing but numbers change, as while a run goes on. */
const numberPatience = 10_000;
/** So narrow that nothing stands side by side, whatever the window has. */
const columns = 75;

/** `ascii` where the terminal takes nothing else; `obeysNothing` where it would show what Ink writes to it. */
export function openNarration(
  terminal: NodeJS.WriteStream,
  { ascii, obeysNothing }: { readonly ascii: boolean; readonly obeysNothing: boolean },
  clock: Clock = machineClock,
): Painting {
  let said: readonly Sentence[] = [];
  let seen: readonly Sentence[] = [];
  /** When something first was there that has not been said yet. */
  let since: number | undefined;
  /** When a key was pressed after which nothing has been said yet. */
  let pressed: number | undefined;
  let timer: Timer | undefined;
  let requested = false;
  let maySpeak = true;
  const request = () => {
    if (requested || !maySpeak) return;
    requested = true;
    // All changes of one turn are one frame.
    queueMicrotask(look);
  };
  const surface = new Surface(request);
  const stdout = new Proxy(terminal, {
    get(target, name) {
      if (name === "columns") return columns;
      if (name === "write" && obeysNothing) return unwritten;
      // Else the cursor is shown again when the program ends, past this.
      if (name === "isTTY" && obeysNothing) return false;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const silence = () => {
    maySpeak = false;
    clock.clearTimeout(timer);
  };
  return {
    surface,
    isSpoken: true,
    stdout,
    pressed() {
      pressed = clock.now();
    },
    laidOut: request,
    async suspended(suspend, callback) {
      try {
        await suspend(async () => {
          silence();
          await callback();
        });
      } finally {
        // Everything is said again: who comes back wants to know where they are.
        maySpeak = true;
        said = [];
        seen = [];
        request();
      }
    },
    close() {
      if (maySpeak) speak();
      silence();
    },
  };

  function look(): void {
    requested = false;
    if (!maySpeak) return;
    const now = sentences(surface.frame(columns, terminal.rows));
    const hasNewWords = news(seen, now, wordsOf).length > 0;
    seen = now;
    if (news(said, now, wholeOf).length === 0) {
      since = undefined;
      clock.clearTimeout(timer);
      said = now;
      return;
    }
    const begun = (since ??= clock.now());
    const hasWords = news(said, now, wordsOf).length > 0;
    // Numbers that tick do not put off what is waiting.
    if (hasWords && !hasNewWords) return;
    const due = Math.min(begun + (hasWords ? patience : numberPatience), (pressed ?? Infinity) + rest);
    const latest = due - clock.now();
    clock.clearTimeout(timer);
    timer = clock.setTimeout(speak, Math.max(0, hasWords ? Math.min(rest, latest) : latest));
  }

  function speak(): void {
    clock.clearTimeout(timer);
    since = undefined;
    pressed = undefined;
    const lines = news(said, seen, wholeOf).map(({ text }) => (ascii ? toAscii(text) : text));
    said = seen;
    if (lines.length > 0 && terminal.writable) terminal.write(lines.map((line) => `${line}\n`).join(""));
  }
}

/** As a stream writes, but for the writing. */
function unwritten(_text: unknown, ...rest: readonly unknown[]): boolean {
  for (const then of rest) if (typeof then === "function") setImmediate(() => void then());
  return true;
}

const wholeOf = ({ text, cursor }: Sentence): string => `${cursor ?? ""}:${text}`;
const wordsOf = (sentence: Sentence): string => wholeOf(sentence).replaceAll(/\d[\d.,]*/g, "0");

/** The sentences that were not there before; those that the cursor has only left are none. */
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
