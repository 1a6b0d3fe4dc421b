/** How deep JSON nests: recursive code over what is deeper would overflow the stack. */

/** Deepest nesting of brackets outside strings, of a text before it is parsed. */
export function jsonDepth(text: string): number {
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

/** Whether a value that was parsed nests deeper than this; stops there. */
export function nestsDeeper(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (most === 0) return true;
  for (const key in value) if (nestsDeeper((value as Readonly<Record<string, unknown>>)[key], most - 1)) return true;
  return false;
}
