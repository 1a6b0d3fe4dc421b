/** A task in this suite: the published record bound to catalogue and profile, with its answer key. */
import { field, isRecord } from "../../../source/engine/text/json-record.ts";
import type { Facets, Json, RunSpec, Task } from "../../../source/engine/types.ts";
import { operations, type Offer } from "./catalogue.ts";
import type { Profile } from "./folder.ts";
import type { Gold, TaskHead } from "./records.ts";
import { transcriptOfRecords } from "../score/transcript.ts";

export type ArenaInput = {
  readonly head: TaskHead;
  /** The request in Chinese; only generated tasks have it. */
  readonly queryZh: string | undefined;
  readonly offer: Offer;
  readonly profile: Profile | undefined;
};
export type ArenaAnswer = {
  readonly gold: Gold;
  /** The reference dialogue's records, without heading. */
  readonly reference: readonly Json[];
};
export type ArenaTask = Task<ArenaInput, ArenaAnswer>;

/** Builds a task with the facets that analyses group by. */
export function arenaTask(input: ArenaInput, answer: ArenaAnswer): ArenaTask {
  const { head } = input;
  return { id: String(head.id), question: unwrapped(head.query), input, answer, facets: facetsOf(input, answer) };
}

const facetsOf = ({ head }: ArenaInput, { gold, reference }: ArenaAnswer): Facets => ({
  level: head.level,
  interface: head.operationalScenario,
  relation: head.relation,
  structure: head.structure ?? head.relation,
  scenario: head.scenario,
  subtasks: gold.subtasks.length,
  tools: toolCount(head, gold, reference),
  profile: head.userId ?? "none",
});

/**
 * Counts a plan's distinct APIs or, for app tasks, distinct apps and operations; the paper counts both as interfaces.
 */
export function toolCount(head: Pick<TaskHead, "operationalScenario">, gold: Gold, reference: readonly Json[]): number {
  if (head.operationalScenario === "API") return new Set(gold.subtasks.map(({ tool }) => tool)).size;
  const used = new Set<string>();
  const transcript = transcriptOfRecords(reference, false);
  for (const { action, description } of transcript.steps) {
    if (isRecord(action)) for (const name of Object.keys(action)) used.add(name);
    if (/^open /i.test(description)) used.add(description.toLowerCase());
  }
  return used.size === 0 ? operations.length : used.size;
}

/** Removes the extra quotes around published queries of apps and of four relations. */
export const unwrapped = (query: string): string =>
  query.length > 1 && query.startsWith('"') && query.endsWith('"') ? query.slice(1, -1) : query;

/** Returns the query in the run's language, and the profile unless the run disables it. */
export function asAsked(
  task: ArenaTask,
  spec: Pick<RunSpec, "options">,
): { readonly head: TaskHead; readonly profile: Profile | undefined } {
  const { head, queryZh, profile } = task.input;
  const query = spec.options["language"] === "zh" && queryZh !== undefined ? queryZh : unwrapped(head.query);
  return { head: { ...head, query }, profile: spec.options["profile"] === "off" ? undefined : profile };
}

/** Returns the only section of a profile that planners see. */
export const userInfo = (profile: Profile): Json => field(profile.sections, "userInfo") ?? profile.sections;
