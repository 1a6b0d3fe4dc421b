/** Rewrites a run's folder as versions did in which every choice of tasks and every scoring was a separate run. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunState } from "../../../source/engine/workbench/workbench.ts";

/** Moves the folder of a run's part to the older layout, and returns its name. The session must be closed. */
export function savedBefore(session: string, { run, part = run, spec }: RunState): string {
  const lines = readFileSync(join(session, "runs", run, "events.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
  const before = lines.map((line) => {
    const { choice: _, ...event } = JSON.parse(line) as { readonly type: string; readonly choice?: unknown };
    if (event.type === "run-started") return JSON.stringify({ ...event, run: part, spec });
    return event.type === "run-ended" ? JSON.stringify(event) : line;
  });
  rmSync(join(session, "runs", run), { recursive: true });
  mkdirSync(join(session, "runs", part), { recursive: true });
  writeFileSync(join(session, "runs", part, "events.jsonl"), `${before.join("\n")}\n`);
  return part;
}
