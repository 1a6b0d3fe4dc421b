/** Types of tasks, answer keys and dialogues, in files and in memory. */
import { anyJson, type Fitting } from "../../../source/engine/text/checked-record.ts";
import { z } from "zod";
import type { Json } from "../../../source/engine/types.ts";

export const relations = ["SAPP", "CAPP", "PAPI", "CAPI", "DAPI"] as const;
export type Relation = (typeof relations)[number];

export const levels = ["easy", "middle", "hard"] as const;
export type Level = (typeof levels)[number];

export const structures = [
  "one-to-many",
  "many-to-one",
  "many-to-many-1",
  "many-to-many-2",
  "many-to-many-3",
  "many-to-many-4",
] as const;
export type Structure = (typeof structures)[number];

/** Codes of the ten scenarios in the publisher's files, in the order of the paper. */
export const scenarios = [
  "1_travel",
  "2_entertainment",
  "3_shopping",
  "4_edu",
  "5_health",
  "6_develop",
  "7_meeting",
  "8_schedule",
  "9_game",
  "10_diet",
] as const;
export type Scenario = (typeof scenarios)[number];
const argument = z.object({
  name: z.string(),
  value: anyJson,
  /** Source that fixes an argument: profile or query (PC), the calendar (TR), an earlier result (TD). */
  check: z.enum(["PC", "TR", "TD"]),
});
export type GoldArgument = Fitting<typeof argument>;
const subtask = z.object({
  id: z.string(),
  weight: z.number().nonnegative().exactOptional(),
  /** For API tasks. */
  tool: z.string().exactOptional(),
  args: z.array(argument).exactOptional(),
  /** For app tasks: description and action as one text. */
  text: z.string().exactOptional(),
});
export type Subtask = Fitting<typeof subtask>;
const edge = z.object({ from: z.string(), to: z.string(), kind: z.enum(["value", "order"]) });
export type Edge = Fitting<typeof edge>;

/** The answer key. `literals` must occur in the plan's texts, `dates` (ISO) among its dates. */
export const goldRecord = z.object({
  subtasks: z.array(subtask),
  edges: z.array(edge),
  literals: z.array(z.string()).exactOptional(),
  dates: z.array(z.string()).exactOptional(),
});
export type Gold = Fitting<typeof goldRecord>;

/** Fields of a task that its evaluation reads. */
export type TaskHead = {
  readonly id: number;
  readonly operationalScenario: "APP" | "API";
  readonly scenario: string;
  readonly relation: Relation;
  readonly structure: Structure | null;
  readonly level: Level;
  readonly userId: string | null;
  readonly query: string;
};

/** One answer of Planner or Responder, as written. */
export const rawAnswer = z.object({ role: z.enum(["planner", "responder"]), content: z.string() });
export type RawAnswer = Fitting<typeof rawAnswer>;

/** One valid step of a dialogue. */
export type PlanStepRecord = {
  readonly thought: string;
  readonly totalSteps: number;
  readonly stepNumber: number;
  readonly description: string;
  /** The action as written: text for APIs, an object for apps (any other value fails the operation space check). */
  readonly action: Json;
  /** For API steps: the call parsed from `action`. */
  readonly call: ToolCallText | undefined;
  readonly results: Json;
};

/** A parsed tool call with trimmed argument names. */
export type ToolCallText = { readonly tool: string; readonly args: { readonly [name: string]: Json } };
