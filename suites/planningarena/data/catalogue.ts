/** The tools of a data folder: apps, and sets of APIs with their parameters and response shapes. */
import type { Json } from "../../../source/engine/types.ts";

export const operations = ["Tap", "Text", "Swipe", "Back", "Home"] as const;
export const parameterTypes = ["str", "enum", "int", "number", "bool", "date", "time", "array"] as const;
export type ParameterType = (typeof parameterTypes)[number];

export type Parameter = {
  /** Trimmed, because one published name ends in a space. */
  readonly name: string;
  readonly type: ParameterType;
  readonly required: boolean;
  readonly description?: string;
};
export type Api = {
  readonly tool: string;
  readonly parameters: readonly Parameter[];
  /** The shape a Responder imitates; undefined if the publisher has none. */
  readonly response: Json | undefined;
};

/** Tools offered to the planner of one task. */
export type Offer = {
  readonly name: string;
  /** App names; empty for API tasks. */
  readonly apps: readonly string[];
  /** Tools by name; empty for app tasks. */
  readonly apis: ReadonlyMap<string, Api>;
};

export type Catalogue = {
  readonly apps: Offer;
  readonly appGroups: ReadonlyMap<string, readonly string[]>;
  readonly sets: ReadonlyMap<string, Offer>;
};

/** Returns the set offered to a task: all apps, the scenario's APIs, or the set for graphs. */
export function offerName(relation: string, scenario: string): string {
  if (relation === "SAPP" || relation === "CAPP") return "apps";
  return relation === "DAPI" ? "dag" : scenario;
}

/** Returns the offer of that name; undefined if the catalogue has none. */
export const offerOf = (catalogue: Catalogue, name: string): Offer | undefined =>
  name === "apps" ? catalogue.apps : catalogue.sets.get(name);
