/** Opens the settings of the user. */
import { endForsaken, notesOfPrograms } from "../../engine/run/programs/program-note.ts";
import { openSettings, type SettingsStore } from "../../engine/settings/settings.ts";
import type { CommandContext } from "./command.ts";
import { dirname, resolve } from "node:path";
import { ArgumentProblem, type Flags } from "./arguments.ts";

/**
 * Opens the settings and reports their errors; the command continues without invalid settings. Ends programs listed next to the
 * settings that killed processes left running.
 */
export async function userSettings({ stderr }: Pick<CommandContext, "stderr">): Promise<SettingsStore> {
  const settings = await openSettings();
  if (settings.problem !== undefined) stderr(`${settings.problem}\n`);
  const notes = notesOfPrograms(settings);
  if (notes !== undefined) endForsaken(notes);
  return settings;
}

/** Every command accepts it. */
export const withFlag: Flags = { with: "file" };

/**
 * Returns the files, and the command line without them. Arguments after `--` belong to another program. Throws `ArgumentProblem`
 * for a flag without a file.
 */
export function withFiles(args: readonly string[]): { readonly files: readonly string[]; readonly rest: string[] } {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const files: string[] = [];
  const rest: string[] = [];
  for (let index = 0; index < end; index++) {
    const arg = args[index]!;
    const file = arg === "--with" ? args[++index] : arg.startsWith("--with=") ? arg.slice("--with=".length) : undefined;
    if (arg !== "--with" && file === undefined) rest.push(arg);
    else if (file === undefined || file === "" || index >= end)
      throw new ArgumentProblem("Expected a file after `--with`, got none");
    else files.push(file);
  }
  return { files, rest: [...rest, ...args.slice(end)] };
}

/** Returns the definitions with those of the user's files: the files named in the settings and those of the command. */
export async function withExtensions<Context extends Pick<CommandContext, "stderr" | "suites" | "analyses">>(
  context: Context,
  files: readonly string[],
): Promise<Context & Pick<CommandContext, "own" | "ownFiles">> {
  const { path, read } = await userSettings(context);
  const named = [
    ...(read().with ?? []).map((file) => resolve(dirname(path), file)),
    ...files.map((file) => resolve(file)),
  ];
  if (named.length === 0) return context;
  const { extended, loadExtensions } = await import("../../extension/extensions.ts");
  return { ...context, ...extended(context, await loadExtensions(named)), ownFiles: named };
}
