/** Key presses by name: `j`, `G`, `space`, `enter`, `shift+enter`, `ctrl+p`, `alt+x`, `up`, `pagedown`. */
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
 * The chords of one event from Ink. Two keys pressed quickly arrive as one event (`dd`), and so does what was typed
 * while the program was busy: plain text is split into its characters, so that nothing typed ahead is lost.
 */
export function chordsOf(input: string, key: Key): readonly string[] {
  if (key.eventType === "release") return [];
  const special = named.find(([flag]) => key[flag])?.[1];
  // Two that arrive together are one with Alt to Ink; a terminal that would say so of one gives every event its type.
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

/** The text a chord types: itself for a character, a blank for `space`; undefined for keys that type nothing. */
export function typed(chord: string): string | undefined {
  if (chord === "space") return " ";
  return [...chord].length === 1 ? chord : undefined;
}
