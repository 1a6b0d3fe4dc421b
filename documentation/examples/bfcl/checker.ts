/**
 * Whether calls are the expected ones, after BFCL's own `ast_checker` (bfcl-eval 2026.3.23,
 * `bfcl_eval/eval_checker/ast_eval/ast_checker.py`), oddities and all: test/extension/bfcl.test.ts compares the two.
 *
 * Where that checker has an exception for an answer, the answer is refused here.
 */
import { fromJava } from "./java.ts";
import { fromJavaScript } from "./javascript.ts";
import { among, isList, isRecord, type Value } from "./value.ts";
import { typeCheck } from "./type-check.ts";
import { recordIn, recordsIn, sameList, sameText } from "./value-check.ts";

export type Language = "python" | "java" | "javascript";
/** A call, by the name of its function: `{ "add": { "a": 1 } }`. */
export type Call = { readonly [name: string]: { readonly [argument: string]: Value } };
/** The accepted values of each argument; an empty text among them: it may be left out. */
export type Expected = { readonly [name: string]: { readonly [argument: string]: readonly Value[] } };
export type Parameter = { readonly type: string; readonly items?: { readonly type: string } };
export type FunctionDescription = {
  readonly name: string;
  readonly description: string;
  readonly parameters: {
    readonly properties: { readonly [argument: string]: Parameter };
    readonly required: readonly string[];
  };
};

/** What is wrong with an answer; `call` is the index of the expected call, `key` the argument. */
export type Refusal = {
  readonly kind:
    | "wrong-count"
    | "wrong-function"
    | "missing-argument"
    | "unexpected-argument"
    | "wrong-type"
    | "wrong-value";
  readonly call?: number;
  readonly key?: string;
};

export type Question = {
  readonly functions: readonly FunctionDescription[];
  readonly expected: readonly Expected[];
  readonly language: Language;
};

/** The calls of an answer in any order, each expected call once; undefined where they are right. */
export function refusalOf(calls: readonly Call[], { functions, expected, language }: Question): Refusal | undefined {
  if (calls.length !== expected.length) return { kind: "wrong-count" };
  const left = [...calls];
  for (const [index, wanted] of expected.entries()) {
    const [name] = Object.keys(wanted);
    const description = functions.find((each) => each.name === name);
    // Without one the data are damaged: the reader of the data says so.
    if (description === undefined) return { kind: "wrong-function", call: index };
    const refusals = left.map((call) => refusalOfCall(call, wanted, description, language));
    const found = refusals.indexOf(undefined);
    if (found === -1) return { ...nearest(refusals), call: index };
    left.splice(found, 1);
  }
  return undefined;
}

/** Of several that do not fit, the one with the right function. */
function nearest(refusals: readonly (Refusal | undefined)[]): Refusal {
  return refusals.find((each) => each !== undefined && each.kind !== "wrong-function") ?? { kind: "wrong-function" };
}

function refusalOfCall(
  call: Call,
  expected: Expected,
  { name, parameters }: FunctionDescription,
  language: Language,
): Refusal | undefined {
  const accepted = Object.values(expected)[0] ?? {};
  const given = Object.hasOwn(call, name) ? call[name]! : undefined;
  if (given === undefined) return { kind: "wrong-function" };
  const missing = parameters.required.find((key) => !Object.hasOwn(given, key));
  if (missing !== undefined) return { kind: "missing-argument", key: missing };
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(parameters.properties, key) || !Object.hasOwn(accepted, key))
      return { kind: "unexpected-argument", key };
    const kind = wrongArgument(value, accepted[key]!, parameters.properties[key]!, language);
    if (kind !== undefined) return { kind, key };
  }
  const left = Object.keys(accepted).find((key) => !Object.hasOwn(given, key) && !accepted[key]!.includes(""));
  return left === undefined ? undefined : { kind: "missing-argument", key: left };
}

function wrongArgument(
  given: Value,
  accepted: readonly Value[],
  parameter: Parameter,
  language: Language,
): "wrong-type" | "wrong-value" | undefined {
  const types = typesOf(parameter, language);
  if (types === undefined) return "wrong-type";
  const value = valueOf(given, parameter, language);
  if (value === undefined) return "wrong-type";
  const fit = typeCheck(value, accepted, types);
  if (fit === "wrong-type") return fit;
  if (fit === "as-typed") {
    if (types.type === "dict") return isRecord(value) && recordIn(value, accepted) ? undefined : "wrong-value";
    if (types.type === "list" && types.items === "dict")
      return isList(value) && recordsIn(value, accepted) ? undefined : "wrong-value";
    if (typeof value === "string") return sameText(value, accepted) ? undefined : "wrong-value";
    if (isList(value)) return sameList(value, accepted) ? undefined : "wrong-value";
  }
  return among(value, accepted) ? undefined : "wrong-value";
}

/** The value of an argument as it is compared; undefined where it is of no use. In Java and JavaScript all are literals in text. */
function valueOf(given: Value, { type, items }: Parameter, language: Language): Value | undefined {
  if (language === "python") return type === "float" && typeof given === "bigint" ? Number(given) : given;
  if (typeof given !== "string") return undefined;
  const convert = language === "java" ? fromJava : fromJavaScript;
  return convert(given, type, items?.type);
}

const pythonTypes: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  float: "float",
  boolean: "bool",
  array: "list",
  tuple: "list",
  dict: "dict",
  any: "str",
};
const javaTypes: Readonly<Record<string, string>> = {
  byte: "int",
  short: "int",
  integer: "int",
  float: "float",
  double: "float",
  long: "int",
  boolean: "bool",
  char: "str",
  Array: "list",
  ArrayList: "list",
  Set: "set",
  HashMap: "dict",
  Hashtable: "dict",
  Queue: "list",
  Stack: "list",
  String: "str",
  any: "str",
};
const javaScriptTypes: Readonly<Record<string, string>> = {
  String: "str",
  integer: "int",
  float: "float",
  Bigint: "int",
  Boolean: "bool",
  dict: "dict",
  array: "list",
  any: "str",
};
const typeNames = { python: pythonTypes, java: javaTypes, javascript: javaScriptTypes };
/** Types whose items have a type, too. */
const listTypes = { python: ["array", "tuple"], java: ["Array", "ArrayList"], javascript: ["array"] };

/** The types expected, by Python's names; undefined where the description names none that is known. */
function typesOf(
  { type, items }: Parameter,
  language: Language,
): { readonly type: string; readonly items?: string } | undefined {
  const [names, expected] = [typeNames[language], typeNames[language][type]];
  if (expected === undefined || !listTypes[language].includes(type))
    return expected === undefined ? undefined : { type: expected };
  const inner = items && names[items.type];
  return inner === undefined ? undefined : { type: expected, items: inner };
}
