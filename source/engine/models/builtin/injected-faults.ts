/** Which task gets which mistake from `builtin/slips`. */
import { randomFrom } from "../../statistics/random.ts";
import type { Asked, Reply } from "../../protocol.ts";
import { perfectReply, type LoadedSuite } from "../../loaded-suite.ts";
import type { Task } from "../../types.ts";
import type { BuiltinName } from "./builtin-name.ts";
import { BuiltinProblem } from "./builtin-name.ts";

/**
 * The oracle's reply, or one with a mistake. A task gets at most one kind of mistake, drawn with the given rates from a
 * stream seeded by seed, trial, task id and the run's settings: every request of the task draws the same, and runs that are
 * compared with each other err independently. Where a bench cannot make that mistake in this request, the oracle answers.
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
export function faultRates(
  loaded: Pick<LoadedSuite, "suite">,
  { rate, rates }: BuiltinName,
): readonly (readonly [string, number])[] {
  const known = loaded.suite.faultKinds.map((kind) => kind.name);
  for (const kind of rates.keys()) {
    if (!known.includes(kind))
      throw new BuiltinProblem(
        `Expected a kind of mistake that \`${loaded.suite.name}\` knows (${known.join(", ")}), got \`${kind}\``,
      );
  }
  return known.map((kind) => [kind, rate === undefined ? (rates.get(kind) ?? 0) : rate / known.length] as const);
}

/** The kind whose share of the range from 0 to 1 holds `drawn`; undefined beyond all shares. */
export function faultKind(rates: readonly (readonly [string, number])[], drawn: number): string | undefined {
  let edge = 0;
  for (const [kind, rate] of rates) {
    edge += rate;
    if (drawn < edge) return kind;
  }
  return undefined;
}
