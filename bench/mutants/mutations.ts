/** Finds small mistakes that could be made in a file, each with the text it replaces. */
import { parseAst } from "rolldown/parseAst";

export type Mutation = {
  /** Offsets of what is replaced. */
  readonly start: number;
  readonly end: number;
  readonly kind: "comparison" | "boolean" | "arithmetic" | "off by one" | "removed" | "first and last" | "tie";
  readonly becomes: string;
};

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [key: string]: unknown };

const operators: Readonly<Record<string, readonly [string, Mutation["kind"]]>> = {
  "<": ["<=", "comparison"],
  "<=": ["<", "comparison"],
  ">": [">=", "comparison"],
  ">=": [">", "comparison"],
  "===": ["!==", "comparison"],
  "!==": ["===", "comparison"],
  "&&": ["||", "boolean"],
  "||": ["&&", "boolean"],
  "+": ["-", "arithmetic"],
  "-": ["+", "arithmetic"],
  "*": ["/", "arithmetic"],
  "/": ["*", "arithmetic"],
  "%": ["*", "arithmetic"],
};

/** Calls that take the first, the last, all or any: a rule that mistakes one for the other. */
const called: ReadonlyMap<string, readonly [string, Mutation["kind"]]> = new Map([
  ["find", ["findLast", "first and last"]],
  ["findLast", ["find", "first and last"]],
  ["findIndex", ["findLastIndex", "first and last"]],
  ["findLastIndex", ["findIndex", "first and last"]],
  ["indexOf", ["lastIndexOf", "first and last"]],
  ["lastIndexOf", ["indexOf", "first and last"]],
  ["some", ["every", "boolean"]],
  ["every", ["some", "boolean"]],
  ["toSorted", ["toReversed", "tie"]],
  ["ceil", ["floor", "tie"]],
  ["floor", ["ceil", "tie"]],
  ["round", ["floor", "tie"]],
  ["max", ["min", "tie"]],
  ["min", ["max", "tie"]],
]);

/** Every mutation of a TypeScript file, in the order of the text. Types, names of keys and texts are left alone. */
export function mutationsOf(text: string, name: string): readonly Mutation[] {
  const found: Mutation[] = [];
  const source = ({ start, end }: Node) => text.slice(start, end);
  // Within `a?.b[0].c` only the whole can be put in parentheses: its end would otherwise be read of nothing.
  const visit = (node: Node, chain?: "whole" | "part"): void => {
    if (chain !== "part") found.push(...mutationsAt(node, source));
    if (isListOfNames(node)) return;
    for (const [key, value] of Object.entries(node)) {
      if (leftAlone.has(key) || (key === "key" && node["computed"] !== true) || isAssigned(node, key)) continue;
      const continues = chain !== undefined && (key === "object" || key === "callee") ? "part" : undefined;
      const next = node.type === "ChainExpression" ? "whole" : continues;
      for (const child of Array.isArray(value) ? value : [value]) if (isCode(child)) visit(child, next);
    }
  };
  visit(parseAst(text, { lang: name.endsWith("x") ? "tsx" : "ts" }, name) as unknown as Node);
  return found.toSorted((one, other) => one.start - other.start || one.end - other.end);
}

/** Types, and positions in which a value cannot be replaced. */
const leftAlone = new Set(["typeAnnotation", "typeParameters", "typeArguments", "returnType", "source", "id"]);

/** `{ model: true, tool: true } satisfies Record<Kind, true>` lists names: nobody reads what they have. */
function isListOfNames({ type, expression }: Node): boolean {
  const list = type === "TSSatisfiesExpression" ? (expression as Node) : undefined;
  if (list?.type !== "ObjectExpression") return false;
  return (list["properties"] as readonly Node[]).every((property) => (property["value"] as Node)?.["value"] === true);
}

/** Nothing but a place can be assigned to. */
function isAssigned({ type }: Node, key: string): boolean {
  return (type === "AssignmentExpression" && key === "left") || (type === "UpdateExpression" && key === "argument");
}

function isCode(value: unknown): value is Node {
  if (value === null || typeof value !== "object" || typeof (value as Node).type !== "string") return false;
  const { type } = value as Node;
  return !type.startsWith("TS") || ["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"].includes(type);
}

