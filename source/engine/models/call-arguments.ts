/** Parses the arguments of a tool call as the model wrote them. */
import type { Json } from "../types.ts";

/** Deeper nesting is not parsed: no tool needs it, and recursive code over arguments would overflow the stack. */
const deepest = 200;

/** The JSON value in `text`; undefined when it is not JSON or nested deeper than 200 levels. */
export function parseArguments(text: string): Json | undefined {
  if (depthOf(text) > deepest) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Deepest nesting of brackets outside strings. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text[index];
    if (quoted) {
      if (unit === "\\") index += 1;
      else if (unit === '"') quoted = false;
    } else if (unit === '"') quoted = true;
    else if (unit === "{" || unit === "[") most = Math.max(most, (depth += 1));
    else if (unit === "}" || unit === "]") depth -= 1;
  }
  return most;
}
