/** How deep a JSON text nests, before it is parsed: recursive code over what is deeper would overflow the stack. */

/** Deepest nesting of brackets outside strings. */
export function depthOf(text: string): number {
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
