/** Adds a recording of another program to a session: its file, its run cell and its scores. */
import { basename } from "node:path";
import { Problem } from "../../engine/problem.ts";
import { recordedSource } from "../../engine/session/fork-cell.ts";
import { fileSuite, largestQuestionFile, unrecordedAnswer } from "../../engine/session/file-suite.ts";
import { writtenOptions } from "../../engine/migration/run-options.ts";
import type { Suite } from "../../engine/suite.ts";
import { isRecord, type JsonRecord, listAt, textAt } from "../../engine/text/json-record.ts";
import { DataProblem } from "../../engine/text/json-lines.ts";
import { printable } from "../../engine/text/printable.ts";
import { escapedJson } from "../../engine/text/json-text.ts";
import type { Json, RunSpec } from "../../engine/types.ts";
import type { Recording } from "../../engine/workbench/recordings/recording.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import type { RunState, SessionCell } from "../../engine/workbench/session-state.ts";
import { ArgumentProblem } from "../shell/arguments.ts";
import { keepBeside, keepText, type Lines } from "./kept-predictions.ts";

export type Import = {
  readonly recording: Recording;
  /** The recording, as a file or as a string with its hash and a name. */
  readonly kept: { readonly file: string } | { readonly name: string; readonly lines: Lines; readonly hash: string };
  /** The suite of the imported tasks if the user named it. */
  readonly suite: Suite | undefined;
  readonly split: string | undefined;
  readonly model: string | undefined;
  /** The name of the imported cell. If absent, `imported`. */
  readonly name?: string;
  /** Options of that suite by name. */
  readonly options?: Readonly<Record<string, string>>;
};

export type Imported = {
  readonly run: RunState;
  /** Why the suite of the exported run did not score it; absent if it did, or if the suite is unknown. */
  readonly unscored?: string;
};

/**
 * Adds a run cell for a recording, unless there is one, and scores the recording by the named suite, otherwise by the suite of
 * the exported run if its tasks are available, otherwise not at all. Throws `ArgumentProblem` if that fails; the document is then
 * not saved.
 */
export async function importRecording(workbench: SessionWorkbench, given: Import): Promise<Imported> {
  if (workbench.readOnly !== undefined) throw new ArgumentProblem(workbench.readOnly);
  const { kept } = given;
  const path =
    "file" in kept
      ? await keepBeside(workbench.folder, kept.file, recordingName)
      : await keepText(workbench.folder, kept.name, kept.lines, kept.hash);
  const matched = await matchedSource(workbench, given, path);
  const tried = "source" in matched ? await runOf(workbench, matched.source, given.name) : { problem: matched.lacking };
  const imported =
    "run" in tried || given.suite !== undefined ? tried : await readOnly(workbench, given, path, tried.problem);
  if (!("run" in imported)) throw new ArgumentProblem(imported.problem!);
  workbench.save();
  return imported;
}

type Tried = Imported | { readonly problem: string | undefined };

/** Returns the run of a cell with this text. The cell is added once, and removed again if it has no run. */
async function runOf(workbench: SessionWorkbench, source: string, name = "imported"): Promise<Tried> {
  const cells = workbench.cells();
  const known = cells.find((each) => each.kind === "run" && each.source === source);
  const cell = known?.id ?? workbench.insert("run", cells.at(-1)?.id, source, freeName(cells, name));
  await workbench.run(cell);
  const state = workbench.state(cell);
  const [run] = state.kind === "run" ? state.runs : [];
  // A recording may contain failed or aborted tasks. Its run is then not done, which is not an error.
  if (run !== undefined && run.status !== "ready" && run.message === undefined) return { run };
  const problem = state.kind === "run" ? state.problems[0]?.message : undefined;
  if (known === undefined) workbench.remove(cell);
  return { problem: problem ?? run?.message ?? "Expected the recording to contain a run, found none" };
}

/**
 * Writes the recording's tasks as questions without a check, so that its trajectories can be read. If its suite is known, the
 * cell gives the reason (`why`) for the missing score.
 */
async function readOnly(
  workbench: SessionWorkbench,
  { recording, model, name }: Import,
  path: string,
  why: string | undefined,
): Promise<Tried> {
  const from = await keepQuestions(workbench, recording);
  const said = why === undefined ? [] : [`# ${printable(why).replaceAll("\n", " ")}`];
  const own = ["suite: own", `from: ${JSON.stringify(from)}`, "check: none"];
  const source = lines([...said, ...own, ...modelLine(recording, model), predictionsLine(path)]);
  const tried = await runOf(workbench, source, name);
  return "run" in tried && why !== undefined ? { ...tried, unscored: why } : tried;
}

