/** `planwright export SESSION`: writes figures of analysis cells, and runs for other programs, to files. */
import { resolve } from "node:path";
import { printable } from "../engine/text/printable.ts";
import { exportFormats, type CellState, type ExportFormat } from "../engine/workbench/workbench.ts";
import type { RunFormat } from "../engine/workbench/exports/run-format.ts";
import type { SessionWorkbench } from "../engine/workbench/session-workbench.ts";
import { ArgumentProblem, type Flags, readArguments } from "./arguments.ts";
import type { Command, CommandContext } from "./command.ts";
import { cellNames, openFor, setFields, oneSession } from "./open-session.ts";

/** Formats of `--format` that are of runs; rows and messages have flags of their own. */
const toolFormats = ["inspect", "atif", "training"] as const;
const rowFormats = ["csv", "jsonl"] as const;

const flags: Flags = {
  cells: "cells",
  format: { words: [...exportFormats, ...toolFormats], several: true },
  rows: { words: rowFormats, several: true },
  messages: "nothing",
  "min-score": "text",
  set: "text",
  out: "folder",
};

export const exportCommand: Command = {
  name: "export",
  summary: "write figures of a session as CSV, LaTeX, SVG and others, or its runs for pandas, Inspect and other tools",
  usage: `planwright export SESSION [--cells NAME,NAME] [--format FORMAT,FORMAT] [--rows csv,jsonl] [--messages] [--min-score S]
                  [--set FIELD=VALUE] [--out DIR]

Figures of analysis cells: ${exportFormats.join(", ")} (default: csv).
Runs, nothing is executed:
  --rows csv,jsonl  every task with run, settings, answer, score, checks and tokens: rows.csv (notes in rows.notes.txt), rows.jsonl
  --messages        every request with its reply: messages.jsonl
  --format inspect  a log for Inspect AI each run, as JSON and as .eval
  --format atif     the Agent Trajectory Interchange Format, one document a task
  --format training conversations of tasks answered right, as JSON Lines of messages; --min-score 0.5: of those that score as much
  --format travelplanner, toolbench  answers in the publisher's format: TravelPlanner's submission; ToolBench's answers with their
                    steps, as a reference for the win rate of other runs
Files go to exports/ in the folder of the session, or to DIR; their names are printed.`,
  takes: ["session"],
  flags,
  async run(args, context) {
    const { positionals, text, texts, flag, number } = readArguments(args, flags);
    const path = oneSession(positionals);
    const least = number("min-score", { least: 0, most: 1 });
    const rows = text("rows")?.split(",") ?? [];
    for (const format of rows) expectOneOf("--rows", format, rowFormats);
    const runFormats = [...rows.map((format) => `rows.${format}`), ...(flag("messages") ? ["messages"] : [])];
    const formats = text("format")?.split(",") ?? (runFormats.length > 0 ? [] : ["csv"]);
    const out = text("out");
    const workbench = await openFor(path, context, { mustExist: true, exports: out && resolve(out) });
    try {
      setFields(workbench, texts("set"), context);
      for (const format of formats)
        expectOneOf("--format", format, [...exportFormats, ...toolFormats, ...workbench.exporters()]);
      const names = cellNames(text("cells"), workbench.cells());
      for (const format of [...formats, ...runFormats]) await exportAs(format, { workbench, context, names, least });
      return 0;
    } catch (error) {
      const elsewhere = workbench.readOnly !== undefined && out === undefined && !(error instanceof ArgumentProblem);
      throw elsewhere ? new ArgumentProblem(`${(error as Error).message}; \`--out DIR\` writes elsewhere`) : error;
    } finally {
      await workbench.close();
    }
  },
};

function expectOneOf(flag: string, value: string, known: readonly string[]): void {
  if (!known.includes(value))
    throw new ArgumentProblem(`Expected \`${flag}\` to be one of ${known.join(", ")}, got \`${value}\``);
}

type Export = {
  readonly workbench: SessionWorkbench;
  readonly context: CommandContext;
  readonly names: readonly string[] | undefined;
  readonly least: number | undefined;
};

async function exportAs(format: string, { workbench, context, names, least }: Export): Promise<void> {
  const ofFigures = (exportFormats as readonly string[]).includes(format);
  const cells = workbench
    .cells()
    .filter(
      ({ kind, name }) => kind === (ofFigures ? "analysis" : "run") && (names === undefined || names.includes(name)),
    );
  if (!ofFigures && !workbench.exporters().includes(format)) {
    const written = await workbench.exportRuns(
      cells.map(({ id }) => id),
      format as RunFormat,
      least,
    );
    for (const file of written) context.stdout(`${printable(file)}\n`);
    return;
  }
  for (const { id, kind, name } of cells) {
    const written = ofFigures
      ? await workbench.export(id, format as ExportFormat)
      : await workbench.exportAnswers(id, format);
    for (const file of written) context.stdout(`${printable(file)}\n`);
    const why = written.length > 0 ? undefined : whyNothing(workbench.state(id), format);
    if (why !== undefined) context.stderr(`${printable(`${kind} ${name}`.trim())}: ${printable(why)}\n`);
  }
}

function whyNothing(state: CellState, format: string): string | undefined {
  if (state.kind === "note" || state.kind === "front-matter") return undefined;
  const [problem] = state.problems;
  if (problem !== undefined) return problem.message;
  return state.kind === "analysis"
    ? (state.missing ?? "there are no figures")
    : `its suite cannot write answers in the format ${format}`;
}
