/** `planwright import inspect|atif FILE`: logs and trajectories of other programs as runs to look at and compare. */
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { atifFiles, atifRecording } from "../../engine/workbench/recordings/atif-recording.ts";
import { declaredLog, inspectFile } from "../../engine/workbench/recordings/inspect-recording.ts";
import { DataProblem } from "../../engine/text/json-lines.ts";
import { printable } from "../../engine/text/printable.ts";
import { declaredSize, ReadBounds } from "../../engine/text/read-bounds.ts";
import type { Suite } from "../../engine/suite.ts";
import { ArgumentProblem, readArguments, type Flags, readSize } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import { type Import, importRecording, jsonLine } from "./imported-run.ts";
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

export const importCommand: Command = {
  name: "import",
  summary: "take logs of Inspect AI, or trajectories (ATIF), into a session",
  usage: `planwright import inspect FILE... --into SESSION [--suite SUITE] [--split SPLIT] [--model NAME]
                  [--most SIZE] [--take-over]
planwright import atif FILE-OR-FOLDER... --into SESSION [--suite SUITE] [--split SPLIT] [--model NAME]
                  [--most SIZE] [--take-over]

Each log (\`.eval\` or JSON) is a run; all documents of ATIF are one. Requests, replies, tools and results are read as those of any
run. What was exported from here is scored by its own suite, with the settings it had; anything else by --suite, where the ids of
its tasks are those of the suite. Without a suite, and where the data or the strategy of the run are not here, which is said, there
is no score of ours: the file becomes questions of your own with \`check: none\`, which can be changed. Scores it was given elsewhere
are kept as labels. The file is copied into the session, and its name stands wherever the run is shown. --take-over takes the session
from a program that lives and has not answered for a minute.

--most  refuses files that unpack to more than this in all, such as 4GB, before they are read (512MB)`,
  takes: [{ words: ["inspect", "atif"] }, "file"],
  flags,
  async run(args, context) {
    const { positionals, text, flag } = readArguments(args, flags);
    const [kind, ...files] = positionals;
    if (kind !== "inspect" && kind !== "atif")
      throw new ArgumentProblem(`Expected \`import inspect\` or \`import atif\`, got \`${kind ?? "nothing"}\``);
    const into = text("into");
    if (files.length === 0) throw new ArgumentProblem(`Expected \`import ${kind} FILE\`, got no file`);
    if (into === undefined) throw new ArgumentProblem("Expected `--into SESSION`, got none");
    const chosen = { ...suiteOf(text("suite"), text("split"), context.suites), model: text("model") };
    const most = text("most");
    const report = (line: string) => context.stderr(`${printable(line)}\n`);
    const reading = { report, ...(most !== undefined && { most: readSize("most", most) }) };
    const bounds = new ReadBounds(reading);
    const recordings = kind === "atif" ? [await atifOf(files, bounds)] : await inspectOf(files, bounds);
    const workbench = await openFor(into, context, { reading, takeOver: flag("take-over") });
    try {
      for (const given of recordings) {
        const { run, unscored } = await importRecording(workbench, { ...given, ...chosen });
        context.stdout(`${runLine(run)}\n`);
        if (unscored !== undefined) context.stderr(`${printable(`Kept to be read, without a score. ${unscored}`)}\n`);
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

type Opened = Pick<Import, "recording" | "kept">;

/** Bytes from which on an import is to take little memory rather than little time. */
const large = 64 * 1024 * 1024;

/** Garbage of what was read would otherwise pile up to some 200 MB more, which saves a third of the time. */
function holdLittle({ expected }: ReadBounds): void {
  if (expected > large) setFlagsFromString("--optimize-for-size");
}

/** All are looked at before the first one is read. */
async function inspectOf(files: readonly string[], bounds: ReadBounds): Promise<readonly Opened[]> {
  for (const file of files) bounds.expect(file, declaredLog(file));
  holdLittle(bounds);
  const opened: Opened[] = [];
  for (const file of files) opened.push({ recording: await inspectFile(file, bounds), kept: { file } });
  return opened;
}

/** All documents as one text, so that one file holds the run; one at a time is in memory. */
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
