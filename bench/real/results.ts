/** Results of the notebook with a real model, and how they differ from the committed ones. */
import { causeText, countedCause } from "../../source/engine/log/rows/cause-text.ts";
import { counted } from "../../source/engine/text/counted.ts";
import type { CauseName, Row } from "../../source/engine/types.ts";
import type { Amounts, PlayedRun } from "./played-runs.ts";

/** Cause and score of a task; null: the task has none. */
export type TaskResult = { readonly cause: CauseName | null; readonly value: number | null };

/** Results by the label of the run, then by the id of the task. */
export type RealResults = Readonly<Record<string, Readonly<Record<string, TaskResult>>>>;

/** Tasks that used up their own seconds, by the label of the run: a slower machine has other results of them. */
export type LateTasks = Readonly<Record<string, ReadonlySet<string>>>;

export function lateTasks(rows: readonly Row[]): ReadonlySet<string> {
  return new Set(rows.filter(({ failure }) => failure?.kind === "timeout").map(({ task }) => task));
}

/**
 * Returns the results to commit of the runs with these names: those that were played now, and of others the committed ones. Tasks that
 * used up their seconds keep theirs, too: another machine has others.
 */
export function keptResults(
  names: readonly string[],
  committed: RealResults,
  played: RealResults,
  late: LateTasks,
): RealResults {
  const kept = names.flatMap((name) => {
    const [before, now] = [committed[name], played[name]];
    if (now === undefined) return before === undefined ? [] : [[name, before] as const];
    const own = Object.entries(now).map(([task, result]) => [
      task,
      late[name]?.has(task) === true ? (before?.[task] ?? result) : result,
    ]);
    return [[name, Object.fromEntries(own) as RealResults[string]] as const];
  });
  return Object.fromEntries(kept);
}

/** Returns the results of a run's rows, in the order of the rows. */
export function taskResults(rows: readonly Row[]): RealResults[string] {
  return Object.fromEntries(
    rows.map(({ task, cause, score }) => [task, { cause: cause?.cause ?? null, value: score?.value ?? null }]),
  );
}

/** Returns a line for each task whose cause or score differs, and for each task or run that only one of them has. */
export function differences(committed: RealResults, played: RealResults, late: LateTasks = {}): readonly string[] {
  const runs = new Set([...Object.keys(committed), ...Object.keys(played)]);
  return [...runs].flatMap((run) => {
    const [before = {}, now = {}] = [committed[run], played[run]];
    const tasks = [...new Set([...Object.keys(before), ...Object.keys(now)])];
    if (Object.keys(now).length === 0) return [`${run}: not executed (${counted(tasks.length, "task")})`];
    return tasks.flatMap((task) => {
      const said = difference(before[task], now[task], late[run]?.has(task) === true);
      return said === undefined ? [] : [`${run}: ${task}: ${said}`];
    });
  });
}

function difference(before: TaskResult | undefined, now: TaskResult | undefined, isLate: boolean): string | undefined {
  if (now === undefined) return "not executed";
  if (before === undefined) return "not among the committed results";
  const parts = (["cause", "value"] as const).filter((name) => before[name] !== now[name]);
  if (parts.length === 0) return undefined;
  if (isLate) return `the seconds of the task were used up, was ${before.cause ?? "none"}`;
  return parts.map((name) => `${name} ${now[name] ?? "none"}, was ${before[name] ?? "none"}`).join("; ");
}

/** The largest share by which a forecast after three tasks may differ from the usage. */
const tolerated = 0.25;

/** Returns a line with both, and whether they are further apart than a forecast may be. */
export function forecastText(run: string, forecast: Amounts, used: Amounts): string {
  const parts = (["calls", "tokens"] as const).map((name) => {
    const share = (forecast[name] - used[name]) / used[name];
    const percent = `${share < 0 ? "-" : "+"}${Math.abs(share * 100).toFixed(0)} %`;
    const far = Math.abs(share) > tolerated ? ", more than 25 % apart" : "";
    return `${forecast[name].toLocaleString("en")} ${name} forecast, ${used[name].toLocaleString("en")} used (${percent}${far})`;
  });
  return `${run}, after three tasks: ${parts.join("; ")}`;
}

/** Returns a row of the table of runs: run, benchmark, strategy, tasks, right ones, and causes with their numbers of tasks. */
export function runRow({ name, state, rows }: PlayedRun): string {
  const causes = new Map<string, number>();
  for (const { cause } of rows) {
    const text = cause === undefined ? "none" : causeText(cause);
    causes.set(text, (causes.get(text) ?? 0) + 1);
  }
  const counts = [...causes]
    .toSorted(([, one], [, other]) => other - one)
    .map(([text, count]) => countedCause(count, text));
  const { suite, split, strategy } = state.spec;
  const cells = [name, suite, split, strategy, String(rows.length), String(state.counts.right), counts.join(", ")];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

const between = /(<!-- runs -->\n)[\s\S]*?(<!-- \/runs -->)/;
const head = "| run | benchmark | split | strategy | tasks | right | causes |\n|---|---|---|---|---|---|---|";

/**
 * Returns the page with the rows of the runs with these names as its table: `rows`, and of other runs the rows that it has. Throws if
 * the page lacks the marks around it.
 */
export function withRuns(page: string, names: readonly string[], rows: readonly string[]): string {
  const [found] = between.exec(page) ?? [];
  if (found === undefined) throw new Error("Expected `<!-- runs -->` and `<!-- /runs -->` in the page, found none");
  const known = [...rows, ...found.split("\n")];
  const shown = names.flatMap(
    (name) => known.find((row) => row.startsWith(`| ${name.replaceAll("|", "\\|")} |`)) ?? [],
  );
  const table = [head, ...shown].join("\n");
  return page.replace(between, (_, start: string, end: string) => `${start}\n${table}\n\n${end}`);
}
