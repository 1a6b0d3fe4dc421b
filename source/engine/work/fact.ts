/** Facts that follow from an object alone, which never changes: a figure's stops, what rows contain, the text of a catalogue. */

type Fact<Of extends object, Value> = ((of: Of) => Value) & {
  /** Takes over the value that was worked out elsewhere. */
  know(of: Of, value: Value): void;
};

/** All facts known of an object: they go with it. */
const known = new WeakMap<object, Map<object, unknown>>();

/** Works the fact out when it is first asked for; the value then stays with the object. */
export function factOf<Of extends object, Value>(workOut: (of: Of) => Value): Fact<Of, Value> {
  const know = (of: Of, value: Value): void => {
    const facts = known.get(of) ?? new Map<object, unknown>();
    known.set(of, facts.set(fact, value));
  };
  const fact = (of: Of): Value => {
    if (known.get(of)?.has(fact) !== true) know(of, workOut(of));
    return known.get(of)!.get(fact) as Value;
  };
  return Object.assign(fact, { know });
}
