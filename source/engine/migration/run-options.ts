/** Options that saved runs lack because they were added later: `Option.former` is the value that these runs had. */
import { applies, type Option, optionsFor } from "../option.ts";
import type { Suite } from "../suite.ts";
import type { RunSpec } from "../types.ts";

/** Returns the value of an option in runs older than the option; undefined if the option always existed. */
export const formerValue = (options: readonly Option[], name: string): Option["former"] =>
  options.find((option) => option.name === name)?.former;

/** Returns a run's options as a cell must write them, including options that the run lacks because they were added later. */
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
