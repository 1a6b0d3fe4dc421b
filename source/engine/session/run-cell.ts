/** A run cell's YAML read into the runs it asks for: lists make a grid, mistakes are named with their line. */
import { type Fields, type FilledIn, givers, type GivenFields, resolveFields } from "./fields/given-fields.ts";
import { fileSuite, ownName } from "./file-suite.ts";
import { Problem } from "../problem.ts";
import { agentOption } from "../run/agents/agent-option.ts";
import type { ProgramIdentities } from "../run/programs/program-identity.ts";
import { readFields, type RunFields, suiteOptions } from "./fields/run-fields.ts";
import { effectOf } from "../measures/effective-settings.ts";
import { shown } from "./fields/run-options.ts";
import { runId, runLabel, runSpec, type OwnCode } from "./run-spec.ts";
import { isFields } from "../run-settings.ts";
import { runSettings, type SettingValue } from "../run-settings-rows.ts";
import { requestParts, toolNames } from "./fields/setting-value.ts";
import type { Strategy } from "../strategy.ts";
import type { Suite } from "../suite.ts";
import { DataProblem } from "../text/json-lines.ts";
import type { DataKind, Json, RunSpec } from "../types.ts";
import type { CellProblem } from "./cell.ts";
import { type CellText, readCellText } from "./cell-text.ts";

/** A run of the session that was made with other code of the user's own. */
export type OlderRun = {
  readonly run: string;
  readonly spec: RunSpec;
  /** Milliseconds since 1970 at which it was begun. */
  readonly at: number;
};

/** Who said that results of older code hold for the present one, and why. */
export type KeptResults = { readonly by: string; readonly reason: string };

export type PlannedRun = {
  readonly run: string;
  readonly label: string;
  readonly spec: RunSpec;
  /** Runs of a cell with the same one are trials to be taken together, under this label. */
  readonly pool?: string;
  /** Answers made elsewhere, to be scored instead of asking a model: a path relative to the session's folder. */
  readonly predictions?: string;
  /** Runs of the session that differ in nothing but the user's own code; absent: none. */
  readonly older?: readonly OlderRun[];
  /** Where the run is an older one whose results are kept for this code: by whom, and why. */
  readonly kept?: KeptResults & { readonly code: RunSpec["code"] };
};
export type PlannedCell = {
  readonly runs: readonly PlannedRun[];
  /** Whether replies are kept on disk and taken from there. */
  readonly cache?: true;
  readonly problems: readonly CellProblem[];
  /** What its text does not say; absent: nothing. */
  readonly filledIn?: readonly FilledIn[];
};
export type CellContext = {
  readonly suites: readonly Suite[];
  /** A suite by its name, that of a file (`own/FILE`) too. Absent: no files are at hand. Throws where there is none. */
  suite?(name: string): Suite;
  /** `published` where it is installed, else `sample`. */
  defaultData(suite: string): DataKind;
  /** Which installed tasks these are, for suites whose tasks can be generated. */
  dataset?(suite: string, data: DataKind): string | undefined;
  /** Names of data of the user's own in the layout of a suite. Absent: there are none. */
  ownData?(suite: string): readonly string[];
  /** The programs of the user's that runs may name. Absent: there are none. */
  programs?(): ProgramIdentities;
  /** What of the suites and strategies is the user's own code; absent: nothing. */
  readonly code?: OwnCode;
  /** What the cell is given beside its own fields; absent: nothing. */
  readonly given?: GivenFields;
};

/** Most runs of one grid; more are taken for a mistake. */
const mostRuns = 500;
/** Most combinations of what a grid lists; some may make no run of their own. Of more none is looked at. */
const mostCombinations = 10_000;

/** Never throws: what is wrong comes back as problems, with no runs. */
export function planRunCell(source: string, context: CellContext): PlannedCell {
  return readCellText(
    source,
    (text) => readRunCell(text, context),
    ({ message, line }) => problem(message, line),
  );
}

function readRunCell({ fields: own, lineOf }: CellText, context: CellContext): PlannedCell {
  const { given = nothing } = context;
  if (given.problem !== undefined) return problem(given.problem);
  // A notebook's defaults may leave nothing to say.
  if (own === undefined || (own === null && (given.set["suite"] ?? given.defaults["suite"]) === undefined))
    return problem("Expected `suite: NAME` and further settings, one a line");
  return planFields(own ?? {}, given, context, (field) => lineOf(field.split(".")[0]!));
}

