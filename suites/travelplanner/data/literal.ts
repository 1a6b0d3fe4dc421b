/** Reads Python literals without executing them; the hub stores lists and dictionaries as their Python `repr`. */
import { asJson } from "../../../source/engine/python/as-json.ts";
import { NotALiteral } from "../../../source/engine/python/cursor.ts";
import { parsePython } from "../../../source/engine/python/literal.ts";
import type { Json } from "../../../source/engine/types.ts";

/**
 * Parses a literal (None, booleans, numbers, strings, lists, tuples, dictionaries); returns undefined if the text is not a
 * literal. JSON notation is accepted as well, because models mix both.
 */
export function readLiteral(text: string): Json | undefined {
  try {
    return asJson(parsePython(text, "mixed"));
  } catch (error) {
    if (error instanceof NotALiteral) return undefined;
    throw error;
  }
}
