/** The environment variables of the user's programs, and the secrets that must not appear in texts from these programs. */
import { Problem } from "../../problem.ts";
import { shownName } from "../../settings/secret.ts";
import type { UserProgram } from "../../settings/user-program.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Variables that programs need for files and locale; none is secret. */
const usual = [
  "HOME",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "LOGNAME",
  "PATH",
  "SHELL",
  "TERM",
  "TMPDIR",
  "TZ",
  "USER",
] as const;

/** Shorter values are not treated as secrets: removing them everywhere would make texts unreadable. */
const shortestSecret = 6;

/** Returns the program's variables. Throws `Problem` if one that the user named is not set. */
export function programEnvironment({ name, environment = {} }: UserProgram, variables: Variables) {
  const own = Object.entries(environment).map(([its, ours]) => [its, valueOf(ours, name, variables)] as const);
  const common = usual.flatMap((each) => (variables[each] === undefined ? [] : [[each, variables[each]] as const]));
  return Object.fromEntries([...common, ...own]);
}

/** Returns the value of a variable that the user named for a program. Throws `Problem` if it is not set. */
export function valueOf(variable: string, program: string, variables: Variables): string {
  const value = variables[variable] ?? "";
  if (value !== "") return value;
  throw new Problem(
    "tool",
    `Expected a value for \`${program}\` in the environment variable \`${shownName(variable)}\`, found none`,
  );
}

/** Returns a function that removes the values of these variables from texts, because a program may print them. */
export function hidingSecrets(named: Readonly<Record<string, string>>, variables: Variables): (text: string) => string {
  const secrets = Object.values(named)
    .map((variable) => variables[variable] ?? "")
    .filter(({ length }) => length >= shortestSecret)
    .toSorted((one, other) => other.length - one.length);
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, "[key]"), text);
}
