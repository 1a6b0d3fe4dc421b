/** Requests to the three authors of command evolution, and the reading of their answers. */
import { promptMessages } from "../../../../source/engine/settings/prompt-template.ts";
import { z } from "zod";
import type { Json, Message, RunSpec } from "../../../../source/engine/types.ts";
import type { Offer } from "../catalogue.ts";
import { readGold } from "../gold.ts";
import { levels, structures, type Gold, type TaskHead } from "../records.ts";
import { readObject } from "../../score/transcript.ts";
import { evolutionPrompts, type StageName } from "./prompts.ts";

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
/** The task written by the editor; relation, scenario and user are the seed's. */
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

/** Builds the request of one stage. `material` is shown as JSON below the task. */
export function stageMessages(
  spec: Pick<RunSpec, "prompts">,
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
  const parts = Object.entries(material).map(([name, value]) => `\n${name}:\n${JSON.stringify(value)}`);
  const slots = { tools: tools.join("\n"), task: JSON.stringify(shown), material: parts.join("") };
  return promptMessages(spec, evolutionPrompts[stage], slots);
}
