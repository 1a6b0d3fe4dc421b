/** What a program of the user's finds in its environment, and what no text of it may show. */
import { Problem } from "../../problem.ts";
import { shownName } from "../../settings/secret.ts";
import type { UserProgram } from "../../settings/user-program.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** What programs need to find their way, and nothing that is secret. */
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

/** Shorter values are no secrets: removing them everywhere would make texts unreadable. */
const shortestSecret = 6;

/** The variables it is given. Throws `Problem` where one that the user named is not set. */
export function programEnvironment(
  { name, environment = {} }: UserProgram,
  variables: Variables,
): Record<string, string> {
  const own = Object.entries(environment).map(([its, ours]) => [its, valueOf(ours, name, variables)] as const);
  const common = usual.flatMap((each) => (variables[each] === undefined ? [] : [[each, variables[each]] as const]));
  return Object.fromEntries([...common, ...own]);
}

/** The value of a variable the user named for a program. Throws `Problem` where it is not set. */
export function valueOf(variable: string, program: string, variables: Variables): string {
  const value = variables[variable] ?? "";
  if (value !== "") return value;
  throw new Problem(
    "tool",
    `Expected a value for \`${program}\` in the environment variable \`${shownName(variable)}\`, found none`,
  );
}

/** Takes the values of these variables out of texts: a program may say what it was given. */
export function hidingSecrets(named: Readonly<Record<string, string>>, variables: Variables): (text: string) => string {
  const secrets = Object.values(named)
    .map((variable) => variables[variable] ?? "")
    .filter(({ length }) => length >= shortestSecret)
    .toSorted((one, other) => other.length - one.length);
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, "[key]"), text);
}
