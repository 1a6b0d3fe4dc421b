import { describe, expect, it } from "vitest";
import { fit, fitMiddle, pad, printable, printableLines, width, wrap } from "../../../source/engine/text/printable.ts";

const controls = /[\p{Control}\p{Bidi_Control}\u200b\u200c\u2060-\u2064\ufeff]/v;

describe("printable text of a model", () => {
  const hostile: Record<string, string> = {
    "fills the clipboard (OSC 52)": "\x1b]52;c;cm0gLXJmIC8=\x07",
    "sets the title": "\x1b]0;owned\x1b\\",
    "clears the screen (CSI)": "\x1b[2J\x1b[H",
    "leaves the alternate screen": "\x1b[?1049l",
    "device control string": "\x1bP1$r0m\x1b\\",
    "C1 control sequence": "\x9b31mred",
    "overwrites the line": "safe\rrm -rf",
    "rings the bell": "\x07\x07",
    "backspaces over text": "ok\b\bno",
    "turns text around": "user\u202egnp.exe",
    isolates: "\u2066hidden\u2069",
    "hides text": "a\u200bb\u2060c\ufeffd",
    "tag characters": "hi\u{e0068}\u{e0069}",
    "a lone surrogate": "\ud800x",
    "a hyperlink": "\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\",
    "null and delete": "\x00\x7f",
  };
  it.each(Object.entries(hostile))("contains no control character: %s", (_what, text) => {
    const shown = printable(text);
    expect(shown).not.toMatch(controls);
    expect(shown.length).toBeGreaterThan(0);
    expect(printable(shown)).toBe(shown);
  });

  it("shows a sign for each control character", () => {
    expect(printable("\x1b[31mred\x07")).toBe("␛[31mred␇");
    expect(printable("a\rb")).toBe("a␍b");
    expect(printable("\x9b2J")).toBe("␛[2J");
    expect(printable("a\tb\nc")).toBe("a  b↵c");
    expect(printableLines("one\r\ntwo\nthree\rfour")).toEqual(["one", "two", "three␍four"]);
  });

  it("leaves ordinary text unchanged", () => {
    for (const text of ["naïve café", "日本語", "한국어", "👩‍👩‍👧 family", "e\u0301", "❤️", "→ × ≥", "עברית"]) {
      expect(printable(text)).toBe(text);
    }
  });

  it("keeps the invisible characters that words and emoji need", () => {
    const real = {
      Persian: "می\u200cخواهم",
      Hindi: "क्\u200dष",
      Sinhala: "ක්\u200dරම",
      "a flag spelt in tags": "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
      "a key cap": "1\ufe0f\u20e3",
      "a variant of an ideograph": "葛\u{e0100}",
    };
    for (const [what, text] of Object.entries(real)) expect([what, printable(text)]).toEqual([what, text]);
    expect(printable(`${real["a flag spelt in tags"]}\x07`)).toBe(`${real["a flag spelt in tags"]}␇`);
  });

  it("shows a dot in place of characters that only hide something", () => {
    const cases: [string, string][] = [
      ["a\u200cb", "a·b"],
      ["a\u200db", "a·b"],
      ["می\u200c\u200cخ", "می\u200c·خ"],
      ["👩\u200d\u200d", "👩\u200d·"],
      ["\ufe0fa\ufe0f\ufe0e", "·a\ufe0f·"],
      ["a\u{e0100}", "a·"],
      ["🏴\u{e0068}\u{e0069}\u{e007f}", "🏴···"],
    ];
    for (const [text, shown] of cases) {
      expect(printable(text)).toBe(shown);
      expect(printable(shown)).toBe(shown);
    }
  });
});

describe("the width of text in columns", () => {
  it("is the number of columns that a terminal draws", () => {
    const cases: [string, number][] = [
      ["plain", 5],
      ["日本語", 6],
      ["한국어", 6],
      ["ｆｕｌｌ", 8],
      ["e\u0301te", 3],
      ["👩‍👩‍👧", 2],
      ["🇨🇭", 2],
      ["❤️", 2],
      ["▸ ✓ ✗ …", 7],
      ["", 0],
    ];
    for (const [text, columns] of cases) expect([text, width(text)]).toEqual([text, columns]);
  });

  it("is the same for simple characters alone and next to a wide character", () => {
    for (let code = 0x20; code < 0x3000; code++) {
      const character = String.fromCharCode(code);
      if (/[\p{L}\p{M}\p{C}]/u.test(character) && code > 0x2ff) continue;
      // A wide character next to it makes the text be split into graphemes.
      expect([code, width(`${character}日`)]).toEqual([code, width(character) + 2]);
    }
  });

  it("is two for every emoji that Unicode lists", () => {
    const isEmoji = (text: string) => /^\p{RGI_Emoji}$/v.test(text);
    for (let code = 0x80; code < 0x20000; code++) {
      const character = String.fromCodePoint(code);
      for (const text of [character, `${character}\ufe0f`, `${character}\u{1f3fd}`])
        if (isEmoji(text)) expect([text, width(text)]).toEqual([text, 2]);
    }
    // Half a flag is not an emoji.
    expect(width("\u{1f1e8}")).toBe(1);
  });

  it("is respected by truncation with an ellipsis, never inside a wide character", () => {
    expect(fit("hello world", 8)).toBe("hello w…");
    expect(fit("hello", 5)).toBe("hello");
    expect(fit("日本語日本語", 7)).toBe("日本語…");
    expect(fit("日本語日本語", 6)).toBe("日本…");
    expect(fit("anything", 0)).toBe("");
    expect(fitMiddle("sole-planning: reflexion", 12)).toBe("sole-p…exion");
    expect(fitMiddle("lab/a", 5)).toBe("lab/a");
    expect(fitMiddle("日本語日本語", 8)).toBe("日本…語");
    expect(fitMiddle("anything", 2)).toBe("a…");
    expect(pad("日本", 6) + "|").toBe("日本  |");
    expect(pad("7", 4, "right")).toBe("   7");
  });

  it("is respected by wrapping at spaces, which breaks words that are too long", () => {
    expect(wrap("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
    expect(wrap("aaaaaaaaaaaa b", 5)).toEqual(["aaaaa", "aaaaa", "aa b"]);
    expect(wrap("日本語日本語", 4)).toEqual(["日本", "語日", "本語"]);
    for (const line of wrap("some words and 日本語日本語日本語 and more", 9))
      expect(width(line)).toBeLessThanOrEqual(9);
  });

  it("is computed quickly for very long text", () => {
    // Quadratic time would never end at these lengths.
    expect(printable("\x1b[".repeat(1_000_000))).toHaveLength(2_000_000);
    expect(width("a\u0301".repeat(500_000))).toBe(500_000);
    expect(wrap("x".repeat(1_000_000), 80)).toHaveLength(12_500);
  });
});
