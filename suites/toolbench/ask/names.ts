/** Turns names of tools, APIs and parameters into ToolBench's identifiers. */

/** Python's reserved words, and two more of the authors', that must not be a whole name. */
const reserved: ReadonlySet<string> = new Set(["from", "class", "return", "false", "true", "id", "and"]);

/** Maximum length of a function name in the official code; longer names keep only their end. */
const longestName = 64;

/**
 * Standardizes a name like ToolBench: every character except CJK (U+4E00 to U+9FA5), ASCII letters, digits, `_` and `^`
 * becomes `_`; runs of `_` become one; lower case; no `_` at either end; `get_` before a leading digit. The caret
 * survives because of a mistake in the official regular expression.
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

/** Puts `is_` before a name that Python would reject. */
export const changeName = (name: string): string => (reserved.has(name) ? `is_${name}` : name);

/** Standardizes a name for use as a function or parameter. */
export const identifier = (name: string): string => changeName(standardize(name));

/**
 * Standardizes the folder name of a category: space, comma and slash become `_`, then one pass replaces `__` by `_` (so
 * some stay double).
 */
export const standardizeCategory = (category: string): string => category.replace(/[ ,/]/g, "_").replaceAll("__", "_");

/** Returns the function name of an API: the last 64 characters of `<api>_for_<tool>`. Long names can collide. */
export const functionName = (api: string, standardTool: string): string =>
  [...`${identifier(api)}_for_${standardTool}`].slice(-longestName).join("");

/**
 * Returns the index of the first function whose name ends with the called name, as in the official executor; -1 if there is none.
 */
export const resolveCall = (names: readonly string[], called: string): number =>
  names.findIndex((name) => name.endsWith(called));
