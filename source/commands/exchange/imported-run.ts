/** What another program recorded, as a run cell of a session with its run: files, cell and scores. */
import { basename } from "node:path";
import { Problem } from "../../engine/problem.ts";
import { recordedSource } from "../../engine/session/fork-cell.ts";
import { fileSuite, largestQuestionFile } from "../../engine/session/file-suite.ts";
import { writtenOptions } from "../../engine/migration/run-options.ts";
import type { Suite } from "../../engine/suite.ts";
import { isRecord, type JsonRecord, listAt, textAt } from "../../engine/text/json-record.ts";
import { DataProblem } from "../../engine/text/json-lines.ts";
import { printable } from "../../engine/text/printable.ts";
import { escapedJson } from "../../engine/text/json-text.ts";
import type { Json, RunSpec } from "../../engine/types.ts";
import type { Recording } from "../../engine/workbench/recordings/recording.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import type { RunState, SessionCell } from "../../engine/workbench/workbench.ts";
import { ArgumentProblem } from "../shell/arguments.ts";
import { keepBeside, keepText, type Lines } from "./kept-predictions.ts";

export type Import = {
  readonly recording: Recording;
  /** The recording: a file, or a text with its hash and a name for it. */
  readonly kept: { readonly file: string } | { readonly name: string; readonly lines: Lines; readonly hash: string };
  /** The suite its tasks are of, where that is said. */
  readonly suite: Suite | undefined;
  readonly split: string | undefined;
  readonly model: string | undefined;
  /** Options of that suite, by name. */
  readonly options?: Readonly<Record<string, string>>;
};

export type Imported = {
  readonly run: RunState;
  /** Why the suite of the run it was exported from did not score it; absent where it did, and where none is known. */
  readonly unscored?: string;
};

/**
 * Adds a run cell for a recording, once, and scores what it holds: by the suite that is named, else by that of the run it was
 * exported from, where that has its tasks here, else not at all. Throws `ArgumentProblem` where that cannot be done; the document is
 * then not saved.
 */
export async function importRecording(workbench: SessionWorkbench, given: Import): Promise<Imported> {
  if (workbench.readOnly !== undefined) throw new ArgumentProblem(workbench.readOnly);
  const { kept } = given;
  const path =
    "file" in kept
      ? await keepBeside(workbench.folder, kept.file, recordingName)
      : await keepText(workbench.folder, kept.name, kept.lines, kept.hash);
  const matched = await matchedSource(workbench, given, path);
  const tried = "source" in matched ? await runOf(workbench, matched.source) : { problem: matched.lacking };
  const imported =
    "run" in tried || given.suite !== undefined ? tried : await readOnly(workbench, given, path, tried.problem);
  if (!("run" in imported)) throw new ArgumentProblem(imported.problem!);
  workbench.save();
  return imported;
}

type Tried = Imported | { readonly problem: string | undefined };

/** The run of a cell with this text, which is added once; taken away again where it gives none. */
async function runOf(workbench: SessionWorkbench, source: string): Promise<Tried> {
  const cells = workbench.cells();
  const known = cells.find((each) => each.kind === "run" && each.source === source);
  const cell = known?.id ?? workbench.insert("run", cells.at(-1)?.id, source, freeName(cells, "imported"));
  await workbench.run(cell);
  const state = workbench.state(cell);
  const [run] = state.kind === "run" ? state.runs : [];
  // Tasks that failed there, or were cut, are part of what is read: the run is then not done, and nothing is wrong with it.
  if (run !== undefined && run.status !== "ready" && run.message === undefined) return { run };
  const problem = state.kind === "run" ? state.problems[0]?.message : undefined;
  if (known === undefined) workbench.remove(cell);
  return { problem: problem ?? run?.message ?? "Expected the recording to give one run, got none" };
}

/** Its tasks as questions that have no check: trajectories to read. `why` there is no more, where a suite is known, stands in the cell. */
async function readOnly(
  workbench: SessionWorkbench,
  { recording, model }: Import,
  path: string,
  why: string | undefined,
): Promise<Tried> {
  const from = await keepQuestions(workbench, recording);
  const said = why === undefined ? [] : [`# ${printable(why).replaceAll("\n", " ")}`];
  const own = ["suite: own", `from: ${JSON.stringify(from)}`, "check: none"];
  const tried = await runOf(workbench, lines([...said, ...own, ...modelLine(recording, model), predictionsLine(path)]));
  return "run" in tried && why !== undefined ? { ...tried, unscored: why } : tried;
}

const lines = (all: readonly string[]) => `${all.join("\n")}\n`;
const predictionsLine = (path: string) => `predictions: ${JSON.stringify(path)}`;

function modelLine(recording: Recording, model = recording.model): readonly string[] {
  return model === undefined ? [] : [`model: ${JSON.stringify(model)}`];
}

/** A name that says what is in the file: JSON may be anything. */
function recordingName(file: string): string {
  const name = basename(file);
  return name.endsWith(".json") && !name.endsWith(".inspect.json")
    ? `${name.slice(0, -".json".length)}.inspect.json`
    : name;
}

