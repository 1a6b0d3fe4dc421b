import type { ExportFormat } from "../../engine/workbench/workbench.ts";
import { report } from "../frame/notices.ts";
import type { ExportCommand } from "../input/keys/exports.ts";
import type { Terminal } from "../terminal.ts";

/** A command for each format the figures of an analysis cell can be written in. */
export function exportCommands(terminal: Terminal, cell: string): Readonly<Record<ExportCommand, () => void>> {
  const { workbench, notices } = terminal;
  const write = (format: ExportFormat) => () => {
    const written = workbench.export(cell, format);
    report(
      terminal,
      written.then((paths) => notices.say(`Written: ${paths.join(", ")}`, "good")),
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
