/** Finds the proxy between this machine and a server from the usual environment variables. */
import { ModelProblem } from "../problem.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export type Proxy = {
  /** The environment variable that names the proxy. */
  readonly variable: string;
  /** May contain a user's name and password, so the address is never shown. */
  readonly url: string;
  /** Host and port, to be shown. */
  readonly address: string;
};

/**
 * Returns the proxy for this URL: `HTTPS_PROXY` or `HTTP_PROXY` (lower case first, as curl reads them), unless `NO_PROXY`
 * contains the host. Undefined for loopback, whatever the variables contain. Throws `ModelProblem` if the variable does not
 * contain a URL.
 */
export function proxyFor(url: string, environment: Environment): Proxy | undefined {
  const { protocol, hostname, port } = new URL(url);
  if (isLoopback(hostname) || isExcepted(hostname, port, environment)) return undefined;
  const name = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const variable = [name.toLowerCase(), name].find((each) => (environment[each] ?? "").trim() !== "");
  if (variable === undefined) return undefined;
  const text = environment[variable]!.trim();
  const given = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const proxy = URL.canParse(given) ? new URL(given) : undefined;
  if (proxy === undefined || !/^https?:$/.test(proxy.protocol))
    throw new ModelProblem(`Expected the address of an http proxy in the environment variable \`${variable}\``);
  proxy.pathname = "";
  return { variable, url: proxy.href, address: proxy.host };
}

/** Describes the environment's effect on requests to this URL. */
export function wayTo(url: string, environment: Environment): string {
  const proxy = proxyFor(url, environment);
  const way = proxy === undefined ? "directly" : `through the proxy ${proxy.address} (${proxy.variable})`;
  const certificates = environment["NODE_EXTRA_CA_CERTS"] ?? "";
  return certificates === "" ? way : `${way}, with the certificates of NODE_EXTRA_CA_CERTS`;
}

/** Returns true if this host is the machine itself. */
function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase();
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
}

/** Parses `NO_PROXY`: `*`, or hosts (including all hosts below them) separated by commas, each with or without a port. */
function isExcepted(hostname: string, port: string, environment: Environment): boolean {
  const host = hostname.toLowerCase();
  const list = environment["no_proxy"] || environment["NO_PROXY"] || "";
  return list.split(/[\s,]+/).some((entry) => {
    const [, name = "", only] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === "*") return true;
    const bare = name.replace(/^\*?\./, "");
    if (bare === "" || (only !== undefined && only !== port)) return false;
    return host === bare || host.endsWith(`.${bare}`);
  });
}
