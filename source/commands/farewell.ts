/** What is said on the ordinary screen after the notebook is closed. */
import type { SessionWorkbench } from "../engine/open-workbench.ts";
import { printable } from "../engine/printable.ts";
import { runLine } from "./session-report.ts";

export function farewell(workbench: SessionWorkbench): string {
  const lines = [`Session: ${workbench.folder}${workbench.dirty ? " (last changes not saved)" : ""}`];
  for (const { id, kind, name } of workbench.cells()) {
    const state = kind === "run" ? workbench.state(id) : undefined;
    if (state?.kind !== "run") continue;
    for (const run of state.runs)
      if (run.status !== "ready") lines.push(`  ${name === "" ? "" : `${printable(name)}: `}${runLine(run)}`);
  }
  return `${lines.join("\n")}\n`;
}
