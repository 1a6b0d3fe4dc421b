/** The last line of a chain of thought, for suites without an answer format of their own. */

/** The instruction to write an answer line, appended to the question. */
export const answerLine = "Think step by step. Then write the answer alone on a last line that begins with `Answer:`.";

/** Returns the text after the last `Answer:`; the whole reply if it does not contain `Answer:`. */
export function behindAnswerLine(reply: string): string {
  const marks = [...reply.matchAll(/answer\s{0,8}:/gi)];
  const last = marks.at(-1);
  return (last === undefined ? reply : reply.slice(last.index + last[0].length)).trim();
}
