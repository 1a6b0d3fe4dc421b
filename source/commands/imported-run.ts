/** What another program recorded, as a run cell of a session with its run: files, cell and scores. */
import { basename } from "node:path";
import { recordedSource } from "../engine/session/fork-cell.ts";
import { familyName } from "../engine/session/file-suite.ts";
import { writtenOptions } from "../engine/session/run-options.ts";
import type { Suite } from "../engine/suite.ts";
import { isRecord, listAt, textAt } from "../engine/text/json-record.ts";
import { escapedJson } from "../engine/text/json-text.ts";
import type { Json, RunSpec } from "../engine/types.ts";
import type { Recording } from "../engine/workbench/recordings/recording.ts";
import type { SessionWorkbench } from "../engine/workbench/session-workbench.ts";
import type { RunState, SessionCell } from "../engine/workbench/workbench.ts";
import { ArgumentProblem } from "./arguments.ts";
import { keepBeside, keepText } from "./kept-predictions.ts";

export type Import = {
  readonly recording: Recording;
  /** The recording: a file, or a text and a name for it. */
  readonly kept: { readonly file: string } | { readonly name: string; readonly text: string };
  /** The suite its tasks are of, where that is said. */
  readonly suite: Suite | undefined;
  readonly split: string | undefined;
  readonly model: string | undefined;
  /** Options of that suite, by name. */
  readonly options?: Readonly<Record<string, string>>;
};

/**
 * Adds a run cell for a recording, once, and scores what it holds: by the suite that is named, else by that of the run it was
 * exported from, else not at all. Throws `ArgumentProblem` where that cannot be done; the document is then not saved.
 */
export async function importRecording(workbench: SessionWorkbench, given: Import): Promise<RunState> {
  if (workbench.readOnly !== undefined) throw new ArgumentProblem(workbench.readOnly);
  const { kept } = given;
  const path =
    "file" in kept
      ? keepBeside(workbench.folder, kept.file, recordingName)
      : keepText(workbench.folder, kept.name, kept.text);
  const source = cellSource(workbench, given, path);
  const cells = workbench.cells();
  const known = cells.find((each) => each.kind === "run" && each.source === source);
  const cell = known?.id ?? workbench.insert("run", cells.at(-1)?.id, source, freeName(cells, "imported"));
  await workbench.run(cell);
  const state = workbench.state(cell);
  const [run] = state.kind === "run" ? state.runs : [];
  const problem = state.kind === "run" ? state.problems[0]?.message : undefined;
  if (run === undefined || run.status !== "done")
    throw new ArgumentProblem(problem ?? run?.message ?? "Expected the recording to give one run, got none");
  workbench.save();
  return run;
}

/** A name that says what is in the file: JSON may be anything. */
function recordingName(file: string): string {
  const name = basename(file);
  return name.endsWith(".json") && !name.endsWith(".inspect.json")
    ? `${name.slice(0, -".json".length)}.inspect.json`
    : name;
}

function cellSource(
  workbench: SessionWorkbench,
  { recording, suite, split, model, options = {} }: Import,
  path: string,
): string {
  const spec = specOf(recording.spec);
  if (suite === undefined && spec !== undefined && familyName(spec.suite) === "own") {
    const from = keepQuestions(workbench, recording);
    return `${recordedSource({ ...spec, suite: "own" }, path)}from: ${JSON.stringify(from)}\n`;
  }
  const own = spec && workbench.suites.find(({ name }) => name === spec.suite);
  if (spec !== undefined && own !== undefined && (suite === undefined || suite.name === own.name))
    return recordedSource({ ...spec, options: { ...writtenOptions(own, spec), ...options } }, path);
  const named = model ?? recording.model;
  const lines = [
    ...(suite === undefined
      ? ["suite: own", `from: ${JSON.stringify(keepQuestions(workbench, recording))}`, "check: none"]
      : [`suite: ${suite.name}`, ...(split === undefined ? [] : [`split: ${split}`])]),
    ...(named === undefined ? [] : [`model: ${JSON.stringify(named)}`]),
    ...Object.entries(options).map(([name, value]) => `${name}: ${value}`),
    `predictions: ${JSON.stringify(path)}`,
  ];
  return `${lines.join("\n")}\n`;
}

/** The settings of a run exported from here; undefined where they are none. The cell they are written into is checked like any other. */
function specOf(value: Json | undefined): RunSpec | undefined {
  if (!isRecord(value) || !isRecord(value["options"]) || textAt(value, "suite") === "") return undefined;
  return { ...(value as unknown as RunSpec), set: listAt(value, "set") as NonNullable<RunSpec["set"]> };
}

/** The tasks of a recording as questions of the user's own, by which it can be read without any suite of its own. */
function keepQuestions(workbench: SessionWorkbench, recording: Recording): string {
  const lines = new Map<string, string>();
  for (const { id, question, reference, facets } of recording.tasks()) {
    const { id: _, question: __, answer: ___, ...more } = facets;
    const line = { id, question: question || id, answer: reference || "none is recorded", ...more };
    if (!lines.has(id)) lines.set(id, escapedJson(JSON.stringify(line)));
  }
  return keepText(workbench.folder, "questions.jsonl", `${[...lines.values()].join("\n")}\n`);
}

/** The name itself, or with the first number that is free. */
export function freeName(cells: readonly SessionCell[], wanted: string): string {
  const taken = new Set(cells.map(({ name }) => name));
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}-${number}`;
  return name;
}
