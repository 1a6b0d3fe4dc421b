/** Links in a session's folder that lead out of it: `runs` and `exports` may be some, once the user has agreed; nothing else may. */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { leadsOut, linksMustStay, mustStayIn } from "../files/inside.ts";
import { Problem } from "../problem.ts";
import type { SettingsStore } from "../settings/settings.ts";

/** A link and the folder it leads to, both whole paths without links. */
type SessionLink = { readonly path: string; readonly to: string };

/** Asks the user; resolves to whether they agree. */
export type AskUser = (question: string) => Promise<boolean>;

/**
 * Looks at everything in a session's folder that is read or written by its path. Where `runs` or `exports` lead out of it, `ask` is
 * called once, and what is agreed to is kept in the settings: for that folder, and while the link leads there. Throws `Problem` for
 * every other link that leads out, and where the user does not agree or cannot be asked.
 */
export async function agreeToLinks(folder: string, settings: SettingsStore, ask: AskUser | undefined): Promise<void> {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name === "runs" || name === "exports") {
      const to = leadsOut(folder, path);
      if (to !== undefined) await agree({ path: join(realpathSync(folder), name), to }, settings, ask);
      if (existsSync(path)) linksMustStay(path);
    } else if (name.startsWith("session.")) mustStayIn(folder, path);
  }
}

async function agree({ path, to }: SessionLink, settings: SettingsStore, ask: AskUser | undefined): Promise<void> {
  if (settings.read().links?.[path] === to) return;
  const about = `${path} is a link to ${to}`;
  if (ask === undefined)
    throw new Problem(
      "tool",
      `${about}: open the session once in a terminal to agree that files are read and written there`,
    );
  if (!(await ask(`${about}. Read and write files there?`)))
    throw new Problem("tool", `${about}: without your consent the session is not opened`);
  settings.change((before) => ({ ...before, links: { ...before.links, [path]: to } }));
}
