/** Parses the arguments of a command, with errors that name the flag. */
import { parseArgs } from "node:util";
import { similarName } from "../../engine/text/similar-name.ts";

/** Arguments that cannot be used; the message is shown to the user. */
export class ArgumentProblem extends Error {
  override readonly name = "ArgumentProblem";
}

/** Accepted values: a few words (`several`: separated by commas), or a kind of value. */
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

/** The flags of a command by name, with the values they accept. */
export type Flags = { readonly [name: string]: Taken | "nothing" };

export type Arguments = {
  readonly positionals: readonly string[];
  /** Returns the last value if the flag is given several times. */
  text(flag: string): string | undefined;
  /** Returns the value of a flag that the command cannot do without. Throws `ArgumentProblem` with its `form`. */
  needed(flag: string, form: string): string;
  /** Returns all values in order. */
  texts(flag: string): readonly string[];
  flag(flag: string): boolean;
  /** Returns a number within the limits, or undefined if the flag is absent. Throws `ArgumentProblem`. */
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
  const read = parseArgs({ args: [...args], options, allowPositionals: true, strict: false, tokens: true });
  for (const token of read.tokens) if (token.kind === "option") checkFlag(token, flags);
  const { positionals } = read;
  const values: Readonly<Record<string, unknown>> = read.values;
  const all = (flag: string) => (Array.isArray(values[flag]) ? (values[flag] as readonly string[]) : []);
  const text = (flag: string) => all(flag).at(-1);
  return {
    positionals,
    text,
    needed(flag, form) {
      const written = text(flag);
      if (written === undefined) throw new ArgumentProblem(`Expected \`--${flag} ${form}\`, got none`);
      return written;
    },
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

type FlagToken = {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
};

/** Throws for an unknown flag, a flag without its value, or a value after a flag that takes none. */
function checkFlag({ name, rawName, value, inlineValue }: FlagToken, flags: Flags): void {
  if (!Object.hasOwn(flags, name) || !rawName.startsWith("--")) {
    const names = Object.keys(flags);
    const like = similarName(name, names);
    const known = names.length === 0 ? "no flags" : `one of ${names.map((each) => `--${each}`).join(", ")}`;
    throw new ArgumentProblem(
      `Expected ${like === undefined ? known : `a flag such as \`--${like}\``}, got \`${rawName}\``,
    );
  }
  if (flags[name] === "nothing") {
    if (value !== undefined) throw new ArgumentProblem(`Expected \`--${name}\` to have no value, got \`${value}\``);
  } else if (value === undefined) throw new ArgumentProblem(`Expected \`--${name}\` to have a value, got none`);
  // A value that looks like a flag means this flag's value was forgotten, unless it follows `=`.
  else if (inlineValue !== true && value.length > 1 && value.startsWith("-"))
    throw new ArgumentProblem(
      `Expected \`--${name}\` to have a value, got \`${value}\`: write --${name}=${value} if that is the value`,
    );
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Timers have this limit. */
const mostDays = 24;

/** Returns `90s`, `30m`, `2h`, `1d` or `1h30m` in milliseconds. Throws `ArgumentProblem` with the name of the flag. */
export function readDuration(flag: string, written: string): number {
  const parts = [...written.matchAll(/(\d{1,9}(?:\.\d{1,9})?)([smhd])/g)];
  const whole = parts.map(([part]) => part).join("");
  const sum = parts.reduce((total, [, amount, unit]) => total + Number(amount) * units[unit!]!, 0);
  if (whole === written && sum > 0 && sum <= mostDays * units["d"]!) return sum;
  throw new ArgumentProblem(
    `Expected \`--${flag}\` to be a time such as 90s, 30m, 2h or 1h30m, at most ${mostDays} days, got \`${written}\``,
  );
}

const sizeUnits: Readonly<Record<string, number>> = { MB: 1024 ** 2, GB: 1024 ** 3 };

/** Returns bytes. Throws `ArgumentProblem` if the text is not a number with a unit. */
export function readSize(flag: string, written: string): number {
  const [, amount, unit] = /^(\d{1,6}(?:\.\d{1,3})?)(MB|GB)$/.exec(written.toUpperCase()) ?? [];
  const bytes = Math.floor(Number(amount) * (sizeUnits[unit ?? ""] ?? 0));
  if (bytes > 0) return bytes;
  throw new ArgumentProblem(`Expected \`--${flag}\` to be a size such as 600MB or 4GB, got \`${written}\``);
}
