/**
 * The six error classes of Tool-Planner's paper (section 4.4, appendix H), assigned by rules from calls and responses, and a
 * seventh class, which the paper does not have, for failures of the environment. The first rule that matches decides; the order
 * matters (a date in a wrong layout is a false format although its message says "invalid").
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

/** The source of a class: a manual label correction (`person`) overrides the judge, which overrides the rules. */
export type ClassSource = "rules" | "judge" | "person";
export type Classified = { readonly kind: ErrorClass; readonly source: ClassSource };

const rank: readonly ClassSource[] = ["rules", "judge", "person"];

/** Returns the opinion from the strongest source, the latest among equals. */
export function agreedClass(opinions: readonly Classified[]): Classified | undefined {
  let best: Classified | undefined;
  for (const one of opinions)
    if (best === undefined || rank.indexOf(one.source) >= rank.indexOf(best.source)) best = one;
  return best;
}

/** The notes are part of ToolBench's request to a judge, so other words would be another prompt. */
export const errorClasses: readonly { readonly name: ErrorClass; readonly title: string; readonly note: string }[] = [
  { name: "invalid-parameter", title: "Invalid Input Parameters", note: "A value the API does not accept" },
  { name: "api-hallucinated", title: "API Hallucinated", note: "A function, endpoint or toolkit that does not exist" },
  { name: "false-format", title: "False API Call Format", note: "Not JSON, a wrong container or layout" },
  { name: "missing-parameter", title: "Miss Input Parameters", note: "A required parameter is absent" },
  {
    name: "cluster-incomplete",
    title: "Cluster Incomplete",
    note: "The API needed is in a toolkit that was not tried",
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
  /** The function as offered; undefined if it was not offered. */
  readonly tool: ToolSpec | undefined;
};

const nonexistent = /not found|does not exist|doesn't exists?|deprecated|no such (function|endpoint|api)/;
const endpointNoun = /(endpoint|api|function|method|service|route|page|url)/;
const format =
  /(invalid|wrong|bad) (request )?format|query string|use the format|yyyy|must be an? (json|date)|must be (json|date)|malformed|content-type|tool input parse error/;
const missing = /missing|required (parameter|field)|is required|must (provide|specify|supply)|not provided|no input/;
const invalid =
  /unexpected keyword argument|invalid|unsupported|not (a )?valid|unrecognized|out of range|unknown value|no results? for|status_code=4(00|22)/;
const outside =
  /unauthorized|not subscribed|unsubscribed|quota|too many requests|rate limit|time-?out|timed out|time out|gateway|internal (server )?error|api not working|status_code=5|no cached response|blocked/;
/** Maximum number of characters of an observation that are examined: errors come early, and a server may answer with megabytes. */
const longestExamined = 5000;

/** Returns the class of one failed call; undefined if no rule matches. Not defined for successful calls. */
export function classOfCall(call: FailedCall): ErrorClass | undefined {
  const lowered = call.observation.slice(0, longestExamined).toLowerCase();
  if (call.tool === undefined || call.status === 1) return "api-hallucinated";
  if (nonexistent.test(lowered) && endpointNoun.test(lowered)) return "api-hallucinated";
  const input = call.text.trim() === "" ? {} : parseJson(call.text);
  if (!isRecord(input)) return "false-format";
  const faults = faultsOf(input, call.tool);
  if (faults.format || format.test(lowered)) return "false-format";
  if (faults.missing || missing.test(lowered)) return "missing-parameter";
  if (faults.unknown || faults.invalid || invalid.test(lowered)) return "invalid-parameter";
  const status = Number(call.status);
  if ((status >= 5 && status <= 12) || outside.test(lowered)) return "environment";
  return undefined;
}

/** Violations of the function's own schema by the arguments. */
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

/** `Stock Symbol`, `stock_symbol` and `stockSymbol` count as the same parameter. */
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

/** Returns whether the value is right except for its type: `"5"` for a number, `5` for a string, `"true"` for a Boolean. */
function isRetyped(value: Json, type: Json | undefined): boolean {
  if (value === null) return false;
  if (type === "string") return true;
  if (typeof value !== "string") return false;
  if (type === "boolean") return /^(true|false)$/i.test(value.trim());
  return value.trim() !== "" && Number.isFinite(Number(value));
}

export type FailedQuery = {
  /** Function names of the relevant APIs, by the benchmark's own list. */
  readonly relevant: readonly string[];
  /** Ids of the toolkits planned, with the functions in each; undefined without a plan over toolkits. */
  readonly planned: ReadonlyMap<number, readonly string[]> | undefined;
  /** All called functions, and the functions that succeeded at least once. */
  readonly called: ReadonlySet<string>;
  readonly answered: ReadonlySet<string>;
};

/**
 * Returns the class of a failed task. The clusters are the cause if a planned toolkit was useless (it contains no relevant API,
 * or every call in it failed) while some relevant API is in no planned toolkit; or if functions of a toolkit were called but not
 * the relevant API in it. Otherwise the decision itself was wrong.
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

/** Returns relevant APIs in no planned toolkit; none without a plan over toolkits. */
export function notPlanned({ relevant, planned }: Pick<FailedQuery, "relevant" | "planned">): readonly string[] {
  const within = new Set([...(planned?.values() ?? [])].flat());
  return planned === undefined ? [] : relevant.filter((name) => !within.has(name));
}
