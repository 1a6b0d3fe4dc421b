/** Reads a run cell's YAML and plans its runs. Lists make a grid; mistakes are reported with their line. */
import { type Fields, type FilledIn, givers, type GivenFields, resolveFields } from "./fields/given-fields.ts";
import { fileSuite, ownName } from "./file-suite.ts";
import { Problem } from "../problem.ts";
import { agentOption } from "../run/agents/agent-option.ts";
import type { ProgramIdentities } from "../run/programs/program-identity.ts";
import { readFields, type RunFields, suiteOptions, valuesOf } from "./fields/run-fields.ts";
import type { JointValue } from "./fields/joint-values.ts";
import { effectOf } from "../measures/effective-settings.ts";
import { shown } from "./fields/run-options.ts";
import { type StoredRun, storedRun } from "./run-identity.ts";
import { type NameOf, runId, runLabel, runSpec, type OwnCode } from "./run-spec.ts";
import { isFields } from "../run-settings.ts";
import { runSettings, type SettingValue } from "../run-settings-rows.ts";
import { aliasOf } from "./fields/aliases.ts";
import { valueKey } from "./fields/named-values.ts";
import { requestParts, toolNames } from "./fields/setting-value.ts";
import { isOfSamples, pickedLabel, sampledFields, sampleSpecs } from "./sampled-cell.ts";
import { joinedLabel } from "../settings/label.ts";
import { scanFields, type ScannedRun } from "./scan-cell.ts";
import { whyUnvaried } from "./varied-cell.ts";
import type { Strategy } from "../strategy.ts";
import type { StandIn, Suite } from "../suite.ts";
import { DataProblem } from "../text/json-lines.ts";
import type { DataKind, Json, RunSpec } from "../types.ts";
import type { CodeKind } from "../analysis.ts";
import type { CellProblem } from "./cell.ts";
import { type ForkedPart, forksCell, type OriginalRun, planForkedRuns } from "./forked-cell.ts";
import { type CellText, readCellText } from "./cell-text.ts";

/** A run of the session that an older version of the user's code made. */
export type OlderRun = {
  readonly run: string;
  readonly spec: RunSpec;
  /** Start in milliseconds since 1970. */
  readonly at: number;
};

/** The person who accepted results of older code for the present code, and the reason. */
export type KeptResults = { readonly by: string; readonly reason: string };

