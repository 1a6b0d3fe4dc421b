/**
 * Separates the terminal's own reports from keys: mouse events and late answers to questions. Ink handles neither, and would
 * treat an answer that arrives late over a slow connection as keys.
 */
import { withMembers } from "../painting/stream.ts";

export type Reports = {
  /** The keyboard input without reports. */
  readonly stdin: NodeJS.ReadStream;
  /** Listens for mouse events. Returns a function that ends it. */
  readonly listen: (listener: (event: MouseEvent) => void) => () => void;
};

const escape = "\x1b";

/**
 * Matches a whole paste, which stays unchanged, a mouse report, a background colour (OSC 11), or the beginning of a
 * report.
 */
const parts = new RegExp(
  [
    `${escape}\\[200~[^]*?(?:${escape}\\[201~|$)`,
    `${escape}\\[<(\\d{1,4});(\\d{1,5});(\\d{1,5})([Mm])`,
    `${escape}\\]11;[^\x07${escape}]{0,64}(?:\x07|${escape}\\\\)`,
    `(${escape}(?:\\[<[\\d;]{0,17}|\\]11(?:;[^\x07${escape}]{0,64}${escape}?)?)$)`,
  ].join("|"),
  "g",
);
const [pasteStart, pasteEnd] = [`${escape}[200~`, `${escape}[201~`];

/** Reads this input, which must be in text mode, and handles the terminal's reports. */
export function openReports(input: NodeJS.ReadStream): Reports {
  const listeners = new Set<(event: MouseEvent) => void>();
  let begun = "";
  let pasting = false;
  const filtered = (chunk: string): string => {
    let text = begun + chunk;
    begun = "";
    let pasted = "";
    if (pasting) {
      const end = text.indexOf(pasteEnd);
      if (end < 0) return text;
      pasted = text.slice(0, end + pasteEnd.length);
      text = text.slice(pasted.length);
      pasting = false;
    }
    const typed = text.replace(
      parts,
      (found, button: string | undefined, column: string, row: string, sign: string, beginning: string | undefined) => {
        if (found.startsWith(pasteStart)) {
          pasting = !found.endsWith(pasteEnd);
          return found;
        }
        if (button !== undefined) report(mouseEvent(Number(button), Number(row), Number(column), sign === "M"));
        begun = beginning ?? "";
        return "";
      },
    );
    return pasted + typed;
  };
  const report = (event: MouseEvent | undefined) => {
    if (event !== undefined) for (const listener of listeners) listener(event);
  };
  const read = (): string | null => {
    for (let chunk = input.read() as string | null; chunk !== null; chunk = input.read() as string | null) {
      const rest = filtered(chunk);
      if (rest !== "") return rest;
    }
    return null;
  };
  return {
    stdin: withMembers(input, { read }),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Written when the terminal is taken and given back. */
export const mouseOn = "\x1b[?1000h\x1b[?1006h";
export const mouseOff = "\x1b[?1006l\x1b[?1000l";

/** Rows and columns from 0. */
export type MouseEvent =
  | { readonly kind: "wheel"; readonly by: 1 | -1; readonly row: number; readonly column: number }
  | { readonly kind: "click"; readonly row: number; readonly column: number };

/** Shift, Alt and Ctrl are ignored. */
const modifiers = 4 + 8 + 16;

/** Decodes the numbers of a report; undefined if the event is not used. */
function mouseEvent(code: number, row: number, column: number, isPress: boolean): MouseEvent | undefined {
  const button = code & ~modifiers;
  if (!isPress) return undefined;
  const place = { row: row - 1, column: column - 1 };
  if (button === 64 || button === 65) return { kind: "wheel", by: button === 65 ? 1 : -1, ...place };
  return button === 0 ? { kind: "click", ...place } : undefined;
}
