/** Texts that a fork's cell contains, or the files with them. */
import { createHash } from "node:crypto";
import { namesFile } from "../../session/fields/text-file.ts";
import type { SessionFolder } from "../../session/session-folder.ts";

/** Maximum number of characters of a text that is written into a fork's cell. A longer text is saved as a file of the notebook. */
const longestInCell = 200;

/**
 * Returns a text as the cell of a fork contains it: the text itself, or the name of a file with the text; writes the file if it
 * is missing.
 */
export function forkText(folder: SessionFolder, name: string, text: string, end = ""): string {
  if (text.length <= longestInCell && !text.includes("\n") && !namesFile(text)) return text;
  const file = `forks/${name}-${createHash("sha256").update(text).digest("hex").slice(0, 8)}.txt`;
  folder.keepFile(file, `${text}${end}`);
  return file;
}