export type PlannedRun = ForkedPart & {
  /** Identifies the cell's part of the run: its tasks, under its scoring. It is the run's id if these are the default. */
  readonly run: string;
  readonly stored: StoredRun;
  readonly label: string;
  /** The label with the real names of models, agents and strategies, which rows have; absent if `label` contains these names. */
  readonly plainLabel?: string;
  readonly spec: RunSpec;
  /** Names of the run's values by field, from the cell or from aliases. Absent: no value has a name. */
  readonly named?: Readonly<Record<string, string>>;
  /** Label under which a cell's runs are pooled as trials. */
  readonly pool?: string;
  /** Answers made elsewhere, to be scored instead of asking a model: a path relative to the session's folder. */
  readonly predictions?: string;
  /** Runs whose answers are the samples of this run, in order. If absent, the run requests its answers. */
  readonly samples?: readonly string[];
  /** Runs of the session that differ only in the user's code; absent if there are none. */
  readonly older?: readonly OlderRun[];
  /** For an older run with accepted results: the person who accepted them, and the reason. */
  readonly kept?: KeptResults & { readonly code: RunSpec["code"] };
};
export type PlannedCell = {
  readonly runs: readonly PlannedRun[];
  /** True if replies are cached on disk. */
  readonly cache?: true;
  /** True if the cell's two runs are executed task by task until one of them is decided to be better. */
  readonly untilDecided?: true;
  /** True if the cell's runs are forks of failures, to find the steps that caused the failures. */
  readonly rescue?: true;
  readonly problems: readonly CellProblem[];
  /** Values that the cell's text does not contain; absent: none. */
  readonly filledIn?: readonly FilledIn[];
  /** The file that a thread reads, on which its runs depend; present only until they are known. */
  readonly reading?: CellReading;
};
/** Resolves once the file is read; never rejects. */
export type CellReading = { readonly file: string; readonly read: Promise<unknown> };
export type CellContext = {
  readonly suites: readonly Suite[];
  /**
   * Returns a suite by its name, including that of a file (`own/FILE`). If absent, there are no files. Throws for an unknown
   * name.
   */
  suite?(name: string): Suite;
  /** Returns the promise of a thread that reads a suite's large file. If absent or undefined, the file is read at once. */
  reading?(suite: string): Promise<unknown> | undefined;
  /** Returns the runs of another run cell; undefined if the cell does not exist. If absent, there are no other cells. */
  originals?(cell: string): readonly OriginalRun[] | undefined;
  /** Returns the names of the run cells. */
  cells?(): readonly string[];
  /** Returns the text of a file of the notebook. Absent if there are none. Throws `Problem` for a file that cannot be read. */
  text?(file: string): string;
  /** `published` if installed, otherwise `sample`. */
  defaultData(suite: string): DataKind;
  /** Identifies the installed tasks, for suites whose tasks can be generated. */
  dataset?(suite: string, data: DataKind): string | undefined;
  /** Returns what replaces tasks that the installed data lack. If absent, they are not replaced. */
  standIn?(spec: RunSpec): StandIn | undefined;
  /**
   * Returns the runs of the cells with this name, for scans; undefined if no cell has it. If absent, there are no other cells.
   */
  runsOf?(name: string): readonly ScannedRun[] | undefined;
  /**
   * Returns the kinds of the kinds cell with the name of this cell; undefined if there is no kinds cell. If absent, there are no
   * kinds cells.
   */
  proposedKinds?(): readonly CodeKind[] | undefined;
  /** Returns the kinds that these runs of a scan named, once the runs have ended; undefined if there are no kinds to merge. */
  unmergedKinds?(runs: readonly PlannedRun[]): string | undefined;
  /** Returns names of the user's data in the layout of a suite. Absent if there are none. */
  ownData?(suite: string): readonly string[];
  /** Returns the user's programs that runs may name. Absent if there are none. */
  programs?(): ProgramIdentities;
  /** The user's code in suites and strategies; absent: none. */
  readonly code?: OwnCode;
  /** Why the notebook's own code is not loaded, and how to load it; absent if all of it is loaded. */
  readonly unloaded?: string | undefined;
  /** Fields given to the cell in addition to its own; absent if there are none. */
  readonly given?: GivenFields;
};

/** Maximum number of runs in one grid; more are considered a mistake. */
const mostRuns = 500;
/** Maximum number of combinations of values in a grid; some combinations may make no run. Larger grids are not examined. */
const mostCombinations = 10_000;

/** Never throws: mistakes are returned as problems, without runs. */
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
  // With a notebook's defaults a cell may be empty.
  if (own === undefined || (own === null && (given.set["suite"] ?? given.defaults["suite"]) === undefined))
    return problem("Expected `suite: NAME` and further settings, one per line");
  const line = (field: string) => {
    const path = field.split(".");
    const inner = lineOf(...path);
    return inner.line === undefined ? lineOf(path[0]!) : inner;
  };
  if (own?.["scan"] !== undefined) return planScan(own, given, context, line);
  if (own === null || !forksCell(own)) return planFields(own ?? {}, given, context, line);
  const problems: CellProblem[] = [];
  const planned = planForkedRuns(
    own,
    { suites: context.suites, originals: context.originals ?? (() => undefined), cells: context.cells ?? (() => []) },
    (fields, base) => planFields(fields, { ...given, set: {}, defaults: base }, context, line),
    (field, message) => problems.push({ message, ...line(field) }),
  );
  return problems.length > 0 ? { runs: [], problems } : planned;
}

/** Plans a scan of each run that the cell reads. */
function planScan(own: Fields, given: GivenFields, context: CellContext, lineOf: LineOf): PlannedCell {
  const found = scanFields(own, (name) => context.runsOf?.(name), context.proposedKinds);
  if ("message" in found) return problem(found.message, lineOf(found.field).line);
  const planned = ({ label, fields }: (typeof found.all)[number]) => ({
    label,
    planned: planFields(fields, given, context, lineOf),
  });
  const cells = found.all.map(planned);
  const named = found.merging && context.unmergedKinds?.(cells.flatMap((cell) => cell.planned.runs));
  if (named !== undefined) cells.push(planned({ label: "kinds merged", fields: found.merging!(named) }));
  const wrong = cells.find(({ planned }) => planned.problems.length > 0);
  if (wrong !== undefined) return wrong.planned;
  const titled = (label: string, of: string) => (cells.length === 1 ? of : of === label ? of : `${label}: ${of}`);
  const [{ planned: first }] = cells as [(typeof cells)[number]];
  return {
    ...first,
    // Trajectories of the session are no data that are installed.
    ...(first.filledIn && { filledIn: first.filledIn.filter(({ field }) => field !== "data") }),
    runs: cells.flatMap(({ label, planned }) =>
      planned.runs.map((run) => ({
        ...run,
        label: titled(label, run.label),
        ...(run.plainLabel !== undefined && { plainLabel: titled(label, run.plainLabel) }),
      })),
    ),
  };
}

