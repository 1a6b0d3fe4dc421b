/**
 * The six kinds of error of Tool-Planner's paper (section 4.4, appendix H), told by rules from what was called and what came
 * back, and a seventh of ours for failures of the environment. The first rule that fits decides; the order matters (a date
 * in a wrong layout is a false format although its message says "invalid").
 */
import type { Json, ToolSpec } from "../types.ts";
import { field, isRecord, parseJson } from "../text/json-record.ts";

export type ErrorClass =
  | "api-hallucinated"
  | "false-format"
  | "missing-parameter"
  | "invalid-parameter"
  | "environment"
  | "cluster-incomplete"
  | "decision-failure";

/** Where a class comes from; a person's word replaces a judge's, which replaces the rules'. */
export type ClassSource = "rules" | "judge" | "person";
export type Classified = { readonly kind: ErrorClass; readonly source: ClassSource };

const rank: readonly ClassSource[] = ["rules", "judge", "person"];

/** The opinion that counts: the one from the strongest source, the later one among equals. */
export function settled(opinions: readonly Classified[]): Classified | undefined {
  let best: Classified | undefined;
  for (const one of opinions)
    if (best === undefined || rank.indexOf(one.source) >= rank.indexOf(best.source)) best = one;
  return best;
}

export const errorClasses: readonly { readonly name: ErrorClass; readonly title: string; readonly note: string }[] = [
  { name: "invalid-parameter", title: "Invalid Input Parameters", note: "A value the API does not accept" },
  { name: "api-hallucinated", title: "API Hallucinated", note: "A function, endpoint or toolkit that does not exist" },
  { name: "false-format", title: "False API Call Format", note: "Not JSON, a wrong container or layout" },
  { name: "missing-parameter", title: "Miss Input Parameters", note: "A required parameter is absent" },
  {
    name: "cluster-incomplete",
    title: "Cluster Incomplete",
    note: "The API needed lies in a toolkit that was not tried",
  },
  { name: "decision-failure", title: "Decision Failure", note: "None of the others, and the task still failed" },
  {
    name: "environment",
    title: "Tool unavailable",
    note: "Time-outs, quotas, servers that fail: not the model's fault",
  },
];

export type FailedCall = {
  readonly name: string;
  /** Arguments as written. */
  readonly text: string;
  readonly observation: string;
  readonly status: string | number;
  /** The function as it was offered; undefined when it was not. */
  readonly tool: ToolSpec | undefined;
};

const gone = /not found|does not exist|doesn't exists?|deprecated|no such (function|endpoint|api)/;
const thing = /(endpoint|api|function|method|service|route|page|url)/;
const format =
  /(invalid|wrong|bad) (request )?format|query string|use the format|yyyy|must be an? (json|date)|must be (json|date)|malformed|content-type|tool input parse error/;
const absent = /missing|required (parameter|field)|is required|must (provide|specify|supply)|not provided|no input/;
const invalid =
  /unexpected keyword argument|invalid|unsupported|not (a )?valid|unrecognized|out of range|unknown value|no results? for|status_code=4(00|22)/;
const outside =
  /unauthorized|not subscribed|unsubscribed|quota|too many requests|rate limit|time-?out|timed out|time out|gateway|internal (server )?error|api not working|status_code=5|no cached response|blocked/;
/** Longest observation looked at; what matters is said early, and a server may answer with megabytes. */
const longestRead = 5000;

/** The class of one failed call; undefined where no rule fits. Calls that succeeded have none: do not ask. */
export function classOfCall(call: FailedCall): ErrorClass | undefined {
  const said = call.observation.slice(0, longestRead).toLowerCase();
  if (call.tool === undefined || call.status === 1) return "api-hallucinated";
  if (gone.test(said) && thing.test(said)) return "api-hallucinated";
  const input = call.text.trim() === "" ? {} : parseJson(call.text);
  if (!isRecord(input)) return "false-format";
  const faults = faultsOf(input, call.tool);
  if (faults.format || format.test(said)) return "false-format";
  if (faults.missing || absent.test(said)) return "missing-parameter";
  if (faults.unknown || faults.invalid || invalid.test(said)) return "invalid-parameter";
  const status = Number(call.status);
  if ((status >= 5 && status <= 12) || outside.test(said)) return "environment";
  return undefined;
}

