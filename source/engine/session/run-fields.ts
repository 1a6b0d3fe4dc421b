/** The fields of a run cell, read and checked one by one. */
import { optionsFor, shown } from "./run-options.ts";
import type { Suite } from "../suite.ts";
import type { Option } from "../option.ts";
import type { Budget, Fork, Json, Limits, RunSpec } from "../types.ts";

export type Fields = {
  /** Every scalar field as the list of its values; more than one makes a grid. */
  readonly lists: ReadonlyMap<string, readonly (string | number)[]>;
  readonly filter: RunSpec["filter"];
  readonly budget: Budget;
  readonly fork: Fork | undefined;
};
type Say = (field: string, message: string) => void;

type Kind = "text" | "whole" | "number";
/** Fields every suite has, with what they hold. */
export const fixedFields: Readonly<
  Record<string, { readonly kind: Kind; readonly least?: number; readonly most?: number }>
> = {
  suite: { kind: "text" },
  split: { kind: "text" },
  data: { kind: "text" },
  limit: { kind: "whole", least: 0 },
  strategy: { kind: "text" },
  shots: { kind: "whole", least: 0 },
  model: { kind: "text" },
  actor: { kind: "text" },
  responder: { kind: "text" },
  judge: { kind: "text" },
  temperature: { kind: "number", least: 0, most: 2 },
  topP: { kind: "number", least: 0, most: 1 },
  maxTokens: { kind: "whole", least: 1 },
  seed: { kind: "whole" },
  trial: { kind: "whole", least: 1 },
  predictions: { kind: "text" },
};

export function readFields(value: { readonly [key: string]: Json }, suite: Suite, say: Say): Fields {
  const lists = new Map<string, readonly (string | number)[]>();
  const options = new Map<string, Option>();
  for (const strategy of [undefined, ...suite.strategies]) {
    for (const option of optionsFor(suite, strategy)) options.set(option.name, option);
  }
  for (const [name, given] of flattened(value, options)) {
    const fixed = fixedFields[name];
    const option = options.get(name);
    if (name === "filter" || name === "budget" || name === "fork") continue;
    if (fixed === undefined && option === undefined) {
      const known = [...Object.keys(fixedFields), "filter", "budget", "fork", ...options.keys()];
      say(name, `Expected one of the fields ${known.join(", ")}, got \`${name}\``);
      continue;
    }
    const items = Array.isArray(given) ? (given as readonly Json[]) : [given];
    if (items.length === 0) say(name, `Expected \`${name}\` to have a value, got an empty list`);
    const read = items.map((item) =>
      fixed === undefined ? readOption(option!, item, say) : readFixed(name, item, suite, say),
    );
    lists.set(name, [...new Set(read.filter((item) => item !== undefined))]);
  }
  if (lists.has("predictions") && suite.predictions?.sumsOnly === true)
    say(
      "predictions",
      `Expected no \`predictions\` for \`${suite.name}\`: it scores labels, which are of no task; see \`planwright score ${suite.name}\``,
    );
  if (!lists.has("model") && !lists.has("predictions") && suite.strategies.every(({ roles }) => roles.length > 0)) {
    say("suite", "Expected `model: ENDPOINT/NAME`, such as `builtin/oracle`, got none");
  }
  return {
    lists,
    filter: readFilter(value["filter"], suite, say),
    budget: readBudget(value["budget"], say),
    fork: readFork(value["fork"], say),
  };
}

/** `clusters: {k: 4}` is the option `clusters.k`. */
function* flattened(
  value: { readonly [key: string]: Json },
  options: ReadonlyMap<string, Option>,
): Iterable<[string, Json]> {
  for (const [name, given] of Object.entries(value)) {
    const nested = [...options.keys()].some((option) => option.startsWith(`${name}.`));
    if (nested && given !== null && typeof given === "object" && !Array.isArray(given)) {
      for (const [part, inner] of Object.entries(given)) yield [`${name}.${part}`, inner];
    } else yield [name, given];
  }
}

function readFixed(name: string, item: Json, suite: Suite, say: Say): string | number | undefined {
  const { kind, least = -Infinity, most = Infinity } = fixedFields[name]!;
  if (kind === "text") {
    if (typeof item !== "string" || item === "")
      return void say(name, `Expected \`${name}\` to be text, got ${shown(item)}`);
    const allowed = allowedTexts(name, suite);
    if (allowed !== undefined && !allowed.includes(item)) {
      return void say(name, `Expected \`${name}\` to be one of ${allowed.join(", ")}, got \`${item}\``);
    }
    const isRole = ["model", "actor", "responder", "judge"].includes(name);
    if (isRole && !item.includes("/"))
      return void say(name, `Expected \`${name}\` to be ENDPOINT/MODEL, such as \`builtin/oracle\`, got \`${item}\``);
    return item;
  }
  const ceiling = name === "shots" ? suite.maxShots : most;
  const fits =
    typeof item === "number" && item >= least && item <= ceiling && (kind === "number" || Number.isSafeInteger(item));
  if (fits) return item;
  const noun = kind === "whole" ? "a whole number" : "a number";
  const bounds = `${least === -Infinity ? "" : ` from ${least}`}${ceiling === Infinity ? "" : ` to ${ceiling}`}`;
  return void say(name, `Expected \`${name}\` to be ${noun}${bounds}, got ${shown(item)}`);
}

