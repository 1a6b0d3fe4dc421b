/** Queries and plans in the benchmark's format. */
import type { Json } from "../../../source/engine/types.ts";

export type LocalConstraint = {
  readonly "house rule": string | null;
  readonly cuisine: readonly string[] | null;
  readonly "room type": string | null;
  readonly transportation: string | null;
};

export type Level = "easy" | "medium" | "hard";

/** One trip request. `dest` is a city for 3 days, otherwise a state. */
export type Query = {
  readonly idx: number;
  readonly org: string;
  readonly dest: string;
  readonly days: number;
  readonly visiting_city_number: number;
  readonly date: readonly string[];
  readonly people_number: number;
  readonly local_constraint: LocalConstraint;
  readonly budget: number;
  readonly query: string;
  readonly level: Level;
};

const FIELDS = ["transportation", "breakfast", "attraction", "lunch", "dinner", "accommodation"] as const;
export const MEALS = ["breakfast", "lunch", "dinner"] as const;
export type Field = (typeof FIELDS)[number];

/** One valid day; untrusted plans are read by `ForeignDay`. */
export type Day = { readonly days: number; readonly current_city: string } & Readonly<Record<Field, string>>;

/** Signals that the official evaluator raises a Python error of this class, so that there is no result. */
export class NotEvaluable extends Error {
  override readonly name = "NotEvaluable";
  readonly raised: Raised;
  constructor(raised: Raised, message: string) {
    super(message);
    this.raised = raised;
  }
}
export type Raised = "KeyError" | "TypeError" | "ValueError" | "IndexError" | "AttributeError";

/** One day of an untrusted plan; reads fields with the errors of the official evaluator. */
export class ForeignDay {
  readonly number: number;
  readonly value: Json;
  readonly fields: ReadonlyMap<string, Json> | undefined;

  constructor(number: number, value: Json) {
    this.number = number;
    this.value = value;
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    this.fields = isObject ? new Map(Object.entries(value)) : undefined;
  }

  /**
   * Returns whether the field exists. Lists and texts have no fields; any other value that is not an object raises a TypeError.
   */
  has(field: string): boolean {
    if (this.fields !== undefined) return this.fields.has(field);
    if (typeof this.value === "string" || Array.isArray(this.value)) return false;
    throw this.#noObject();
  }

  /** Returns the field's value; raises a KeyError if it is missing. */
  get(field: string): Json {
    if (this.fields === undefined) throw this.#noObject();
    const value = this.fields.get(field);
    if (value !== undefined) return value;
    throw new NotEvaluable("KeyError", `Expected \`${field}\` in day ${this.number}, found none`);
  }

  /** Returns the field as text; raises `raised` for anything else. */
  text(field: string, raised: Raised = "TypeError"): string {
    const value = this.get(field);
    if (typeof value === "string") return value;
    throw new NotEvaluable(raised, `Expected \`${field}\` of day ${this.number} to be text, got ${kindOf(value)}`);
  }

  /** Returns the text of a non-empty field; undefined for null, empty, `-` and (if `optional`) missing fields. */
  filled(field: Field, optional: boolean, raised: Raised = "TypeError"): string | undefined {
    if (optional && !this.has(field)) return undefined;
    const value = this.get(field);
    return isTruthy(value) && value !== "-" ? this.text(field, raised) : undefined;
  }

  #noObject(): NotEvaluable {
    return new NotEvaluable("TypeError", `Expected day ${this.number} to be an object, got ${kindOf(this.value)}`);
  }
}

/** Reads at most the requested number of days. Raises a TypeError or KeyError if the plan is not a list. */
export function readDays(plan: Json, days: number): readonly ForeignDay[] {
  if (Array.isArray(plan)) return plan.slice(0, days).map((day: Json, index) => new ForeignDay(index + 1, day));
  const raised = typeof plan === "object" && plan !== null ? "KeyError" : "TypeError";
  throw new NotEvaluable(raised, `Expected a list of days, got ${kindOf(plan)}`);
}

/** Python's truth value: null, false, 0 and empty values are false. */
export function isTruthy(value: Json): boolean {
  if (typeof value !== "object" || value === null) return Boolean(value);
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
