/** Finds the notebooks and the runs below a folder without opening any of them. Writes nothing. */
import { opendirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { logSize } from "../../log/file/log-lines.ts";
import { pricesText } from "../../log/rows/row-file.ts";
import { RunStore } from "../../log/run-store.ts";
import { keyReaders, priceOf } from "../../run/run-models.ts";
import { startOf } from "../../session/older-code.ts";
import { requireReadableRun } from "../../session/session-formats.ts";
import { SessionFolder } from "../../session/session-folder.ts";
import type { SettingsStore } from "../../settings/settings.ts";
import type { Suite } from "../../suite.ts";
import type { RunSpec } from "../../types.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import { LoadedSuites } from "../document/loaded-suites.ts";
import { sessionModels } from "../document/session-models.ts";
import { fallback } from "../../work/fallback.ts";
import { namesOfRuns, type RunNames } from "./run-names.ts";

/** A folder with a notebook; `name` is its path from the folder that was searched, or `.`. */
export type FoundNotebook = { readonly name: string; readonly folder: SessionFolder };

/** A run as described at the start of its log, whether or not a cell contains it. */
export type FoundRun = {
  readonly run: string;
  readonly spec: RunSpec;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  /** The folder of the run. */
  readonly path: string;
  /** Undefined if the suite is not available, because it is another user's, or its file is missing. */
  readonly suite: Suite | undefined;
  readonly readsAnswerKey: boolean;
  /**
   * Names that the notebook gives to values of its settings, by field; empty if it gives none. Cells are planned on first access.
   */
  readonly names: RunNames;
  /** Differs once the log, the corrections or the prices have changed. */
  readonly stamp: string;
  /**
   * Opens the run for reading. Throws `Problem` if its format is newer. For a log that cannot be read, throws the errors of
   * `RunStore`.
   */
  read(): RunStore;
};

/** Folders that contain programs instead of notebooks. */
const passedOver = new Set(["node_modules", "__pycache__"]);

/**
 * Yields the notebooks below a folder, including itself, by name. Hidden folders, links and folders that cannot be read are
 * skipped; a notebook's own folders are not searched.
 */
export async function* foundNotebooks(folder: string, signal?: AbortSignal): AsyncIterable<FoundNotebook> {
  const yieldIfDue = eventLoopYielder(signal);
  const waiting = [folder];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    await yieldIfDue();
    const session = new SessionFolder(path);
    if (session.exists() || hasRuns(session)) yield { name: relative(folder, path) || ".", folder: session };
    else waiting.push(...foldersIn(path).toReversed());
  }
}

/** Returns whether a folder has runs, which may exist although the document is missing. */
const hasRuns = (session: SessionFolder): boolean =>
  fallback(() => session.runs().some((run) => logSize(logIn(join(session.path, "runs", run))) !== undefined), false);

function foldersIn(path: string): readonly string[] {
  try {
    const folder = opendirSync(path);
    const found: string[] = [];
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync())
        if (entry.isDirectory() && !entry.name.startsWith(".") && !passedOver.has(entry.name)) found.push(entry.name);
    } finally {
      folder.closeSync();
    }
    return found.toSorted().map((name) => join(path, name));
  } catch {
    return [];
  }
}

const logIn = (run: string): string => join(run, "events.jsonl");

/** Returns the runs of a notebook with a recorded start, the oldest first. */
export function foundRuns(
  { folder }: FoundNotebook,
  suites: readonly Suite[],
  settings: SettingsStore,
): readonly FoundRun[] {
  const loaded = new LoadedSuites(suites, () => settings.read(), { session: folder.path });
  const models = sessionModels(loaded, settings, folder);
  const prices = (model: string) => priceOf(models, model);
  let named: ReturnType<typeof namesOfRuns> | undefined;
  const namesOf = (run: string, spec: RunSpec): RunNames => (named ??= namesOfRuns(folder, loaded))(run, spec);
  const found = folder.runs().flatMap((run): readonly FoundRun[] => {
    if (run.startsWith(".")) return [];
    const path = folder.run(run);
    const start = startOf(logIn(path));
    if (start === undefined) return [];
    const { spec, at: begunAt } = start;
    const suite = suiteOf(spec, loaded);
    const read = () => {
      requireReadableRun(path);
      return new RunStore(path, { prices, ...(suite?.form && { form: suite.form }) });
    };
    const stamp = `${stampOf(path)}, ${pricesText(spec, prices)}`;
    const readsAnswerKey = keyReaders(models, spec).length > 0;
    return [
      {
        run,
        spec,
        begunAt,
        path,
        suite,
        readsAnswerKey,
        get names() {
          return namesOf(run, spec);
        },
        stamp,
        read,
      },
    ];
  });
  return found.toSorted((one, other) => one.begunAt - other.begunAt);
}

/** Returns the suite of a run; undefined for a suite of another program, whose logs are read nevertheless. */
const suiteOf = ({ suite }: RunSpec, loaded: LoadedSuites) => fallback(() => loaded.suite(suite));

function stampOf(path: string): string {
  return ["events.jsonl", "events.jsonl.gz", "overrides.json"]
    .map((name) => statSync(join(path, name), { throwIfNoEntry: false }))
    .map((found) => (found === undefined ? "-" : `${found.size} ${Math.trunc(found.mtimeMs)}`))
    .join(", ");
}
