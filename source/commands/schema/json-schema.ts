/** The part of JSON schema (draft 7) that our schemas use. */

export type Schema = {
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly if?: Schema;
  readonly then?: Schema;
};

/** Schema of the value if the condition holds. */
export function where(condition: Schema, holds: Schema): Schema {
  // oxlint-disable-next-line no-thenable -- the schema language has this field, and it is no function
  return { if: condition, then: holds };
}

/** Accepts a value of one of these types. A list of types would mean the same, but strict readers reject it. */
export const ofTypes = (...types: readonly string[]): Schema => ({ anyOf: types.map((type) => ({ type })) });

/** Accepts a value or a list of such values. */
export const oneOrMany = (schema: Schema): Schema => ({
  anyOf: [schema, { type: "array", items: schema, minItems: 1 }],
});

export const mapped = <Value>(
  names: readonly string[],
  to: (name: string) => Value,
): { readonly [name: string]: Value } => Object.fromEntries(names.map((name) => [name, to(name)]));
