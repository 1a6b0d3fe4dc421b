/** The user's word for what is started, asked or told outside of this program: by `--allow`, or on the terminal. */
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

/** Throws `ArgumentProblem` where `--allow` names what is no program of the user's, `Problem` for what is no address of a Redis. */
export function checkAllowed({ programs }: Pick<SessionWorkbench, "programs">, named: readonly string[]): void {
  for (const url of named.filter(isAddress)) readRedisUrl(url);
  const known = programs.names();
  const unknown = named.find((name) => !isAddress(name) && !known.includes(name));
  if (unknown !== undefined)
    throw new ArgumentProblem(
      `Expected \`--allow\` to name a tool server or agent of yours (${known.join(", ") || "there is none"}), got \`${unknown}\``,
    );
}

/** Resolves to whether the runs of a cell may start; says why where they may not. What is agreed to is remembered. */
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

/** True where the user agrees that the password goes to this Redis unencrypted. */
async function agrees(url: string, named: readonly string[], { ask }: Asking): Promise<boolean> {
  return named.some((each) => isAddress(each) && sameServer(each, url)) || (await ask?.(consentQuestion(url))) === true;
}

/** Throws `ArgumentProblem` where runs of these cells would send the password unencrypted without the user's word, which is kept. */
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
 * The address of the Redis that a command was given, or else that of the settings; before anything is connected. Throws
 * `ArgumentProblem` where there is none, and where the password would go there unencrypted without the user's word, which is kept.
 */
export async function redisOf(
  given: string | undefined,
  named: readonly string[],
  settings: SettingsStore,
  context: Pick<CommandContext, "ask" | "stderr">,
): Promise<OwnRedis> {
  const url = given ?? settings.read().workers?.url;
  if (url === undefined)
    throw new ArgumentProblem("Expected the address of a Redis such as redis://HOST:6379, got none");
  if (!needsConsent(url, settings.read())) return ownRedis(url, settings.read());
  if (!(await agrees(url, named, context))) throw new ArgumentProblem(unencryptedText(url));
  try {
    keepConsent(url, settings);
  } catch (error) {
    // The settings of a worker may be read-only: its user's word then holds for this start.
    context.stderr(`${printable((error as Error).message)}\n`);
  }
  return ownRedis(url, { unencrypted: [url] });
}
