/** Facts that depend only on one immutable object: a figure's stops, the contents of rows, the text of a catalogue. */

type Fact<Of extends object, Value> = ((of: Of) => Value) & {
  /** Takes over a value computed elsewhere. */
  know(of: Of, value: Value): void;
};

/** All known facts of an object, with its lifetime. */
const known = new WeakMap<object, Map<object, unknown>>();

/** Computes the fact on first use; the value then stays with the object. */
export function factOf<Of extends object, Value>(workOut: (of: Of) => Value): Fact<Of, Value> {
  const know = (of: Of, value: Value): void => {
    const facts = known.get(of) ?? new Map<object, unknown>();
    known.set(of, facts.set(fact, value));
  };
  const fact = (of: Of): Value => {
    const value = known.get(of)?.get(fact) as Value | undefined;
    if (value !== undefined || known.get(of)?.has(fact) === true) return value as Value;
    know(of, workOut(of));
    return known.get(of)!.get(fact) as Value;
  };
  return Object.assign(fact, { know });
}
