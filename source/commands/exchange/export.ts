/** `planwright export SESSION`: writes figures of analysis cells, runs for other programs, and reports for readers to files. */
import { resolve } from "node:path";
import { printable } from "../../engine/text/printable.ts";
import {
  exportFormats,
  type CellState,
  type ExportFormat,
  type FigureLook,
  reportedTasks,
  type ReportedTasks,
  type RunFormat,
} from "../../engine/workbench/session-state.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import { ArgumentProblem, type Flags, readArguments } from "../shell/arguments.ts";
import type { Command, CommandContext } from "../shell/command.ts";
import { cellNames, oneSession, setFields, withSession } from "../session/open-session.ts";

/** Formats of `--format` that apply to runs; rows and messages have separate flags. */
const toolFormats = ["inspect", "atif", "training"] as const;
const rowFormats = ["csv", "jsonl", "parquet"] as const;

const flags: Flags = {
  cells: "cells",
  format: { words: [...exportFormats, ...toolFormats], several: true },
  rows: { words: rowFormats, several: true },
  messages: "nothing",
  intervals: "nothing",
  width: "text",
  plain: "nothing",
  "min-score": "text",
  set: "text",
  out: "folder",
  report: "file",
  tasks: { words: reportedTasks },
  "take-over": "nothing",
};

export const exportCommand: Command = {
  name: "export",
  summary:
    "write a report of a session, its figures as CSV, LaTeX, SVG and others, or its runs for pandas, Inspect and other tools",
  usage: `planwright export SESSION [--cells NAME,NAME] [--format FORMAT,FORMAT] [--rows csv,jsonl,parquet] [--messages] [--min-score S]
                  [--intervals] [--width 8cm] [--plain] [--set FIELD=VALUE] [--out DIR] [--take-over]
planwright export SESSION --report FILE.html [--tasks failed] [--cells NAME,NAME] [--set FIELD=VALUE]

A report is a single page to share: text, figures, sortable tables, and the trajectories behind every number. It needs no other
file and no server. --tasks failed includes only trajectories of tasks that were not answered correctly.

Figures of analysis cells: ${exportFormats.join(", ")} (default: csv). --intervals adds 95 % intervals to LaTeX; the other formats
always have them. vega writes Vega-Lite for all figures except tables. PNG needs the packages \`@resvg/resvg-wasm\` and \`dejavu-fonts-ttf\`, PDF
\`pdfkit\`, \`svg-to-pdfkit\` and \`dejavu-fonts-ttf\`. --width 8cm (or mm, in, pt) lays PNG, PDF and SVG out for that width, with text of
at least 6 pt; --plain omits title and notes.
Runs (nothing is executed):
  --rows csv,jsonl  every task with run, settings, answer, score, checks and tokens: rows.csv (notes in rows.notes.txt), rows.jsonl,
                    and with parquet rows.parquet, which needs the package \`hyparquet-writer\`
  --messages        every request with its reply: messages.jsonl
  --format inspect  one log for Inspect AI per run, as JSON and as .eval
  --format atif     the Agent Trajectory Interchange Format, one document per task
  --format training conversations of correctly answered tasks, as JSON Lines of messages; --min-score 0.5 includes all tasks
                    with that score or more; training.origins.jsonl has the origin of each line
  --format travelplanner, toolbench  answers in the publisher's format: TravelPlanner's submission; ToolBench's answers with their
                    steps, as a reference for the win rate of other runs
Files are written to exports/ in the folder of the session, or to DIR; their names are printed. --take-over takes over the
session from a program that is alive but has not answered for a minute.`,
  takes: ["session"],
  flags,
  async run(args, context) {
    const { positionals, text, texts, flag, number } = readArguments(args, flags);
    const path = oneSession(positionals);
    const least = number("min-score", { least: 0, most: 1 });
    const rows = text("rows")?.split(",") ?? [];
    for (const format of rows) expectOneOf("--rows", format, rowFormats);
    const runFormats = [...rows.map((format) => `rows.${format}`), ...(flag("messages") ? ["messages"] : [])];
    const report = text("report");
    const tasks = reportedOf(text("tasks"), report);
    const formats = text("format")?.split(",") ?? (runFormats.length > 0 || report !== undefined ? [] : ["csv"]);
    const out = text("out");
    const said = new Set<string>();
    const tell = (what: string) => {
      if (!said.has(what)) context.stderr(`${printable(what)}\n`);
      said.add(what);
    };
    const refusals = new Set<string>();
    const refused = (why: string) => {
      refusals.add(why);
      tell(why);
    };
    const shape = { intervals: flag("intervals"), plain: flag("plain"), width: pointsOf(text("width")) };
    const look = { ...shape, refused, noted: tell };
    return withSession(
      path,
      context,
      { exports: out && resolve(out), takeOver: flag("take-over") },
      async (workbench) => {
        try {
          setFields(workbench, texts("set"), context);
          for (const format of formats)
            expectOneOf("--format", format, [...exportFormats, ...toolFormats, ...publisherFormats(workbench)]);
          const names = cellNames(text("cells"), workbench.cells());
          const told = new Set<string>();
          for (const format of [...formats, ...runFormats])
            await exportAs(format, { workbench, context, names, least, look, told });
          if (report !== undefined) {
            const { writeReport } = await import("../../engine/workbench/report/report.ts");
            await writeReport(resolve(report), { workbench, names, tasks, signal: context.signal });
            context.stdout(`${printable(resolve(report))}\n`);
          }
          return refusals.size > 0 ? 1 : 0;
        } catch (error) {
          if (context.signal.aborted && error === context.signal.reason) {
            context.stderr("Interrupted; all files written so far are complete\n");
            return 1;
          }
          const elsewhere =
            workbench.readOnly !== undefined && out === undefined && !(error instanceof ArgumentProblem);
          throw elsewhere
            ? new ArgumentProblem(`${(error as Error).message}; choose another folder with \`--out DIR\``)
            : error;
        }
      },
    );
  },
};