function planFields(
  own: Fields,
  given: GivenFields,
  context: CellContext,
  lineOf: (field: string) => { readonly line?: number },
): PlannedCell {
  const problems: CellProblem[] = [];
  let filledIn: readonly FilledIn[] = [];
  const report = (field: string, message: string) => {
    const from = filledIn.find((each) => each.field === field)?.from;
    const where = from === undefined || from === "installed" ? "" : ` (${givers[from]})`;
    problems.push({ message: `${message}${where}`, ...(from === undefined && lineOf(field)) });
  };
  const reportUnknown = () => {
    for (const name of unknownFields(own, context.suites))
      report(name, `Expected the fields of a run, got \`${name}\``);
  };
  const named = given.replaced["suite"] ?? own["suite"] ?? given.set["suite"] ?? given.defaults["suite"];
  const family = context.suites.find(({ name }) => name === named) ?? fileSuite(String(named), context.suites).family;
  if (family === undefined) {
    const names = context.suites.map(({ name }) => name).join(", ");
    report("suite", `Expected \`suite\` to be one of ${names}, got ${shown(named)}`);
    reportUnknown();
    return { runs: [], problems };
  }
  const resolved = resolveFields(own, given, family);
  filledIn = resolved.filledIn;
  const suite = suiteOf(family, String(named), resolved.fields["from"], context, report);
  if (suite === undefined) {
    reportUnknown();
    return { runs: [], problems, filledIn };
  }
  const fields = readFields({ ...resolved.fields, suite: suite.name }, suite, report);
  checkPrograms(fields, suite, context, report);
  checkOwnData(fields, suite, context, report);
  if (problems.length > 0) return { runs: [], problems, filledIn };
  const planned = planGrid(fields, suite, context, report);
  if (planned.runs.length === 0) return { runs: [], problems: [...problems, ...planned.problems] };
  return { ...planned, filledIn: [...filledIn, ...(planned.filledIn ?? [])] };
}

/** The runs of fields in which nothing is wrong. */
function planGrid(fields: RunFields, suite: Suite, context: CellContext, report: Report): PlannedCell {
  const combinations = [...fields.lists.values()].reduce((product, values) => product * values.length, 1);
  if (combinations > mostCombinations) return tooMany(combinations);
  const runs = expand(fields, suite, context);
  const unanswered = runs.find(({ spec, predictions }) => predictions === undefined && lacksResponder(spec, suite));
  if (unanswered !== undefined) {
    report(
      "strategy",
      `Expected \`responder: ENDPOINT/MODEL\`, such as \`builtin/responder\`: \`${unanswered.spec.strategy}\` needs somebody who answers, got none`,
    );
    return { runs: [], problems: [] };
  }
  if (runs.length > mostRuns) return tooMany(runs.length);
  const data = fields.lists.has("data") ? undefined : context.defaultData(suite.name);
  const installed = data === undefined ? [] : [{ field: "data", value: data, from: "installed" } as const];
  const cache = fields.lists.get("cache")?.[0] === "on" ? ({ cache: true } as const) : {};
  return { runs, ...cache, problems: [], filledIn: [...installed, ...requestSettingsOf(fields)] };
}

/** The settings that are written as fields of `request`, each value once. */
function requestSettingsOf({ lists }: RunFields): readonly FilledIn[] {
  const all = (lists.get("request") ?? []).filter(isFields).flatMap((fields) => [...requestParts(fields).settings]);
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()].map(([field, value]): FilledIn => ({
    field,
    value: value as Json,
    from: "request",
  }));
}

/** Fields no benchmark has: `suite` or `from` may be one of them, misspelt. */
function unknownFields(own: Fields, suites: readonly Suite[]): readonly string[] {
  const group = (name: string) => name.split(".", 1)[0]!;
  const known = new Set(
    [...runSettings, ...suites.flatMap((suite) => [...suiteOptions(suite).values()])].map(({ name }) => group(name)),
  );
  return Object.keys(own).filter((name) => !known.has(group(name)));
}

/** The suite itself, or that of the file a cell names; undefined where that cannot be had, which is then reported. */
function suiteOf(
  family: Suite,
  named: string,
  from: Json | undefined,
  context: CellContext,
  report: Report,
): Suite | undefined {
  if (family.ofFile === undefined || context.suite === undefined) {
    if (from === undefined || from === null) return family;
    return void report(
      "from",
      `Expected no \`from\` for \`${family.name}\`, whose tasks come with it, got ${shown(from)}`,
    );
  }
  const file = from ?? (named === family.name ? family.usualFile : named.slice(family.name.length + 1));
  if (typeof file !== "string" || file === "")
    return void report("from", `Expected \`from\` to be a file in the folder of the session, got ${shown(file)}`);
  try {
    const suite = context.suite(`${family.name}/${file}`);
    // Reads the file: what is wrong with it is said here.
    void suite.facets;
    return suite;
  } catch (error) {
    if (error instanceof DataProblem || error instanceof Problem) return void report("from", error.message);
    throw error;
  }
}

