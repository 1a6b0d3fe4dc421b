/** Derives an answer key from a reference dialogue, for published tasks, which have none. */
import { canon, leavesOf } from "./canonical.ts";
import { datesIn, readDate } from "./calendar.ts";
import type { Offer } from "./catalogue.ts";
import { valuesPassed } from "../score/dependencies.ts";
import { daysSpokenOf } from "./generator/spans.ts";
import { givenBy, type Given } from "../score/given.ts";
import { joinedText, stepText } from "../score/matching.ts";
import type { Profile } from "./folder.ts";
import type { Edge, Gold, GoldArgument, PlanStepRecord, TaskHead } from "./records.ts";
import { actionTexts, transcriptOfRecords } from "../score/transcript.ts";
import type { Json } from "../../../source/engine/types.ts";

/**
 * Derives the key: every step is a subtask, and an argument is bound if its value follows from an earlier result (TD),
 * the calendar (TR), or profile and request (PC). References are model output, so scores by such a key are lower
 * bounds.
 */
export function derivedGold(
  head: TaskHead,
  reference: readonly Json[],
  offer: Offer,
  profile: Profile | undefined,
): Gold {
  const { steps } = transcriptOfRecords(reference, head.operationalScenario === "API");
  const given = givenBy(head.query, profile?.sections);
  const days = daysFor(head.query, profile);
  const passed = valuesPassed(steps, given).filter(([from, to]) => from < to);
  const edges = edgesOf(head, steps.length, passed);
  if (head.operationalScenario === "APP") {
    const subtasks = steps.map((step, index) => ({ id: `s${index + 1}`, text: stepText(step) }));
    const spoken = [...datesIn(joinedText(steps))].filter((date) => days.has(date) && date !== profile?.currentDate);
    return { subtasks, edges, literals: literalsOf(steps, given), dates: spoken };
  }
  const subtasks = steps.map((step, index) => {
    const before = steps
      .slice(0, index)
      .flatMap((_, from) => (passed.some(([a, b]) => a === from && b === index) ? [from] : []));
    return {
      id: `s${index + 1}`,
      tool: step.call!.tool,
      args: boundArguments(step, offer, given, days, before.length > 0),
    };
  });
  return { subtasks, edges };
}

/**
 * Returns the days to which the request refers. Seven profiles disagree with the calendar about their span; both days are
 * accepted.
 */
function daysFor(query: string, profile: Profile | undefined): ReadonlySet<string> {
  const days = daysSpokenOf(query, profile?.currentDate);
  const { dateSpan, targetDate } = profile ?? {};
  if (dateSpan === undefined || targetDate === undefined) return days;
  return query.toLowerCase().includes(dateSpan.toLowerCase()) ? days.union(new Set([targetDate])) : days;
}

function edgesOf({ relation }: TaskHead, count: number, passed: readonly (readonly [number, number])[]): Edge[] {
  const name = (index: number) => `s${index + 1}`;
  if (relation === "PAPI") return [];
  if (relation === "DAPI") return passed.map(([from, to]) => ({ from: name(from), to: name(to), kind: "value" }));
  return Array.from({ length: Math.max(0, count - 1) }, (_, index) => ({
    from: name(index),
    to: name(index + 1),
    kind: "order",
  }));
}

function boundArguments(
  step: PlanStepRecord,
  offer: Offer,
  given: Given,
  days: ReadonlySet<string>,
  fed: boolean,
): GoldArgument[] {
  const parameters = new Set(offer.apis.get(step.call!.tool)?.parameters.map(({ name }) => name));
  return Object.entries(step.call!.args).flatMap(([name, value]): GoldArgument[] => {
    if (!parameters.has(name) || value === "" || value === null) return [];
    if (typeof value === "string" && readDate(value) !== undefined)
      return days.has(canon(value)) ? [{ name, value, check: "TR" }] : [];
    if (leavesOf(value).every((leaf) => given(canon(leaf)))) return [{ name, value, check: "PC" }];
    return fed && isTelling(canon(value)) ? [{ name, value, check: "TD" }] : [];
  });
}

/** Returns whether a value is an identifier or a fraction, which must have a source; ordinary words may be the planner's own. */
const isTelling = (canonical: string): boolean => /\d/.test(canonical) && canonical.length > 2;

/** Returns quoted values in actions that occur in request or profile. */
function literalsOf(steps: readonly PlanStepRecord[], given: Given): string[] {
  const found = new Set<string>();
  for (const text of steps.flatMap(({ action }) => actionTexts(action)))
    for (const [, quoted] of text.matchAll(/'([^']{2,60})'/g)) if (given(canon(quoted!))) found.add(quoted!);
  return [...found];
}
