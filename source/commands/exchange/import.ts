/** `planwright import FORMAT FILE`: adds logs and trajectories of other programs as runs to inspect and compare. */
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { atifFiles, atifRecording } from "../../engine/workbench/recordings/atif-recording.ts";
import { declaredLog, inspectFile } from "../../engine/workbench/recordings/inspect-recording.ts";
import { DataProblem } from "../../engine/text/json-lines.ts";
import { counted } from "../../engine/text/counted.ts";
import { printable } from "../../engine/text/printable.ts";
import { declaredSize, ReadBounds } from "../../engine/text/read-bounds.ts";
import type { Suite } from "../../engine/suite.ts";
import { ArgumentProblem, readArguments, type Flags, readSize } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import { importAnnotated } from "./import-annotated.ts";
import { type Import, importRecording, jsonLine } from "./imported-run.ts";
import { importCodes } from "./imported-codes.ts";
import { hashOfLines } from "./kept-predictions.ts";
import { openFor } from "../session/open-session.ts";
import { runLine } from "../session/session-report.ts";

const flags: Flags = {
  into: "session",
  suite: "suite",
  split: "text",
  model: "text",
  most: "text",
  "take-over": "nothing",
};

/** Formats of other programs. */
const formats = ["inspect", "atif", "claude-code", "otel", "who-and-when"] as const;
type Format = (typeof formats)[number];
const isFormat = (text: string | undefined): text is Format => formats.some((format) => format === text);

export const importCommand: Command = {
  name: "import",
  summary: "import logs of Inspect AI or Claude Code, trajectories (ATIF), spans or annotated failures into a session",
  usage: `planwright import inspect FILE... --into SESSION [--suite SUITE] [--split SPLIT] [--model NAME]
                  [--most SIZE] [--take-over]
planwright import atif FILE-OR-FOLDER... --into SESSION [--suite SUITE] [--split SPLIT] [--model NAME]
                  [--most SIZE] [--take-over]
planwright import claude-code FILE-OR-FOLDER... --into SESSION [the same flags]
planwright import otel FILE... --into SESSION [the same flags]
planwright import who-and-when FOLDER --into SESSION

Each log of Inspect (\`.eval\` or JSON) is a run; all documents of ATIF, sessions of Claude Code (JSON Lines, with those of its
subagents) or traces (OTLP JSON, by the GenAI or OpenInference conventions) together form one run. Agents keep their names. Lines and
spans that are not understood are kept as notes and counted. Requests, replies, tools and results are shown as in any run.
A run exported from Planwright is scored by its own suite with its own settings; any other file is scored by --suite if its task
ids are those of the suite. Without a suite, or if the data or strategy of the run are missing here (the command reports this),
the run is not scored: the file becomes questions of your own with \`check: none\`, which you can change. Scores in the file are
kept as labels. Annotations in spans and log records and corrections of scores in logs of Inspect are kept as codes. \`who-and-when\` imports each set of
the published logs as a run and its annotations as codes: \`e\` in a trajectory leads to the annotated step. The file is copied into the
session, and the run is shown with its name. --take-over takes over the session from a program that is alive but has not answered for
a minute.

--most  rejects files that unpack to more than this in total, such as 4GB, before reading them (default 512MB)`,
  takes: [{ words: formats }, "file"],
  flags,
  async run(args, context) {
    const { positionals, text, needed, flag } = readArguments(args, flags);
    const [kind, ...files] = positionals;
    if (!isFormat(kind))
      throw new ArgumentProblem(
        `Expected ${formats.map((format) => `\`import ${format}\``).join(", ")}, got \`${kind ?? "nothing"}\``,
      );
    if (files.length === 0) throw new ArgumentProblem(`Expected \`import ${kind} FILE\`, got no file`);
    const into = needed("into", "SESSION");
    const chosen = { ...suiteOf(text("suite"), text("split"), context.suites), model: text("model") };
    const most = text("most");
    const report = (line: string) => context.stderr(`${printable(line)}\n`);
    const reading = { report, ...(most !== undefined && { most: readSize("most", most) }) };
    const bounds = new ReadBounds(reading);
    if (kind === "who-and-when") return importAnnotated(files, into, context, reading, flag("take-over"));
    const recordings = await recordingsOf(kind, files, bounds);
    for (const { recording } of kind === "inspect" || kind === "atif" ? [] : recordings) {
      const unread = await unreadIn(recording);
      if (unread > 0) report(`${counted(unread, "record")} not understood, kept as notes`);
    }
    const workbench = await openFor(into, context, { reading, takeOver: flag("take-over") });
    try {
      for (const given of recordings) {
        const { run, unscored } = await importRecording(workbench, { ...given, ...chosen });
        context.stdout(`${runLine(run)}\n`);
        const codes = await importCodes(workbench, given.recording, run.run);
        if (codes > 0) report(`${counted(codes, "annotation")} kept as codes`);
        if (unscored !== undefined) context.stderr(`${printable(`Imported without a score: ${unscored}`)}\n`);
      }
      return 0;
    } finally {
      await workbench.close();
    }
  },
};

