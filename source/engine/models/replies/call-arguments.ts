/** Parses the arguments of a tool call as the model wrote them. */
import { jsonDepth } from "../../text/json-record.ts";
import type { Json } from "../../types.ts";

/** Deeper nesting is not parsed: no tool needs it, and recursive code over arguments would overflow the stack. */
const deepest = 200;

/** The JSON value in `text`; undefined when it is not JSON or nested deeper than 200 levels. */
export function parseArguments(text: string): Json | undefined {
  if (jsonDepth(text) > deepest) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
