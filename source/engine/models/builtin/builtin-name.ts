/** Names of built-in models: `nothing`, `filler`, `oracle`, `slips?rate=0.2&seed=3`, `slips?app=0.1&missing-key=0.2`, `responder`, `replay?log=RUN`. */

import { ModelProblem } from "../problem.ts";

/** A request that a built-in model cannot answer; the message is for the user. */
export class BuiltinProblem extends ModelProblem {
  override readonly name = "BuiltinProblem";
}

export type BuiltinName = {
  readonly kind: (typeof kinds)[number];
  /** Milliseconds between tokens, to slow a run down for watching; 0 is as fast as possible. */
  readonly pace: number;
  /**
   * Fraction of tasks with a fault, spread evenly over the suite's kinds; undefined if rates are given by kind. A task that does
   * not allow the drawn kind gets a kind that it allows.
   */
  readonly rate: number | undefined;
  /** Fraction of tasks by kind of fault. A task that does not allow the drawn kind is answered without a fault. */
  readonly rates: ReadonlyMap<string, number>;
  /** Seed of the faults; the run's own seed when absent. */
  readonly seed: number | undefined;
  /** The run whose replies are replayed. */
  readonly log: string | undefined;
};

const kinds = ["oracle", "slips", "responder", "replay", "nothing", "filler"] as const;
/** Built-in models that use only the request. */
export const keyless: ReadonlySet<BuiltinName["kind"]> = new Set(["nothing", "filler"] as const);
const defaultRate = 0.2;

/** Parses the name after `builtin/`. Throws `BuiltinProblem` with the expected form. */
export function readBuiltinName(text: string): BuiltinName {
  const cut = text.indexOf("?");
  const word = cut === -1 ? text : text.slice(0, cut);
  const kind = kinds.find((known) => known === word);
  if (kind === undefined) throw new BuiltinProblem(`Expected a built-in model (${kinds.join(", ")}), got \`${word}\``);
  const rates = new Map<string, number>();
  let rate: number | undefined;
  let seed: number | undefined;
  let log: string | undefined;
  let pace = 0;
  for (const [key, value] of new URLSearchParams(cut === -1 ? "" : text.slice(cut + 1))) {
    if (key === "pace") pace = number(key, value, 60_000);
    else if (kind === "slips" && key === "rate") rate = number(key, value, 1);
    else if (kind === "slips" && key === "seed") seed = number(key, value, 2 ** 32 - 1);
    else if (kind === "slips") rates.set(key, number(key, value, 1));
    else if (kind === "replay" && key === "log") log = value;
    else throw new BuiltinProblem(`Expected no setting \`${key}\` for \`builtin/${kind}\``);
  }
  if (rate !== undefined && rates.size > 0)
    throw new BuiltinProblem("Expected either `rate` or rates by kind of fault, got both");
  const sum = [...rates.values()].reduce((total, each) => total + each, 0);
  if (sum > 1 + 1e-9) throw new BuiltinProblem(`Expected rates that add up to at most 1, got ${sum}`);
  if (kind === "replay" && (log === undefined || log === ""))
    throw new BuiltinProblem("Expected `builtin/replay?log=RUN`, got no `log`");
  if (log !== undefined && !/^[\w-]+$/.test(log))
    throw new BuiltinProblem(`Expected \`log\` to be the id of a run of this session, got \`${log}\``);
  if (kind === "slips" && rates.size === 0) rate ??= defaultRate;
  return { kind, pace, rate, rates, seed, log };
}

function number(key: string, text: string, most: number): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!(value >= 0 && value <= most))
    throw new BuiltinProblem(`Expected \`${key}\` from 0 to ${most}, got \`${text}\``);
  return value;
}
