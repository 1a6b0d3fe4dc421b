/** The worker thread that computes analyses of many rows for the screen. */
import { parentPort, workerData } from "node:worker_threads";
import { analyses } from "../analyses/index.ts";
import { suites } from "../suites/index.ts";
import { emptySettings } from "./engine/settings/settings.ts";
import { LoadedSuites } from "./engine/workbench/document/loaded-suites.ts";
import { serveAnalyses } from "./engine/workbench/thread/serve-analyses.ts";
import { extended, loadExtensions } from "./extension/extensions.ts";

/** The session's folder and the users' files. */
export type ThreadData = { readonly session: string; readonly own: readonly string[] };

const { session, own } = workerData as ThreadData;
const program = extended({ suites, analyses }, await loadExtensions(own));
// Analyses need none of the settings a suite is loaded with.
const loaded = new LoadedSuites(program.suites, () => emptySettings, { session });
serveAnalyses(parentPort!, { analyses: program.analyses, suite: (name) => loaded.suite(name) });
