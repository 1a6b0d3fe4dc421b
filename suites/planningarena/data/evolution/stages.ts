/** Requests to the three authors of command evolution, and the reading of their answers (appendix A.9, own wording). */
import { systemAndUser } from "../../../../source/engine/text/system-and-user.ts";
import { z } from "zod";
import type { Json, Message } from "../../../../source/engine/types.ts";
import type { Offer } from "../catalogue.ts";
import { readGold } from "../gold.ts";
import { levels, structures, type Gold, type TaskHead } from "../records.ts";
import { readObject } from "../../score/transcript.ts";

export type StageName = "suggest" | "edit" | "evaluate";

const suggestion = z.object({
  kind: z.enum(["parameter", "prune", "branch"]),
  target: z.string(),
  from: z.string(),
  to: z.string(),
  why: z.string(),
});
/** A change of a parameter (goods, place, day) or of the structure, by removing or adding a part. */
export type Suggestion = z.infer<typeof suggestion>;

const edited = z.object({
  query: z.string().min(1),
  queryZh: z.string().optional(),
  level: z.enum(levels),
  structure: z.enum(structures).nullable().optional(),
});
/** The task written by the editor; relation, scenario and user stay those of the seed. */
export type Edited = z.infer<typeof edited> & { readonly gold: Gold };

const grade = z.number().int().min(1).max(5);
const verdict = z.object({ completeness: grade, clarity: grade, feasibility: grade, specificity: grade });
export type Verdict = z.infer<typeof verdict>;

/** Accepts a task if every grade is at least 3 and their mean at least 4. */
export function accepts({ completeness, clarity, feasibility, specificity }: Verdict): boolean {
  const grades = [completeness, clarity, feasibility, specificity];
  return grades.every((each) => each >= 3) && grades.reduce((sum, each) => sum + each, 0) / grades.length >= 4;
}

export const readSuggestion = (reply: string): Suggestion | undefined => suggestion.safeParse(readObject(reply)).data;

export const readVerdict = (reply: string): Verdict | undefined => verdict.safeParse(readObject(reply)).data;

/** Reads the editor's answer; returns undefined if it is not a task with an answer key. */
export function readEdited(reply: string): Edited | undefined {
  const value = readObject(reply);
  const read = edited.safeParse(value);
  if (!read.success) return undefined;
  try {
    return { ...read.data, gold: readGold(value!["gold"] ?? null, "the evolved task") };
  } catch {
    return undefined;
  }
}

const bare = "Answer with one JSON object and nothing else, no Markdown.";
const systems: Readonly<Record<StageName, string>> = {
  suggest: [
    "You help to make new planning tasks out of old ones. Keep the tool chain; propose exactly one change that makes a different, realistic task:",
    "parameter: other goods, places, days or amounts; prune: take a part of the structure away; branch: add a part that uses an earlier result.",
    `${bare} {"kind": "parameter" | "prune" | "branch", "target": "subtask or value", "from": "...", "to": "...", "why": "..."}`,
  ].join("\n"),
  edit: [
    "You write planning tasks. Carry out the suggested change on the given task. Stay within its scenario and the tools listed.",
    "The request must read like something a person says and hold every value that neither the user's information, the calendar nor an earlier result gives.",
    "The answer key lists subtasks in order; arguments are checked as PC (from request or user), TR (a date that follows from today) or TD (from an earlier result).",
    `${bare} {"query": "...", "queryZh": "...", "level": "easy" | "middle" | "hard", "structure": null or its name, "gold": {"subtasks": [...], "edges": [...], "literals": [...], "dates": [...]}}`,
  ].join("\n"),
  evaluate: [
    "You judge planning tasks. Grade from 1 (bad) to 5 (good): completeness (nothing needed is missing), clarity (one reading), feasibility (the tools can do it), specificity (concrete, not vague).",
    `${bare} {"completeness": 4, "clarity": 4, "feasibility": 4, "specificity": 4}`,
  ].join("\n"),
};

/** Builds the request of one stage. `material` is shown as JSON below the task. */
export function stageMessages(
  stage: StageName,
  task: { readonly head: TaskHead; readonly gold: Gold },
  offer: Offer,
  material: Readonly<Record<string, Json>>,
): readonly Message[] {
  const tools =
    offer.apis.size > 0
      ? [...offer.apis.values()].map(
          ({ tool, parameters }) =>
            `${tool}(${parameters.map(({ name, type, required }) => `${name}${required ? "*" : ""}: ${type}`).join(", ")})`,
        )
      : [offer.apps.join(", ")];
  const { scenario, relation, structure, level, query } = task.head;
  const shown = { scenario, relation, structure, level, query, gold: task.gold };
  const parts = Object.entries(material).map(([name, value]) => `${name}:\n${JSON.stringify(value)}`);
  const user = ["Tools:", ...tools, "", "Task:", JSON.stringify(shown), "", ...parts].join("\n");
  return systemAndUser(systems[stage], user);
}
