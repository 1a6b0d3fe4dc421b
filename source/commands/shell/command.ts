/** The type of every command. */
import type { Worker } from "node:worker_threads";
import type { Analysis } from "../../engine/analysis.ts";
import type { Suite } from "../../engine/suite.ts";
import type { OwnParts } from "../../engine/workbench/document/loaded-suites.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import type { Flags, Taken } from "./arguments.ts";
import type { OwnSource } from "../../extension/own-source.ts";
import type { ScreenLook } from "../session/screen-flags.ts";

/** Maximum milliseconds from an interruption to the end of a program that executes runs. Work in progress does not extend it. */
export const longestEnding = 4000;

/** A file of the user's code by its path, or the content of a file that the notebook brings. */
export type OwnFile = string | OwnSource;

/** Output, and a signal that is aborted when the user interrupts the command. */
export type EndpointContext = {
  stdout(text: string): void;
  stderr(text: string): void;
  readonly signal: AbortSignal;
};

export type CommandContext = EndpointContext & {
  readonly suites: readonly Suite[];
  readonly analyses: readonly Analysis[];
  /** Suites and analyses of the user's own code (`--with FILE`); absent if there is no such code. */
  readonly own?: OwnParts;
  /** Files of the user's own code; absent if there are none. */
  readonly ownFiles?: readonly OwnFile[];
  /** The reason why the code of the opened notebook is not loaded and other parts replace it; absent if it is loaded. */
  readonly standIn?: string;
  /** Prints Markdown formatted for the terminal, in lines of at most `columns`; absent if the output is not a terminal. */
  showPage?(markdown: string, columns: number): Promise<void>;
  /** Replaces the previous lines of `redraw` at the end of standard error; absent if standard error is not a terminal. */
  redraw?(lines: readonly string[]): void;
  /** Asks the user a yes/no question; absent if there is no terminal. */
  ask?(question: string): Promise<boolean>;
  /** Starts the thread of a session's analyses; absent without a screen, which the analyses must not block. */
  startThread?(session: string, own: readonly OwnFile[], standIn?: string): Worker;
  /** Shows a notebook until the user leaves it, closes it and resolves to the exit status; absent without a screen. */
  show?(workbench: SessionWorkbench, look: ScreenLook): Promise<number>;
};

export type Command = {
  readonly name: string;
  /** One line for `planwright help`. */
  readonly summary: string;
  readonly usage: string;
  /** Positional arguments, in order. */
  readonly takes: readonly Taken[];
  readonly flags: Flags;
  /**
   * Maximum milliseconds from an interruption to the end of the program, even if it still waits; absent: the program ends when
   * the command has ended.
   */
  readonly longestEnding?: number;
  /** Flags that only some suites have. */
  suiteFlags?(suites: readonly Suite[]): Flags;
  /**
   * Resolves to the exit status. May throw `ArgumentProblem` and the engine's problems; their message is shown, with status 2.
   */
  run(args: readonly string[], context: CommandContext): Promise<number>;
};
