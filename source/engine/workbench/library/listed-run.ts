/** The line for each run in a list of runs. */
import { type RunEnding } from "../../log/rows/rows.ts";
import { tokensOfRun } from "../../log/rows/run-sums.ts";
import { taskCounts, type TaskCounts } from "../../log/rows/task-counts.ts";
import { numbersBeside, type ScoreSoFar } from "../../measures/beside.ts";
import { writtenOptions } from "../../migration/run-options.ts";
import { fieldLine, runFields } from "../../session/fork-cell.ts";
import { settingNamed } from "../../run-settings.ts";
import { valueLabel } from "../../session/run-spec.ts";
import type { SettingValue } from "../../run-settings-rows.ts";
import type { SettingsStore } from "../../settings/settings.ts";
import type { Suite } from "../../suite.ts";
import { type FoundNotebook, type FoundRun, foundNotebooks, foundRuns } from "./found-runs.ts";

export type ListedRun = {
  /** The notebook's path, relative to the searched folder and absolute. */
  readonly notebook: string;
  readonly folder: string;
  readonly run: string;
  /** The folder of the run. */
  readonly path: string;
  readonly suite: string;
  readonly model: string;
  /** Settings other than the benchmark and the model, each as a run cell writes it: `strategy: cot`. */
  readonly settings: readonly string[];
  /** Names that the notebook gives to values of settings and to the model, by field. */
  readonly names: FoundRun["names"];
  /** The settings in the same order, with names and the starts of texts for values: `prompts: careful`. */
  readonly labels: readonly string[];
  readonly readsAnswerKey: boolean;
  /**
   * The benchmark's first measure that has a value; undefined if there is none or the benchmark is not available. Reads all rows
   * on first access.
   */
  readonly score: ScoreSoFar | undefined;
  readonly counts: TaskCounts;
  readonly total: number;
  readonly ended: RunEnding["reason"] | undefined;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  readonly seconds: number;
  readonly calls: number;
  readonly tokens: ReturnType<typeof tokensOfRun>;
  readonly cost: number | undefined;
};

/** Returns the runs of a notebook, the oldest first; calls `unread` with each whose log cannot be read, and the reason. */
export function listedRuns(
  notebook: FoundNotebook,
  suites: readonly Suite[],
  settings: SettingsStore,
  unread: (run: string, why: string) => void = () => {},
): readonly ListedRun[] {
  return foundRuns(notebook, suites, settings).flatMap((found) => {
    try {
      return listedRun(notebook, found);
    } catch (error) {
      unread(found.run, (error as Error).message);
      return [];
    }
  });
}

/** Returns the runs of all notebooks below a folder. */
export async function runsBelow(
  folder: string,
  suites: readonly Suite[],
  settings: SettingsStore,
): Promise<readonly ListedRun[]> {
  const runs: ListedRun[] = [];
  for await (const notebook of foundNotebooks(folder)) runs.push(...listedRuns(notebook, suites, settings));
  return runs;
}

function listedRun({ name, folder }: FoundNotebook, saved: FoundRun): ListedRun {
  const { run, path, spec, suite, readsAnswerKey, begunAt } = saved;
  const { table } = saved.read();
  const settings = settingsOf(saved);
  const sums = table.sums();
  const parts = [...table.choices.values()];
  const total = Math.max(table.total, sums.rows, ...parts.map((part) => part.total));
  const ended = table.ended ?? parts.findLast((part) => part.ended !== undefined)?.ended;
  const { calls, seconds, cost, tokens } = sums.spent;
  let scored: Pick<ListedRun, "score"> | undefined;
  return {
    notebook: name,
    folder: folder.path,
    run,
    path,
    suite: spec.suite,
    model: spec.model,
    settings: settings.map(([field, value]) => fieldLine(field, value)),
    names: saved.names,
    labels: labelsOf(settings, saved.names),
    readsAnswerKey,
    get score() {
      // The run is opened again, so that a long list does not keep all rows in memory.
      return (scored ??= { score: suite && numbersBeside(suite, saved.read().table.rows()).score }).score;
    },
    counts: taskCounts(sums, 0, total),
    total,
    ended: ended?.reason,
    begunAt,
    seconds,
    calls,
    tokens: tokensOfRun(tokens),
    cost,
  };
}

type Written = ReturnType<typeof runFields>;

/** Returns the settings of a run as a cell writes them, without the benchmark and the model. */
function settingsOf({ spec, suite }: FoundRun): Written {
  const options = suite === undefined ? spec.options : writtenOptions(suite, spec);
  return runFields({ ...spec, options }).filter(([name]) => name !== "suite" && name !== "model");
}

/** Returns the settings with the names of their values. Shows only the start of a text, or of its hash. */
function labelsOf(settings: Written, names: FoundRun["names"]): readonly string[] {
  const joint = Object.keys(names).filter((field) => field !== "model" && !settings.some(([name]) => name === field));
  return [...joint.map((field) => [field, null] as const), ...settings].map(([field, value]) => {
    const name = names[field];
    if (name !== undefined) return `${field}: ${name}`;
    const { kind } = settingNamed(field) ?? {};
    const isText =
      kind === "prompts" || kind === "fork" || (typeof value === "string" && (kind === "text" || value.length > 60));
    return isText ? `${field}: ${valueLabel(field, value as SettingValue)}` : fieldLine(field, value);
  });
}

/** Returns the model of a run, after its name in the notebook: `small (lab/llama-3.2-1b)`. */
export const modelText = ({ model, names }: Pick<ListedRun, "model" | "names">): string =>
  names["model"] === undefined ? model : `${names["model"]} (${model})`;

/** Returns the settings of a run that differ in this list, and those that all its runs share, each on one line. */
export function settingsApart({ labels }: ListedRun, listed: readonly ListedRun[]) {
  const isShared = (label: string) => listed.every((other) => other.labels.includes(label));
  const [apart, shared] = [labels.filter((label) => !isShared(label)), labels.filter(isShared)];
  return { apart: apart.join(", "), shared: shared.join(", ") };
}

/** Returns the settings of a run on one line; settings that differ in this list come first. */
export function settingsText(run: ListedRun, listed: readonly ListedRun[]): string {
  const { apart, shared } = settingsApart(run, listed);
  return [apart, shared].filter((text) => text !== "").join(", ");
}