type LineOf = (field: string) => { readonly line?: number };

function planFields(own: Fields, given: GivenFields, context: CellContext, lineOf: LineOf): PlannedCell {
  const problems: CellProblem[] = [];
  let filledIn: readonly FilledIn[] = [];
  const report = (field: string, problem: string) => {
    // A name that the program does not know may be that of a suite or strategy in the notebook's own code.
    const isInCode = context.unloaded !== undefined && problem.startsWith(`Expected \`${field}\` to be one of `);
    const message =
      isInCode && (field === "suite" || field === "strategy")
        ? `${context.unloaded}; the code may define this ${field}`
        : problem;
    const from = filledIn.find((each) => each.field === field || field.startsWith(`${each.field}.`))?.from;
    const where = from === undefined || from === "installed" || from === "lacking" ? "" : ` (${givers[from]})`;
    problems.push({ message: `${message}${where}`, ...(from === undefined && lineOf(field)) });
  };
  const reportUnknown = () => {
    for (const name of unknownFields(own, context.suites))
      report(name, `Expected the fields of a run, got \`${name}\``);
  };
  const named = given.replaced["suite"] ?? own["suite"] ?? given.set["suite"] ?? given.defaults["suite"];
  const family =
    context.suites.find(({ name }) => name === named) ??
    fileSuite(String(named), context.suites).family ??
    scannedSuite(named, context);
  if (family === undefined) {
    const names = context.suites.map(({ name }) => name).join(", ");
    report("suite", `Expected \`suite\` to be one of ${names}, got ${shown(named)}`);
    reportUnknown();
    return { runs: [], problems };
  }
  const resolved = resolveFields(own, given, family);
  filledIn = resolved.filledIn;
  const suite = suiteOf(family, String(named), resolved.fields, context, report);
  if (suite === undefined) {
    reportUnknown();
    return { runs: [], problems, filledIn };
  }
  if ("read" in suite) return { runs: [], problems, filledIn, reading: suite };
  const fields = readFields({ ...resolved.fields, suite: suite.name }, suite, report, context.text);
  checkPrograms(fields, suite, context, report);
  checkOwnData(fields, suite, context, report);
  if (problems.length > 0) return { runs: [], problems, filledIn };
  const planned = planGrid(fields, suite, context, report);
  if (planned.runs.length === 0) return { runs: [], problems: [...problems, ...planned.problems] };
  return { ...planned, filledIn: [...filledIn, ...(planned.filledIn ?? [])] };
}

/** Returns the suite of a scan, which only a cell with `scan` uses. */
const scannedSuite = (name: Json | undefined, { suite }: CellContext): Suite | undefined =>
  typeof name === "string" && name.startsWith("scan/") ? suite?.(name) : undefined;

/** Returns the runs of correct fields. */
function planGrid(fields: RunFields, suite: Suite, context: CellContext, report: Report): PlannedCell {
  const { asked, picked } = sampledFields(fields);
  const combinations = [asked, picked ?? asked].reduce((most, { lists }) => Math.max(most, productOf(lists)), 1);
  if (combinations > mostCombinations) return tooMany(combinations);
  const { runs, standIns } = expand(fields, suite, context);
  const unanswered = runs.find(({ spec, predictions }) => predictions === undefined && lacksResponder(spec, suite));
  if (unanswered !== undefined) {
    report(
      "strategy",
      `Expected \`responder: ENDPOINT/MODEL\`, such as \`builtin/responder\`: \`${unanswered.spec.strategy}\` needs a responder, got none`,
    );
    return { runs: [], problems: [] };
  }
  if (runs.length > mostRuns) return tooMany(runs.length);
  const unvaried = runs.flatMap(({ spec }) => whyUnvaried(spec, suite) ?? [])[0];
  if (unvaried !== undefined) {
    report(unvaried.field, unvaried.message);
    return { runs: [], problems: [] };
  }
  const data = fields.lists.has("data") ? undefined : context.defaultData(suite.name);
  const isUsed = runs.length === 0 || runs.some(({ spec }) => spec.data === data);
  const installed = data === undefined || !isUsed ? [] : [{ field: "data", value: data, from: "installed" } as const];
  const cache = fields.lists.get("cache")?.[0] === "on" ? ({ cache: true } as const) : {};
  const until = fields.lists.get("until")?.[0] === "decided" ? ({ untilDecided: true } as const) : {};
  const undecidable = until.untilDecided && whyUndecidable(runs, suite, fields);
  if (undecidable !== undefined) {
    report("until", undecidable);
    return { runs: [], problems: [] };
  }
  return {
    runs,
    ...cache,
    ...until,
    problems: [],
    filledIn: [...installed, ...standIns, ...requestSettingsOf(fields)],
  };
}

