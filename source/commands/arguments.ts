/** Reads the arguments of a command, with errors that name the flag. */
import { parseArgs } from "node:util";

/** Arguments that cannot be used; the message is shown to the user. */
export class ArgumentProblem extends Error {
  override readonly name = "ArgumentProblem";
}

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

/** Reads `args`: flags in `texts` take a value, those in `flags` none. Throws `ArgumentProblem` for any other. */
export function readArguments(
  args: readonly string[],
  texts: readonly string[],
  flags: readonly string[] = [],
): Arguments {
  const options: Record<string, { type: "string" | "boolean"; multiple?: boolean }> = {};
  for (const name of texts) options[name] = { type: "string", multiple: true };
  for (const name of flags) options[name] = { type: "boolean" };
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
