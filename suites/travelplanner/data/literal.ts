/** Python literals, read without ever running them: the hub stores lists and dictionaries as their Python `repr`. */
import { asJson } from "../../../source/engine/python/as-json.ts";
import { NotALiteral } from "../../../source/engine/python/cursor.ts";
import { parsePython } from "../../../source/engine/python/literal.ts";
import type { Json } from "../../../source/engine/types.ts";

/**
 * The value `text` spells (None, booleans, numbers, strings, lists, tuples, dictionaries); undefined when it spells none.
 * Models mix Python's notation with JSON's, so both count.
 */
export function readLiteral(text: string): Json | undefined {
  try {
    return asJson(parsePython(text, "mixed"));
  } catch (error) {
    if (error instanceof NotALiteral) return undefined;
    throw error;
  }
}
