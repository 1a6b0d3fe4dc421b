/**
 * An analysis cell as JSON schema (draft 7). Allowed choices depend on the runs, so the schema gives their values as examples.
 */
import type { Analysis } from "../../engine/analysis.ts";
import { wordsForMeasures } from "../../engine/migration/notebook.ts";
import { ofTypes, oneOrMany, type Schema, where } from "./json-schema.ts";

export function analysisCellSchema(analyses: readonly Analysis[]): Schema {
  const named = { enum: analyses.map(({ name }) => name) };
  const choices = analyses.flatMap((analysis) => namesOf(analysis));
  const properties: { readonly [name: string]: Schema } = {
    pane: { description: "Name of the analysis", ...named },
    analysis: { description: "Name of the analysis; same as `pane`", ...named },
    of: {
      description: "Names of run cells; all cells above by default",
      ...oneOrMany(ofTypes("string", "number")),
    },
    only: { description: "Values that settings of the runs must have", type: "object", additionalProperties: values },
    claim: { description: "Claims about the results of the runs", ...oneOrMany({ type: "string" }) },
    until: {
      description: "decided: executes the runs one task after the other until the claims are decided",
      enum: ["all", "decided"],
    },
    ...Object.fromEntries(choices.map((name) => [name, choice])),
  };
  return {
    type: "object",
    properties,
    additionalProperties: false,
    anyOf: ["pane", "analysis"].map((field) => ({ properties: { [field]: {} }, required: [field] })),
    allOf: analyses.flatMap((analysis) =>
      ["pane", "analysis"].map((field) =>
        where(
          { properties: { [field]: { const: analysis.name } }, required: [field] },
          {
            description: `${analysis.title}: ${analysis.question}`,
            properties: choicesOf(analysis),
            propertyNames: { enum: ["pane", "analysis", "of", "only", "claim", "until", ...namesOf(analysis)] },
          },
        ),
      ),
    ),
  };
}

const values = oneOrMany(ofTypes("string", "number", "boolean"));
/** Accepts one value, several values, or settings with their values. */
const choice: Schema = { anyOf: [values, { type: "object", additionalProperties: values }, { type: "null" }] };

/** Returns the names of an analysis's choices; `measures` also has its former names. */
function namesOf(analysis: Analysis): readonly string[] {
  const names = Object.keys(choicesOf(analysis));
  return names.includes("measures") ? [...names, ...wordsForMeasures] : names;
}

/** Returns the choices of an analysis, with the values it offers for any runs. */
function choicesOf(analysis: Analysis): { readonly [name: string]: Schema } {
  const offered = {
    ...analysis.choices([]),
    ...Object.fromEntries(Object.entries(analysis.lists?.([]) ?? {}).map(([name, list]) => [name, list.values])),
  };
  return Object.fromEntries(
    Object.entries(offered).map(([name, examples]) => [name, examples.length === 0 ? choice : { ...choice, examples }]),
  );
}