const productOf = (lists: RunFields["lists"]): number =>
  [...lists.values()].reduce((product, values) => product * values.length, 1);

/** Returns why these runs cannot be executed task by task until one is better; undefined if they can. */
function whyUndecidable(runs: readonly PlannedRun[], suite: Suite, { lists }: RunFields): string | undefined {
  if (lists.has("fork")) return "Expected `until: decided` in a cell with many tasks, got a fork, which has one";
  if (runs.some(({ predictions }) => predictions !== undefined))
    return "Expected `until: decided` in a cell that sends requests to models, got existing answers";
  if (runs.some(({ samples }) => samples !== undefined))
    return "Expected `until: decided` in a cell that asks each task once, got `samples`, which asks each task several times";
  const sides = new Set(runs.map(({ pool, label }) => pool ?? label));
  if (sides.size !== 2)
    return `Expected \`until: decided\` in a cell of two runs, which are compared on success, got ${sides.size}`;
  const apart = (["split", "data", "seed", "limit", "filter"] as const).find(
    (name) => new Set(runs.map(({ spec }) => JSON.stringify(spec[name]))).size > 1,
  );
  if (apart !== undefined)
    return `Expected \`until: decided\` for runs of the same tasks in the same order, got several values of \`${apart}\``;
  const learning = runs.find(({ spec }) => isLearning(spec, suite));
  return (
    learning &&
    `Expected a strategy without memory for \`until: decided\`, got \`${learning.spec.strategy}\`, which learns from earlier tasks`
  );
}

const isLearning = (spec: RunSpec, { strategies }: Suite): boolean =>
  strategies.find(({ name }) => name === spec.strategy)?.sequential?.(spec) === true;

/** Returns the settings written as fields of `request`, each value once. */
function requestSettingsOf({ lists }: RunFields): readonly FilledIn[] {
  const all = (lists.get("request") ?? []).filter(isFields).flatMap((fields) => [...requestParts(fields).settings]);
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()].map(([field, value]): FilledIn => ({
    field,
    value: value as Json,
    from: "request",
  }));
}

/** Returns fields that no benchmark has, because one of them may be a misspelt `suite` or `from`. */
function unknownFields(own: Fields, suites: readonly Suite[]): readonly string[] {
  const group = (name: string) => name.split(".", 1)[0]!;
  const known = new Set(
    [...runSettings, ...suites.flatMap((suite) => [...suiteOptions(suite).values()])].map(({ name }) => group(name)),
  );
  return Object.keys(own).filter((name) => !known.has(group(name)));
}

/**
 * Returns the suite itself, or that of the file in a cell, or the reading of that file; reports the problem and returns undefined
 * if it cannot be opened.
 */
function suiteOf(family: Suite, named: string, fields: Fields, context: CellContext, report: Report) {
  const field = family.tasksFrom ?? "from";
  for (const name of ["from", "process"])
    if ((fields[name] ?? null) !== null && (name !== field || family.ofFile === undefined))
      return void report(
        name,
        `Expected no \`${name}\` for \`${family.name}\`, ${family.ofFile === undefined ? "whose tasks are included" : `whose \`${field}\` names the tasks`}, got ${shown(fields[name])}`,
      );
  if (family.ofFile === undefined || context.suite === undefined) return family;
  const file = fields[field] ?? (named === family.name ? family.usualFile : named.slice(family.name.length + 1));
  const processes = field === "process" ? [...(context.programs?.().processes.keys() ?? [])] : undefined;
  if (processes !== undefined && !processes.includes(String(file)))
    return void report(
      field,
      `Expected \`process\` to be one of your processes (${processes.join(", ") || "there are none: `planwright processes add` adds one"}), got ${shown(file)}`,
    );
  if (typeof file !== "string" || file === "")
    return void report("from", `Expected \`from\` to be a file in the folder of the session, got ${shown(file)}`);
  try {
    const suite = context.suite(`${family.name}/${file}`);
    const read = context.reading?.(suite.name);
    if (read !== undefined) return { file, read } satisfies CellReading;
    // Reads the file, so that its problems are reported here.
    void suite.facets;
    return suite;
  } catch (error) {
    if (error instanceof DataProblem || error instanceof Problem) return void report(field, error.message);
    throw error;
  }
}

