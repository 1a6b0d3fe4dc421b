/** Reads the arguments of a command, with errors that name the flag. */
import { parseArgs } from "node:util";

/** Arguments that cannot be used; the message is shown to the user. */
export class ArgumentProblem extends Error {
  override readonly name = "ArgumentProblem";
}

/** What may stand in a place: one of a few words (`several`: separated by commas), or something of a kind. */
export type Taken =
  | { readonly words: readonly string[]; readonly several?: true }
  | "text"
  | "file"
  | "folder"
  | "session"
  | "cells"
  | "suite"
  | "endpoint"
  | "model";

/** The flags of a command by their names, with what stands behind each. */
export type Flags = { readonly [name: string]: Taken | "nothing" };

export type Arguments = {
  readonly positionals: readonly string[];
  /** The last one, where it is given several times. */
  text(flag: string): string | undefined;
  /** All of them, in order. */
  texts(flag: string): readonly string[];
  flag(flag: string): boolean;
  /** A number within the limits; undefined when the flag is absent. Throws `ArgumentProblem`. */
  number(
    flag: string,
    limits: { readonly least: number; readonly most?: number; readonly whole?: boolean },
  ): number | undefined;
};

/** Reads `args`. Throws `ArgumentProblem` for any flag that is not among `flags`. */
export function readArguments(args: readonly string[], flags: Flags): Arguments {
  const options: Record<string, { type: "string" | "boolean"; multiple?: boolean }> = {};
  for (const [name, taken] of Object.entries(flags))
    options[name] = taken === "nothing" ? { type: "boolean" } : { type: "string", multiple: true };
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new ArgumentProblem((error as Error).message);
  }
  const { values, positionals } = parsed;
  const all = (flag: string) => (Array.isArray(values[flag]) ? (values[flag] as readonly string[]) : []);
  const text = (flag: string) => all(flag).at(-1);
  return {
    positionals: positionals,
    text,
    texts: all,
    flag: (flag) => values[flag] === true,
    number(flag, { least, most = Number.MAX_SAFE_INTEGER, whole = false }) {
      const written = text(flag);
      if (written === undefined) return undefined;
      const value = written.trim() === "" ? Number.NaN : Number(written);
      if (value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
      const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
      throw new ArgumentProblem(
        `Expected \`--${flag}\` to be a ${whole ? "whole " : ""}number ${range}, got \`${written}\``,
      );
    },
  };
}
