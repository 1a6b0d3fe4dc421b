/** The right calls of a task: of each argument the first value that is accepted. */
import type { Call, Expected, FunctionDescription, Language, Parameter } from "./checker.ts";
import { isList, isRecord, type Value, written } from "./value.ts";

/**
 * Arguments that may be left out are left out where that is what comes first. Java and JavaScript want literals in texts. Some
 * tasks have no right answer this way: an expected argument is none of the function's, for instance.
 */
export function goldCalls(
  expected: readonly Expected[],
  functions: readonly FunctionDescription[],
  language: Language,
): readonly Call[] {
  return expected.map((each) => {
    const [[name, accepted] = ["", {}]] = Object.entries(each);
    const { properties = {}, required = [] } = functions.find((described) => described.name === name)?.parameters ?? {};
    const values = Object.entries(accepted).flatMap(([key, [first, ...others]]): [string, Value][] => {
      const needed = required.includes(key);
      if (first === undefined || (first === "" && !needed)) return [];
      const chosen = first === "" ? (others.find((value) => value !== "") ?? first) : first;
      const value = isList(chosen) ? chosen.map(plainRecord) : plainRecord(chosen);
      return [[key, language === "python" ? value : literal(value, properties[key], language)]];
    });
    return { [name]: Object.fromEntries(values) };
  });
}

/** A record with the first accepted value of each key. */
function plainRecord(value: Value): Value {
  if (!isRecord(value)) return value;
  const chosen = Object.entries(value).flatMap(([key, accepted]): [string, Value][] => {
    const first = isList(accepted) ? accepted[0] : accepted;
    return first === undefined || first === "" ? [] : [[key, first]];
  });
  return Object.fromEntries(chosen);
}

function literal(value: Value, parameter: Parameter | undefined, language: Language): string {
  if (typeof value === "string") return value;
  if (language === "javascript") return written(value);
  return javaLiteral(value, parameter);
}

/** Numbers with the suffix their type wants; strings in arrays without quotes, which the checker would not cut off. */
function javaLiteral(value: Value, parameter: Parameter | undefined): string {
  if (isList(value)) {
    const items = parameter?.items;
    if (parameter?.type === "ArrayList") {
      const all = value.map((each) => (typeof each === "string" ? JSON.stringify(each) : javaLiteral(each, items)));
      return all.length === 0 ? "new ArrayList<>()" : `new ArrayList<>(Arrays.asList(${all.join(", ")}))`;
    }
    return `new ${items?.type ?? "Object"}[]{${value.map((each) => javaLiteral(each, items)).join(", ")}}`;
  }
  if (isRecord(value)) {
    const puts = Object.entries(value).map(([key, each]) => `put("${key}", ${written(each)});`);
    return puts.length === 0 ? "new HashMap<>()" : `new HashMap<>() {{ ${puts.join(" ")} }}`;
  }
  if (parameter?.type === "long") return `${written(value)}L`;
  if (parameter?.type === "float") return `${written(value)}f`;
  return typeof value === "string" ? value : written(value);
}
