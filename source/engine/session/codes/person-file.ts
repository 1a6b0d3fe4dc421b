/** The name of a person's file: no name leads out of the folder. */
import { createHash } from "node:crypto";

const ending = ".jsonl";
/** Maximum number of bytes of a name before its ending: file systems allow 255. */
const longest = 150;

/**
 * Returns the name of a person's file: letters, digits, `.`, `_` and `-` stay, other bytes become `%XX`, so that no two people
 * share a file. A long name ends in a hash.
 */
export function personFile(person: string): string {
  const safe = person
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}._-]/gu, escaped)
    .replace(/^[.-]/, escaped);
  if (Buffer.byteLength(safe) <= longest) return `${safe}${ending}`;
  const hash = createHash("sha256").update(person.normalize("NFC")).digest("hex").slice(0, 16);
  return `${safe.slice(0, longest >> 2)}-${hash}${ending}`;
}

const escaped = (text: string): string =>
  [...Buffer.from(text, "utf8")].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");

export const isPersonFile = (name: string): boolean => name.endsWith(ending) && !name.startsWith(".");
