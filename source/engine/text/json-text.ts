/** JSON that may be printed: nothing in it is obeyed, hidden or reversed by a terminal, and nothing of a text is lost. */

/** What stands in JSON only inside texts and is not to be seen as it is; line ends that lay JSON out are left. */
const dangerous = /[[\p{Control}\p{Format}\p{Surrogate}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\n\r\t]]/gv;
const beyondAscii = /\P{ASCII}/gu;

/** `value` as JSON; `space` indents it as in `JSON.stringify`. */
export function jsonText(value: unknown, space?: number): string {
  return escapedJson(JSON.stringify(value, null, space));
}

/**
 * A text with the characters that could do harm written as `\u` escapes; line ends and tabs stay. A JSON text, or lines of such texts,
 * still means the same.
 */
export function escapedJson(json: string): string {
  return json.replace(dangerous, escaped);
}

/** A JSON text that means the same, for whoever reads only ASCII. */
export function asciiJson(json: string): string {
  return escapedJson(json).replace(beyondAscii, escaped);
}

/** In UTF-16 units, as JSON has it. */
function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}
