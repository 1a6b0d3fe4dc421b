/** The notebooks that were opened on the screen last, noted beside the user's settings. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../../engine/files/make-folder.ts";
import { replaceFile } from "../../engine/files/replace-file.ts";
import type { SettingsStore } from "../../engine/settings/settings.ts";

/** How many are kept. */
const most = 20;

/** Folders of notebooks that are still there, the last one first; none where the note cannot be read. */
export function recentSessions({ path }: Pick<SettingsStore, "path">): readonly string[] {
  return noted(path).filter((folder) => existsSync(join(folder, "session.md")));
}

/** Notes that this folder's notebook was opened. Where that cannot be written, it is forgotten. */
export function rememberSession({ path }: Pick<SettingsStore, "path">, folder: string): void {
  if (path === "") return;
  try {
    const own = realpathSync(folder);
    const others = noted(path).filter((each) => each !== own);
    makeFolder(dirname(path));
    replaceFile(noteAt(path), `${JSON.stringify([own, ...others].slice(0, most), null, 1)}\n`, { durable: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

const noteAt = (settings: string): string => join(dirname(settings), "recent.json");

function noted(settings: string): readonly string[] {
  if (settings === "") return [];
  try {
    const read: unknown = JSON.parse(readFileSync(noteAt(settings), "utf8"));
    return Array.isArray(read) ? read.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}
