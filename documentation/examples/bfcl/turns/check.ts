/**
 * Whether the calls of a model do what they should, after BFCL's `multi_turn_checker`: after each turn in which something is to be
 * done, the model's systems have the state of those in which the right calls were made, and every result of a right call is
 * among the results that the model has got so far.
 */
import { type World, Systems } from "./execute.ts";
import type { Py } from "./python/value.ts";

/** Calls by turn and step, as texts in Python. */
export type Turns = readonly (readonly (readonly string[])[])[];

export type Refusal = {
  readonly kind: "empty-turn" | "state" | "results";
  readonly turn: number;
  /** The system and its attributes that differ. */
  readonly system?: string;
  readonly attributes?: readonly string[];
  /** Results that the model has not got. */
  readonly missing?: readonly string[];
};

/** Who asks, in the names of systems. */
const who = "planwright";

/** Returns what is wrong with the calls; undefined if they are right. `turns` has as many turns as `right`. */
export function refusalOf(world: World, turns: Turns, right: readonly (readonly string[])[]): Refusal | undefined {
  const shared = new Map<string, Py>();
  let own: Systems | undefined;
  let official: Systems | undefined;
  const results: string[] = [];
  for (const [turn, wanted] of right.entries()) {
    const steps = (turns[turn] ?? []).filter((calls) => calls.length > 0);
    if (steps.length > 0) own ??= new Systems(world, `${who}_eval`, shared);
    for (const calls of steps) results.push(...calls.map((call) => own!.execute(call)));
    official ??= new Systems(world, `${who}_ground_truth_eval`, shared);
    const expected = wanted.map((call) => official!.execute(call));
    if (wanted.length === 0) continue;
    if (steps.length === 0 || own === undefined) return { kind: "empty-turn", turn };
    for (const [name, system] of official.byClass) {
      const attributes = system.differences(own.byClass.get(name)!);
      if (attributes.length > 0) return { kind: "state", turn, system: name, attributes };
    }
    const missing = notAmong(expected, results);
    if (missing.length > 0) return { kind: "results", turn, missing };
  }
  return undefined;
}

/** Returns what is left of `wanted` when each text takes one equal text of `all` away. */
function notAmong(wanted: readonly string[], all: readonly string[]): readonly string[] {
  const left = [...all];
  return wanted.filter((each) => {
    const at = left.indexOf(each);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}
