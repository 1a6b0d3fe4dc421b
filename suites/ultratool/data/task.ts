/** Types of this suite's tasks. */
import type { Json, Task } from "../../../source/engine/types.ts";
import type { Split } from "./aspects.ts";
import type { GoldFlag, GoldName } from "../score/awareness.ts";
import type { GoldTool } from "../score/creation.ts";
import type { GoldCall } from "../score/usage.ts";

/** A step as shown to the model, with `tool` (and `param`) if the answer must contain it. */
export type InputStep = { readonly step: string; readonly tool?: string; readonly param?: string };

export type ToolDescription = {
  readonly name: string;
  readonly description: string;
  readonly arguments: Json;
  readonly results: Json;
};

export type PlanRow = { readonly step: string; readonly tool: string };

/** One row of a test set in the file. */
export type TestRow = {
  /** The request, which only planning (as `input`) and usage show in the prompt. */
  readonly question: string;
  readonly steps: readonly InputStep[];
  readonly toolset: readonly ToolDescription[] | undefined;
  readonly reference: Reference;
};

export type Reference =
  | { readonly aspect: "planning"; readonly plan: string }
  | { readonly aspect: "tool_creation_awareness" | "tool_usage_awareness"; readonly steps: readonly GoldFlag[] }
  | { readonly aspect: "tool_selection"; readonly steps: readonly GoldName[] }
  | { readonly aspect: "tool_creation"; readonly steps: readonly GoldTool[] }
  | { readonly aspect: "tool_usage"; readonly steps: readonly GoldCall[] };

/** `home-made` tasks are built from the base file because the published test set is missing. */
export type Edition = "published" | "home-made" | "sample" | "own";

export type UltraInput = Split & Omit<TestRow, "reference"> & { readonly edition: Edition };
export type UltraTask = Task<UltraInput, Reference>;

/** One row of the base file. */
export type BaseRow = {
  readonly question: string;
  readonly plan: readonly PlanRow[];
  readonly tools: readonly ToolDescription[];
  readonly domain: string;
};
