/** The thread in which a screen has the analyses of many rows worked out. */
import { parentPort, workerData } from "node:worker_threads";
import { analyses } from "../analyses/index.ts";
import { suites } from "../suites/index.ts";
import { emptySettings } from "./engine/settings/settings.ts";
import { LoadedSuites } from "./engine/workbench/document/loaded-suites.ts";
import { serveAnalyses } from "./engine/workbench/thread/serve-analyses.ts";
import { extended, loadExtensions } from "./extension/extensions.ts";

/** The folder of the session, and the files of the user's own. */
export type ThreadData = { readonly session: string; readonly own: readonly string[] };

const { session, own } = workerData as ThreadData;
const program = extended({ suites, analyses }, await loadExtensions(own));
// Of what a suite is loaded with, analyses need nothing.
const loaded = new LoadedSuites(program.suites, () => emptySettings, { session });
serveAnalyses(parentPort!, { analyses: program.analyses, suite: (name) => loaded.suite(name) });
