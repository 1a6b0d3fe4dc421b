/** Formats figures for programs: `export --format json` and `run --json`. */
import type { Cell, Figure } from "../figure.ts";
import { escapedJson } from "../text/json-text.ts";
import type { Json } from "../types.ts";
import { atATime, partsOf, type Parts } from "./figure-parts.ts";

/** Published field names that differ from today's types. */
const published: Readonly<Record<string, string>> = { reported: "printed" } satisfies Partial<
  Record<keyof Cell, string>
>;

/** Returns the figure with its published field names and unchanged values. */
export const figureJson = (figure: Figure): Json => renamed(JSON.parse(JSON.stringify(figure)) as Json);

/** Yields the figure as indented text. Each part is short, however many rows or tasks there are. */
export const figureJsonParts = (figure: Figure, warnings: readonly string[]): Parts =>
  partsOf(jsonParts({ warnings, ...figure }, ""), "\n");

function* jsonParts(value: object, indent: string): Generator<string> {
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const fields = isList
    ? value.entries()
    : Object.entries(value)
        .filter(([, field]) => field !== undefined)
        .values();
  let [text, count] = [isList ? "[" : "{", 0];
  let separator = "";
  for (const [name, field] of fields as Iterable<readonly [string | number, unknown]>) {
    text += `${separator}\n${inner}${isList ? "" : `${escapedJson(JSON.stringify(published[name] ?? name))}: `}`;
    separator = ",";
    if (holdsMany(field)) {
      yield text;
      yield* jsonParts(field, inner);
      text = "";
    } else text += smallJson(field, inner);
    count += 1;
    if (count % atATime !== 0) continue;
    yield text;
    text = "";
  }
  yield `${text}${count === 0 ? "" : `\n${indent}`}${isList ? "]" : "}"}`;
}

/** True if the value is, or contains, a list too long for one part. */
function holdsMany(value: unknown): value is object {
  if (value === null || typeof value !== "object") return false;
  return (Array.isArray(value) && value.length > atATime) || Object.values(value).some(holdsMany);
}

/** Formats a value as JSON in which line ends only separate values, because they are escaped within texts. */
function smallJson(value: unknown, indent: string): string {
  const text = JSON.stringify(renamed((value ?? null) as Json), null, 2);
  return escapedJson(text).replaceAll("\n", `\n${indent}`);
}

function renamed(value: Json): Json {
  if (Array.isArray(value)) return value.map((each: Json) => renamed(each));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [published[name] ?? name, renamed(inner as Json)]),
  );
}
