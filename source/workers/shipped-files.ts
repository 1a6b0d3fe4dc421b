/** The files of a session that executing a run needs: they are given to the workers with it. */
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathInside } from "../engine/files/inside.ts";
import { roleModels } from "../engine/run/run-models.ts";
import type { RunSpec } from "../engine/types.ts";
import type { GivenAway } from "../engine/workbench/runs/run-context.ts";
import type { RoundFiles } from "./rounds/round-world.ts";

export function shippedFiles({ spec, folder }: Pick<GivenAway, "spec" | "folder">): RoundFiles {
  const within = new Map([[folder.path, "the folder of the session"]]);
  const named = [...questionFile(spec), ...replayedLogs(spec, folder.path)].map((path) => pathInside(path, within));
  return Object.fromEntries(
    named.filter(existsSync).map((path) => [relative(folder.path, path), readFileSync(path)] as const),
  );
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
