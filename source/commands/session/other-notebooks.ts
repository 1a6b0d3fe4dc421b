/** The notebooks a person can go to from inside another one. */
import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import type { SettingsStore } from "../../engine/settings/settings.ts";
import { isSession, sessionNames } from "./open-session.ts";
import { recentSessions } from "./recent-sessions.ts";

type Known = { readonly path: string; readonly about: string };

/** Those opened last, then those of this folder and of the package; not the one in `current`. */
export function knownNotebooks(settings: Pick<SettingsStore, "path">, current: string): readonly Known[] {
  const own = realPath(current);
  const recent = recentSessions(settings).filter((folder) => folder !== own);
  const named = sessionNames().filter((name) => ![own, ...recent].includes(realPath(join("sessions", name))));
  return [
    ...recent.map((folder) => ({ path: shortest(folder), about: "opened before" })),
    ...named.map((name) => ({
      path: name,
      about: existsSync(join("sessions", name)) ? "in this folder" : "comes with Planwright",
    })),
  ];
}

/** Why it cannot be opened, or made; undefined where it can. */
export function notebookProblem({
  path,
  isNew,
}: {
  readonly path: string;
  readonly isNew: boolean;
}): string | undefined {
  if (path.trim() === "") return "Expected a name or a path, got an empty text";
  if (isNew) return isSession(path) ? `There is a notebook \`${path}\` already` : undefined;
  return isSession(path) ? undefined : `Expected a notebook at \`${path}\`, found none`;
}

/** From here where it lies below. */
function shortest(folder: string): string {
  const from = relative(process.cwd(), folder);
  return from.startsWith("..") || isAbsolute(from) || from === "" ? folder : from;
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
