/** Loads the code of a notebook after the user has allowed the sessions of its folder to load it. */
import { realpathSync } from "node:fs";
import { Problem } from "../../engine/problem.ts";
import { readFrontMatter } from "../../engine/session/document/notebook-fields.ts";
import { readSession } from "../../engine/session/document/session-document.ts";
import type { SessionFolder } from "../../engine/session/session-folder.ts";
import { FolderConsent, type SettingsStore } from "../../engine/settings/settings.ts";
import { counted } from "../../engine/text/counted.ts";
import { printable } from "../../engine/text/printable.ts";
import { ExtensionProblem } from "../../extension/definition.ts";
import type { NotebookFile } from "../../extension/notebook-code.ts";
import type { CommandContext } from "../shell/command.ts";

type Asked = {
  /** Files that the command allows. */
  readonly allow: readonly string[];
  /** True to ask the user about files that the command does not allow. */
  readonly asks: boolean;
};

/** Returns the files of code that a notebook's front matter names. */
export function filesOfCode(folder: SessionFolder): readonly string[] {
  const [front] = folder.exists() ? readSession(folder.read()).segments : [];
  return front?.kind === "front-matter" ? readFrontMatter(front.source, []).code.files : [];
}

/**
 * Resolves to the context with the notebook's code. If it is not allowed, or cannot be used, parts known from its logs replace
 * it, so that its runs can be read.
 */
export async function withNotebookCode<Context extends CommandContext>(
  context: Context,
  folder: SessionFolder,
  settings: SettingsStore,
  { allow, asks }: Asked,
): Promise<Context> {
  const names = filesOfCode(folder);
  if (names.length === 0) return context;
  const [{ extended, loadExtensions }, { readNotebookFile, sourceOfNotebook }, { withStandIns }] = await Promise.all([
    import("../../extension/extensions.ts"),
    import("../../extension/notebook-code.ts"),
    import("../../extension/stand-ins.ts"),
  ]);
  const noted = { ...context, own: { ...context.own, notebook: { files: names } } };
  const standIns = (why: string) => {
    const shown = `The notebook's own code is not loaded: ${why}`;
    return { ...noted, ...withStandIns(noted, folder, shown), standIn: shown };
  };
  try {
    // The files of `--with` are loaded already.
    const loaded = new Set(
      (context.ownFiles ?? []).map((file) => (typeof file === "string" ? realpathSync(file) : file.entry)),
    );
    const files = names.map((name) => readNotebookFile(folder.path, name)).filter(({ entry }) => !loaded.has(entry));
    if (
      !(await areAllowed(files, new FolderConsent(folder.path, settings), {
        allow,
        ask: asks ? context.ask : undefined,
      }))
    )
      return standIns(howToAllow(files, folder));
    const sources = files.map(sourceOfNotebook);
    const program = extended(noted, await loadExtensions(sources));
    return { ...noted, ...program, ownFiles: [...(context.ownFiles ?? []), ...sources] };
  } catch (error) {
    if (error instanceof ExtensionProblem || error instanceof Problem) return standIns(error.message);
    throw error;
  }
}

/** Resolves to whether the user allowed exactly this code, earlier or now; a new permission is saved. */
async function areAllowed(
  files: readonly NotebookFile[],
  consent: FolderConsent,
  { allow, ask }: { readonly allow: readonly string[]; readonly ask: CommandContext["ask"] },
): Promise<boolean> {
  const given = consent.given();
  const open = files.filter(({ identity }) => !given.includes(identity));
  const asked = open.filter(({ name }) => !allow.includes(name));
  const isAllowed = asked.length === 0 || (await ask?.(question(asked))) === true;
  if (isAllowed && open.length > 0) consent.add(open.map(({ identity }) => identity));
  return isAllowed;
}

function question(files: readonly NotebookFile[]): string {
  const named = files.map(({ name, written, identity }) => {
    const more = written.size > 1 ? `, with ${counted(written.size - 1, "imported file")}` : "";
    return `${name} (${identity.slice("code ".length, "code ".length + 16)}${more})`;
  });
  return `The notebook contains its own code: ${printable(named.join(", "))}. It runs with all your permissions. May the sessions of this folder load it until it changes?`;
}

function howToAllow(files: readonly NotebookFile[], folder: SessionFolder): string {
  const flags = files.map(({ name }) => `--allow ${name}`).join(" ");
  return `read it, and agree when you open the notebook in a terminal, or use \`planwright run ${folder.path} ${flags}\``;
}
