/** App chains: actions on a screen, one scenario per file. */
import { operations } from "../catalogue.ts";
import { scenarios, type Scenario } from "../records.ts";
import { placeholders, type ChainFile, type Phrase } from "./chain-file.ts";
import type { ProfileFields } from "./profile-fields.ts";

export type AppStep = {
  readonly operation: string;
  readonly description: string;
  readonly action: string;
  readonly clause: Phrase;
};
export type AppChains = {
  readonly scenario: Scenario;
  readonly apps: readonly string[];
  readonly openers: readonly Phrase[];
  readonly slots: ReadonlyMap<string, readonly (string | number)[]>;
  readonly chains: readonly { readonly name: string; readonly steps: readonly AppStep[] }[];
};

/** Placeholder for a day: its date in actions, a span such as "next Friday" in requests. */
export const dayName = "day";

/** Reads a file. Throws `DataProblem` with file and line for invalid content. */
export function readAppChains(file: ChainFile, fields: ProfileFields): AppChains {
  const slots = readSlots(file);
  const chains = file.list(["chains"]).map((_, chain) => ({
    name: file.text(["chains", chain, "name"]),
    steps: file.list(["chains", chain, "steps"]).map((_step, step) => {
      const path = ["chains", chain, "steps", step];
      return checkedStep(file, path, readStep(file, path), slots, fields);
    }),
  }));
  return {
    scenario: file.oneOf(["scenario"], scenarios),
    apps: readApps(file),
    openers: file.list(["openers"]).map((_, index) => file.phrase(["openers", index])),
    slots,
    chains,
  };
}

export const readSlots = (file: ChainFile): ReadonlyMap<string, readonly (string | number)[]> =>
  new Map(Object.keys(file.record(["slots"])).map((name) => [name, file.values(["slots", name])]));

/** Reads steps for all apps, which therefore have no slots. */
export const readExtras = (file: ChainFile, fields: ProfileFields): readonly AppStep[] =>
  file.list(["steps"]).map((_, index) => {
    const path = ["steps", index];
    return checkedStep(file, path, readStep(file, path), new Map(), fields);
  });

/** Tasks over several apps use up to three. */
const leastApps = 3;

function readApps(file: ChainFile): readonly string[] {
  const apps = file.list(["apps"]).map((_, index) => file.text(["apps", index]));
  const again = apps.findIndex((app, index) => apps.indexOf(app) < index);
  if (again >= 0) file.refuse(["apps", again], "an app that is not listed before");
  return apps.length < leastApps ? file.refuse(["apps"], `a list of at least ${leastApps} apps`) : apps;
}

const form = "`operation | description | action | English request | Chinese request`";

function readStep(file: ChainFile, path: readonly (string | number)[]): AppStep {
  const parts = file
    .text(path)
    .split("|")
    .map((part) => part.trim());
  const [operation, description, action, en, zh] = parts;
  if (parts.length !== 5 || parts.includes("")) file.refuse(path, form);
  if (!operations.includes(operation as (typeof operations)[number]))
    file.refuse(path, `${form} with one of ${operations.join(", ")} as the operation`);
  return { operation: operation!, description: description!, action: action!, clause: { en: en!, zh: zh! } };
}

/** Checks that request or profile provide every value that the action needs, because otherwise the planner could not know it. */
function checkedStep(
  file: ChainFile,
  path: readonly (string | number)[],
  step: AppStep,
  slots: ReadonlyMap<string, unknown>,
  fields: ProfileFields,
): AppStep {
  for (const text of [step.description, step.action, step.clause.en, step.clause.zh])
    for (const name of placeholders(text))
      if (name !== dayName && !slots.has(name) && !fields.has(name))
        file.refuse(path, `a step whose {${name}} is a slot of this file, a profile field or {${dayName}}`);
  for (const name of placeholders(step.action)) {
    const given = [step.clause.en, step.clause.zh].every((clause) => placeholders(clause).includes(name));
    if (!fields.has(name) && !given)
      file.refuse(path, `a step that contains {${name}} in both requests, because its action needs it`);
  }
  return step;
}
