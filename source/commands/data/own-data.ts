/** `planwright data add SUITE --own NAME`: adds the user's own tasks in a benchmark's layout; only the layout is checked. */
import { rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { copyFolder } from "../../engine/files/replace-folder.ts";
import { isOwnName, ownData } from "../../engine/session/file-suite.ts";
import { type Settings, SettingsProblem } from "../../engine/settings/settings.ts";
import type { Suite } from "../../engine/suite.ts";
import { DataProblem } from "../../engine/text/json-lines.ts";
import { checkForm, installOwnData, ownFolder } from "../../engine/workbench/document/installed-data.ts";
import { ArgumentProblem } from "../shell/arguments.ts";
import type { CommandContext } from "../shell/command.ts";
import { userSettings } from "../shell/user-settings.ts";

/** Throws `ArgumentProblem`, or `DataProblem` for data in another layout; neither changes anything. */
export async function addOwnData(
  suite: Suite,
  name: string,
  from: string | undefined,
  context: CommandContext,
): Promise<number> {
  checkName(suite, name);
  if (from === undefined || statSync(from, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new ArgumentProblem(`Expected \`--from DIR\`, the folder of your data, got \`${from ?? "none"}\``);
  const settings = await userSettings(context);
  if (settings.path === "") throw new SettingsProblem(settings.problem ?? "Settings cannot be saved");
  const { signal, stderr, stdout } = context;
  const source = resolve(from);
  const report = (line: string) => stderr(`${line}\n`);
  const target = ownFolder(settings.path, suite.name, name);
  const { left } = await installOwnData(target, async (folder) => {
    // Data that need building are built like published data. Otherwise all files are copied, because suites may read files they
    // do not list.
    if (suite.build === undefined) copyFolder(source, folder);
    else await suite.build(source, folder, report, signal);
    await checkForm(suite, folder, ownData(name), report, signal).catch((error: unknown) => {
      // Errors name the original folder because the checked copy is deleted.
      throw error instanceof DataProblem ? new DataProblem(error.message.replaceAll(folder, source)) : error;
    });
  });
  settings.change((before) => withOwnData(before, suite.name, (all) => ({ ...all, [name]: target })));
  if (left !== undefined) report(`The previous data could not be deleted; delete ${left} yourself`);
  stdout(`Added your data \`${name}\` for ${suite.title}: \`data: ${name}\` in a run cell\n`);
  return 0;
}

export async function removeOwnData(suite: Suite, name: string, context: CommandContext): Promise<number> {
  const settings = await userSettings(context);
  const all = ownDataOf(settings.read(), suite.name);
  const folder = Object.hasOwn(all, name) ? all[name] : undefined;
  if (folder === undefined)
    throw new ArgumentProblem(
      `Expected the name of your own data for \`${suite.name}\` (${Object.keys(all).join(", ") || "no data are added yet"}), got \`${name}\``,
    );
  settings.change((before) =>
    withOwnData(before, suite.name, (known) =>
      Object.fromEntries(Object.entries(known).filter(([own]) => own !== name)),
    ),
  );
  // Deletes only files that the command added.
  if (folder === ownFolder(settings.path, suite.name, name)) rmSync(folder, { recursive: true, force: true });
  context.stdout(`Removed your data \`${name}\` for ${suite.title}\n`);
  return 0;
}

export const ownDataOf = ({ ownData: all = {} }: Settings, suite: string) => all[suite] ?? {};

type OwnFolders = Readonly<Record<string, string>>;

const withOwnData = (settings: Settings, suite: string, change: (all: OwnFolders) => OwnFolders): Settings => ({
  ...settings,
  ownData: { ...settings.ownData, [suite]: change(ownDataOf(settings, suite)) },
});

function checkName(suite: Suite, name: string): void {
  if (suite.ofFile !== undefined)
    throw new ArgumentProblem(
      suite.tasksFrom === "process"
        ? `\`${suite.name}\` gets its tasks from a process (\`process: NAME\`), not from installed data`
        : `\`${suite.name}\` reads tasks from a file of the session (\`from: FILE\`), not from installed data`,
    );
  if (!isOwnName(name))
    throw new ArgumentProblem(
      `Expected a name of letters, digits, dots and dashes other than sample, published and own, got \`${name}\``,
    );
}
