/** How ToolBench turns the names of tools, APIs and parameters into identifiers. */

/** Python's reserved words (and two more the authors met) that may not be a name by themselves. */
const reserved: ReadonlySet<string> = new Set(["from", "class", "return", "false", "true", "id", "and"]);

/** Longest function name the official code shows a model; longer ones keep their end. */
const longestName = 64;

/**
 * A name as ToolBench writes it: every character but CJK (U+4E00 to U+9FA5), ASCII letters, digits, `_` and `^` becomes
 * `_`, runs of `_` become one, lower case, no `_` at either end, `get_` before a leading digit. The caret survives by an
 * accident of the official regular expression, and is kept.
 */
export function standardize(name: string): string {
  const kept = name
    .replace(/[^\u4e00-\u9fa5^a-zA-Z0-9_]/gu, "_")
    .replace(/__+/g, "_")
    .toLowerCase();
  const from = kept.startsWith("_") ? 1 : 0;
  const bare = kept.slice(from, kept.endsWith("_") ? Math.max(from, kept.length - 1) : kept.length);
  return /^[0-9]/.test(bare) ? `get_${bare}` : bare;
}

/** `is_` before a name that Python would not accept. */
export function changeName(name: string): string {
  return reserved.has(name) ? `is_${name}` : name;
}

/** A standardised name that may be used as a function's or parameter's. */
export function identifier(name: string): string {
  return changeName(standardize(name));
}

/** A category as it names a folder: space, comma and slash become `_`, then one pass of `__` to `_` (so that some stay double). */
export function standardizeCategory(category: string): string {
  return category.replace(/[ ,/]/g, "_").replaceAll("__", "_");
}

/** Name of the function a model calls for an API: the last 64 characters of `<api>_for_<tool>`, so that long ones can collide. */
export function functionName(api: string, standardTool: string): string {
  return [...`${identifier(api)}_for_${standardTool}`].slice(-longestName).join("");
}

/** The first function whose name ends with what was called, as the official executor resolves calls; -1 when there is none. */
export function resolveCall(names: readonly string[], called: string): number {
  return names.findIndex((name) => name.endsWith(called));
}
