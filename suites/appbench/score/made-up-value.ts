/** Values nobody asked for. */
import { stripOf } from "./text.ts";

const dates = ["2019-11-23", "2018-06-17", "2020-10-29", "2017-12-09"];
const times = ["03:35", "04:52", "05:27", "23:43"];
const numbers = ["9", "8", "7", "53", "67", "4096"];
const truths = ["False", "True", "Perhaps"];
const words = ["Wyvernholm", "Zubrowka Junction", "Quixby", "Ulmenfjord"];

/** A value of a catalogue type. */
export function madeUpValue(type: string | null): string {
  switch (type) {
    case "date":
      return dates[0]!;
    case "time":
      return times[0]!;
    case "int":
    case "float":
      return numbers[0]!;
    case "bool":
      return truths[0]!;
    default:
      return words[0]!;
  }
}

/** A value that looks like `model` but neither contains nor is contained in any of `avoid`; undefined if none is left. */
export function valueUnlike(model: string, avoid: readonly string[]): string | undefined {
  const taken = avoid.map((value) => stripOf(value.toLowerCase(), "'"));
  return [...candidates(model), ...words].find((value) => {
    const lower = value.toLowerCase();
    return !taken.some((other) => other.includes(lower) || lower.includes(other));
  });
}

function candidates(model: string): readonly string[] {
  if (/^\d{4}-\d\d-\d\d$/.test(model)) return dates;
  if (/^\d\d:\d\d$/.test(model)) return times;
  if (/^\d+(\.\d+)?$/.test(model)) return numbers;
  return model === "True" || model === "False" ? truths : words;
}