function mutationsAt(node: Node, source: (node: Node) => string): readonly Mutation[] {
  const at = { start: node.start, end: node.end };
  const own = source(node);
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression": {
      const [left, right] = [node["left"] as Node, node["right"] as Node];
      const [operator, kind] = operators[String(node["operator"])] ?? [undefined, "comparison" as const];
      // Texts are put together with `+`, too: nothing but a text could come of that.
      const ofTexts = node["operator"] === "+" && [left, right].some(({ type }) => type === "TemplateLiteral");
      if (operator === undefined || ofTexts || isText(left) || isText(right)) return equality(node, at, source);
      const swapped = { ...at, kind, becomes: `(${source(left)}) ${operator} (${source(right)})` };
      // A share of something else: the wrong denominator, which is more than a division taken for a product.
      if (node["operator"] !== "/") return [swapped];
      return [swapped, { ...at, kind: "off by one", becomes: `(${source(left)}) / (${source(right)} + 1)` }];
    }
    case "CallExpression":
      return callee(node, at, source);
    case "MemberExpression":
      return element(node, at, source);
    case "UnaryExpression":
      return node["operator"] === "!" ? [{ ...at, kind: "boolean", becomes: source(node["argument"] as Node) }] : [];
    case "ConditionalExpression": {
      const [test, yes, no] = ["test", "consequent", "alternate"].map((part) => source(node[part] as Node));
      return [{ ...at, kind: "boolean", becomes: `(${test}) ? (${no}) : (${yes})` }];
    }
    case "IfStatement": {
      const test = node["test"] as Node;
      return [{ start: test.start, end: test.end, kind: "boolean", becomes: `!(${source(test)})` }];
    }
    case "Literal":
      if (typeof node["value"] === "boolean") return [{ ...at, kind: "boolean", becomes: String(!node["value"]) }];
      return typeof node["value"] === "number" ? [{ ...at, kind: "off by one", becomes: `(${own} + 1)` }] : [];
    case "ExpressionStatement":
      // A directive, and a check of types alone, do nothing.
      if (["Literal", "TSSatisfiesExpression"].includes((node["expression"] as Node).type)) return [];
      return [{ ...at, kind: "removed", becomes: ";" }];
    default:
      return [];
  }
}

/** Takes the last for the first, and the other way round; an order that sorting made is turned round as a whole. */
function callee(node: Node, at: Pick<Mutation, "start" | "end">, source: (node: Node) => string): readonly Mutation[] {
  const of = node["callee"] as Node;
  if (of.type !== "MemberExpression" || of["computed"] === true) return [];
  const name = of["property"] as Node;
  const own = source(node);
  const first = (node["arguments"] as readonly Node[])[0];
  if (source(name) === "at" && first !== undefined && source(node).endsWith(".at(-1)"))
    return [{ ...at, kind: "first and last", becomes: `${own.slice(0, -".at(-1)".length)}.at(0)` }];
  const other = called.get(source(name));
  if (other === undefined) return [];
  const [becomes, kind] = other;
  // A sort that is turned round keeps what ties in the opposite order, too.
  if (becomes === "toReversed") return [{ ...at, kind, becomes: `${own}.toReversed()` }];
  const from = name.start - node.start;
  return [{ ...at, kind, becomes: own.slice(0, from) + becomes + own.slice(from + source(name).length) }];
}

/** `list[0]` becomes the last one. */
function element(node: Node, at: Pick<Mutation, "start" | "end">, source: (node: Node) => string): readonly Mutation[] {
  if (node["computed"] !== true || source(node["property"] as Node) !== "0") return [];
  return [{ ...at, kind: "first and last", becomes: `${source(node["object"] as Node)}.at(-1)!` }];
}

/** Texts are compared, never calculated with. */
function equality(
  node: Node,
  at: Pick<Mutation, "start" | "end">,
  source: (node: Node) => string,
): readonly Mutation[] {
  const operator = String(node["operator"]);
  if (operator !== "===" && operator !== "!==") return [];
  const [left, right] = [source(node["left"] as Node), source(node["right"] as Node)];
  return [{ ...at, kind: "comparison", becomes: `(${left}) ${operator === "===" ? "!==" : "==="} (${right})` }];
}

const isText = ({ type, value }: Node) => type === "Literal" && typeof value === "string";
