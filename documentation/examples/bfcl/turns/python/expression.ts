/**
 * Python's expressions, as far as calls of functions use them: literals, displays of lists, tuples, sets and dictionaries, signs,
 * sums and products, calls and what is picked from their results. Nothing is evaluated while it is read.
 */
import { ellipsis, fail, type Py } from "./value.ts";

export type Expression =
  | { readonly kind: "value"; readonly value: Py }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "list" | "tuple" | "set"; readonly items: readonly Expression[] }
  | { readonly kind: "dict"; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: "sign"; readonly sign: string; readonly of: Expression }
  | { readonly kind: "operation"; readonly sign: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "member"; readonly of: Expression; readonly name: string }
  | { readonly kind: "item"; readonly of: Expression; readonly key: Expression }
  | CallExpression;
export type CallExpression = {
  readonly kind: "call";
  readonly called: Expression;
  readonly given: readonly Expression[];
  readonly named: readonly (readonly [name: string, value: Expression])[];
};

type Token = { readonly kind: "number" | "text" | "name" | "sign"; readonly text: string };

/** Longest source that is read, in characters, and deepest nesting. */
const longest = 1_000_000;
const deepest = 100;

const wrong = (): never => fail("SyntaxError", "invalid syntax (<string>, line 1)");

const tokenPattern =
  /(?<blank>(?:[ \t\r\n\f]|\\\n|#[^\n]*)+)|(?<text>[rRuU]?(?:"""(?:[^\\]|\\[^])*?"""|'''(?:[^\\]|\\[^])*?'''|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'))|(?<number>0[xX][\da-fA-F]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)|(?<name>[\p{L}_][\p{L}\p{N}_]*)|(?<sign>\.\.\.|\*\*|\/\/|[-+*/%()[\]{}:,.=])/uy;

function tokensOf(source: string): readonly Token[] {
  if (source.length > longest) wrong();
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < source.length) {
    const { groups = {} } = tokenPattern.exec(source) ?? wrong();
    for (const kind of ["text", "number", "name", "sign"] as const)
      if (groups[kind] !== undefined) tokens.push({ kind, text: groups[kind] });
  }
  return tokens;
}

const closing: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Throws Python's errors for brackets that do not belong together. */
function checkBrackets(tokens: readonly Token[]): void {
  const open: string[] = [];
  for (const { kind, text } of tokens) {
    if (kind !== "sign") continue;
    if ("([{".includes(text)) open.push(text);
    const opening = closing[text];
    if (opening === undefined) continue;
    const last = open.pop();
    if (last === undefined) fail("SyntaxError", `unmatched '${text}' (<string>, line 1)`);
    if (last !== opening)
      fail(
        "SyntaxError",
        `closing parenthesis '${text}' does not match opening parenthesis '${last}' (<string>, line 1)`,
      );
  }
  if (open.length > 0) fail("SyntaxError", `'${open.at(-1)}' was never closed (<string>, line 1)`);
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#tokens = tokensOf(source);
    checkBrackets(this.#tokens);
  }

  get isDone(): boolean {
    return this.#at === this.#tokens.length;
  }

  #is(sign: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead];
    return token?.kind === "sign" && token.text === sign;
  }

  #took(...signs: readonly string[]): string | undefined {
    const sign = signs.find((each) => this.#is(each));
    if (sign !== undefined) this.#at += 1;
    return sign;
  }

  #expect(sign: string): void {
    if (this.#took(sign) === undefined) wrong();
  }

  #name(): string {
    const token = this.#tokens[this.#at++];
    return token?.kind === "name" ? token.text : wrong();
  }

  /** Reads `NAME = EXPRESSION`, or `NAME: TYPE = EXPRESSION`. */
  assignment(): readonly [string, Expression] {
    const name = this.#name();
    if (this.#took(":") !== undefined) this.expression();
    this.#expect("=");
    return [name, this.expression()];
  }

  expression(): Expression {
    this.#depth += 1;
    if (this.#depth > deepest) fail("SyntaxError", "too many nested parentheses (<string>, line 1)");
    let left = this.#product();
    for (let sign = this.#took("+", "-"); sign !== undefined; sign = this.#took("+", "-"))
      left = { kind: "operation", sign, left, right: this.#product() };
    this.#depth -= 1;
    return left;
  }

  #product(): Expression {
    let left = this.#signed();
    for (let sign = this.#took("*", "/"); sign !== undefined; sign = this.#took("*", "/"))
      left = { kind: "operation", sign, left, right: this.#signed() };
    return left;
  }

  #signed(): Expression {
    const signs: string[] = [];
    for (let sign = this.#took("-", "+"); sign !== undefined; sign = this.#took("-", "+")) signs.push(sign);
    const base = this.#trailed();
    const power: Expression =
      this.#took("**") === undefined ? base : { kind: "operation", sign: "**", left: base, right: this.#signed() };
    return signs.reduceRight<Expression>((of, sign) => ({ kind: "sign", sign, of }), power);
  }

  #trailed(): Expression {
    let of = this.#atom();
    for (;;) {
      if (this.#took(".") !== undefined) of = { kind: "member", of, name: this.#name() };
      else if (this.#took("(") !== undefined) of = this.#call(of);
      else if (this.#took("[") !== undefined) {
        of = { kind: "item", of, key: this.expression() };
        this.#expect("]");
      } else return of;
    }
  }

  #call(called: Expression): CallExpression {
    const given: Expression[] = [];
    const named: (readonly [string, Expression])[] = [];
    while (this.#took(")") === undefined) {
      if (given.length + named.length > 0) {
        this.#expect(",");
        if (this.#took(")") !== undefined) break;
      }
      if (this.#tokens[this.#at]?.kind === "name" && this.#is("=", 1)) {
        const name = this.#name();
        this.#at += 1;
        if (named.some(([other]) => other === name))
          fail("SyntaxError", `keyword argument repeated: ${name} (<string>, line 1)`);
        named.push([name, this.expression()]);
      } else {
        if (named.length > 0) fail("SyntaxError", "positional argument follows keyword argument (<string>, line 1)");
        given.push(this.expression());
      }
    }
    return { kind: "call", called, given, named };
  }

  #items(end: string, from: Expression[] = []): { readonly items: readonly Expression[]; readonly hasComma: boolean } {
    const items = [...from];
    let hasComma = false;
    while (this.#took(end) === undefined) {
      if (items.length > 0) {
        this.#expect(",");
        hasComma = true;
        if (this.#took(end) !== undefined) break;
      }
      items.push(this.expression());
    }
    return { items, hasComma };
  }

  #atom(): Expression {
    const token = this.#tokens[this.#at];
    if (token?.kind === "text") {
      let value = "";
      for (; this.#tokens[this.#at]?.kind === "text"; this.#at++) value += textOf(this.#tokens[this.#at]!.text);
      return { kind: "value", value };
    }
    if (this.#took("[") !== undefined) return { kind: "list", items: this.#items("]").items };
    if (this.#took("{") !== undefined) return this.#braces();
    if (this.#took("(") !== undefined) {
      const { items, hasComma } = this.#items(")");
      return items.length === 1 && !hasComma ? items[0]! : { kind: "tuple", items };
    }
    if (this.#took("...") !== undefined) return { kind: "value", value: ellipsis };
    this.#at += 1;
    if (token?.kind === "number") return { kind: "value", value: numberOf(token.text) };
    if (token?.kind !== "name") return wrong();
    if (Object.hasOwn(constants, token.text)) return { kind: "value", value: constants[token.text]! };
    return { kind: "name", name: token.text };
  }

  #braces(): Expression {
    if (this.#took("}") !== undefined) return { kind: "dict", entries: [] };
    const first = this.expression();
    if (this.#took(":") === undefined) return { kind: "set", items: this.#items("}", [first]).items };
    const entries: (readonly [Expression, Expression])[] = [[first, this.expression()]];
    while (this.#took("}") === undefined) {
      this.#expect(",");
      if (this.#took("}") !== undefined) break;
      const key = this.expression();
      this.#expect(":");
      entries.push([key, this.expression()]);
    }
    return { kind: "dict", entries };
  }
}

const constants: Readonly<Record<string, Py>> = { True: true, False: false, None: null };

function numberOf(written: string): Py {
  const plain = written.replaceAll("_", "");
  if (/^0\d/.test(plain) && /^\d+$/.test(plain) && !/^0+$/.test(plain))
    return fail(
      "SyntaxError",
      "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers (<string>, line 1)",
    );
  return /^(?:\d+|0x[\da-f]+)$/i.test(plain) ? BigInt(plain) : Number(plain);
}

const plainEscapes: Readonly<Record<string, string>> = {
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function textOf(token: string): string {
  const isRaw = /^[rR]/.test(token);
  const written = token.replace(/^[rRuU]/, "");
  const quotes = /^("""|''')/.test(written) && written.length >= 6 ? 3 : 1;
  const inside = written.slice(quotes, -quotes);
  if (isRaw) return inside;
  return inside.replaceAll(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([^]))/g,
    (all, two?: string, four?: string, eight?: string, octal?: string, sign?: string) => {
      const code = two ?? four ?? eight;
      if (code !== undefined && Number.parseInt(code, 16) <= 0x10_ffff)
        return String.fromCodePoint(Number.parseInt(code, 16));
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      return sign !== undefined && Object.hasOwn(plainEscapes, sign) ? plainEscapes[sign]! : all;
    },
  );
}

/** Reads an expression. Throws a `PyError` that is a SyntaxError. */
export function readExpression(source: string): Expression {
  const reader = new Reader(source);
  const expression = reader.expression();
  return reader.isDone ? expression : wrong();
}

/** Reads a module of assignments alone. */
export function readAssignments(source: string): readonly (readonly [string, Expression])[] {
  const reader = new Reader(source);
  const assignments: (readonly [string, Expression])[] = [];
  while (!reader.isDone) assignments.push(reader.assignment());
  return assignments;
}
