/** What the front matter of a notebook says for all its run cells, as the form reads and writes it. */
import type { Workbench } from "../../engine/workbench/workbench.ts";
import { readValues } from "./form-values.ts";

/** The front matter, as far as a cell takes defaults from it: a fork takes none. `why`: it cannot be changed here. */
export function notebookDefaults(workbench: Pick<Workbench, "cells" | "state">, previous: string) {
  const cell = workbench.cells().find(({ kind }) => kind === "front-matter");
  const state = cell && workbench.state(cell.id);
  const isFork = readValues(previous).has("fork.run");
  const isMistaken = state?.kind === "front-matter" && state.problems.length > 0;
  if (isFork) return { source: "", why: "A fork holds the settings of its run" };
  if (isMistaken) return { source: "", why: "The notebook's defaults are mistaken: correct them first" };
  return { source: cell?.source ?? "", why: undefined };
}

/** An empty text takes it away. `cell`: the front matter there is. */
export function writeFrontMatter(workbench: Workbench, cell: string | undefined, source: string): void {
  if (cell === undefined) workbench.insert("front-matter", undefined, source);
  else if (source.trim() === "") workbench.remove(cell);
  else workbench.edit(cell, source);
}