/** Checks that the named tools and agents are among the user's, and that an acting strategy has tools. */
function checkPrograms(fields: RunFields, suite: Suite, { programs }: CellContext, report: Report): void {
  const { lists, joint } = fields;
  // Answers recorded elsewhere start no programs.
  if (lists.has("predictions")) return;
  const named = valuesOf(fields, "toolServers").flatMap(toolNames);
  const known = [...(programs?.().toolServers.keys() ?? [])];
  for (const name of named)
    if (!known.includes(name))
      report(
        "tools",
        `Expected \`tools\` to name your tool servers (${known.join(", ") || "there are none: add one with `planwright tools add`, or a file with `--with`"}), got \`${name}\``,
      );
  const strategies = lists.get("strategy") ?? [suite.strategies[0]!.name];
  const agents = [...(programs?.().agents.keys() ?? [])];
  const isAgent = ({ options = [] }: Strategy) => options.includes(agentOption);
  const starts = suite.strategies.some((each) => strategies.includes(each.name) && isAgent(each));
  for (const name of lists.get(agentOption.name) ?? (starts ? [""] : []))
    if (!agents.includes(String(name)))
      report(
        agentOption.name,
        `Expected \`agent\` to be one of your agents (${agents.join(", ") || "there are none: `planwright agents add` adds one"}), got ${name === "" ? "none" : shown(name as Json)}`,
      );
  // An agent may bring its own tools.
  const acting = suite.strategies.find(
    (each) => strategies.includes(each.name) && each.needs === "environment" && !isAgent(each),
  );
  const isWithout = joint.has("tools")
    ? (lists.get("tools") as readonly JointValue[]).some((value) => !("toolServers" in value))
    : named.length === 0;
  if (suite.takesTools === true && isWithout && acting !== undefined)
    report("strategy", `Expected \`tools: [NAME]\` for \`${acting.name}\`, which calls tool servers, got none`);
}

/** Checks that the user's own data in the cell exist, because no other data may replace them. */
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

/** Returns the runs of all listed values, and the replacement of tasks that are not installed. */
function expand(fields: RunFields, suite: Suite, context: CellContext) {
  const { asked, picked } = sampledFields(fields);
  const [grid, more] = [gridOf(asked, suite, context), picked && gridOf(picked, suite, context)];
  const samples = [...(more?.runs.values() ?? [])].map((run): PlannedRun => ({
    ...run,
    samples: sampleSpecs(run.spec).map((spec) => grid.runs.get(identityOf(spec, suite))!.run),
  }));
  return { runs: [...grid.runs.values(), ...samples], standIns: [...grid.standIns.values()] };
}

/** Returns a key that is equal for runs with equal settings, as far as these matter. */
const identityOf = (spec: RunSpec, suite: Suite): string => runId(withOnly(spec, effectOf(spec, suite)));

/**
 * Returns the product of all listed values, in the order of the cell's fields: the runs by the settings that have an effect. Of
 * equal runs only the first is returned.
 */
