/** Facts about figures: everyone who draws or exports a figure asks for them, and figures never change. */
import type { Figure } from "../figure.ts";

type Fact<Of extends Figure, Value> = ((figure: Of) => Value) & {
  /** Takes over the value that was worked out elsewhere. */
  know(figure: Of, value: Value): void;
};

/** All facts known of a figure: they go with it. */
const known = new WeakMap<Figure, Map<object, unknown>>();

/** Works the fact out when it is first asked for; the value then stays with the figure. */
export function figureFact<Of extends Figure, Value>(workOut: (figure: Of) => Value): Fact<Of, Value> {
  const know = (figure: Of, value: Value): void => {
    const facts = known.get(figure) ?? new Map<object, unknown>();
    known.set(figure, facts.set(fact, value));
  };
  const fact = (figure: Of): Value => {
    if (known.get(figure)?.has(fact) !== true) know(figure, workOut(figure));
    return known.get(figure)!.get(fact) as Value;
  };
  return Object.assign(fact, { know });
}
