/** How an answer is compared with what the file says is right: data of the session, never code. */
import { isDeepStrictEqual } from "node:util";
import { behindAnswerLine } from "../../../source/engine/text/answer-line.ts";
import { jsonIn, lastNumber, plainText } from "./read-answer.ts";

export const checkNames = ["exact", "contains", "number", "json", "one-of", "judge", "none"] as const;
export type CheckName = (typeof checkNames)[number];

export type Checked = {
  readonly right: boolean;
  /** What was compared, as text; undefined where nothing could be read. */
  readonly read: string | undefined;
};

/** Everything but `judge`, which asks a model, and `none`. Letters count as they are written but for `contains` and `one-of`. */
export function compare(check: Exclude<CheckName, "judge" | "none">, reply: string, answer: string): Checked {
  const given = behindAnswerLine(reply);
  switch (check) {
    case "exact":
      return { right: plainText(given) === plainText(answer), read: textOrNothing(given) };
    case "contains":
      return { right: folded(given).includes(folded(answer)), read: textOrNothing(given) };
    case "number":
      return compareNumbers(given, answer);
    case "json":
      return compareJson(given, answer);
    case "one-of": {
      const right = answer.split("|").some((each) => folded(each) === folded(given));
      return { right, read: textOrNothing(given) };
    }
    default:
      return check satisfies never;
  }
}

const folded = (text: string) => plainText(text).toLowerCase();
const textOrNothing = (text: string) => (text === "" ? undefined : text);

/** Equal to six significant digits, as a calculation by another way may round. */
function compareNumbers(given: string, answer: string): Checked {
  const [got, expected] = [lastNumber(given), lastNumber(answer)];
  if (got === undefined || expected === undefined) return { right: false, read: undefined };
  return { right: Math.abs(got - expected) <= 1e-6 * Math.max(1, Math.abs(expected)), read: String(got) };
}

/** The same value: order of keys and spelling of numbers do not matter. */
function compareJson(given: string, answer: string): Checked {
  const [got, expected] = [jsonIn(given), jsonIn(answer)];
  if (got === undefined) return { right: false, read: undefined };
  return { right: isDeepStrictEqual(got, expected), read: JSON.stringify(got) };
}
