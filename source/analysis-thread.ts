/** The worker thread that computes analyses of many rows for the screen. */
import { parentPort, workerData } from "node:worker_threads";
import { analyses } from "../analyses/index.ts";
import { suites } from "../suites/index.ts";
import { emptySettings } from "./engine/settings/settings.ts";
import { LoadedSuites } from "./engine/workbench/document/loaded-suites.ts";
import { serveAnalyses } from "./engine/workbench/thread/serve-analyses.ts";
import { SessionFolder } from "./engine/session/session-folder.ts";
import { extended, loadExtensions } from "./extension/extensions.ts";
import type { OwnSource } from "./extension/own-source.ts";
import { withStandIns } from "./extension/stand-ins.ts";

/** The session's folder, the users' files, and the reason why substitutes replace the notebook's own code. */
export type ThreadData = {
  readonly session: string;
  readonly own: readonly (string | OwnSource)[];
  readonly standIn?: string | undefined;
};

const { session, own, standIn } = workerData as ThreadData;
const loadedParts = extended({ suites, analyses }, await loadExtensions(own));
const program = standIn === undefined ? loadedParts : withStandIns(loadedParts, new SessionFolder(session), standIn);
// Analyses need none of the settings a suite is loaded with.
const loaded = new LoadedSuites(program.suites, () => emptySettings, { session });
serveAnalyses(parentPort!, { analyses: program.analyses, suite: (name) => loaded.suite(name) });
