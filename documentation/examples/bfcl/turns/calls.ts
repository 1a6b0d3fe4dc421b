/** Calls as models write them (a name and JSON) and as BFCL executes them (a text in Python). */
import type { Json, ToolCall } from "planwright";
import { evaluate } from "./python/evaluate.ts";
import { type CallExpression, type Expression, readExpression } from "./python/expression.ts";
import { Dict, fromJson, jsonText, type Py, PyError, repr, text } from "./python/value.ts";

/** Returns a model's call as a text in Python; undefined if its arguments are no object. */
export function pythonCall({ name, text: given }: Pick<ToolCall, "name" | "text">): string | undefined {
  let value: Py;
  try {
    value = fromJson(given);
  } catch {
    return undefined;
  }
  if (!(value instanceof Dict)) return undefined;
  return `${name}(${value
    .entries()
    .map(([key, each]) => `${text(key)}=${repr(each)}`)
    .join(",")})`;
}

/** Returns a call of the answer key as a model would make it; `argumentsOf` names what its function takes. */
export function modelCall(
  call: string,
  argumentsOf: (name: string) => readonly string[] | undefined,
): { readonly name: string; readonly text: string; readonly arguments: Json } {
  const { name, given, named } = callOf(readExpression(call));
  const takes = argumentsOf(name) ?? [];
  const value = (each: Expression) => evaluate(each, new Map());
  const values = new Dict([
    ...given.map((each, index) => [takes[index] ?? `argument${index}`, value(each)] as const),
    ...named.map(([key, each]) => [key, value(each)] as const),
  ]);
  const written = jsonText(values);
  return { name, text: written, arguments: JSON.parse(written) as Json };
}

function callOf(expression: Expression): Pick<CallExpression, "given" | "named"> & { readonly name: string } {
  if (expression.kind !== "call" || expression.called.kind !== "name")
    throw new PyError("SyntaxError", "Expected a call of a function");
  return { name: expression.called.name, given: expression.given, named: expression.named };
}

/** Returns the name of the function that a call is of, as far as it can be read. */
export const nameOf = (call: string): string => call.split("(")[0]!.trim();

/**
 * Reads a reply in BFCL's own format, `[one(a=1), other(b='x')]`, into calls, as it does: only arguments with names are kept.
 * Undefined if it has none.
 */
export function readReply(reply: string): readonly string[] | undefined {
  let source = reply.replace(/^[`\n ]+|[`\n ]+$/g, "");
  if (!source.startsWith("[")) source = `[${source}`;
  if (!source.endsWith("]")) source = `${source}]`;
  try {
    const read = readExpression(source.trim().replace(/^'+|'+$/g, ""));
    if (read.kind !== "list") return undefined;
    return read.items.map((each) => {
      const { name, named } = callOf(each);
      return `${name}(${named.map(([key, value]) => `${key}=${sourceOf(value)}`).join(", ")})`;
    });
  } catch (thrown) {
    if (thrown instanceof PyError) return undefined;
    throw thrown;
  }
}

/** Returns an argument as BFCL writes it again: names become texts, and calls inside stay calls. */
function sourceOf(value: Expression): string {
  if (value.kind === "name") return repr(value.name);
  if (value.kind === "call") {
    const { name, named } = callOf(value);
    return `${name}(${named.map(([key, each]) => `${key}=${sourceOf(each)}`).join(", ")})`;
  }
  return repr(evaluate(value, new Map()));
}
