/**
 * Corrects an error or the score of a task. The correction is saved in `overrides.json`, which later scoring reads, and applies
 * at once, because the task is scored again alone. The log records the time, author and reason: see `score-history.ts`.
 */
import { addressOf, fitting, overridden, addressText } from "./overridden.ts";
import { isOfScore, listOverrides, type Override, writeOverrides } from "./overrides.ts";
import { Problem } from "../../problem.ts";
import type { RunStore } from "../run-store.ts";
import type { Benchmark } from "../../benchmark.ts";
import type { Mistake, Score } from "../../types.ts";

export type TaskCorrection = { readonly task: string } & CorrectedTo;

/** Another kind of error or another score, with the reason. */
export type CorrectedTo = { readonly reason: string } & (
  | {
      /** The error as the task's score contains it now. */
      readonly error: Mistake;
      /** `no-mistake` if the scorer's finding is not an error; undefined withdraws an earlier correction. */
      readonly kind: string | undefined;
    }
  | {
      /** From 0 to 1 (right); undefined withdraws an earlier correction. */
      readonly value: number | undefined;
    }
);

/** The new overrides, and the removed overrides whose errors no longer exist. */
type Change = { readonly next: readonly Override[]; readonly outdated: readonly string[] };

/**
 * Resolves to a message about overrides that were removed from the file; undefined if none were. `score` returns the scorer's own
 * score of the saved task. Throws `Problem` or `DataProblem` and changes nothing if the error does not exist, the suite lacks the
 * kind, the value is not a share, the reason is missing, or the file is invalid or cannot be written.
 */
export async function correctTask(
  store: RunStore,
  suite: Benchmark,
  score: () => Promise<Score>,
  correction: TaskCorrection & { readonly source: string },
): Promise<string | undefined> {
  const { task } = correction;
  const source = correction.source.trim();
  const reason = correction.reason.trim();
  const all = await listOverrides(store.folder, suite);
  const shown = lastScore(store, task)?.errors ?? [];
  const scored = await score();
  const { next, outdated } =
    "error" in correction
      ? errorChange(all, scored, shown, { ...correction, source, reason })
      : scoreChange(all, { ...correction, source, reason });
  const counted = overridden(
    scored,
    next.filter((each) => each.task === task),
    suite,
    store.table.row(task)?.facets ?? {},
  );
  // The log is opened first, so that the file stays unchanged if that fails.
  const log = store.open();
  writeOverrides(store.folder, next, suite);
  log.append({ task, type: "scored", score: counted, suiteRevision: suite.revision, by: source });
  return outdated.length === 0
    ? undefined
    : `Removed from overrides.json, because the error no longer exists: ${outdated.join("; ")}`;
}

/** Returns the last logged score, including mistakes that a person rejected. */
export function lastScore(store: RunStore, task: string): Score | undefined {
  const last = store.task(task).findLast((event) => event.type === "scored");
  return last?.type === "scored" ? last.score : undefined;
}

type Of<Key extends string> = Extract<TaskCorrection, Readonly<Record<Key, unknown>>> & { readonly source: string };

function scoreChange(all: readonly Override[], { task, value, source, reason }: Of<"value">): Change {
  const others = all.filter((each) => each.task !== task || !isOfScore(each));
  if (value === undefined) return { next: others, outdated: [] };
  mustHaveReason(reason);
  return { next: [...others, { task, value, source, reason }], outdated: [] };
}

function errorChange(
  all: readonly Override[],
  scored: Score,
  shown: readonly Mistake[],
  { task, error, kind, source, reason }: Of<"error">,
): Change {
  const at = indexIn(scored.errors, shown, error);
  const back = kind === undefined || kind === scored.errors[at]!.kind;
  if (!back) mustHaveReason(reason);
  const others: Override[] = [];
  const outdated: string[] = [];
  for (const each of all) {
    if (each.task !== task || isOfScore(each)) {
      others.push(each);
      continue;
    }
    const fits = fitting(scored.errors, each);
    if (fits.length === 0) outdated.push(`${addressText(each)}: ${each.kind}, by ${each.source}: ${each.reason}`);
    else if (fits.join() !== String(at)) others.push(each);
  }
  if (back) return { next: others, outdated };
  return { next: [...others, { task, ...addressOf(scored.errors, at), kind, source, reason }], outdated };
}

function mustHaveReason(reason: string): void {
  if (reason === "") throw new Problem("parse", "Expected a reason, got none");
}

/** Finds the scorer's error that corresponds to an error on the screen. Equal errors are distinguished by their order. */
function indexIn(scored: readonly Mistake[], shown: readonly Mistake[], error: Mistake): number {
  const at = shown.findIndex((each) => sameError(each, error) && sameOverride(each, error));
  if (at < 0) throw new Problem("parse", "This error no longer exists, because the task was run or scored again");
  const before = shown.slice(0, at).filter((each) => sameError(each, error)).length;
  const found = [...scored.keys()].filter((index) => sameError(scored[index]!, error))[before];
  if (found === undefined)
    throw new Problem("parse", "The scorer no longer reports this error; score the run again first");
  return found;
}

/** Compares what the scorer reported, regardless of corrections of the kind. */
function sameError(one: Mistake, other: Mistake): boolean {
  const kindOf = ({ kind, override }: Mistake) => override?.was ?? kind;
  return (
    kindOf(one) === kindOf(other) &&
    one.step === other.step &&
    one.key === other.key &&
    one.expected === other.expected &&
    one.got === other.got &&
    one.note === other.note
  );
}

const sameOverride = ({ kind, override: one }: Mistake, { kind: otherKind, override: other }: Mistake): boolean =>
  kind === otherKind && one?.source === other?.source && one?.reason === other?.reason;

/** Restores the scorer's own score, for imported answers that cannot be scored again. */
export function withoutOverrides({ override, ...score }: Score): Score {
  const { "errors.overridden": _, ...metrics } = override?.metrics ?? score.metrics;
  const errors = score.errors.map(({ override: own, ...error }) => ({ ...error, kind: own?.was ?? error.kind }));
  return { ...score, value: override === undefined ? score.value : override.was, errors, metrics };
}
