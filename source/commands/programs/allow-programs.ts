/** Obtains the user's permission to start programs: asks on the terminal, or reads `--allow`. */
import {
  consentQuestion,
  needsConsent,
  type OwnRedis,
  ownRedis,
  keepConsent,
  sameServer,
  unencryptedText,
} from "../../engine/settings/own-redis.ts";
import { readRedisUrl } from "../../engine/settings/redis-place.ts";
import type { SettingsStore } from "../../engine/settings/settings.ts";
import { printable } from "../../engine/text/printable.ts";
import { unallowedText } from "../../engine/workbench/document/session-programs.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import { ArgumentProblem } from "../shell/arguments.ts";
import type { CommandContext } from "../shell/command.ts";

const isAddress = (named: string): boolean => /^rediss?:/.test(named);

/** Throws `ArgumentProblem` if `--allow` names no program of the user, and `Problem` for an invalid address of a Redis. */
export function checkAllowed({ programs }: Pick<SessionWorkbench, "programs">, named: readonly string[]): void {
  for (const url of named.filter(isAddress)) readRedisUrl(url);
  const known = programs.names();
  const unknown = named.find((name) => !isAddress(name) && !known.includes(name));
  if (unknown !== undefined)
    throw new ArgumentProblem(
      `Expected \`--allow\` to name one of your tool servers, agents or processes (${known.join(", ") || "there are none yet"}), got \`${unknown}\``,
    );
}

/** Resolves to whether the runs of a cell may start, and reports why if they may not. Permissions are remembered. */
export async function allowPrograms(
  { programs }: Pick<SessionWorkbench, "programs">,
  cell: string,
  named: readonly string[],
  { ask, stderr }: Pick<CommandContext, "ask" | "stderr">,
): Promise<boolean> {
  for (const use of programs.unallowed(cell)) {
    const { name, what } = use;
    const question = `The session wants to use \`${name}\` (${printable(what)}). May the sessions of this folder use it?`;
    if (named.includes(name) || (await ask?.(question)) === true) programs.allow([use]);
    else {
      stderr(`${printable(unallowedText(use))}\n`);
      return false;
    }
  }
  return true;
}

type Asking = Pick<CommandContext, "ask">;

/** Returns true if the user agrees to send the password unencrypted to this Redis. */
const agrees = async (url: string, named: readonly string[], { ask }: Asking): Promise<boolean> =>
  named.some((each) => isAddress(each) && sameServer(each, url)) || (await ask?.(consentQuestion(url))) === true;

/**
 * Throws `ArgumentProblem` if runs of these cells would send the password unencrypted without the user's permission, which is
 * saved.
 */
export async function allowUnencrypted(
  { workers }: Pick<SessionWorkbench, "workers">,
  cells: readonly { readonly id: string }[],
  named: readonly string[],
  context: Asking,
): Promise<void> {
  for (const url of workers?.unagreed(cells.map(({ id }) => id)) ?? []) {
    if (!(await agrees(url, named, context))) throw new ArgumentProblem(unencryptedText(url));
    workers!.agree(url);
  }
}

/**
 * Returns the address of the Redis given to a command or in the settings, before anything connects. Throws `ArgumentProblem` if
 * there is no address, if `--allow` names anything but an address, or if the password would be sent unencrypted without the user's
 * permission, which is saved.
 */
export async function redisOf(
  given: string | undefined,
  named: readonly string[],
  settings: SettingsStore,
  context: Pick<CommandContext, "ask" | "stderr">,
): Promise<OwnRedis> {
  const url = given ?? settings.read().workers?.url;
  if (url === undefined)
    throw new ArgumentProblem("Expected the address of a Redis server, such as redis://HOST:6379, got none");
  const other = named.find((name) => !isAddress(name));
  if (other !== undefined)
    throw new ArgumentProblem(
      `Expected \`--allow\` to be the address of a Redis server, such as redis://HOST:6379, got \`${other}\``,
    );
  if (!needsConsent(url, settings.read())) return ownRedis(url, settings.read());
  if (!(await agrees(url, named, context))) throw new ArgumentProblem(unencryptedText(url));
  try {
    keepConsent(url, settings);
  } catch (error) {
    // A worker's settings may be read-only; its user's permission then lasts for this start.
    context.stderr(`${printable((error as Error).message)}\n`);
  }
  return ownRedis(url, { unencrypted: [url] });
}
