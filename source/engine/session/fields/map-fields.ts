/** Fields of a run cell that contain a map: `filter`, `budget` and `fork`. Each value of a grid is such a map. */
import { Problem } from "../../problem.ts";
import type { RequestFields } from "../../run-settings-rows.ts";
import type { Suite } from "../../suite.ts";
import type { Budget, Fork, ForkedRun, Json, Limits, Replacement, RunSpec } from "../../types.ts";
import { shown } from "./run-options.ts";
import { namesFile } from "./text-file.ts";

type Report = (field: string, message: string) => void;

/** `text` returns the text of a file of the notebook. */
type Reading = {
  readonly suite: Suite;
  readonly report: Report;
  readonly text?: ((file: string) => string) | undefined;
};

/** Reads one value of such a field, by its kind; undefined for an empty fork. */
export function readMap(
  kind: "facets" | "limits" | "fork",
  item: Json,
  { suite, report, text }: Reading,
): RequestFields | undefined {
  if (kind === "facets") return readFilter(item, suite, report);
  return kind === "limits" ? readBudget(item, report) : readFork(item, report, text);
}

/** Returns the map of a cell that forks many tasks, after it was read and its run is known; undefined for other cells. */
export const readForks = (value: Json | undefined): ForkedRun | undefined =>
  typeof value === "object" && value !== null && "of" in value ? (value as ForkedRun) : undefined;

function readFilter(value: Json, suite: Suite, report: Report): RunSpec["filter"] {
  if (value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    report("filter", `Expected \`filter\` to name facets and their values, got ${shown(value)}`);
    return {};
  }
  const filter: Record<string, readonly (string | number)[]> = {};
  for (const [facet, wanted] of Object.entries(value)) {
    if (!suite.facets.some(({ name }) => name === facet)) {
      const names = suite.facets.map(({ name }) => name).join(", ");
      report("filter", `Expected \`filter\` to name facets (${names}), got \`${facet}\``);
      continue;
    }
    const items = Array.isArray(wanted) ? (wanted as readonly Json[]) : [wanted];
    filter[facet] = items.filter((item) => typeof item === "string" || typeof item === "number");
  }
  return filter;
}

const replacements = ["message", "result", "reply"] as const;

function readFork(value: Json, report: Report, textOf?: (file: string) => string): Fork | undefined {
  if (value === null) return undefined;
  const fields = (typeof value === "object" ? value : {}) as { readonly [key: string]: Json };
  const { run, task, request, attempt, index } = fields;
  if (typeof run !== "string" || !/^[0-9a-f]{16}$/.test(run) || typeof task !== "string" || !isCount(request)) {
    report(
      "fork",
      `Expected \`fork\` to hold \`run\`, \`task\` and \`request\` of a saved trajectory, got ${shown(value)}`,
    );
    return undefined;
  }
  const known: readonly string[] = ["run", "task", "request", "attempt", "index", ...replacements];
  for (const name of Object.keys(fields).filter((each) => !known.includes(each)))
    report(`fork.${name}`, `Expected \`fork\` to hold ${known.join(", ")}, got \`${name}\``);
  const replaced = replacements.filter((name) => typeof fields[name] === "string");
  if (replaced.length > 1)
    report("fork", `Expected \`fork\` to replace one of ${replacements.join(", ")}, got ${replaced.join(" and ")}`);
  if (index !== undefined && !isCount(index))
    report("fork.index", `Expected \`fork.index\` to be a whole number from 0, got ${shown(index)}`);
  const texts = replaced.map((name) => [name, forkText(name, fields[name] as string, report, textOf)]);
  return {
    run,
    task,
    request,
    ...(typeof attempt === "string" && { attempt }),
    ...(Object.fromEntries(texts) as Replacement),
    ...(isCount(index) && { index }),
  };
}

const isCount = (value: Json | undefined): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/** Returns the text, or the content of the file that it names. */
function forkText(name: string, text: string, report: Report, textOf: ((file: string) => string) | undefined): string {
  if (!namesFile(text) || textOf === undefined) return text;
  try {
    return textOf(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    report(`fork.${name}`, error.message);
    return text;
  }
}

function readBudget(value: Json, report: Report): Budget {
  if (value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    report("budget", `Expected \`budget\` to hold \`task\` and \`run\` limits, got ${shown(value)}`);
    return {};
  }
  const budget: { task?: Limits; run?: Limits } = {};
  for (const [scope, limits] of Object.entries(value)) {
    if (scope !== "task" && scope !== "run")
      report("budget", `Expected \`budget\` to hold \`task\` or \`run\`, got \`${scope}\``);
    else budget[scope] = readLimits(limits, scope, report);
  }
  return budget;
}

function readLimits(value: Json, scope: string, report: Report): Limits {
  const limits: Record<string, number> = {};
  const known = ["steps", "tokens", "seconds", "cost"];
  for (const [name, limit] of Object.entries(value ?? {})) {
    if (known.includes(name) && typeof limit === "number" && limit > 0) limits[name] = limit;
    else
      report(
        "budget",
        `Expected \`budget.${scope}\` to hold ${known.join(", ")} as numbers above 0, got \`${name}: ${JSON.stringify(limit)}\``,
      );
  }
  return limits;
}
