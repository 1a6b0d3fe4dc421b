/** Input and output of generating one task. */
import type { Json } from "../../../../source/engine/types.ts";
import type { Gold, Level, Relation, Structure, TaskHead } from "../records.ts";
import type { Chains } from "./chains.ts";
import type { MadeProfile } from "./profile-fields.ts";

export type Order = {
  readonly id: number;
  readonly relation: Relation;
  readonly structure: Structure | null;
  readonly level: Level;
  readonly scenario: string;
  readonly user: MadeProfile;
};
export type Kitchen = { readonly chains: Chains; readonly order: Order; readonly random: () => number };
export type Draft = {
  readonly query: string;
  readonly queryZh: string;
  readonly gold: Gold;
  readonly steps: readonly { readonly description: string; readonly action: Json; readonly results: Json }[];
};

/** A line of `tasks.jsonl`: the published record with Chinese wording, answer key and reference dialogue. */
export type TaskRecord = TaskHead & {
  readonly queryZh: string;
  readonly origin: "generated";
  readonly gold: Gold;
  readonly reference: readonly Json[];
};

/** Turns a draft into the finished record. */
export function taskRecord({ id, relation, structure, level, scenario, user }: Order, draft: Draft): TaskRecord {
  const { query, queryZh, gold, steps } = draft;
  const operationalScenario = relation === "SAPP" || relation === "CAPP" ? "APP" : "API";
  const first = steps[0]!.description.toLowerCase();
  const thought = `${steps.length} steps do what is asked, beginning with this: ${first}.`.slice(0, 300);
  const records = steps.map(({ description, action, results }, index) => ({
    GlobalThought: thought,
    OrderSteps: {
      TotalSteps: steps.length,
      StepDetail: { StepNumber: index + 1, Description: description, Action: action, Results: results },
    },
  }));
  return {
    id,
    operationalScenario,
    scenario,
    relation,
    structure,
    level,
    userId: user.id,
    query,
    queryZh,
    origin: "generated",
    gold,
    reference: [{ MessageNumber: String(id), Query: query }, ...records],
  };
}

/** Capitalizes the first letter. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
