/** Names key presses: `j`, `G`, `space`, `enter`, `shift+enter`, `ctrl+p`, `alt+x`, `up`, `pagedown`. */
import type { Key } from "ink";

const named = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageDown", "pagedown"],
  ["pageUp", "pageup"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "esc"],
  ["tab", "tab"],
  ["backspace", "backspace"],
  ["delete", "delete"],
] as const;

const controls: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "enter",
  "\t": "tab",
  "\x1b": "esc",
  "\x7f": "backspace",
  "\b": "backspace",
  " ": "space",
};

/**
 * Returns the chords of one event from Ink. Keys pressed quickly, or while the program was busy, arrive as one event (`dd`), so
 * plain text is split into its characters and no key is lost.
 */
export function chordsOf(input: string, key: Key): readonly string[] {
  if (key.eventType === "release") return [];
  const special = named.find(([flag]) => key[flag])?.[1];
  // Ink takes two Esc that arrive together for Alt+Esc; a terminal that reports Alt+Esc gives every event a type.
  if (special === "esc" && key.meta && key.eventType === undefined) return ["esc", "esc"];
  if (special !== undefined) return [withModifiers(special, key)];
  if (key.ctrl || key.meta) return input === "" ? [] : [withModifiers(input === " " ? "space" : input, key)];
  return Array.from(input, chordOfCharacter);
}

function withModifiers(name: string, key: Key): string {
  // A capital letter implies Shift.
  const shift = key.shift && (name.length > 1 || key.ctrl);
  return `${key.ctrl ? "ctrl+" : ""}${key.meta && name !== "esc" ? "alt+" : ""}${shift ? "shift+" : ""}${name}`;
}

function chordOfCharacter(character: string): string {
  const control = controls[character];
  if (control !== undefined) return control;
  const code = character.codePointAt(0)!;
  return code < 0x20 ? `ctrl+${String.fromCodePoint(code + 0x60)}` : character;
}

/** Returns the text that a chord types: the character itself, or a blank for `space`; undefined for other keys. */
export function typed(chord: string): string | undefined {
  if (chord === "space") return " ";
  return [...chord].length === 1 ? chord : undefined;
}
