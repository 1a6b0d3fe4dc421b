/** The values of expressions. Names are looked up by whoever evaluates; there are no functions but those it brings. */
import type { Expression } from "./expression.ts";
import { power } from "./power.ts";
import { add, divide, getItem, multiply, noAttribute, subtract } from "./operations.ts";
import { Dict, fail, numeric, type Py, PyObject, PySet, Tuple, typeName } from "./value.ts";

export type Arguments = { readonly given: readonly Py[]; readonly named: readonly (readonly [string, Py])[] };

/** A value that can be called. */
export abstract class Callable extends PyObject {
  abstract call(given: Arguments): Py;
}

/** An object with members, such as a system with its methods. */
export abstract class Members extends PyObject {
  abstract member(name: string): Py | undefined;
}

export type Names = ReadonlyMap<string, Py>;

/** Returns the value of an expression. Throws a `PyError`. */
export function evaluate(expression: Expression, names: Names): Py {
  const value = (each: Expression) => evaluate(each, names);
  switch (expression.kind) {
    case "value":
      return expression.value;
    case "name":
      return names.get(expression.name) ?? fail("NameError", `name '${expression.name}' is not defined`);
    case "list":
      return expression.items.map(value);
    case "tuple":
      return new Tuple(expression.items.map(value));
    case "set":
      return new PySet(expression.items.map(value));
    case "dict":
      return new Dict(expression.entries.map(([key, each]) => [value(key), value(each)] as const));
    case "sign":
      return signed(expression.sign, value(expression.of));
    case "operation":
      return operations[expression.sign]!(value(expression.left), value(expression.right));
    case "member":
      return memberOf(value(expression.of), expression.name);
    case "item":
      return getItem(value(expression.of), value(expression.key));
    case "call": {
      const called = value(expression.called);
      const given = expression.given.map(value);
      const named = expression.named.map(([name, each]) => [name, value(each)] as const);
      return called instanceof Callable
        ? called.call({ given, named })
        : fail("TypeError", `'${typeName(called)}' object is not callable`);
    }
  }
}

const operations: Readonly<Record<string, (left: Py, right: Py) => Py>> = {
  "+": add,
  "-": (left, right) => subtract(left, right),
  "*": multiply,
  "/": divide,
  "**": power,
};

function signed(sign: string, value: Py): Py {
  const number = numeric(value);
  if (number === undefined) return fail("TypeError", `bad operand type for unary ${sign}: '${typeName(value)}'`);
  return sign === "-" ? -number : number;
}

const memberOf = (value: Py, name: string): Py =>
  (value instanceof Members ? value.member(name) : undefined) ?? noAttribute(value, name);
