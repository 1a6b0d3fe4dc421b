/** What a file of the user's own (`--with FILE`) adds to the program. */
import type { EnvironmentSource } from "../engine/protocol.ts";
import type { Strategy } from "../engine/strategy.ts";
import type { Suite } from "../engine/suite.ts";
import type { Analysis } from "./public-api.ts";

export type Definition = {
  readonly suites?: readonly Suite[];
  /** Strategies by the name of the suite they are added to. */
  readonly strategies?: Readonly<Record<string, readonly Strategy[]>>;
  readonly analyses?: readonly Analysis[];
  /** Tools for suites whose cells name them (`tools: [NAME]`), by that name. */
  readonly environments?: Readonly<Record<string, EnvironmentSource>>;
};

/** A file that was loaded. */
export type Extension = {
  readonly path: string;
  readonly definition: Definition;
  /** The first 16 digits of the SHA-256 of its code. */
  readonly hash: string;
  /** `PATH:LINE` of the first line that fits, for messages; without one that of the definition. */
  place(fits?: (line: string) => boolean): string;
};

/** A file that cannot be used; the message names it and the line. */
export class ExtensionProblem extends Error {
  override readonly name = "ExtensionProblem";
}
