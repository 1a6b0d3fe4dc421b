import { useCallback, useSyncExternalStore, type ReactNode } from "react";
import { type Line, type Span, lineWidth } from "../../engine/figures/drawing/line.ts";
import { fit, printable } from "../../engine/text/printable.ts";
import type { RunState, Workbench } from "../../engine/workbench/workbench.ts";
import { plural } from "../../look/amounts.ts";
import { TextRow } from "../drawing/rows.tsx";
import { isActive, runsOfCells } from "./runs.ts";
import { useTerminal } from "../terminal.ts";

type Shown = { readonly name: string; readonly flags: Line };

/** The first row: the session's name, active runs, and whether it is unsaved or read-only. */
export function Header({ columns }: { readonly columns: number }): ReactNode {
  const { workbench, theme } = useTerminal();
  const { unsaved, running } = theme.symbols;
  // A string, so that React renders again only if it differs, and not in every frame of a run.
  const read = useCallback(
    () => JSON.stringify({ name: workbench.title, flags: flagSpans(workbench, unsaved, running) }),
    [workbench, unsaved, running],
  );
  const { name, flags } = JSON.parse(useSyncExternalStore(workbench.subscribe, read, read)) as Shown;
  const room = columns - lineWidth(flags) - 14;
  const title: Span[] = [
    { text: " Planwright ", style: "strong" },
    { text: ` ${fit(printable(name), Math.max(0, room))}` },
  ];
  const blanks = " ".repeat(Math.max(1, columns - lineWidth(title) - lineWidth(flags)));
  return <TextRow line={[...title, { text: blanks }, ...flags]} columns={columns} />;
}

function flagSpans(workbench: Workbench, unsaved: string, running: string): Line {
  const flags: Span[] = [];
  const active = activeRuns(workbench);
  const read = countedRuns(workbench, ({ status }) => status === "reading");
  if (active > 0) flags.push({ text: `${running} ${plural(active, "run")} active  `, style: "accent" });
  if (read > 0) flags.push({ text: `reading ${plural(read, "run")}  `, style: "accent" });
  if (workbench.readOnly !== undefined) flags.push({ text: "read-only ", style: "warn" });
  else if (workbench.dirty) flags.push({ text: `${unsaved} unsaved `, style: "warn" });
  return flags;
}

/** Counts the runs of all cells that are loading, running, paused or stopping and for which `counts` holds. */
export const activeRuns = (workbench: Workbench, counts: (run: RunState) => boolean = () => true): number =>
  countedRuns(workbench, (run) => isActive(run) && counts(run));

const countedRuns = (workbench: Workbench, counts: (run: RunState) => boolean): number =>
  runsOfCells(workbench).filter(({ state }) => counts(state)).length;
