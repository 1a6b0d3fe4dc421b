/** A notebook as shipped, run on the samples. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { packageFolder } from "../../source/engine/settings/package-folder.ts";
import type { SessionWorkbench } from "../../source/engine/workbench/session-workbench.ts";
import { suites } from "../../suites/index.ts";
import type { TemporarySessions } from "../engine/workbench/temporary-session.ts";

/** Returns the workbench once all its runs have ended. */
export async function playedNotebook(sessions: TemporarySessions, name: string): Promise<SessionWorkbench> {
  const text = readFileSync(join(packageFolder(), "sessions", name, "session.md"), "utf8");
  const workbench = await sessions.open(text, { suites });
  for (const { id, kind } of workbench.cells()) if (kind === "run") await workbench.run(id);
  await workbench.settled();
  workbench.refresh();
  return workbench;
}

/** Fails unless no cell has a problem, every task of every run is scored, and every analysis has figures. */
export function expectFilled(workbench: SessionWorkbench): void {
  for (const { id, kind, name } of workbench.cells()) {
    const state = workbench.state(id);
    if (state.kind === "note") continue;
    expect(state.problems, `${kind} ${name}`).toEqual([]);
    if (state.kind === "analysis") expect([state.missing, state.figures.length > 0], name).toEqual([undefined, true]);
    if (state.kind === "run")
      for (const { label, status, counts } of state.runs)
        expect([status, counts.failed, counts.unscored], `${name}: ${label}`).toEqual(["done", 0, 0]);
  }
}
