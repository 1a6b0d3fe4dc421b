/** Opens a session from a path on the command line. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { mendInstalled } from "../../engine/workbench/document/installed-data.ts";
import type { Opening } from "../../engine/workbench/opening.ts";
import { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import { readRedisUrl } from "../../engine/settings/redis-place.ts";
import { packageFolder } from "../../engine/settings/package-folder.ts";
import { SessionFolder, agreeToLinks } from "../../engine/session/session-folder.ts";
import { requireReadable } from "../../engine/session/session-formats.ts";
import type { RunState, SessionCell } from "../../engine/workbench/workbench.ts";
import { noWorkers, WorkersElsewhere } from "../../workers/workers-elsewhere.ts";
import { ArgumentProblem } from "../shell/arguments.ts";
import type { CommandContext, OwnFile } from "../shell/command.ts";
import { withNotebookCode } from "./notebook-code.ts";
import { userSettings } from "../shell/user-settings.ts";

type OpenOptions = {
  /** True if a missing session is an error. */
  readonly mustExist?: boolean;
  readonly drafts?: boolean;
  /** Folder for exports in place of the session's own. */
  readonly exports?: string | undefined;
  /** The address of a Redis whose workers execute runs, or `none`. */
  readonly workers?: string | undefined;
  /**
   * Files of the notebook's own code that may be loaded. With `drafts`, or if this list is given, the user is asked about other
   * files.
   */
  readonly allow?: readonly string[];
} & Pick<Opening, "onEvent" | "reading" | "takeOver">;

/**
 * Returns the folders that contain sessions given by bare names. In a clone of Planwright `sessions/` is committed, so new
 * sessions are in `notebooks/`.
 */
const homes = (): readonly [string, ...string[]] =>
  process.cwd() === packageFolder() ? ["notebooks", "sessions"] : ["sessions"];

/** Returns the path that a bare name stands for: the first existing path, otherwise the first path. */
export function namedPath(name: string): string {
  const paths = homes().map((home) => join(home, name));
  return paths.find((path) => new SessionFolder(path).exists()) ?? paths[0]!;
}

/** A bare name means `sessions/NAME`. */
function sessionFolder(path: string): SessionFolder {
  const asGiven = new SessionFolder(path);
  const isName = !path.includes("/") && !path.includes("\\") && !asGiven.exists();
  return isName ? new SessionFolder(namedPath(path)) : asGiven;
}

/** Returns true if a path or name is a session, saved or included in the package. */
export function isSession(path: string): boolean {
  const folder = sessionFolder(path);
  return folder.exists() || templateOf(folder.name) !== undefined;
}

/** Returns names of the sessions here and in the package. */
export function sessionNames(): readonly string[] {
  const names = [...homes(), join(packageFolder(), "sessions")].flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).filter((name) => existsSync(join(folder, name, "session.md"))) : [],
  );
  return [...new Set(names)];
}

/** Returns the session given as the only argument of a command. Throws `ArgumentProblem`. */
export function oneSession(positionals: readonly string[]): string {
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0)
    throw new ArgumentProblem(`Expected one session, got ${positionals.length}`);
  return path;
}

/** Returns the folder of an existing session without opening it. Throws `ArgumentProblem`. */
export function savedSession(path: string): SessionFolder {
  const folder = sessionFolder(path);
  if (!folder.exists()) throw new ArgumentProblem(`Expected a session at ${folder.document}, found none`);
  requireReadable(folder);
  return folder;
}

/** Returns the folder of an existing or included session without opening it. Throws `ArgumentProblem`. */
export function knownSession(path: string): SessionFolder {
  const folder = sessionFolder(path);
  if (folder.exists() || templateOf(folder.name) !== undefined) return folder;
  throw new ArgumentProblem(`Expected a session at ${folder.document}, found none`);
}