/** What the function's own schema says about the arguments. */
function faultsOf(input: Json, tool: ToolSpec): Record<"format" | "missing" | "unknown" | "invalid", boolean> {
  const properties = field(tool.parameters, "properties");
  const known = isRecord(properties) ? properties : {};
  const required = field(tool.parameters, "required");
  const names = Array.isArray(required) ? (required as readonly Json[]) : [];
  const faults = { format: false, missing: false, unknown: false, invalid: false };
  const given = Object.entries(isRecord(input) ? input : {});
  const meant = new Set(given.map(([name]) => plainName(name)));
  for (const name of names)
    if (typeof name === "string" && name !== "" && !meant.has(plainName(name))) faults.missing = true;
  for (const [name, value] of given) {
    const property = field(known, name);
    if (property === undefined) faults.unknown = true;
    else fault(faults, value, property);
  }
  return faults;
}

/** `Stock Symbol`, `stock_symbol` and `stockSymbol` are one name, written in several ways: nothing is absent then. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

function fault(faults: { format: boolean; invalid: boolean }, value: Json, property: Json): void {
  const type = field(property, "type");
  if (isRecord(value) || Array.isArray(value)) faults.format ||= type !== "object" && type !== "array";
  else if (!isOfType(value, type)) {
    if (isRetyped(value, type)) faults.format = true;
    else faults.invalid = true;
  }
  const allowed = field(property, "enum");
  if (Array.isArray(allowed) && !allowed.includes(value)) faults.invalid = true;
}

function isOfType(value: Json, type: Json | undefined): boolean {
  if (type === "integer" || type === "number") return typeof value === "number";
  return type === "boolean" || type === "string" ? typeof value === type : true;
}

/** Whether the value is right but for its type: `"5"` for a number, `5` for a text, `"true"` for a truth value. */
function isRetyped(value: Json, type: Json | undefined): boolean {
  if (value === null) return false;
  if (type === "string") return true;
  if (typeof value !== "string") return false;
  if (type === "boolean") return /^(true|false)$/i.test(value.trim());
  return value.trim() !== "" && Number.isFinite(Number(value));
}

export type FailedQuery = {
  /** Function names of APIs that would have served, by the benchmark's own list. */
  readonly relevant: readonly string[];
  /** Ids of the toolkits planned, with the functions in each; undefined where nothing was planned over toolkits. */
  readonly planned: ReadonlyMap<number, readonly string[]> | undefined;
  /** Every function that was called, and those that answered at least once. */
  readonly called: ReadonlySet<string>;
  readonly answered: ReadonlySet<string>;
};

/**
 * The class of a task that failed as a whole. The clusters are to blame where a planned toolkit was of no use (nothing in it
 * would have served, or everything that was called in it failed) while an API that would have served lies in no planned
 * toolkit; or where one lies in a toolkit that was worked in and was never reached there. Else the decision itself failed.
 */
export function classOfQuery(query: FailedQuery): ErrorClass {
  const { relevant, planned, called, answered } = query;
  if (planned === undefined || relevant.length === 0) return "decision-failure";
  const serves = new Set(relevant);
  const toolkits = [...planned.values()];
  const useless = toolkits.some(
    (names) => !names.some((name) => serves.has(name)) || !names.some((name) => answered.has(name)),
  );
  const unreached = toolkits.some(
    (names) =>
      names.some((name) => serves.has(name)) &&
      names.some((name) => called.has(name)) &&
      !names.some((name) => serves.has(name) && called.has(name)),
  );
  return (useless && notPlanned(query).length > 0) || unreached ? "cluster-incomplete" : "decision-failure";
}

/** APIs that would have served and lie in no planned toolkit; none where nothing was planned over toolkits. */
export function notPlanned({ relevant, planned }: Pick<FailedQuery, "relevant" | "planned">): readonly string[] {
  const within = new Set([...(planned?.values() ?? [])].flat());
  return planned === undefined ? [] : relevant.filter((name) => !within.has(name));
}
