/** Compares the records that a conversation changed with the records that the reference changes. */
import { entriesOf, entryOf, isList, isMapping, pythonJson, type Value } from "../environment/value.ts";
import type { World } from "../environment/world.ts";

/**
 * Returns a line for each record that the conversation or the reference changed: either that it equals the reference's, or the
 * values that differ. `before` is the common initial state. Without changes there are no lines.
 */
export function stateDifferences(before: World, own: World, reference: World): readonly string[] {
  const names = new Set([...own.touched().keys(), ...reference.touched().keys()]);
  return [...names].flatMap((name) => {
    const [was, is, wanted] = [before, own, reference].map((world) => world.recordOf(name));
    if (is === undefined && wanted === undefined) return [];
    if (is === undefined) return [`${name}: only in the reference`];
    if (wanted === undefined) return [`${name}: not in the reference`];
    const found = valuesThatDiffer("", is, wanted);
    if (found.length > 0) return [name, ...found.map((line) => `  ${line}`)];
    return was !== undefined && isSame(was, is) ? [] : [`${name}: as in the reference`];
  });
}

const isSame = (one: Value, other: Value) => pythonJson(one, true) === pythonJson(other, true);

function valuesThatDiffer(path: string, is: Value, wanted: Value): readonly string[] {
  if (isSame(is, wanted)) return [];
  const inside = (key: string) => (path === "" ? key : `${path}.${key}`);
  if (isMapping(is) && isMapping(wanted)) {
    const keys = new Set([...entriesOf(is), ...entriesOf(wanted)].map(([key]) => key));
    return [...keys].flatMap((key) => difference(inside(key), entryOf(is, key), entryOf(wanted, key)));
  }
  if (isList(is) && isList(wanted))
    return Array.from({ length: Math.max(is.length, wanted.length) }, (_, index) =>
      difference(inside(String(index)), is[index], wanted[index]),
    ).flat();
  return [`${path}: ${pythonJson(is)}, in the reference ${pythonJson(wanted)}`];
}

function difference(path: string, is: Value | undefined, wanted: Value | undefined): readonly string[] {
  if (is === undefined) return wanted === undefined ? [] : [`${path}: missing, in the reference ${pythonJson(wanted)}`];
  return wanted === undefined
    ? [`${path}: ${pythonJson(is)}, not in the reference`]
    : valuesThatDiffer(path, is, wanted);
}