function suiteOf(name: string | undefined, split: string | undefined, suites: readonly Suite[]) {
  const suite = suites.find((each) => each.name === name);
  if (name !== undefined && suite === undefined)
    throw new ArgumentProblem(
      `Expected \`--suite\` to be one of ${suites.map((each) => each.name).join(", ")}, got \`${name}\``,
    );
  if (split !== undefined && suite?.splits.some((each) => each.name === split) !== true)
    throw new ArgumentProblem(
      suite === undefined
        ? "Expected `--split` only together with `--suite`"
        : `Expected \`--split\` to be one of ${suite.splits.map((each) => each.name).join(", ")}, got \`${split}\``,
    );
  return { suite, split };
}

export type Opened = Pick<Import, "recording" | "kept">;

/** Files of at least this many bytes are imported with little memory rather than in little time. */
const large = 64 * 1024 * 1024;

/** Reduces garbage: without this limit, an import would use some 200 MB more memory, but a third less time. */
function holdLittle({ expected }: ReadBounds): void {
  if (expected > large) setFlagsFromString("--optimize-for-size");
}

async function recordingsOf(
  format: Exclude<Format, "who-and-when">,
  files: readonly string[],
  bounds: ReadBounds,
): Promise<readonly Opened[]> {
  if (format === "inspect") return inspectOf(files, bounds);
  if (format === "atif") return [await atifOf(files, bounds)];
  const { claudeCodeOf, otelOf } = await import("./imported-lines.ts");
  return [format === "otel" ? await otelOf(files, bounds) : await claudeCodeOf(files, bounds)];
}

/** Counts the parts of a recording that are stored as notes because they were not understood. */
async function unreadIn(recording: Opened["recording"]): Promise<number> {
  let unread = 0;
  for await (const { events } of recording.tasks())
    for (const event of events) unread += Number(event.type === "note" && event.kind === "unread");
  return unread;
}

/** Checks all files before the first is read. */
async function inspectOf(files: readonly string[], bounds: ReadBounds): Promise<readonly Opened[]> {
  for (const file of files) bounds.expect(file, declaredLog(file));
  holdLittle(bounds);
  const opened: Opened[] = [];
  for (const file of files) opened.push({ recording: await inspectFile(file, bounds), kept: { file } });
  return opened;
}

/** Yields all documents as one JSON text, so that one file contains the run. Only one document is in memory at a time. */
async function atifOf(given: readonly string[], bounds: ReadBounds): Promise<Opened> {
  const files = given.flatMap((path) =>
    statSync(path).isDirectory()
      ? readdirSync(path)
          .filter((name) => name.endsWith(".json"))
          .toSorted()
          .map((name) => join(path, name))
      : [path],
  );
  const all = given.join(", ");
  if (files.length === 0) throw new DataProblem(`Expected documents (.json) in ${all}, found none`);
  for (const file of files) bounds.expect(file, declaredSize(file));
  holdLittle(bounds);
  const documents = () => atifFiles(files, all, bounds);
  const lines = async function* () {
    for await (const { document } of documents()) yield jsonLine(document);
  };
  const name = `${basename(given[0]!).replace(/\.json$/, "")}.atif.jsonl`;
  const hash = await hashOfLines(lines);
  return { recording: await atifRecording(documents, all), kept: { name, lines, hash } };
}
