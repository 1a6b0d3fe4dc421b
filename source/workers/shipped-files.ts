/** The files of a session that executing a run needs: they are given to the workers with it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathInside } from "../engine/files/inside.ts";
import { roleModels } from "../engine/run/run-models.ts";
import type { RunSpec } from "../engine/types.ts";
import type { GivenAway } from "../engine/workbench/elsewhere.ts";
import { clusterCache, type RoundFiles } from "./round-world.ts";

/** `settings`: the path of the user's settings, beside which replies to requests about toolkits are kept; empty where there are none. */
export function shippedFiles(
  { spec, folder, prepared }: Pick<GivenAway, "spec" | "folder" | "prepared">,
  settings: string,
): RoundFiles {
  const within = new Map([[folder.path, "the folder of the session"]]);
  const named = [...questionFile(spec), ...replayedLogs(spec, folder.path)].map((path) => pathInside(path, within));
  const beside = join(settings === "" ? folder.path : dirname(settings), clusterCache);
  const made = prepared && existsSync(beside) ? readdirSync(beside).map((name) => join(beside, name)) : [];
  return Object.fromEntries([
    ...named.filter(existsSync).map((path) => [relative(folder.path, path), readFileSync(path)] as const),
    ...made.map((path) => [`${clusterCache}/${relative(beside, path)}`, readFileSync(path)] as const),
  ]);
}

/** The file a run's tasks are read from (`from: FILE`). */
function questionFile({ suite, data }: RunSpec): readonly string[] {
  return data === "own" && suite.includes("/") ? [suite.slice(suite.indexOf("/") + 1)] : [];
}

/** Logs of runs whose replies a built-in model gives again. */
function replayedLogs(spec: RunSpec, folder: string): readonly string[] {
  return roleModels(spec).flatMap((name) => {
    const run = /^builtin\/replay\?(?:.*&)?log=([\w-]+)/.exec(name)?.[1];
    return run === undefined ? [] : ["events.jsonl", "events.jsonl.gz"].map((log) => join(folder, "runs", run, log));
  });
}
