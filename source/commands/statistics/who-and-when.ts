/** Reads the logs of Who&When (Zhang et al. 2025): failed runs of several agents, annotated with who went wrong and at which step. */
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { DataProblem, MissingFile, readJson } from "../../engine/text/json-lines.ts";
import { field, isRecord, listAt, textAt } from "../../engine/text/json-record.ts";

/** Names of the two sets, which are never pooled. */
export const sets = ["Algorithm-Generated", "Hand-Crafted"] as const;
export type SetName = (typeof sets)[number];

export type AnnotatedLog = {
  /** The file's name without `.json`. */
  readonly log: string;
  /** The speaker of each step, without the brackets of hand-crafted logs (`Orchestrator (thought)`). */
  readonly speakers: readonly string[];
  readonly agent: string;
  /** 0-based. */
  readonly step: number;
};

/**
 * The logs of a set in a folder, which contains `Who&When/`, or is that. Throws `MissingFile` without such a folder, `DataProblem` for
 * a log that lacks its annotation.
 */
export async function annotatedLogs(folder: string, set: SetName): Promise<readonly AnnotatedLog[]> {
  const inside = [join(folder, "Who&When", set), join(folder, set)].find(
    (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  );
  if (inside === undefined) throw new MissingFile(`Expected a folder \`Who&When/${set}\` in ${folder}, found none`);
  const names = readdirSync(inside)
    .filter((name) => name.endsWith(".json"))
    .toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10) || (one < other ? -1 : 1));
  return Promise.all(names.map((name) => annotatedLog(join(inside, name), set)));
}

async function annotatedLog(path: string, set: SetName): Promise<AnnotatedLog> {
  const value = await readJson(path);
  const agent = textAt(value, "mistake_agent");
  const written = field(value, "mistake_step");
  const step = typeof written === "number" ? written : Number.parseInt(typeof written === "string" ? written : "", 10);
  if (!isRecord(value) || agent === "" || !Number.isInteger(step))
    throw new DataProblem(`Expected \`mistake_agent\` and \`mistake_step\` in ${path}, found none`);
  const speaker = set === "Hand-Crafted" ? "role" : "name";
  const speakers = listAt(value, "history").map((each) => baseName(textAt(each, speaker)));
  return { log: basename(path, ".json"), speakers, agent, step };
}

/** The part of a speaker before its brackets. */
export const baseName = (speaker: string): string => speaker.split(" (")[0]!.trim();