/** Returns the names of the publishers' formats for answers. */
const publisherFormats = ({ suites }: Pick<SessionWorkbench, "suites">): readonly string[] => [
  ...new Set(suites.flatMap(({ exporters = {} }) => Object.keys(exporters))),
];

/** Returns which trajectories a report contains. Throws `ArgumentProblem`. */
function reportedOf(tasks: string | undefined, report: string | undefined): ReportedTasks {
  if (tasks === undefined) return "all";
  expectOneOf("--tasks", tasks, reportedTasks);
  if (report === undefined) throw new ArgumentProblem("Expected `--tasks` only together with `--report FILE.html`");
  return tasks as ReportedTasks;
}

const pointsPer: Readonly<Record<string, number>> = { cm: 72 / 2.54, mm: 72 / 25.4, in: 72, pt: 1 };

/** Returns a width such as `8cm` in points. Throws `ArgumentProblem`. */
function pointsOf(width: string | undefined): number | undefined {
  if (width === undefined) return undefined;
  const [, amount, unit] = /^(\d{1,6}(?:\.\d{1,6})?) ?(cm|mm|in|pt)$/.exec(width) ?? [];
  const points = Number(amount) * (pointsPer[unit ?? ""] ?? Number.NaN);
  if (points >= 72 && points <= 7200) return points;
  throw new ArgumentProblem(
    `Expected \`--width\` to be from 1in to 100in, such as 8cm, 80mm or 230pt, got \`${width}\``,
  );
}

function expectOneOf(flag: string, value: string, known: readonly string[]): void {
  if (!known.includes(value))
    throw new ArgumentProblem(`Expected \`${flag}\` to be one of ${known.join(", ")}, got \`${value}\``);
}

type Export = {
  readonly workbench: SessionWorkbench;
  readonly context: CommandContext;
  readonly names: readonly string[] | undefined;
  readonly least: number | undefined;
  readonly look: FigureLook;
  /**
   * Lines that are printed only once: several tables share a file of notes, and several formats may skip a cell for the same
   * reason.
   */
  readonly told: Set<string>;
};

async function exportAs(format: string, { workbench, context, names, least, look, told }: Export): Promise<void> {
  const once = (key: string, tellIt: () => void) => {
    if (!told.has(key)) tellIt();
    told.add(key);
  };
  const tell = (files: readonly string[]) => {
    for (const file of files) once(file, () => context.stdout(`${printable(file)}\n`));
  };
  const tellWhyNot = ({ id, kind, name }: { id: string; kind: string; name: string }, why: string) =>
    once(`${id} ${why}`, () => context.stderr(`${printable(`${kind} ${name}`.trim())}: ${printable(why)}\n`));
  const ofFigures = (exportFormats as readonly string[]).includes(format);
  const cells = workbench
    .cells()
    .filter(
      ({ kind, name }) => kind === (ofFigures ? "analysis" : "run") && (names === undefined || names.includes(name)),
    );
  if (!ofFigures && !publisherFormats(workbench).includes(format)) {
    const written = await workbench.exportRuns(
      cells.map(({ id }) => id),
      format as RunFormat,
      { least, signal: context.signal },
    );
    tell(written);
    for (const cell of cells) {
      const state = workbench.state(cell.id);
      if (state.kind !== "run" || state.runs.some(({ run }) => workbench.rows(run).length > 0)) continue;
      tellWhyNot(cell, state.problems[0]?.message ?? "no task has run yet");
    }
    return;
  }
  for (const cell of cells) {
    context.signal.throwIfAborted();
    const written = ofFigures
      ? await workbench.export(cell.id, format as ExportFormat, look)
      : await workbench.exportAnswers(cell.id, format);
    tell(written);
    const why = written.length > 0 ? undefined : whyNothing(workbench.state(cell.id), format);
    if (why !== undefined) tellWhyNot(cell, why);
  }
}

function whyNothing(state: CellState, format: string): string | undefined {
  if (state.kind === "note" || state.kind === "front-matter") return undefined;
  const [problem] = state.problems;
  if (problem !== undefined) return problem.message;
  return state.kind === "analysis"
    ? (state.missing ?? (state.figures.length > 0 ? "all figures of this cell are tables" : "this cell has no figures"))
    : `the suite of this cell cannot write answers in the format ${format}`;
}
