/** Reads PDDL domains and problems: STRIPS with types, which is all that PlanBench's domains use. Names are lower case. */
import { DataProblem } from "../../../source/engine/text/json-lines.ts";

/** A predicate or action with its arguments: `["on", "a", "b"]`. */
export type Atom = readonly string[];

type Parameter = { readonly name: string; readonly type: string };

export type Action = {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly precondition: readonly Atom[];
  readonly adds: readonly Atom[];
  readonly deletes: readonly Atom[];
};

export type Domain = {
  /** In the domain's order. */
  readonly actions: ReadonlyMap<string, Action>;
  /** The parent of each type; empty if the domain is untyped. */
  readonly types: ReadonlyMap<string, string>;
  readonly constants: ReadonlyMap<string, string>;
};

export type Problem = {
  /** Each object with its type; `object` if it has no type. */
  readonly objects: ReadonlyMap<string, string>;
  readonly init: readonly Atom[];
  readonly goal: readonly Atom[];
};

type Expression = string | readonly Expression[];

/** An atom as PDDL writes it. */
export function factText(atom: Atom): string {
  return `(${atom.join(" ")})`;
}

/** Reads a domain. Throws `DataProblem`, with `where`, if the text is not a domain or uses more than STRIPS with types. */
export function readDomain(text: string, where: string): Domain {
  const sections = sectionsOf(text, where);
  const actions = new Map<string, Action>();
  for (const [head, ...rest] of sections) {
    if (head === ":action") {
      const action = readAction(rest, where);
      actions.set(action.name, action);
    } else if (head === ":derived" || head === ":durative-action" || head === ":axiom")
      throw new DataProblem(`Expected only STRIPS in ${where}, got \`${head}\``);
  }
  return {
    actions,
    types: typedNames(sectionNamed(sections, ":types"), where),
    constants: typedNames(sectionNamed(sections, ":constants"), where),
  };
}

/** Reads a problem. Throws `DataProblem`, with `where`, if the text is not a problem or uses more than STRIPS with types. */
export function readProblem(text: string, where: string): Problem {
  const sections = sectionsOf(text, where);
  const [goal] = sectionNamed(sections, ":goal");
  return {
    objects: typedNames(sectionNamed(sections, ":objects"), where),
    init: sectionNamed(sections, ":init").map((fact) => atomOf(fact, where)),
    goal: goal === undefined ? [] : conjuncts(goal).map((fact) => atomOf(fact, where)),
  };
}

/** True if an object of one type is also of another. */
export function isOfType(types: Domain["types"], given: string, wanted: string): boolean {
  let type: string | undefined = given;
  // A circle of parents ends after as many steps as there are types.
  for (let steps = 0; type !== undefined && steps <= types.size; steps++) {
    if (type === wanted) return true;
    type = types.get(type);
  }
  return wanted === "object";
}

function sectionsOf(text: string, where: string): readonly (readonly Expression[])[] {
  const [head, ...rest] = parsed(text, where);
  if (head !== "define") throw new DataProblem(`Expected \`(define ...)\` in ${where}, found none`);
  return rest.filter((part) => typeof part !== "string");
}

function sectionNamed(sections: readonly (readonly Expression[])[], name: string): readonly Expression[] {
  return sections.find(([head]) => head === name)?.slice(1) ?? [];
}

function readAction([name, ...rest]: readonly Expression[], where: string): Action {
  if (typeof name !== "string") throw new DataProblem(`Expected each action in ${where} to have a name`);
  const part = (title: string): readonly Expression[] => {
    const value = rest[rest.indexOf(title) + 1];
    return rest.includes(title) && typeof value !== "string" && value !== undefined ? value : [];
  };
  const effects = conjuncts(part(":effect"));
  const isDelete = (effect: Expression): effect is readonly Expression[] => effect[0] === "not";
  return {
    name,
    parameters: [...typedNames(part(":parameters"), where)].map(([parameter, type]) => ({ name: parameter, type })),
    precondition: conjuncts(part(":precondition")).map((fact) => atomOf(fact, where)),
    adds: effects.filter((effect) => !isDelete(effect)).map((fact) => atomOf(fact, where)),
    deletes: effects.filter(isDelete).map(([, fact]) => atomOf(fact!, where)),
  };
}

function conjuncts(expression: Expression): readonly Expression[] {
  if (typeof expression === "string" || expression.length === 0) return [];
  return expression[0] === "and" ? expression.slice(1) : [expression];
}

const connectives = new Set(["and", "or", "not", "imply", "forall", "exists", "when", "=", "increase", "decrease"]);

function atomOf(expression: Expression | undefined, where: string): Atom {
  if (expression === undefined || typeof expression === "string" || expression.length === 0)
    throw new DataProblem(`Expected a fact in ${where}, got \`${String(expression)}\``);
  const [head] = expression;
  if (typeof head === "string" && connectives.has(head))
    throw new DataProblem(`Expected STRIPS facts in ${where}, got \`(${head} ...)\``);
  if (!expression.every((part) => typeof part === "string"))
    throw new DataProblem(`Expected each fact in ${where} to consist of names, got nested brackets`);
  return expression;
}

/** Returns names with the type after each `-`; `object` if there is none. */
function typedNames(list: readonly Expression[], where: string): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  let untyped: string[] = [];
  for (let index = 0; index < list.length; index++) {
    const name = list[index]!;
    if (typeof name !== "string") throw new DataProblem(`Expected a list of names in ${where}, got nested brackets`);
    if (name !== "-") {
      types.set(name, "object");
      untyped.push(name);
      continue;
    }
    const type = list[++index];
    if (typeof type !== "string")
      throw new DataProblem(`Expected the name of a type after \`-\` in ${where}, found none`);
    for (const one of untyped) types.set(one, type);
    untyped = [];
  }
  return types;
}

/** The first expression in brackets; iterative, so that no depth of brackets overflows the stack. */
function parsed(text: string, where: string): readonly Expression[] {
  const open: Expression[][] = [];
  for (const [token] of text.toLowerCase().matchAll(/;[^\n]*|[()]|[^\s();]+/g)) {
    if (token.startsWith(";")) continue;
    if (token === "(") open.push([]);
    else if (token === ")") {
      const closed = open.pop();
      if (closed === undefined) break;
      if (open.length === 0) return closed;
      open.at(-1)!.push(closed);
    } else open.at(-1)?.push(token);
  }
  throw new DataProblem(`Expected each bracket in ${where} to be closed`);
}
