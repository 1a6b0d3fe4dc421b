/** Checks at run time that a file exports a definition, for users who do not check types. */
import { similarName } from "../engine/text/similar-name.ts";
import { type Definition, type Extension, ExtensionProblem } from "./definition.ts";

/** The required type of a field. */
type Kind = "a name" | "a string" | "a whole number" | "a list" | "a non-empty list" | "an object" | "a function";
type Fields = Readonly<Record<string, Kind>>;

const suiteFields: Fields = {
  name: "a name",
  title: "a string",
  revision: "a whole number",
  paper: "an object",
  licence: "a string",
  splits: "a non-empty list",
  facets: "a list",
  strategies: "a non-empty list",
  options: "a list",
  maxShots: "a whole number",
  measures: "a non-empty list",
  errorKinds: "a list",
  faultKinds: "a list",
  analyses: "a list",
  data: "an object",
  open: "a function",
};
const strategyFields: Fields = {
  name: "a name",
  title: "a string",
  needs: "a string",
  revision: "a whole number",
  roles: "a list",
  run: "a function",
};
const analysisFields: Fields = {
  name: "a name",
  title: "a string",
  question: "a string",
  choices: "a function",
  compute: "a function",
};
const environmentFields: Fields = { open: "a function" };

const members = ["suites", "strategies", "analyses", "environments"];

/** `place` finds a line of the file. Throws `ExtensionProblem`. */
export function checkDefinition(value: unknown, place: Extension["place"]): Definition {
  if (!isObject(value))
    throw new ExtensionProblem(`${place()}: Expected \`export default define({ ... })\`, got ${shown(value)}`);
  const unknown = Object.keys(value).find((name) => !members.includes(name));
  if (unknown !== undefined) {
    const similar = similarName(unknown, members);
    const instead = similar === undefined ? members.join(", ") : `\`${similar}\``;
    throw new ExtensionProblem(
      `${placeOfWord(place, unknown)}: Expected ${instead} in a definition, got \`${unknown}\``,
    );
  }
  const each = (name: string, parts: unknown, fields: Fields) => {
    if (!Array.isArray(parts))
      throw new ExtensionProblem(`${placeOfWord(place, name)}: Expected \`${name}\` to be a list, got ${shown(parts)}`);
    for (const [index, part] of parts.entries()) checkPart(`${name}[${index}]`, part, fields, place);
  };
  const { suites = [], strategies = {}, analyses = [], environments = {} } = value;
  each("suites", suites, suiteFields);
  each("analyses", analyses, analysisFields);
  for (const [suite, added] of entriesOf("strategies", strategies, place))
    each(`strategies.${suite}`, added, strategyFields);
  for (const [name, source] of entriesOf("environments", environments, place))
    checkPart(`environments.${name}`, source, environmentFields, place);
  // All required fields have been checked.
  return value as Definition;
}

function entriesOf(name: string, value: unknown, place: Extension["place"]): readonly (readonly [string, unknown])[] {
  if (isObject(value) && !Array.isArray(value)) return Object.entries(value);
  throw new ExtensionProblem(`${placeOfWord(place, name)}: Expected \`${name}\` to be an object, got ${shown(value)}`);
}

function checkPart(path: string, part: unknown, fields: Fields, place: Extension["place"]): void {
  if (!isObject(part))
    throw new ExtensionProblem(`${place()}: Expected \`${path}\` to be an object, got ${shown(part)}`);
  for (const [field, kind] of Object.entries(fields)) {
    const given = part[field];
    if (kinds[kind](given)) continue;
    const where = placeOfPart(place, part["name"], field);
    throw new ExtensionProblem(`${where}: Expected \`${path}.${field}\` to be ${kind}, got ${shown(given)}`);
  }
}

const kinds: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  "a name": (value) => typeof value === "string" && /^[a-z0-9][a-z0-9-]*$/i.test(value),
  "a string": (value) => typeof value === "string",
  "a whole number": Number.isSafeInteger,
  "a list": Array.isArray,
  "a non-empty list": (value) => Array.isArray(value) && value.length > 0,
  "an object": isObject,
  "a function": (value) => typeof value === "function",
};

/** Returns the line of the part's name, or else of the field. */
function placeOfPart(place: Extension["place"], name: unknown, field: string): string {
  if (typeof name !== "string" || field === "name") return placeOfWord(place, field);
  return place((line) => line.includes("name:") && line.includes(`"${name}"`));
}

/** Returns the first line with this word. */
export const placeOfWord = (place: Extension["place"], word: string): string =>
  place((line) => line.split(/[^\w$-]+/).includes(word));

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "function") return "a function";
  return isObject(value) ? "an object" : `\`${String(value)}\``;
}
