/** JSON for files and pipes that other programs read: every character is kept, none of them steers a terminal. */

/** Beyond what `JSON.stringify` escapes: DEL and C1 controls, line separators, and what is invisible or reverses text. */
const escaped = /[\u007f-\u009f\u2028\u2029\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb]/gu;

/** One line of JSON; `indent` spreads it over several. The value read back is the same. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(escaped, (found) =>
    [...Array(found.length).keys()]
      .map((index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
