/** Files with code of the user's own that were loaded (`--with`), so that a mistake is told with its place. */
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const loaded = new Set<string>();

/** From now on errors are looked for in these files too, by their addresses. */
export function noteOwnFiles(addresses: Iterable<string>): void {
  for (const address of addresses) loaded.add(address);
}

/** What is said of an error, with `FILE:LINE` where it comes from a file of the user's own; the folder is nobody else's business. */
export function withOwnPlace(message: string, error: unknown): string {
  const place = ownPlace(error);
  return place === undefined ? message : `${message} (${basename(place)})`;
}

/** `PATH:LINE` in a file of the user's own that an error comes from. */
export function ownPlace(error: unknown): string | undefined {
  return placeIn(error, (address) => loaded.has(address));
}

/**
 * One sentence, with its place, of what was thrown where nobody waits for it, as in a timer; undefined where it does not come from
 * files of the user's own.
 */
export function ownMistake(thrown: unknown): string | undefined {
  if (loaded.size === 0) return undefined;
  // Nothing of ours throws anything else.
  if (!(thrown instanceof Error)) return `${String(thrown)} (only an Error tells the file and line it is thrown in)`;
  const place = ownPlace(thrown);
  return place === undefined ? undefined : `${place}: ${thrown.message.replace(/\s+/g, " ")}`;
}

/** `PATH:LINE` of the innermost call in one of the files that `isOne` knows: of its stack, or where Node names the line first. */
export function placeIn(error: unknown, isOne: (address: string) => boolean): string | undefined {
  const { stack = "" } = error instanceof Error ? error : {};
  for (const [, address, line] of stack.matchAll(/(file:\/\/[^\s()]+?):(\d+)/g))
    if (isOne(address!)) return `${fileURLToPath(address!)}:${line}`;
  return undefined;
}
