/** JSON that is safe to print: a terminal executes, hides and reverses nothing in it, and no text is lost. */

/** Characters that occur in JSON only inside texts and must not be printed; line ends that lay JSON out are allowed. */
const dangerous = /[[\p{Control}\p{Format}\p{Surrogate}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\n\r\t]]/gv;
const beyondAscii = /\P{ASCII}/gu;

/** Returns `value` as JSON; `space` indents it as in `JSON.stringify`. */
export const jsonText = (value: unknown, space?: number): string => escapedJson(JSON.stringify(value, null, space));

/**
 * Returns a text with dangerous characters written as `\u` escapes; line ends and tabs stay. A JSON text, or lines of such
 * texts, keeps its meaning.
 */
export const escapedJson = (json: string): string => json.replace(dangerous, escaped);

/** Returns an equivalent JSON text for readers of ASCII only. */
export const asciiJson = (json: string): string => escapedJson(json).replace(beyondAscii, escaped);

/** Returns a text as JSON that Python writes by default: ASCII alone. */
export const pythonText = (text: string): string => JSON.stringify(text).replace(/[\u007f-\uffff]/g, escaped);

/** Escapes UTF-16 units, as JSON does. */
const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