/** The cell by which a suite scores the recording: the one that is named, else that of the run it was exported from. */
async function matchedSource(
  workbench: SessionWorkbench,
  { recording, suite, split, model, options = {} }: Import,
  path: string,
): Promise<{ readonly source: string } | { readonly lacking: string | undefined }> {
  const spec = specOf(recording.spec);
  const { suites } = workbench;
  const own = spec && (suites.find(({ name }) => name === spec.suite) ?? fileSuite(spec.suite, suites).family);
  if (spec === undefined || own === undefined || (suite !== undefined && suite.name !== own.name)) {
    const lacking = spec && `There is no suite \`${spec.suite}\` here`;
    if (suite === undefined) return { lacking };
    const named = [`suite: ${suite.name}`, ...(split === undefined ? [] : [`split: ${split}`])];
    const chosen = Object.entries(options).map(([name, value]) => `${name}: ${value}`);
    return { source: lines([...named, ...modelLine(recording, model), ...chosen, predictionsLine(path)]) };
  }
  const written = recordedSource(
    { ...spec, suite: own.name, model: model ?? spec.model, options: { ...writtenOptions(own, spec), ...options } },
    path,
  );
  if (own.ofFile !== undefined && spec.suite !== own.name) {
    const from = sameFile(workbench, spec) ?? (await keepRecords(workbench, recording));
    if (from === undefined) return { lacking: `Its questions are not in ${basename(path)}` };
    return { source: `${written}from: ${JSON.stringify(from)}\n` };
  }
  const lacking = suite === undefined ? lackingData(workbench, spec) : undefined;
  return lacking === undefined ? { source: written } : { lacking };
}

/** Other tasks must not pass as those of the run. */
function lackingData({ loadedSuites }: SessionWorkbench, { suite, data, dataset }: RunSpec): string | undefined {
  if (!loadedSuites.dataOf(suite).includes(data))
    return `\`${suite}\` is here without the data of the run (${data}): bring them in by \`planwright data add\`, and import it again`;
  return loadedSuites.dataset(suite, data) === dataset
    ? undefined
    : `The data of \`${suite}\` (${data}) are others here than those of the run`;
}

/** The settings of a run exported from here; undefined where they are none. The cell they are written into is checked like any other. */
function specOf(value: Json | undefined): RunSpec | undefined {
  if (!isRecord(value) || !isRecord(value["options"]) || textAt(value, "suite") === "") return undefined;
  return { ...(value as unknown as RunSpec), set: listAt(value, "set") as NonNullable<RunSpec["set"]> };
}

/** The file of the session that a run of the user's own questions is of, where it is there as it was: the run then compares with others of it. */
function sameFile({ loadedSuites }: SessionWorkbench, { suite, dataset }: RunSpec): string | undefined {
  try {
    const isSame = dataset !== undefined && loadedSuites.dataset(suite, "own") === dataset;
    return isSame ? suite.slice(suite.indexOf("/") + 1) : undefined;
  } catch (error) {
    // A name that leads out of the session's folder.
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** The tasks of a recording as records of a file of the user's own, by which they are scored; undefined where one came without. */
async function keepRecords(workbench: SessionWorkbench, recording: Recording): Promise<string | undefined> {
  const lines = new QuestionLines();
  for await (const { id, record } of recording.tasks()) {
    if (record === undefined) return undefined;
    lines.set(id, record);
  }
  return lines.keep(workbench);
}

/** The tasks of a recording as questions of the user's own, by which it can be read without any suite of its own. */
async function keepQuestions(workbench: SessionWorkbench, recording: Recording): Promise<string> {
  const lines = new QuestionLines();
  for await (const { id, question, reference, facets } of recording.tasks()) {
    const { id: _, question: __, answer: ___, ...more } = facets;
    if (!lines.has(id))
      lines.set(id, { id, question: question || id, answer: reference || "none is recorded", ...more });
  }
  return lines.keep(workbench);
}

/** A file of questions, no larger than one is read. */
class QuestionLines {
  readonly #lines = new Map<string, string>();
  #length = 0;

  has(id: string): boolean {
    return this.#lines.has(id);
  }

  /** Throws `DataProblem` as soon as they are too many. */
  set(id: string, record: JsonRecord): void {
    const line = jsonLine(record);
    this.#length += line.length - (this.#lines.get(id)?.length ?? -1);
    if (this.#length > largestQuestionFile)
      throw new DataProblem("Expected questions of at most 20 MB in all, got more: no such file of questions is read");
    this.#lines.set(id, line);
  }

  keep({ folder }: SessionWorkbench): Promise<string> {
    return keepText(folder, "questions.jsonl", () => this.#lines.values());
  }
}

/** A line of JSON Lines, without its end. */
export const jsonLine = (value: Json) => escapedJson(JSON.stringify(value));

/** The name itself, or with the first number that is free. */
export function freeName(cells: readonly SessionCell[], wanted: string): string {
  const taken = new Set(cells.map(({ name }) => name));
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}-${number}`;
  return name;
}