const lines = (all: readonly string[]) => `${all.join("\n")}\n`;
const predictionsLine = (path: string) => `predictions: ${JSON.stringify(path)}`;

const modelLine = (recording: Recording, model = recording.model): readonly string[] =>
  model === undefined ? [] : [`model: ${JSON.stringify(model)}`];

/** Returns a name that describes the file's contents, because a JSON file may contain anything. */
function recordingName(file: string): string {
  const name = basename(file);
  return name.endsWith(".json") && !name.endsWith(".inspect.json")
    ? `${name.slice(0, -".json".length)}.inspect.json`
    : name;
}

/** Returns the cell whose suite scores the recording: the named suite, otherwise the suite of the exported run. */
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
    if (from === undefined) return { lacking: `The questions of the run are not in ${basename(path)}` };
    return { source: `${written}from: ${JSON.stringify(from)}\n` };
  }
  const lacking = suite === undefined ? lackingData(workbench, spec) : undefined;
  return lacking === undefined ? { source: written } : { lacking };
}

/** Returns why the tasks of the run are not available, so that other tasks are not mistaken for them. */
function lackingData({ loadedSuites }: SessionWorkbench, { suite, data, dataset }: RunSpec): string | undefined {
  if (!loadedSuites.dataOf(suite).includes(data))
    return `The data of the run (${data}) are not installed for \`${suite}\`: install them with \`planwright data add\`, then import the run again`;
  return loadedSuites.dataset(suite, data) === dataset
    ? undefined
    : `The installed data of \`${suite}\` (${data}) differ from the data of the run`;
}

/**
 * Returns the settings of an exported run, or undefined if they are malformed. The cell that receives them is checked like any
 * other.
 */
function specOf(value: Json | undefined): RunSpec | undefined {
  if (!isRecord(value) || !isRecord(value["options"]) || textAt(value, "suite") === "") return undefined;
  return { ...(value as unknown as RunSpec), set: listAt(value, "set") as NonNullable<RunSpec["set"]> };
}

/**
 * Returns the session's own file of questions that the run used, if it is unchanged; the run can then be compared with other
 * runs on that file.
 */
function sameFile({ loadedSuites }: SessionWorkbench, { suite, dataset }: RunSpec): string | undefined {
  try {
    const isSame = dataset !== undefined && loadedSuites.dataset(suite, "own") === dataset;
    return isSame ? suite.slice(suite.indexOf("/") + 1) : undefined;
  } catch (error) {
    // Rejects a name that leads out of the session's folder.
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/**
 * Returns the recording's tasks as records of the user's own file, which scores them; undefined if a task has no record.
 */
async function keepRecords(workbench: SessionWorkbench, recording: Recording): Promise<string | undefined> {
  const lines = new QuestionLines();
  for await (const { id, record } of recording.tasks()) {
    if (record === undefined) return undefined;
    lines.set(id, record);
  }
  return lines.keep(workbench);
}

/** Writes the recording's tasks as the user's own questions, so that the recording can be read without its suite. */
async function keepQuestions(workbench: SessionWorkbench, recording: Recording): Promise<string> {
  const lines = new QuestionLines();
  for await (const { id, question, reference, facets } of recording.tasks()) {
    const { id: _, question: __, answer: ___, ...more } = facets;
    if (!lines.has(id)) lines.set(id, { id, question: question || id, answer: reference || unrecordedAnswer, ...more });
  }
  return lines.keep(workbench);
}

/** Writes a file of questions within the size limit that readers accept. */
class QuestionLines {
  readonly #lines = new Map<string, string>();
  #length = 0;

  has(id: string): boolean {
    return this.#lines.has(id);
  }

  /** Throws `DataProblem` as soon as the limit is exceeded. */
  set(id: string, record: JsonRecord): void {
    const line = jsonLine(record);
    this.#length += line.length - (this.#lines.get(id)?.length ?? -1);
    if (this.#length > largestQuestionFile)
      throw new DataProblem("Expected questions of at most 20 MB in total, got more");
    this.#lines.set(id, line);
  }

  keep({ folder }: SessionWorkbench): Promise<string> {
    return keepText(folder, "questions.jsonl", () => this.#lines.values());
  }
}

/** Returns a line of JSON Lines without its line end. */
export const jsonLine = (value: Json) => escapedJson(JSON.stringify(value));

/** Returns the name, followed by the first free number if the name is taken. */
export function freeName(cells: readonly SessionCell[], wanted: string): string {
  const taken = new Set(cells.map(({ name }) => name));
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}-${number}`;
  return name;
}
