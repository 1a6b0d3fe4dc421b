/** What every command gets and gives back. */
import type { Analysis } from "../engine/analysis.ts";
import type { Suite } from "../engine/suite.ts";

export type CommandContext = {
  stdout(text: string): void;
  stderr(text: string): void;
  readonly signal: AbortSignal;
  readonly suites: readonly Suite[];
  readonly analyses: readonly Analysis[];
};

export type Command = {
  readonly name: string;
  /** One line for `planwright help`. */
  readonly summary: string;
  readonly usage: string;
  /** Resolves to the exit status. May throw `ArgumentProblem` and the engine's problems: their words are shown, status 2. */
  run(args: readonly string[], context: CommandContext): Promise<number>;
};
