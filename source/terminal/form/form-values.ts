/** What a set-up form holds: for each field its values, more than one for a grid; a field that is absent has its default. */
import { isMap, parseDocument } from "yaml";
import { applies, optionsFor } from "../../engine/session/run-options.ts";
import type { Strategy } from "../../engine/strategy.ts";
import type { Suite } from "../../engine/suite.ts";
import type { Option } from "../../engine/option.ts";

export type Value = string | number;
export type FormValues = ReadonlyMap<string, readonly Value[]>;

/** The fields of a run cell's YAML that a form can show; `filter` and grouped options by dotted names. Never throws. */
export function readValues(source: string): FormValues {
  const document = parseDocument(source);
  const values = new Map<string, readonly Value[]>();
  if (document.errors.length > 0 || !isMap(document.contents)) return values;
  let given: unknown;
  try {
    given = document.toJS({ maxAliasCount: 20 });
  } catch {
    return values;
  }
  for (const [name, value] of Object.entries(given as Record<string, unknown>)) {
    if (name === "budget") {
      for (const [part, limit] of limitsOf(value)) put(values, part, limit);
    } else if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      for (const [part, inner] of Object.entries(value)) put(values, `${name}.${part}`, inner);
    } else put(values, name, value);
  }
  return values;
}

/** The limits of a budget by dotted names, such as `budget.task.steps`. */
function* limitsOf(budget: unknown): Iterable<[string, unknown]> {
  for (const [scope, limits] of Object.entries(budget ?? {})) {
    if (limits === null || typeof limits !== "object") continue;
    for (const [name, limit] of Object.entries(limits)) yield [`budget.${scope}.${name}`, limit];
  }
}

function put(values: Map<string, readonly Value[]>, name: string, value: unknown): void {
  const items = (Array.isArray(value) ? value : [value]) as unknown[];
  const kept = items.flatMap((item): Value[] =>
    typeof item === "string" || typeof item === "number"
      ? [item]
      : typeof item === "boolean"
        ? [item ? "on" : "off"]
        : [],
  );
  if (kept.length > 0) values.set(name, kept);
}

export function suiteOf(values: FormValues, suites: readonly Suite[]): Suite | undefined {
  return suites.find(({ name }) => name === values.get("suite")?.[0]) ?? suites[0];
}

/** The chosen strategies; the suite's first where none is. */
export function strategiesOf(values: FormValues, suite: Suite): readonly Strategy[] {
  const chosen = suite.strategies.filter(({ name }) => values.get("strategy")?.includes(name));
  return chosen.length > 0 ? chosen : suite.strategies.slice(0, 1);
}

/** Options that mean something beside what is chosen, of any chosen strategy. */
export function optionsOf(values: FormValues, suite: Suite): readonly Option[] {
  const options = new Map<string, Option>();
  for (const strategy of strategiesOf(values, suite)) {
    const all = optionsFor(suite, strategy);
    const given: Record<string, Value> = { strategy: strategy.name };
    for (const { name, default: standard } of all) given[name] = values.get(name)?.[0] ?? standard;
    for (const option of all) if (applies(option, given)) options.set(option.name, option);
  }
  return [...options.values()];
}

/** The values without those that do not fit the suite and strategy now chosen. */
export function settle(values: FormValues, suites: readonly Suite[]): FormValues {
  const suite = suiteOf(values, suites);
  if (suite === undefined) return values;
  const settled = new Map(values);
  const keep = (name: string, fits: (value: Value) => boolean) => {
    const kept = (settled.get(name) ?? []).filter(fits);
    if (kept.length > 0) settled.set(name, kept);
    else settled.delete(name);
  };
  settled.set("suite", [suite.name]);
  keep("split", (value) => suite.splits.some(({ name }) => name === value));
  keep("strategy", (value) => suite.strategies.some(({ name }) => name === value));
  keep("shots", (value) => typeof value === "number" && value <= suite.maxShots);
  const own = new Set(optionsOf(settled, suite).map(({ name }) => name));
  const others = new Set(
    suites
      .flatMap((each) => [undefined, ...each.strategies].flatMap((strategy) => optionsFor(each, strategy)))
      .map(({ name }) => name),
  );
  for (const name of settled.keys()) {
    if (others.has(name) && !own.has(name)) settled.delete(name);
    if (name.startsWith("filter.") && !suite.facets.some((facet) => `filter.${facet.name}` === name))
      settled.delete(name);
  }
  const roles = new Set(strategiesOf(settled, suite).flatMap((strategy) => strategy.roles ?? []));
  for (const role of ["actor", "responder"] as const) if (!roles.has(role)) settled.delete(role);
  // A dialogue needs somebody who answers: beside built-in models that costs nothing.
  const models = settled.get("model") ?? [];
  if (
    roles.has("responder") &&
    !settled.has("responder") &&
    models.every((name) => String(name).startsWith("builtin/"))
  )
    settled.set("responder", ["builtin/responder"]);
  return settled;
}
