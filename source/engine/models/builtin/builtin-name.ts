/** Names of built-in models: `oracle`, `slips?rate=0.2&seed=3`, `slips?app=0.1&missing-key=0.2`, `responder`, `replay?log=RUN`. */

import { ModelProblem } from "../problem.ts";

/** A built-in model that was asked for in a way it cannot answer; the message is for the person who asked. */
export class BuiltinProblem extends ModelProblem {
  override readonly name = "BuiltinProblem";
}

export type BuiltinName = {
  readonly kind: "oracle" | "slips" | "responder" | "replay";
  /** Milliseconds between tokens, so that people can watch; 0 is as fast as it goes. */
  readonly pace: number;
  /** Share of tasks with a mistake, spread evenly over the suite's kinds; undefined where rates are given by kind. */
  readonly rate: number | undefined;
  /** Share of tasks by kind of mistake. */
  readonly rates: ReadonlyMap<string, number>;
  /** Seed of the mistakes; the run's own seed when absent. */
  readonly seed: number | undefined;
  /** The run whose answers are given again. */
  readonly log: string | undefined;
};

const kinds = ["oracle", "slips", "responder", "replay"] as const;
const usualRate = 0.2;

/** Reads what follows `builtin/`. Throws `BuiltinProblem` saying what was expected. */
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
    throw new BuiltinProblem("Expected either `rate` or rates by kind of mistake, got both");
  const sum = [...rates.values()].reduce((total, each) => total + each, 0);
  if (sum > 1 + 1e-9) throw new BuiltinProblem(`Expected rates that add up to at most 1, got ${sum}`);
  if (kind === "replay" && (log === undefined || log === ""))
    throw new BuiltinProblem("Expected `builtin/replay?log=RUN`, got no `log`");
  if (kind === "slips" && rates.size === 0) rate ??= usualRate;
  return { kind, pace, rate, rates, seed, log };
}

function number(key: string, text: string, most: number): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!(value >= 0 && value <= most))
    throw new BuiltinProblem(`Expected \`${key}\` from 0 to ${most}, got \`${text}\``);
  return value;
}
