/** The user's own code (`--with FILE`) in the settings of a run: results of other code must not pass as its. */
import type { Suite } from "../suite.ts";
import type { RunSpec } from "../types.ts";
import { familyName } from "./file-suite.ts";

/** The hash of the code that defines each part, by the part's name; of strategies, by suite and name. Built-in parts are in none. */
export type OwnCode = {
  readonly suites: ReadonlyMap<string, string>;
  readonly strategies: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly environments: ReadonlyMap<string, string>;
};

/** The code that decides what comes of a run; undefined where all of it is built in. */
export function codeOfRun(code: OwnCode, spec: RunSpec, suite: Suite): RunSpec["code"] {
  const family = familyName(suite.name)!;
  const environments = suite.environmentsOf?.(spec) ?? [];
  const hashes = {
    suite: code.suites.get(family),
    strategy: code.strategies.get(family)?.get(spec.strategy),
    ...Object.fromEntries(environments.map((name) => [`environment:${name}`, code.environments.get(name)])),
  };
  const found = Object.entries(hashes).flatMap(([part, hash]) => (hash === undefined ? [] : [[part, hash] as const]));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
