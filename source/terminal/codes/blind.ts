/** Hides the run, and other people's labels, from a person who labels blind. */
import type { Trajectory } from "../../engine/log/trajectory.ts";
import { codesOfTask, isOfAttempt } from "../../engine/session/codes/task-codes.ts";
import type { TaskRef } from "../../engine/types.ts";
import type { Codebook } from "../../engine/analysis.ts";
import type { Workbench } from "../../engine/workbench/workbench.ts";
import type { BlindLabelling } from "../frame/screen.ts";
import type { Terminal } from "../terminal.ts";
import type { ShownCode } from "./code-blocks.ts";

/**
 * Returns the trajectory without parts that show its run or its score: models, requests to a judge, the score, and why the
 * attempt ended. Steps keep their positions.
 */
export function blinded(trajectory: Trajectory): Trajectory {
  const { worker: _, cause: __, ...rest } = trajectory;
  const entries = trajectory.entries.map((entry): Trajectory["entries"][number] => {
    if (entry.kind !== "turn") return entry;
    if (entry.role === "judge") return { kind: "note", note: "judge", text: "hidden", data: undefined, at: entry.from };
    return { ...entry, model: "" };
  });
  return { ...rest, entries, score: undefined, scores: [], failure: undefined };
}

/**
 * Returns the shown codes of a task; while labelling blind, only codes that the user has assigned since the start of labelling.
 */
export function shownCodes(
  workbench: Workbench,
  ref: TaskRef,
  codebook: Codebook,
  blind: BlindLabelling | undefined,
): readonly ShownCode[] {
  const all = codesOfTask(codebook, ref).codes;
  if (all.length === 0) return none;
  const row = workbench.hasRows(ref.run) ? workbench.rows(ref.run).find(({ task }) => task === ref.task) : undefined;
  return all
    .filter(({ by, at }) => blind === undefined || (by === workbench.codes.person && at >= blind.since))
    .map((code) => ({ code, counts: isOfAttempt(code, row) }));
}

/** Returns the kinds of those codes that count, each once. */
export const standingKinds = (codes: readonly ShownCode[]): readonly string[] => [
  ...new Set(codes.flatMap(({ code, counts }) => (counts ? code.kind : []))),
];

const none: readonly ShownCode[] = [];

/** Records that the user has examined the task as a whole, whether or not it was tagged. */
export function labelBlind({ workbench }: Terminal, { sample }: BlindLabelling, ref: TaskRef): void {
  workbench.label(ref, sample);
}