/** Tools and agents that a cell names are to be among the user's, and where a strategy acts, there is to be something to act with. */
function checkPrograms({ lists }: RunFields, suite: Suite, { programs }: CellContext, report: Report): void {
  // What was recorded elsewhere starts none of them.
  if (lists.has("predictions")) return;
  const named = (lists.get("toolServers") ?? []).flatMap(toolNames);
  const known = [...(programs?.().toolServers.keys() ?? [])];
  for (const name of named)
    if (!known.includes(name))
      report(
        "tools",
        `Expected \`tools\` to name tool servers of yours (${known.join(", ") || "there are none: add one by `planwright tools add`, or a file by `--with`"}), got \`${name}\``,
      );
  const strategies = lists.get("strategy") ?? [suite.strategies[0]!.name];
  const agents = [...(programs?.().agents.keys() ?? [])];
  const isAgent = ({ options = [] }: Strategy) => options.includes(agentOption);
  const starts = suite.strategies.some((each) => strategies.includes(each.name) && isAgent(each));
  for (const name of lists.get(agentOption.name) ?? (starts ? [""] : []))
    if (!agents.includes(String(name)))
      report(
        agentOption.name,
        `Expected \`agent\` to be an agent of yours (${agents.join(", ") || "there are none: `planwright agents add` adds one"}), got ${name === "" ? "none" : shown(name as Json)}`,
      );
  // An agent may have what it needs.
  const acting = suite.strategies.find(
    (each) => strategies.includes(each.name) && each.needs === "environment" && !isAgent(each),
  );
  if (suite.takesTools === true && named.length === 0 && acting !== undefined)
    report("strategy", `Expected \`tools: [NAME]\` for \`${acting.name}\`, the tool servers it acts with, got none`);
}

/** Data of the user's own are to be there, as no other may pass for them. */
function checkOwnData({ lists }: RunFields, suite: Suite, { ownData: dataOf }: CellContext, report: Report): void {
  const known = dataOf?.(suite.name) ?? [];
  for (const value of lists.get("data") ?? []) {
    const name = ownName(value as DataKind);
    if (name !== undefined && !known.includes(name))
      report(
        "data",
        `Expected \`data\` to be one of ${["sample", "published", ...known].join(", ")}, got ${shown(name)}`,
      );
  }
}

type Report = (field: string, message: string) => void;

const nothing: GivenFields = { defaults: {}, set: {}, replaced: {} };

function problem(message: string, line?: number): PlannedCell {
  return { runs: [], problems: [{ message, ...(line === undefined ? {} : { line }) }] };
}

const tooMany = (count: number) => problem(`Expected at most ${mostRuns} runs in one cell, got ${count}`);

/** The product of all listed values, in the order the cell writes its fields. */
function expand(fields: RunFields, suite: Suite, context: CellContext): PlannedRun[] {
  let combinations: Map<string, SettingValue>[] = [new Map()];
  for (const [name, values] of fields.lists)
    combinations = combinations.flatMap((before) => values.map((value) => new Map(before).set(name, value)));
  const varied = [...fields.lists].filter(([, values]) => values.length > 1).map(([name]) => name);
  // By what makes a difference: of runs that differ in nothing else the first one is kept.
  const runs = new Map<string, PlannedRun>();
  for (const chosen of combinations) {
    const spec = runSpec(chosen, fields, suite, context);
    const predictions = chosen.get("predictions") as string | undefined;
    const matters = predictions === undefined ? effectOf(spec, suite) : () => true;
    const key = runId(withOnly(spec, matters), predictions);
    if (runs.has(key)) continue;
    const { pooled } = fields;
    const named = varied.filter(matters);
    const pool =
      pooled &&
      runLabel(
        chosen,
        named.filter((name) => name !== pooled),
        spec,
      );
    runs.set(key, {
      run: runId(spec, predictions),
      label:
        named.length === 0 && (!matters("model") || (spec.model === "none" && predictions === undefined))
          ? spec.strategy
          : runLabel(chosen, named, spec),
      spec,
      ...(pool === undefined ? {} : { pool }),
      ...(predictions === undefined ? {} : { predictions }),
    });
  }
  return [...runs.values()];
}

/** The spec without what makes no difference to it. */
function withOnly({ options, ...spec }: RunSpec, matters: (name: string) => boolean): RunSpec {
  const kept = <Value>(values: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => matters(name)));
  return { ...(kept(spec) as Omit<RunSpec, "options">), options: kept(options) };
}

function lacksResponder({ strategy, responder }: RunSpec, suite: Suite): boolean {
  return (
    responder === undefined &&
    suite.strategies.some(({ name, roles }) => name === strategy && roles.includes("responder"))
  );
}
