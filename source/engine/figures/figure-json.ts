/** A figure as programs read it: `export --format json` and `run --json`. */
import type { Cell, Figure } from "../figure.ts";
import type { Json } from "../types.ts";

/** The field names other programs know, where the type's own name has changed since they were published. */
const published: Readonly<Record<string, string>> = { reported: "printed" } satisfies Partial<
  Record<keyof Cell, string>
>;

/** The figure with its published field names; values as they are. */
export function figureJson(figure: Figure): Json {
  return renamed(JSON.parse(JSON.stringify(figure)) as Json);
}

function renamed(value: Json): Json {
  if (Array.isArray(value)) return value.map((each: Json) => renamed(each));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [published[name] ?? name, renamed(inner as Json)]),
  );
}