function gridOf(fields: RunFields, suite: Suite, context: CellContext) {
  let combinations: Map<string, SettingValue>[] = [new Map()];
  for (const [name, values] of fields.lists)
    combinations = combinations.flatMap((before) => values.map((value) => new Map(before).set(name, value)));
  const varied = [...fields.lists].filter(([name, values]) => values.length > 1 && !isOfSamples(name));
  const runs = new Map<string, PlannedRun>();
  const standIns = new Map<string, FilledIn>();
  for (const written of combinations) {
    const predictions = written.get("predictions") as string | undefined;
    const { chosen: apart, spec, standIn } = installedRun(takenApart(written, fields), fields, suite, context);
    const chosen = new Map([...apart, ...[...fields.joint].map((name) => [name, written.get(name)!] as const)]);
    if (standIn !== undefined) standIns.set(JSON.stringify(standIn), { ...standIn, from: "lacking" });
    const matters = predictions === undefined ? effectOf(spec, suite) : () => true;
    const key = runId(withOnly(spec, matters), predictions);
    if (runs.has(key)) continue;
    const { pooled, names } = fields;
    const { aliases = new Map<string, string>() } = context.given ?? {};
    const nameIn: NameOf = (field, value) => names.get(field)?.get(valueKey(value));
    const nameOf: NameOf = (field, value) => nameIn(field, value) ?? aliasOf(aliases, field, value);
    const named = varied.map(([name]) => name).filter(matters);
    const others = named.filter((name) => name !== pooled);
    const pool = pooled && runLabel(chosen, others, spec, nameOf);
    const given = namesOf(chosen, spec, nameOf);
    const run = runId(spec, predictions);
    const isNameless = !matters("model") || (spec.model === "none" && predictions === undefined);
    const labelled = (by: NameOf): string => {
      const isOfStrategy = named.length === 0 && isNameless;
      const label = isOfStrategy ? (by("strategy", spec.strategy) ?? spec.strategy) : runLabel(chosen, named, spec, by);
      return spec.samples === undefined
        ? label
        : joinedLabel([...(named.length > 0 ? [label] : []), pickedLabel(spec)]);
    };
    const [label, plainLabel] = [labelled(nameOf), labelled(nameIn)];
    runs.set(key, {
      run,
      stored: predictions === undefined ? storedRun(spec, suite) : { folder: run, spec },
      label,
      ...(plainLabel !== label && { plainLabel }),
      spec,
      ...(given && { named: given }),
      ...(pool === undefined ? {} : { pool }),
      ...(predictions === undefined ? {} : { predictions }),
    });
  }
  return { runs, standIns };
}

/** Returns a combination in which the settings of joint values replace the joint values. */
function takenApart(
  written: ReadonlyMap<string, SettingValue>,
  { joint }: RunFields,
): ReadonlyMap<string, SettingValue> {
  const [together, others] = [[...joint].map((name) => written.get(name) as JointValue), [...written]];
  return new Map([...others.filter(([name]) => !joint.has(name)), ...together.flatMap(Object.entries<SettingValue>)]);
}

/** Returns the names of a run's values by field; undefined if none has a name. */
function namesOf(chosen: ReadonlyMap<string, SettingValue>, spec: RunSpec, nameOf: NameOf): PlannedRun["named"] {
  const values = new Map<string, SettingValue>([["strategy", spec.strategy], ["model", spec.model], ...chosen]);
  const found = [...values].flatMap(([field, value]) => {
    const name = nameOf(field, value);
    return name === undefined ? [] : [[field, name] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Returns a run. If it names no data and the installed data lack its tasks, the run uses substitute tasks. */
function installedRun(
  written: ReadonlyMap<string, SettingValue>,
  fields: RunFields,
  suite: Suite,
  context: CellContext,
): { readonly chosen: ReadonlyMap<string, SettingValue>; readonly spec: RunSpec; readonly standIn?: StandIn } {
  const spec = runSpec(written, fields, suite, context);
  const isFork = written.has("fork") || fields.forks !== undefined;
  const isSettled = written.has("data") || written.has("predictions") || isFork;
  const standIn = isSettled ? undefined : context.standIn?.(spec);
  if (standIn === undefined) return { chosen: written, spec };
  const chosen = new Map(written).set(standIn.field, standIn.value);
  return { chosen, spec: runSpec(chosen, fields, suite, context), standIn };
}

/** Returns the spec without options that have no effect on it. */
function withOnly({ options, ...spec }: RunSpec, matters: (name: string) => boolean): RunSpec {
  const kept = <Value>(values: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => matters(name)));
  const { roles, ...settings } = kept(spec) as Omit<RunSpec, "options">;
  const own = kept(roles ?? {});
  return { ...settings, ...(Object.keys(own).length > 0 && { roles: own }), options: kept(options) };
}

function lacksResponder({ strategy, responder }: RunSpec, suite: Suite): boolean {
  return (
    responder === undefined &&
    suite.strategies.some(
      ({ name, roles, mayLackModel }) => name === strategy && roles.includes("responder") && mayLackModel !== true,
    )
  );
}
