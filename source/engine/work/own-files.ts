/** Loaded files with code of the user's (`--with`), so that a mistake is reported with its place. */
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const loaded = new Set<string>();

/** Registers files of the user, whose addresses are from now on searched in errors. */
export function noteOwnFiles(addresses: Iterable<string>): void {
  for (const address of addresses) loaded.add(address);
}

/** Returns the message of an error, with `FILE:LINE` if it comes from a user's file; the folder stays private. */
export function withOwnPlace(message: string, error: unknown): string {
  const place = ownPlace(error);
  return place === undefined ? message : `${message} (${basename(place)})`;
}

/** Returns the `PATH:LINE` in a user's file at which an error occurred. */
export const ownPlace = (error: unknown): string | undefined => placeIn(error, (address) => loaded.has(address));

/**
 * Describes an unhandled error, such as an error in a timer, in a sentence with its place; undefined if it does not come from a
 * user's file.
 */
export function ownMistake(thrown: unknown): string | undefined {
  if (loaded.size === 0) return undefined;
  // Our own code throws nothing else.
  if (!(thrown instanceof Error))
    return `${String(thrown)} (without a file and a line, because the thrown value is not an Error)`;
  const place = ownPlace(thrown);
  return place === undefined ? undefined : `${place}: ${thrown.message.replace(/\s+/g, " ")}`;
}

/**
 * Returns `PATH:LINE` of the innermost call in one of the files that `isOne` accepts: from its stack, or from Node's first
 * line.
 */
export function placeIn(error: unknown, isOne: (address: string) => boolean): string | undefined {
  const { stack = "" } = error instanceof Error ? error : {};
  for (const [, address, line] of stack.matchAll(/(file:\/\/[^\s()]+?):(\d+)/g))
    if (isOne(address!)) return `${fileURLToPath(address!)}:${line}`;
  return undefined;
}
