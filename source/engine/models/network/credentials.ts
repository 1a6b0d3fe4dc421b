/** Reads values of an endpoint from environment variables: its key and its headers. */
import type { Endpoint } from "../../settings/settings.ts";
import { shownName } from "../../settings/secret.ts";
import { ModelProblem } from "../problem.ts";
import { protocolOf } from "../protocols/protocols.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export type Credentials = {
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Texts that no message may show. */
  readonly secrets: readonly string[];
};

/** Shorter header values are not treated as secrets: removing them everywhere would make messages unreadable. */
const shortestSecret = 6;

/** Throws `ModelProblem` if a variable that the endpoint names is not set. */
export function credentialsOf(endpoint: Endpoint, environment: Environment): Credentials {
  const { keyEnv, headers = {} } = endpoint;
  const key = keyEnv === undefined ? undefined : valueOf(keyEnv, "the key", endpoint, environment);
  const own = Object.entries(headers).map(
    ([name, variable]) => [name, valueOf(variable, `the header \`${name}\``, endpoint, environment)] as const,
  );
  const secrets = own.map(([, value]) => value).filter(({ length }) => length >= shortestSecret);
  return {
    headers: { ...protocolOf(endpoint).headers(key), ...Object.fromEntries(own) },
    secrets: key === undefined ? secrets : [key, ...secrets],
  };
}

function valueOf(variable: string, what: string, { name }: Endpoint, environment: Environment): string {
  const value = environment[variable]?.trim() ?? "";
  if (value === "")
    throw new ModelProblem(
      `Expected ${what} of endpoint \`${name}\` in the environment variable \`${shownName(variable)}\`, found none`,
    );
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new ModelProblem(
      `Expected ${what} of endpoint \`${name}\` to be one line of plain letters, digits and signs; the value of the environment variable \`${shownName(variable)}\` cannot be sent`,
    );
  return value;
}
