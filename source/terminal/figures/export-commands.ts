import { exportFormats } from "../../engine/workbench/workbench.ts";
import { report } from "../frame/notices.ts";
import type { Terminal } from "../terminal.ts";

/** One command for each format an analysis cell's figures can be written in. */
export function exportCommands(terminal: Terminal, cell: string): Record<string, () => void> {
  const { workbench, notices } = terminal;
  const commands = exportFormats.map((format) => {
    const write = () => {
      const written = workbench.export(cell, format);
      report(
        terminal,
        written.then((paths) => notices.say(`Written: ${paths.join(", ")}`, "good")),
      );
    };
    return [`export-${format}`, write] as const;
  });
  return Object.fromEntries(commands);
}
