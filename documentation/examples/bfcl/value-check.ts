/** Whether a value is one of those accepted: texts without regard to case, spaces and some punctuation. */
import { among, isList, isRecord, type Value } from "./value.ts";

/** A text as it is compared: without spaces and `,./-_*^`, in lower case, with double quotes. */
function plain(value: Value): Value {
  return typeof value === "string"
    ? value
        .replaceAll(/[ ,./\-_*^]/g, "")
        .toLowerCase()
        .replaceAll("'", '"')
    : value;
}

/** `string_checker` */
export function sameText(value: string, accepted: readonly Value[]): boolean {
  return accepted.some((answer) => typeof answer === "string" && plain(answer) === plain(value));
}

/** `list_checker`. An accepted text counts as the list of its characters there: an empty one is an empty list. */
export function sameList(value: readonly Value[], accepted: readonly Value[]): boolean {
  const lists = accepted.flatMap((answer) =>
    typeof answer === "string" ? [[...answer]] : isList(answer) ? [answer] : [],
  );
  return among(
    value.map(plain),
    lists.map((list) => list.map(plain)),
  );
}

/** `dict_checker`: each key with one of its accepted values, none missing that may not be left out. */
export function recordIn(value: { readonly [key: string]: Value }, accepted: readonly Value[]): boolean {
  return accepted.some((answer) => answer !== "" && isRecord(answer) && fitsRecord(value, answer));
}

function fitsRecord(value: { readonly [key: string]: Value }, answer: { readonly [key: string]: Value }): boolean {
  const known = Object.entries(value).every(([key, each]) => {
    const values = Object.hasOwn(answer, key) ? answer[key] : undefined;
    return isList(values) && among(plain(each), values.map(plain));
  });
  return known && Object.entries(answer).every(([key, values]) => Object.hasOwn(value, key) || mayLack(values));
}

const mayLack = (values: Value) => isList(values) && values.includes("");

/** `list_dict_checker`: records in the order of those accepted. */
export function recordsIn(value: readonly Value[], accepted: readonly Value[]): boolean {
  return accepted.some(
    (answer) =>
      // An empty text has no records, as many as an empty list.
      (answer === "" && value.length === 0) ||
      (isList(answer) &&
        answer.length === value.length &&
        value.every((each, index) => isRecord(each) && recordIn(each, [answer[index]!]))),
  );
}
