/** Finds the saved run of a session that asked its models the same as a planned one and differs only in how it is scored. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { startOf } from "./older-code.ts";
import { runId } from "./run-spec.ts";
import { roleText, withoutRole, writtenSetting } from "../settings/role-settings.ts";
import { isFields } from "../run-settings.ts";
import type { AnswerSource } from "../log/rows/row-notes.ts";
import type { Prices } from "../log/rows/rows.ts";
import { RunStore } from "../log/run-store.ts";
import { isAnswered } from "../run/taken-answer.ts";
import type { Suite } from "../suite.ts";
import type { RunSpec } from "../types.ts";
import { eventLoopYielder } from "../work/event-loop.ts";

export type AnsweredRun = {
  readonly source: AnswerSource;
  readonly store: RunStore;
  /** Tasks with an answer. */
  readonly tasks: ReadonlySet<string>;
};

/**
 * Returns the run in the `runs` of this session folder with the most answers, or else the one whose answers `own` contains
 * already. Undefined if there is none. Yields to the event loop, because it reads the rows of other runs.
 */
export async function answeredRun(
  folder: string,
  spec: RunSpec,
  suite: Scored,
  prices: Prices = () => undefined,
  own: readonly { readonly source: AnswerSource }[] = [],
): Promise<AnsweredRun | undefined> {
  const runs = join(folder, "runs");
  if (!existsSync(runs)) return undefined;
  const [planned, unscored] = [runId(spec), idWithoutScoring(spec, suite)];
  let best: AnsweredRun | undefined;
  const yieldIfDue = eventLoopYielder();
  for (const run of readdirSync(runs).toSorted()) {
    if (run === planned) continue;
    await yieldIfDue();
    const saved = savedSpec(join(runs, run, "events.jsonl"), run);
    if (saved === undefined || idWithoutScoring(saved, suite) !== unscored) continue;
    const store = new RunStore(join(runs, run), { prices, reading: () => {} });
    await store.readRows();
    const tasks = new Set<string>();
    for (const row of store.table.rows()) {
      if (isAnswered(row)) tasks.add(row.task);
      const pause = yieldIfDue();
      if (pause !== undefined) await pause;
    }
    const found = { source: { run, judge: judgeOf(saved), ...scoringOf(saved, suite) }, store, tasks };
    if (tasks.size > 0 && own.some(({ source }) => source.run === run)) return found;
    if (tasks.size > (best?.tasks.size ?? 0)) best = found;
  }
  return best;
}

/** Returns the spec a run was started with. Undefined for answers made elsewhere: settings alone do not identify their run. */
function savedSpec(path: string, run: string): RunSpec | undefined {
  const spec = startOf(path)?.spec;
  return spec !== undefined && runId(spec) === run ? spec : undefined;
}

type Scored = Pick<Suite, "options">;

/**
 * Returns the same id for runs that ask the same of their models, however the answers are scored. Demonstrations show
 * answers as the check expects them, so a run with shots keeps its check.
 */
export function idWithoutScoring(judged: RunSpec, { options }: Scored): string {
  const { judge: _, ...spec } = withoutRole(judged, "judge");
  if (spec.shots > 0) return runId(spec);
  const scoring = new Set(options.flatMap(({ name, scoring: only }) => (only === true ? [name] : [])));
  const asked = Object.entries(spec.options).filter(([name]) => !scoring.has(name));
  return runId({ ...spec, options: Object.fromEntries(asked) });
}

/** Names the judge of a run with its own settings, by which it may differ from the judge of another run. */
function judgeOf(spec: RunSpec): string | undefined {
  const judge = writtenSetting(spec, "judge");
  return judge === undefined ? undefined : isFields(judge) ? roleText(judge) : String(judge);
}

/** Names the choices that decide how the answers of a run are scored, without texts of the user's own. */
function scoringOf(spec: RunSpec, { options }: Scored): Pick<AnswerSource, "scoring"> {
  const named = options.flatMap(({ name, scoring, values }) =>
    scoring === true && values !== "text" && spec.options[name] !== undefined ? [`${name} ${spec.options[name]}`] : [],
  );
  return named.length === 0 ? {} : { scoring: named.join(", ") };
}
