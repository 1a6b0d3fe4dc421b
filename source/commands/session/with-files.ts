/** `--with FILE`, which stands anywhere in a command line. */
import { dirname, resolve } from "node:path";
import { ArgumentProblem, type Flags } from "../shell/arguments.ts";
import type { CommandContext } from "../shell/command.ts";
import { userSettings } from "../shell/user-settings.ts";

/** Every command takes it. */
export const withFlag: Flags = { with: "file" };

/** The files, and the command line without them. What stands behind `--` is another program's. Throws `ArgumentProblem`. */
export function withFiles(args: readonly string[]): { readonly files: readonly string[]; readonly rest: string[] } {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const files: string[] = [];
  const rest: string[] = [];
  for (let index = 0; index < end; index++) {
    const arg = args[index]!;
    const file = arg === "--with" ? args[++index] : arg.startsWith("--with=") ? arg.slice("--with=".length) : undefined;
    if (arg !== "--with" && file === undefined) rest.push(arg);
    else if (file === undefined || file === "" || index >= end)
      throw new ArgumentProblem("Expected a file behind `--with`, got none");
    else files.push(file);
  }
  return { files, rest: [...rest, ...args.slice(end)] };
}

/** What there is with what the user's files add to it: those that the settings name, and those of the command. */
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
