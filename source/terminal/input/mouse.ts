/** The mouse, where it was asked for: wheel and clicks, as terminals report them in the extended form of xterm (modes 1000 and 1006). */

/** Written when the terminal is taken, and when it is given back. */
export const mouseOn = "\x1b[?1000h\x1b[?1006h";
export const mouseOff = "\x1b[?1006l\x1b[?1000l";

/** Rows and columns from 0. */
export type MouseEvent =
  | { readonly kind: "wheel"; readonly by: 1 | -1; readonly row: number; readonly column: number }
  | { readonly kind: "click"; readonly row: number; readonly column: number };

/** Shift, Alt and Ctrl, which make no difference. */
const modifiers = 4 + 8 + 16;

/** Of the numbers of a report; undefined where it is of no use here. */
export function mouseEvent(code: number, row: number, column: number, isPress: boolean): MouseEvent | undefined {
  const button = code & ~modifiers;
  if (!isPress) return undefined;
  const place = { row: row - 1, column: column - 1 };
  if (button === 64 || button === 65) return { kind: "wheel", by: button === 65 ? 1 : -1, ...place };
  return button === 0 ? { kind: "click", ...place } : undefined;
}
