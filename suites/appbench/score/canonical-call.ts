/**
 * Normalizes a call for comparison in `paper` mode: our interpretation of the paper's success "at the structure level".
 */
import { strip } from "../../../source/engine/python/text.ts";
import { blank, matchAt, word } from "./text.ts";

export type CanonicalValue = {
  readonly kind: "literal" | "reference";
  /** The form that is compared: lower case, single spaces, no quotes. */
  readonly text: string;
  /** The value as written in the plan. */
  readonly written: string;
};

export type CanonicalCall = {
  /** Lower case, like name and keys; keys have no `#`. */
  readonly app: string;
  readonly name: string;
  readonly arguments: ReadonlyMap<string, CanonicalValue>;
};

const dottedName = new RegExp(`${blank}*((?:${word}|\\.)+)\\(`, "uy");
/** The text after a comma between two arguments, which a comma within a value lacks. */
const nextKey = new RegExp(`${blank}*#?${word}+${blank}*=`, "uy");
const bareWord = /^[A-Za-z_][\p{L}\p{N}_]*$/u;
const blanks = new RegExp(`${blank}+`, "gu");

/** Reads one call text. Returns undefined without `= name(`, or if an argument has no `=`. */
export function canonicalCall(app: string, text: string): CanonicalCall | undefined {
  const call = text.replaceAll("\\", "");
  const found = findName(call);
  if (found === undefined) return undefined;
  const lowerApp = strip(app.toLowerCase());
  const last = call.lastIndexOf(")");
  const inside = call.slice(found.to, last < found.to ? undefined : last);
  const read = readArguments(inside);
  return read === undefined
    ? undefined
    : { app: lowerApp, name: withoutApp(found.name.toLowerCase(), lowerApp), arguments: read };
}

function findName(call: string): { name: string; to: number } | undefined {
  for (let sign = call.indexOf("="); sign !== -1; sign = call.indexOf("=", sign + 1)) {
    const name = matchAt(dottedName, call, sign + 1)?.[1];
    if (name !== undefined) return { name, to: dottedName.lastIndex };
  }
  return undefined;
}

const withoutApp = (name: string, app: string): string =>
  name.startsWith(`${app}_`) || name.startsWith(`${app}.`) ? name.slice(app.length + 1) : name;

function readArguments(text: string): Map<string, CanonicalValue> | undefined {
  const read = new Map<string, CanonicalValue>();
  if (strip(text) === "") return read;
  for (const piece of splitArguments(text)) {
    const sign = piece.indexOf("=");
    if (sign === -1) return undefined;
    read.set(canonicalKey(piece.slice(0, sign)), canonicalValue(piece.slice(sign + 1)));
  }
  return read;
}

/** Splits at the commas followed by another `key =`, so that commas within values stay. */
export function splitArguments(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (let comma = text.indexOf(","); comma !== -1; comma = text.indexOf(",", comma + 1)) {
    if (matchAt(nextKey, text, comma + 1) === undefined) continue;
    pieces.push(text.slice(from, comma));
    from = comma + 1;
  }
  return [...pieces, text.slice(from)];
}

/** Returns a key in lower case without spaces and `#`. */
export function canonicalKey(text: string): string {
  let key = strip(text);
  let hashes = 0;
  while (key[hashes] === "#") hashes += 1;
  key = strip(key.slice(hashes));
  return key.toLowerCase();
}

/** Reads the text of a value between two commas. */
export function canonicalValue(text: string): CanonicalValue {
  const written = strip(text);
  const lower = written.toLowerCase();
  const isReference = bareWord.test(written) && lower !== "true" && lower !== "false";
  if (isReference) return { kind: "reference", text: lower, written };
  return { kind: "literal", text: strip(unquoted(written).toLowerCase().replace(blanks, " ")), written };
}

/** Removes an opening quote and an equal closing one. */
function unquoted(value: string): string {
  const quote = value[0];
  if (quote !== "'" && quote !== '"') return value;
  return value.slice(1, value.endsWith(quote) ? -1 : undefined);
}

/** Returns a text that is equal for two calls exactly when the calls are equal. */
export function canonicalText(call: CanonicalCall): string {
  const given = [...call.arguments].map(([key, value]) => [key, value.kind, value.text]);
  return JSON.stringify([call.app, call.name, given.toSorted((left, right) => (left[0]! < right[0]! ? -1 : 1))]);
}
