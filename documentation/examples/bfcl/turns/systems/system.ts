/** What the simulated systems have in common: methods that bind arguments as Python does, and a state that can be compared. */
import { Random } from "../python/random.ts";
import { type Arguments, Callable, Members } from "../python/evaluate.ts";
import { deepCopy, Dict, equal, fail, type Py, PySet, repr, text } from "../python/value.ts";

/** The literals in the wheel's file of a system: its default state, and tables. */
export type Tables = ReadonlyMap<string, Py>;

/**
 * What a system is opened with. `shared` is one for all systems of a comparison: BFCL's own objects share a few values
 * between the model's system and the one that shows what is right.
 */
export type Setting = {
  readonly scenario: Dict;
  readonly isLong: boolean;
  readonly tables: Tables;
  readonly extensions: Tables;
  readonly shared: Map<string, Py>;
};

export type Method = {
  /** The names of its arguments, with blanks between them. */
  readonly takes: string;
  /** Values of the last arguments, if they may be left out. */
  readonly defaults?: readonly Py[];
  readonly run: (...values: readonly Py[]) => Py;
};

class BoundMethod extends Callable {
  readonly typeName = "method";
  readonly #title: string;
  readonly #method: Method;

  constructor(title: string, method: Method) {
    super();
    this.#title = title;
    this.#method = method;
  }

  repr(): string {
    return `<bound method ${this.#title}>`;
  }

  call(given: Arguments): Py {
    return this.#method.run(...bound(this.#title, this.#method, given));
  }
}

/** Returns the arguments in order. Fails as Python does for those that do not fit. */
function bound(title: string, { takes, defaults = [] }: Method, { given, named }: Arguments): readonly Py[] {
  const names = takes === "" ? [] : takes.split(" ");
  const values = new Map<string, Py>();
  for (const [index, name] of names.entries()) if (index < given.length) values.set(name, given[index]!);
  for (const [name, value] of named) {
    if (!names.includes(name)) fail("TypeError", `${title}() got an unexpected keyword argument '${name}'`);
    if (values.has(name)) fail("TypeError", `${title}() got multiple values for argument '${name}'`);
    values.set(name, value);
  }
  const least = names.length - defaults.length;
  if (given.length > names.length) {
    // The system itself is an argument, too.
    const most = names.length + 1;
    const count = least === names.length ? `${most}` : `from ${least + 1} to ${most}`;
    const were = given.length + 1 === 1 ? "was" : "were";
    fail(
      "TypeError",
      `${title}() takes ${count} positional argument${most === 1 ? "" : "s"} but ${given.length + 1} ${were} given`,
    );
  }
  const missing = names.slice(0, least).filter((name) => !values.has(name));
  if (missing.length > 0)
    fail(
      "TypeError",
      `${title}() missing ${missing.length} required positional argument${missing.length === 1 ? "" : "s"}: ${listed(missing)}`,
    );
  return names.map((name, index) => (values.has(name) ? values.get(name)! : defaults[index - least]!));
}

function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  return quoted.length < 3 ? quoted.join(" and ") : `${quoted.slice(0, -1).join(", ")}, and ${quoted.at(-1)}`;
}

/** Results of systems, mostly: `record({ a: 1n })` is the dictionary `{"a": 1}`. */
export const record = (fields: Readonly<Record<string, Py>>): Dict => new Dict(Object.entries(fields));
export const error = (message: string): Dict => record({ error: message });

/** A simulated system, of the class that BFCL names it by. */
export abstract class System extends Members {
  abstract override readonly typeName: string;
  /** Its methods; names of models' functions. */
  protected abstract readonly methods: Readonly<Record<string, Method>>;
  /** The seed of its random numbers, unless the scenario has one. */
  protected readonly seed: bigint = 0n;
  #random: Random | undefined;
  protected readonly setting: Setting;
  /** Its attributes. Those whose names begin with a low line are no part of the state that is compared. */
  protected readonly self = new Dict();

  constructor(setting: Setting) {
    super();
    this.setting = setting;
  }

  protected get random(): Random {
    const seed = this.setting.scenario.get("random_seed");
    return (this.#random ??= new Random(typeof seed === "bigint" ? seed : this.seed));
  }

  repr(): string {
    return `<${this.typeName}>`;
  }

  get names(): readonly string[] {
    return Object.keys(this.methods).toSorted();
  }

  /** The names of a method's arguments, in order. */
  argumentsOf(name: string): readonly string[] {
    const { takes } = this.methods[name] ?? { takes: "" };
    return takes === "" ? [] : takes.split(" ");
  }

  override member(name: string): Py | undefined {
    const method = Object.hasOwn(this.methods, name) ? this.methods[name] : undefined;
    return method === undefined ? this.self.get(name) : new BoundMethod(`${this.typeName}.${name}`, method);
  }

  protected get(name: string): Py {
    return this.self.at(name);
  }

  protected set(name: string, value: Py): void {
    this.self.set(name, value);
  }

  /** Sets attributes to what the scenario says, else to the default state. */
  protected load(
    names: readonly string[],
    scenario = this.setting.scenario,
    defaults = this.setting.tables.get("DEFAULT_STATE"),
  ): void {
    for (const name of names) {
      const known = scenario.get(name) ?? (scenario.has(name) ? null : undefined);
      this.set(
        name,
        deepCopy(known ?? (defaults instanceof Dict && !scenario.has(name) ? (defaults.get(name) ?? null) : null)),
      );
    }
  }

  /** Returns the attributes that are compared and differ from another system's of the same class. */
  differences(other: System): readonly string[] {
    return this.#compared().flatMap(([name, value]) => (equal(value, other.self.get(name) ?? null) ? [] : [name]));
  }

  /** Returns all that a later call can depend on, as text. */
  stateText(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#compared().map(([name, value]) => [name, stateOf(value)] as const));
  }

  #compared(): readonly (readonly [string, Py])[] {
    return this.self
      .entries()
      .flatMap(([name, value]) => (String(name).startsWith("_") ? [] : [[String(name), value] as const]));
  }
}

/** A set has no order that two processes share. */
const stateOf = (value: Py) => (value instanceof PySet ? repr(value.items.keys().map(text).toSorted()) : repr(value));