function allowedTexts(name: string, suite: Suite): readonly string[] | undefined {
  if (name === "suite") return [suite.name];
  if (name === "split") return suite.splits.map((split) => split.name);
  if (name === "data") return ["sample", "published"];
  if (name === "strategy") return suite.strategies.map((strategy) => strategy.name);
  return undefined;
}

function readOption(option: Option, item: Json, say: Say): string | number | undefined {
  // YAML reads a bare on/off/yes/no as a truth value in some versions; people mean the word.
  const value = typeof item === "boolean" ? (item ? "on" : "off") : item;
  const { name, values, words = [] } = option;
  if (values === "model") {
    const isModel = typeof value === "string" && /^[^/\s]+\/\S/.test(value) && !value.startsWith("builtin/");
    if (isModel || words.includes(String(value))) return String(value);
    return void say(name, `Expected \`${name}\` to be ${[...words, "ENDPOINT/MODEL"].join(", ")}, got ${shown(item)}`);
  }
  if (values === "number") {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    return void say(name, `Expected \`${name}\` to be a number, got ${shown(item)}`);
  }
  if (values === "text") {
    if (typeof value === "string" || typeof value === "number") return value;
    return void say(name, `Expected \`${name}\` to be text, got ${shown(item)}`);
  }
  const found = values.find((allowed) => String(allowed) === String(value));
  if (found !== undefined) return found;
  return void say(name, `Expected \`${name}\` to be one of ${values.join(", ")}, got ${shown(item)}`);
}

function readFilter(value: Json | undefined, suite: Suite, say: Say): RunSpec["filter"] {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    say("filter", `Expected \`filter\` to name facets and their values, got ${shown(value)}`);
    return {};
  }
  const filter: Record<string, readonly (string | number)[]> = {};
  for (const [facet, wanted] of Object.entries(value)) {
    if (!suite.facets.some(({ name }) => name === facet)) {
      const names = suite.facets.map(({ name }) => name).join(", ");
      say("filter", `Expected \`filter\` to name facets (${names}), got \`${facet}\``);
      continue;
    }
    const items = Array.isArray(wanted) ? (wanted as readonly Json[]) : [wanted];
    filter[facet] = items.filter((item) => typeof item === "string" || typeof item === "number");
  }
  return filter;
}

function readFork(value: Json | undefined, say: Say): Fork | undefined {
  if (value === undefined || value === null) return undefined;
  const { run, task, request, message } = (typeof value === "object" ? value : {}) as { readonly [key: string]: Json };
  const whole = typeof request === "number" && Number.isSafeInteger(request) && request >= 0;
  if (typeof run === "string" && /^[0-9a-f]{16}$/.test(run) && typeof task === "string" && whole)
    return { run, task, request, ...(typeof message === "string" ? { message } : {}) };
  say("fork", `Expected \`fork\` to hold \`run\`, \`task\` and \`request\` of a saved trajectory, got ${shown(value)}`);
  return undefined;
}

function readBudget(value: Json | undefined, say: Say): Budget {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    say("budget", `Expected \`budget\` to hold \`task\` and \`run\` limits, got ${shown(value)}`);
    return {};
  }
  const budget: { task?: Limits; run?: Limits } = {};
  for (const [scope, limits] of Object.entries(value)) {
    if (scope !== "task" && scope !== "run")
      say("budget", `Expected \`budget\` to hold \`task\` or \`run\`, got \`${scope}\``);
    else budget[scope] = readLimits(limits, scope, say);
  }
  return budget;
}

function readLimits(value: Json, scope: string, say: Say): Limits {
  const limits: Record<string, number> = {};
  const known = ["steps", "tokens", "seconds", "cost"];
  for (const [name, limit] of Object.entries(value ?? {})) {
    if (known.includes(name) && typeof limit === "number" && limit > 0) limits[name] = limit;
    else
      say(
        "budget",
        `Expected \`budget.${scope}\` to hold ${known.join(", ")} as numbers above 0, got \`${name}: ${JSON.stringify(limit)}\``,
      );
  }
  return limits;
}
