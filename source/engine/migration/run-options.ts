/** Options that saved runs lack, because they became a choice later: `Option.former` is the value that these runs had. */
import { applies, type Option, optionsFor } from "../option.ts";
import type { Suite } from "../suite.ts";
import type { RunSpec } from "../types.ts";

/** The value of an option in runs from before it was a choice; undefined if it always was one. */
export function formerValue(options: readonly Option[], name: string): Option["former"] {
  return options.find((option) => option.name === name)?.former;
}

/** A run's options as a cell has to write them: with those that are left out of the run because they were no choice then. */
export function writtenOptions(suite: Suite, { options, strategy }: RunSpec): RunSpec["options"] {
  const offered = optionsFor(
    suite,
    suite.strategies.find(({ name }) => name === strategy),
  );
  const former = offered.flatMap((option) =>
    option.former !== undefined && applies(option, { ...options, strategy }) ? [[option.name, option.former]] : [],
  );
  return { ...(Object.fromEntries(former) as RunSpec["options"]), ...options };
}
