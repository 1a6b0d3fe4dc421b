/** Notebooks opened last on the screen, saved next to the user's settings. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, isAbsolute, relative } from "node:path";
import { makeFolder } from "../../engine/files/make-folder.ts";
import { replaceFile } from "../../engine/files/replace-file.ts";
import type { SettingsStore } from "../../engine/settings/settings.ts";
import { isSession, namedPath, sessionNames } from "./open-session.ts";
import { fallback } from "../../engine/work/fallback.ts";

/** Maximum number kept. */
const most = 20;

/** Returns the folders of notebooks that still exist, the last opened first; empty if the list cannot be read. */
export const recentSessions = ({ path }: Pick<SettingsStore, "path">): readonly string[] =>
  noted(path).filter((folder) => existsSync(join(folder, "session.md")));

/** Notes that this folder's notebook was opened. A failed write is ignored. */
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
  const read: unknown = fallback(() => JSON.parse(readFileSync(noteAt(settings), "utf8")));
  return Array.isArray(read) ? read.filter((each) => typeof each === "string") : [];
}

type Known = { readonly path: string; readonly about: string };

/** Returns the last opened notebooks, then the notebooks of this folder and of the package, without the notebook in `current`. */
export function knownNotebooks(settings: Pick<SettingsStore, "path">, current: string): readonly Known[] {
  const own = realPath(current);
  const recent = recentSessions(settings).filter((folder) => folder !== own);
  const named = sessionNames().filter((name) => ![own, ...recent].includes(realPath(namedPath(name))));
  return [
    ...recent.map((folder) => ({ path: shortest(folder), about: "opened before" })),
    ...named.map((name) => ({
      path: name,
      about: existsSync(namedPath(name)) ? "in this folder" : "comes with Planwright",
    })),
  ];
}

/** Returns why a notebook cannot be opened or created, or undefined if it can. */
export function notebookProblem({
  path,
  isNew,
}: {
  readonly path: string;
  readonly isNew: boolean;
}): string | undefined {
  if (path.trim() === "") return "Expected a name or a path, got an empty text";
  if (isNew) return isSession(path) ? `A notebook \`${path}\` already exists` : undefined;
  return isSession(path) ? undefined : `Expected a notebook at \`${path}\`, found none`;
}

/** Returns the path relative to the current folder if the path is below it. */
function shortest(folder: string): string {
  const from = relative(process.cwd(), folder);
  return from.startsWith("..") || isAbsolute(from) || from === "" ? folder : from;
}

const realPath = (path: string): string => (existsSync(path) ? realpathSync(path) : path);
