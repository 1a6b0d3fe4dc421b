/** Error injection by `builtin/slips`: which task gets which fault. */
import { randomFrom } from "../../statistics/random.ts";
import type { Asked, Reply } from "../../protocol.ts";
import { perfectReply, type LoadedSuite } from "../../loaded-suite.ts";
import type { Task } from "../../types.ts";
import type { BuiltinName } from "./builtin-name.ts";
import { BuiltinProblem } from "./builtin-name.ts";

/**
 * The oracle's reply, or one with an injected fault. A task gets at most one kind of fault, drawn with the given rates from
 * a stream seeded by seed, trial, task id and the run's settings: all requests of a task draw the same kind, and runs that
 * are compared have independent faults. Where the suite cannot inject that fault into this request, the oracle answers.
 */
export function faultyReply(loaded: LoadedSuite, task: Task, asked: Asked, name: BuiltinName): Reply {
  const { seed, trial, strategy, shots, options } = asked.spec;
  const random = randomFrom([name.seed ?? seed, trial, task.id, strategy, shots, JSON.stringify(options)].join("/"));
  const kind = faultKind(faultRates(loaded, name), random());
  return (
    (kind === undefined ? undefined : loaded.fault?.(task, asked, kind, random)) ?? perfectReply(loaded, task, asked)
  );
}

/** The rate of each kind, in the suite's order. Throws `BuiltinProblem` for a kind the suite does not know. */
function faultRates(
  loaded: Pick<LoadedSuite, "suite">,
  { rate, rates }: BuiltinName,
): readonly (readonly [string, number])[] {
  const known = loaded.suite.faultKinds.map((kind) => kind.name);
  for (const kind of rates.keys()) {
    if (!known.includes(kind))
      throw new BuiltinProblem(
        `Expected a kind of fault of \`${loaded.suite.name}\` (${known.join(", ")}), got \`${kind}\``,
      );
  }
  return known.map((kind) => [kind, rate === undefined ? (rates.get(kind) ?? 0) : rate / known.length] as const);
}

/** The kind whose interval of the range from 0 to 1 contains `draw`; undefined beyond all intervals. */
function faultKind(rates: readonly (readonly [string, number])[], draw: number): string | undefined {
  let cumulative = 0;
  for (const [kind, rate] of rates) {
    cumulative += rate;
    if (draw < cumulative) return kind;
  }
  return undefined;
}
