import type { ReactNode } from "react";
import type { Line, Span } from "../engine/drawing/line.ts";
import { lineWidth } from "../engine/drawing/line.ts";
import { fit, printable } from "../engine/printable.ts";
import type { Workbench } from "../engine/workbench.ts";
import { plural } from "./amount.ts";
import { Row } from "./rows.tsx";
import { useTheme, useWorkbench } from "./terminal.ts";

/** The first row: which notebook this is, and what must not be overlooked. */
export function Header({ columns }: { readonly columns: number }): ReactNode {
  const { symbols } = useTheme();
  const workbench = useWorkbench(true);
  const flags = flagSpans(workbench, symbols.unsaved, symbols.running);
  const room = columns - lineWidth(flags) - 14;
  const title: Span[] = [
    { text: " Planwright ", style: "strong" },
    { text: ` ${fit(printable(workbench.title), Math.max(0, room))}` },
  ];
  const blanks = " ".repeat(Math.max(1, columns - lineWidth(title) - lineWidth(flags)));
  return <Row line={[...title, { text: blanks }, ...flags]} columns={columns} />;
}

function flagSpans(workbench: Workbench, unsaved: string, running: string): Line {
  const flags: Span[] = [];
  const going = goingRuns(workbench);
  if (going > 0) flags.push({ text: `${running} ${plural(going, "run")} going  `, style: "accent" });
  if (workbench.readOnly !== undefined) flags.push({ text: "read-only ", style: "warn" });
  else if (workbench.dirty) flags.push({ text: `${unsaved} unsaved `, style: "warn" });
  return flags;
}

/** Runs that are loading, running, paused or stopping, in all cells. */
export function goingRuns(workbench: Workbench): number {
  let going = 0;
  for (const cell of workbench.cells()) {
    if (cell.kind !== "run") continue;
    const state = workbench.state(cell.id);
    if (state.kind !== "run") continue;
    going += state.runs.filter(({ status }) => ["loading", "running", "paused", "stopping"].includes(status)).length;
  }
  return going;
}
