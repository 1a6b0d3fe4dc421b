/** `planwright export SESSION`: writes figures of analysis cells, or answers of runs, to files. */
import { printable } from "../engine/text/printable.ts";
import { exportFormats, type CellState, type ExportFormat } from "../engine/workbench/workbench.ts";
import { ArgumentProblem, readArguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import { cellNames, openFor, setFields } from "./open-session.ts";

export const exportCommand: Command = {
  name: "export",
  summary:
    "write figures of a session as CSV, JSON, Markdown, LaTeX, SVG or HTML, or answers of runs in the publisher's format",
  usage: `planwright export SESSION [--cells NAME,NAME] [--format FORMAT,FORMAT] [--set FIELD=VALUE]

Formats of figures: ${exportFormats.join(", ")} (default: csv). travelplanner writes the answers of TravelPlanner runs in the
publisher's submission format; toolbench writes those of ToolBench runs with their steps, as a reference for the win rate of
other runs. Files go to exports/ in the folder of the session; their names are printed.`,
  async run(args, context) {
    const { positionals, text, texts } = readArguments(args, ["cells", "format", "set"]);
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0)
      throw new ArgumentProblem(`Expected one session, got ${positionals.length}`);
    const formats = (text("format") ?? "csv").split(",");
    const workbench = await openFor(path, context, { mustExist: true });
    try {
      setFields(workbench, texts("set"), context);
      const wanted = cellNames(text("cells"), workbench.cells());
      for (const format of formats) {
        const exporter = workbench.exporters().includes(format);
        if (!exporter && !(exportFormats as readonly string[]).includes(format)) {
          throw new ArgumentProblem(
            `Expected \`--format\` to be one of ${[...exportFormats, ...workbench.exporters()].join(", ")}, got \`${format}\``,
          );
        }
        for (const { id, kind, name } of workbench.cells()) {
          if (kind !== (exporter ? "run" : "analysis") || (wanted !== undefined && !wanted.includes(name))) continue;
          const written = exporter
            ? await workbench.exportAnswers(id, format)
            : await workbench.export(id, format as ExportFormat);
          for (const file of written) context.stdout(`${file}\n`);
          const why = written.length > 0 ? undefined : whyNothing(workbench.state(id), format);
          if (why !== undefined) context.stderr(`${printable(`${kind} ${name}`.trim())}: ${printable(why)}\n`);
        }
      }
      return 0;
    } finally {
      await workbench.close();
    }
  },
};

function whyNothing(state: CellState, format: string): string | undefined {
  if (state.kind === "note" || state.kind === "front-matter") return undefined;
  const [problem] = state.problems;
  if (problem !== undefined) return problem.message;
  return state.kind === "analysis"
    ? (state.missing ?? "there are no figures")
    : `its suite cannot write answers in the format ${format}`;
}
