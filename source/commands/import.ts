/** `planwright import inspect|atif FILE`: logs and trajectories of other programs as runs to look at and compare. */
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { atifRecording } from "../engine/workbench/recordings/atif-recording.ts";
import { inspectFile } from "../engine/workbench/recordings/inspect-recording.ts";
import { DataProblem, readText } from "../engine/text/json-lines.ts";
import { printable } from "../engine/text/printable.ts";
import { escapedJson } from "../engine/text/json-text.ts";
import { parsePythonJson } from "../engine/text/python-json.ts";
import type { Suite } from "../engine/suite.ts";
import { ArgumentProblem, readArguments, type Flags } from "./arguments.ts";
import type { Command } from "./command.ts";
import { type Import, importRecording } from "./imported-run.ts";
import { openFor } from "./open-session.ts";
import { runLine } from "./session-report.ts";

const flags: Flags = { into: "session", suite: "suite", split: "text", model: "text", "take-over": "nothing" };

export const importCommand: Command = {
  name: "import",
  summary: "take logs of Inspect AI, or trajectories (ATIF), into a session",
  usage: `planwright import inspect FILE... --into SESSION [--suite SUITE] [--split SPLIT] [--model NAME]
                  [--take-over]
planwright import atif FILE-OR-FOLDER... --into SESSION [--suite SUITE] [--split SPLIT] [--model NAME]
                  [--take-over]

Each log (\`.eval\` or JSON) is a run; all documents of ATIF are one. Requests, replies, tools and results are read as those of any
run. What was exported from here is scored by its own suite, with the settings it had; anything else by --suite, where the ids of
its tasks are those of the suite. Without a suite, and where the data or the strategy of the run are not here, which is said, there
is no score of ours: the file becomes questions of your own with \`check: none\`, which can be changed. Scores it was given elsewhere
are kept as labels. The file is copied into the session, and its name stands wherever the run is shown. --take-over takes the session
from a program that lives and has not answered for a minute.`,
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
    const recordings = kind === "atif" ? [await atifOf(files)] : await Promise.all(files.map(inspectOf));
    const workbench = await openFor(into, context, { takeOver: flag("take-over") });
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

async function inspectOf(file: string): Promise<Opened> {
  return { recording: await inspectFile(file), kept: { file } };
}

/** All documents as one text, so that one file holds the run. */
async function atifOf(given: readonly string[]): Promise<Opened> {
  const files = given.flatMap((path) =>
    statSync(path).isDirectory()
      ? readdirSync(path)
          .filter((name) => name.endsWith(".json"))
          .toSorted()
          .map((name) => join(path, name))
      : [path],
  );
  if (files.length === 0) throw new DataProblem(`Expected documents (.json) in ${given.join(", ")}, found none`);
  const values = await Promise.all(files.map(async (file) => parsePythonJson(await readText(file), file)));
  const documents = values.map((value, index) => ({ number: index + 1, value }));
  const text = values.map((value) => `${escapedJson(JSON.stringify(value))}\n`).join("");
  const name = `${basename(given[0]!).replace(/\.json$/, "")}.atif.jsonl`;
  return { recording: atifRecording(documents, given.join(", ")), kept: { name, text } };
}
