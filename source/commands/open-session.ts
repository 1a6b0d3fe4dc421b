/** From a path on the command line to an open session. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mendInstalled } from "../engine/workbench/installed-data.ts";
import { SessionWorkbench } from "../engine/workbench/session-workbench.ts";
import { packageFolder } from "../engine/settings/package-folder.ts";
import { agreeToLinks } from "../engine/session/session-links.ts";
import { SessionFolder } from "../engine/session/session-folder.ts";
import type { SessionCell } from "../engine/workbench/workbench.ts";
import { ArgumentProblem } from "./arguments.ts";
import type { CommandContext } from "./command.ts";
import { userSettings } from "./user-settings.ts";

/** A bare name means `sessions/NAME`; the welcome session can be opened before it was ever saved. */
export async function openFor(
  path: string,
  context: CommandContext,
  { mustExist = false, drafts = false } = {},
): Promise<SessionWorkbench> {
  const asGiven = new SessionFolder(path);
  const isName = !path.includes("/") && !path.includes("\\") && !asGiven.exists();
  const folder = isName ? new SessionFolder(join("sessions", path)) : asGiven;
  const template = folder.exists() ? undefined : templateOf(folder.name);
  if (mustExist && template === undefined && !folder.exists())
    throw new ArgumentProblem(`Expected a session at ${folder.document}, found none`);
  const settings = await userSettings(context);
  const { suites, analyses } = context;
  await mendInstalled(suites, settings);
  await agreeToLinks(folder.path, settings, context.ask);
  return new SessionWorkbench({
    folder,
    suites,
    analyses,
    settings,
    template: template ?? `# ${folder.name}\n`,
    drafts,
  });
}

/** The cells named by `--cells`, each of which must be there; undefined means all. Throws `ArgumentProblem`. */
export function cellNames(written: string | undefined, cells: readonly SessionCell[]): readonly string[] | undefined {
  const names = written?.split(",").map((name) => name.trim());
  const known = cells.map(({ name }) => name).filter((name) => name !== "");
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new ArgumentProblem(
    `Expected \`--cells\` to name cells of this session (${known.join(", ") || "no cell has a name"}), got \`${unknown}\``,
  );
}

/** Sessions that come with the package. */
function templateOf(name: string): string | undefined {
  const path = join(packageFolder(), "sessions", name, "session.md");
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