/** The welcome session can be opened before it was ever saved. */
export async function openFor(
  path: string,
  context: CommandContext,
  { mustExist = false, drafts = false, exports, onEvent, reading, takeOver, workers, allow }: OpenOptions = {},
): Promise<SessionWorkbench> {
  // Samples are read from this path; it is resolved now because the package may be gone later.
  packageFolder();
  const folder = mustExist ? knownSession(path) : sessionFolder(path);
  requireReadable(folder);
  const template = folder.exists() ? undefined : templateOf(folder.name);
  const settings = await userSettings(context);
  if (workers !== undefined && workers !== noWorkers) readRedisUrl(workers);
  await mendInstalled(context.suites, settings);
  await agreeToLinks(folder.path, settings, context.ask);
  const asked = { allow: allow ?? [], asks: drafts || allow !== undefined };
  const {
    suites,
    analyses,
    own,
    ownFiles = [],
    standIn,
    startThread,
  } = await withNotebookCode(context, folder, settings, asked);
  return new SessionWorkbench({
    folder,
    suites,
    analyses,
    ...(own && { own }),
    settings,
    template: template ?? `# ${folder.name}\n`,
    drafts,
    ...(exports === undefined ? {} : { exports }),
    ...(onEvent && { onEvent }),
    ...(takeOver !== undefined && { takeOver }),
    ...(startThread && { startThread: () => startThread(folder.path, ownFiles, standIn) }),
    reading,
    elsewhere: new WorkersElsewhere(settings, folder.path, workers, ownFiles.map(fileName)),
  });
}

/** Returns the name of a file of code, without its folder. */
const fileName = (file: OwnFile): string => basename(typeof file === "string" ? file : file.entry);

/**
 * Opens an existing or included session while `use` runs. If `use` rejects the arguments (`ArgumentProblem`), removes a session
 * that was created by opening it.
 */
export async function withSession<T>(
  path: string,
  context: CommandContext,
  options: Omit<OpenOptions, "mustExist">,
  use: (workbench: SessionWorkbench) => Promise<T>,
): Promise<T> {
  const folder = knownSession(path);
  const isNew = !folder.exists();
  const workbench = await openFor(path, context, { ...options, mustExist: true });
  let isMistyped = false;
  try {
    return await use(workbench);
  } catch (error) {
    isMistyped = error instanceof ArgumentProblem;
    throw error;
  } finally {
    await workbench.close();
    if (isNew && isMistyped) folder.removeUnused();
  }
}

/**
 * Sets fields of run cells as `--set` requests, without changing the document, and reports arguments that changed nothing. Throws
 * `ArgumentProblem` for a field that no run cell can have, or if a run cell cannot run with the new value.
 */
export function setFields(
  workbench: SessionWorkbench,
  written: readonly string[],
  { stderr }: Pick<CommandContext, "stderr">,
): void {
  try {
    workbench.setFields(written);
  } catch (error) {
    if (error instanceof RangeError) throw new ArgumentProblem(error.message);
    throw error;
  }
  const used = new Set<string>();
  for (const { id, kind, name } of workbench.cells()) {
    const state = kind === "run" && written.length > 0 ? workbench.state(id) : undefined;
    if (state?.kind !== "run") continue;
    const fields = (state.filledIn ?? []).filter(({ from }) => from === "command").map(({ field }) => field);
    const [problem] = state.problems;
    if (problem !== undefined && fields.length > 0) throw new ArgumentProblem(problem.message);
    for (const field of fields)
      for (const each of [field, field.split(".")[0]]) used.add(`${each}`).add(`${name}.${each}`);
  }
  for (const text of written) {
    if (used.has(text.slice(0, text.indexOf("=")).trim())) continue;
    stderr(
      `--set ${text} changes nothing, because each run cell sets the field itself or cannot have it; use --set CELL.FIELD=VALUE to replace it\n`,
    );
  }
}

/** Returns the cells named by `--cells`; undefined means all cells. Throws `ArgumentProblem` if a named cell does not exist. */
export function cellNames(written: string | undefined, cells: readonly SessionCell[]): readonly string[] | undefined {
  const names = written?.split(",").map((name) => name.trim());
  const known = cells.map(({ name }) => name).filter((name) => name !== "");
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new ArgumentProblem(
    `Expected \`--cells\` to name cells of this session (${known.join(", ") || "no cell has a name"}), got \`${unknown}\``,
  );
}

type RunCell = { readonly id: string; readonly name: string; readonly runs: readonly RunState[] };

/** Returns the named run cells, or all run cells, with their runs. */
export const runCells = (workbench: SessionWorkbench, cells?: readonly string[]): readonly RunCell[] =>
  workbench.cells().flatMap(({ id, kind, name }) => {
    const state = kind === "run" && cells?.includes(name) !== false ? workbench.state(id) : undefined;
    return state?.kind === "run" ? [{ id, name, runs: state.runs }] : [];
  });

/** Returns the runs of the named cells, or of all. */
export const runsOfCells = (workbench: SessionWorkbench, cells?: readonly string[]): readonly RunState[] =>
  runCells(workbench, cells).flatMap(({ runs }) => runs);

/** Returns the sessions included in the package. */
function templateOf(name: string): string | undefined {
  const path = join(packageFolder(), "sessions", name, "session.md");
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
