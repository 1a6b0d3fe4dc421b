/** The definition exported by a user's file (`--with FILE`). */
import type { EnvironmentSource } from "../engine/protocol.ts";
import type { Strategy } from "../engine/strategy.ts";
import type { Suite } from "../engine/suite.ts";
import type { Analysis } from "./public-api.ts";

export type Definition = {
  readonly suites?: readonly Suite[];
  /** Strategies by the name of the suite to which they are added. */
  readonly strategies?: Readonly<Record<string, readonly Strategy[]>>;
  readonly analyses?: readonly Analysis[];
  /** Tools by the name that cells use (`tools: [NAME]`). */
  readonly environments?: Readonly<Record<string, EnvironmentSource>>;
};

/** A loaded file. */
export type Extension = {
  readonly path: string;
  readonly definition: Definition;
  /** The first 16 digits of the SHA-256 of its code. */
  readonly hash: string;
  /** Returns `PATH:LINE` of the first matching line, for messages; without an argument, that of the definition. */
  place(fits?: (line: string) => boolean): string;
};

/** A file that cannot be used; the message names the file and the line. */
export class ExtensionProblem extends Error {
  override readonly name = "ExtensionProblem";
}
