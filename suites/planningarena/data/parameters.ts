/** Checks a call's arguments against the catalogue. */
import type { Json } from "../../../source/engine/types.ts";
import type { Api, ParameterType } from "./catalogue.ts";
import { isoDate } from "./calendar.ts";

export type ArgumentProblem = { readonly name: string; readonly problem: "missing" | "unknown" | "type" };

/** Returns required parameters without a value, unknown arguments, and values of the wrong type. */
export function argumentProblems(api: Api, args: { readonly [name: string]: Json }): ArgumentProblem[] {
  const problems: ArgumentProblem[] = [];
  const known = new Map(api.parameters.map((parameter) => [parameter.name, parameter]));
  for (const { name, required } of api.parameters)
    if (required && isEmpty(Object.hasOwn(args, name) ? args[name] : undefined))
      problems.push({ name, problem: "missing" });
  for (const [name, value] of Object.entries(args)) {
    const parameter = known.get(name);
    if (parameter === undefined) problems.push({ name, problem: "unknown" });
    else if (!(parameter.required && isEmpty(value)) && !hasType(parameter.type, value))
      problems.push({ name, problem: "type" });
  }
  return problems;
}

const isEmpty = (value: Json | undefined): boolean => value === undefined || value === null || value === "";

/** Returns true if a value is plausible for this type; numbers may be written as text. */
export const hasType = (type: ParameterType, value: Json): boolean => typeChecks[type](value);

const isText = (value: Json) => (typeof value === "string" && value !== "") || typeof value === "number";
const typeChecks: Readonly<Record<ParameterType, (value: Json) => boolean>> = {
  str: isText,
  enum: isText,
  int: (value) => Number.isInteger(value) || (typeof value === "string" && /^\s*[+-]?\d+\s*$/.test(value)),
  number: (value) =>
    typeof value === "number" || (typeof value === "string" && /^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(value)),
  bool: (value) => typeof value === "boolean" || value === "true" || value === "false",
  array: Array.isArray,
  date: (value) => typeof value === "string" && isDay(value),
  time: (value) => typeof value === "string" && isTime(value),
};

function isDay(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return parts !== null && isoDate(Number(parts[1]), Number(parts[2]), Number(parts[3])) !== undefined;
}

function isTime(text: string): boolean {
  const parts = /^(?:(\d{4}-\d{2}-\d{2}) )?(\d{2}):(\d{2})$/.exec(text);
  if (parts === null) return false;
  return (parts[1] === undefined || isDay(parts[1])) && Number(parts[2]) < 24 && Number(parts[3]) < 60;
}
