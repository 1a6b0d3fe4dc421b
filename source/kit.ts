/** What users' own files import as `planwright`: the public API. Semantic versions are kept for these names only. */
import type { Analysis } from "./engine/analysis.ts";
import type { EnvironmentSource } from "./engine/protocol.ts";
import type { Strategy } from "./engine/strategy.ts";
import type { Suite } from "./engine/suite.ts";

export { act } from "./engine/run/act.ts";
export { ask } from "./engine/run/ask.ts";

/** What a file given by `--with FILE` adds to the program. */
export type Definition = {
  readonly suites?: readonly Suite[];
  /** Strategies by the name of the suite they are added to. */
  readonly strategies?: Readonly<Record<string, readonly Strategy[]>>;
  readonly analyses?: readonly Analysis[];
  /** Tools for suites whose cells name them (`tools: [NAME]`), by that name. */
  readonly environments?: Readonly<Record<string, EnvironmentSource>>;
};

/** Says what a file defines: `export default define({ suites: [mine] })`. */
export function define(definition: Definition): Definition {
  return definition;
}
