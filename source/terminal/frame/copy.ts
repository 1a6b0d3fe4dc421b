/** Copies to the clipboard of the user's own terminal, also over a remote connection, by the escape sequence OSC 52. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replaceFile } from "../../engine/files/replace-file.ts";
import { plural } from "../../look/amounts.ts";
import type { Terminal } from "../terminal.ts";
import { attempted } from "./notices.ts";

/** Limit in characters of base64 for xterm and the multiplexers that follow it. */
const longest = 74_994;

/** Excludes terminals known to ignore the sequence; no terminal reports whether it supports it. */
const takesCopies = ({ TERM = "", TERM_PROGRAM }: NodeJS.ProcessEnv): boolean =>
  TERM !== "linux" && TERM !== "dumb" && TERM_PROGRAM !== "Apple_Terminal";

/**
 * Returns the sequence that copies this text; base64 prevents the terminal from executing the text. Undefined if the text is too
 * long or the terminal does not support it.
 */
export function copySequence(text: string, environment: NodeJS.ProcessEnv): string | undefined {
  const encoded = Buffer.from(text).toString("base64");
  return takesCopies(environment) && encoded.length <= longest ? `\x1b]52;c;${encoded}\x07` : undefined;
}

/** Copies this text, or writes it to a new file if it cannot be copied, and reports which. */
export function copyText({ notices, write }: Pick<Terminal, "notices" | "write">, text: string | undefined): void {
  if (text === undefined || text === "") return notices.say("There is nothing to copy here");
  const sequence = copySequence(text, process.env);
  if (sequence !== undefined) {
    write(sequence);
    return notices.say(`Copied: ${plural(text.length, "character")}`, "good");
  }
  attempted({ notices }, () => {
    const path = join(mkdtempSync(join(tmpdir(), "planwright-")), "copied.txt");
    replaceFile(path, text);
    notices.say(`This terminal cannot copy; the text is in ${path}`, "good");
  });
}
