import type { CellState, ExportFormat } from "../../engine/workbench/workbench.ts";
import { report } from "../frame/notices.ts";
import { writtenText } from "../frame/written.ts";
import type { ExportCommand } from "../input/keys/exports.ts";
import type { Terminal } from "../terminal.ts";

/** A command for each format the figures of an analysis cell can be written in. */
export function exportCommands(terminal: Terminal, cell: string): Readonly<Record<ExportCommand, () => void>> {
  const { workbench, notices } = terminal;
  const write = (format: ExportFormat) => () => {
    const written = workbench.export(cell, format);
    report(
      terminal,
      written.then((paths) => {
        if (paths.length > 0) notices.say(writtenText(paths), "good");
        else notices.say(whyNothing(workbench.state(cell)), "bad");
      }),
    );
  };
  return {
    "export-csv": write("csv"),
    "export-json": write("json"),
    "export-md": write("md"),
    "export-tex": write("tex"),
    "export-svg": write("svg"),
    "export-html": write("html"),
  };
}

function whyNothing(state: CellState): string {
  if (state.kind !== "analysis") return "Only analysis cells have figures";
  return state.problems[0]?.message ?? state.missing ?? "There are no figures yet";
}
