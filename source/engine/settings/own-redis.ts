/**
 * The only way to connect to a Redis: an address that the user has given, in the settings or on the command line, and to which
 * the password may be sent. Connections accept nothing but an `OwnRedis`.
 */
import { BlockList, isIP } from "node:net";
import { Problem } from "../problem.ts";
import { readRedisUrl, redisAddress, redisName, redisPasswordVariable } from "./redis-place.ts";
import type { Settings, SettingsStore } from "./settings.ts";

declare const own: unique symbol;
/** Made by `ownRedis` alone. */
export type OwnRedis = string & { readonly [own]: true };

type Agreed = Pick<Settings, "unencrypted">;

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/**
 * Returns true for this machine. A name other than `localhost` counts as another machine, even if it resolves to this machine.
 */
function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === "localhost";
  return loopback.check(host, version === 6 ? "ipv6" : "ipv4");
}

/**
 * Returns whether a connection to this address needs the user's consent, because it sends the password unencrypted over a
 * network.
 */
export function needsConsent(url: string, { unencrypted = [] }: Agreed, environment = process.env): boolean {
  const place = readRedisUrl(url);
  const hasPassword = (environment[redisPasswordVariable] ?? "") !== "";
  return hasPassword && !place.tls && !isLoopback(place.host) && !unencrypted.some((each) => sameServer(each, url));
}

/**
 * Accepts an address from the settings or the command line, never one from a file of a session. Throws `Problem` if the address
 * is invalid, or if a connection needs the user's consent but has none.
 */
export function ownRedis(url: string, agreed: Agreed, environment = process.env): OwnRedis {
  if (needsConsent(url, agreed, environment)) throw new Problem("tool", unencryptedText(url));
  return url as OwnRedis;
}

/** Returns whether both addresses lead to the same server, even if they name different databases. */
export function sameServer(one: string, other: string): boolean {
  const [mine, theirs] = [one, other].map((url) => redisAddress({ ...readRedisUrl(url), db: 0 }));
  return mine === theirs;
}

/** Keeps the user's consent. Throws `SettingsProblem` if the settings cannot be written. */
export function keepConsent(url: string, settings: Pick<SettingsStore, "change">): void {
  settings.change((before) => ({ ...before, unencrypted: [...(before.unencrypted ?? []), url] }));
}

/** Returns the question for the user. */
export function consentQuestion(url: string): string {
  return `Send the password to ${redisName(readRedisUrl(url))} unencrypted over the network?`;
}

/** Returns the reason for a refusal, and its remedy. */
export function unencryptedText(url: string): string {
  const { host, port } = readRedisUrl(url);
  const name = redisName({ host, port });
  return `${redisPasswordVariable} would be sent to ${name} unencrypted over the network: use rediss://${name}, or add \`--allow redis://${name}\``;
}
