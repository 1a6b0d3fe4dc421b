/** Reads an analysis cell's YAML: the analysis, its run cells, and its choices. */
import type { Analysis, ListChoice } from "../analysis.ts";
import { type Claim, readClaim } from "../measures/claim.ts";
import { formerLabel } from "../settings/label.ts";
import { shown } from "./fields/run-options.ts";
import { currentChoice, wordsForMeasures } from "../migration/notebook.ts";
import type { Json } from "../types.ts";
import type { CellProblem } from "./cell.ts";
import { type CellText, readCellText } from "./cell-text.ts";
import { parseYaml } from "../text/yaml-document.ts";

export type PlannedAnalysis = {
  readonly analysis: Analysis | undefined;
  /** The name in the cell, whether or not an analysis of this name exists. */
  readonly name: string;
  /** Names of run cells; undefined means all run cells above. */
  readonly of: readonly string[] | undefined;
  /** Required values of the runs' settings, by the names of the settings; other runs are omitted. */
  readonly only: Readonly<Record<string, readonly string[]>>;
  /** The chosen values, one or several for each choice. */
  readonly chosen: Readonly<Record<string, readonly string[]>>;
  readonly claims: readonly Claim[];
  /** True if the runs that the analysis reads are executed task by task until the claims are decided. */
  readonly untilDecided?: true;
  readonly problems: readonly CellProblem[];
};

/** Never throws. Choices are not checked here, because they depend on the runs. */
export function planAnalysisCell(source: string, analyses: readonly Analysis[]): PlannedAnalysis {
  return readCellText(
    source,
    (text) => readAnalysisCell(text, analyses),
    (problem) => ({ ...nothing, problems: [problem] }),
  );
}

const nothing = { analysis: undefined, name: "", of: undefined, only: {}, chosen: {}, claims: [] };

function readAnalysisCell({ fields, lineOf }: CellText, analyses: readonly Analysis[]): PlannedAnalysis {
  if (!fields)
    return { ...nothing, problems: [{ message: "Expected `pane: NAME` and further settings, one per line" }] };
  const { pane, analysis: named = pane, of, only = null, claim = [], until, ...rest } = fields;
  const analysis = analyses.find(({ name }) => name === named);
  const problems: CellProblem[] = [];
  const report = (field: string, message: string) => problems.push({ message, ...lineOf(field) });
  if (analysis === undefined) {
    const field = "analysis" in fields ? "analysis" : "pane";
    const names = analyses.map(({ name }) => name).join(", ");
    const others = Object.keys(rest);
    const isMissing = named === undefined && others.length > 0;
    const got = isMissing ? `only ${others.map((name) => `\`${name}\``).join(", ")}` : shown(named);
    const message = `Expected \`${field}\` to be one of ${names}, got ${got}`;
    problems.push({ message, ...lineOf(isMissing ? others[0]! : field) });
  }
  if (pane !== undefined && named !== pane)
    report("pane", "Expected `analysis` or `pane`, which mean the same, got both");
  const chosen: Record<string, readonly string[]> = {};
  for (const [name, choice] of Object.entries(rest)) {
    const values = valuesOf(choice);
    if (name === "__proto__") report(name, "Expected one of the choices of the analysis, got `__proto__`");
    else if (values === undefined)
      report(name, `Expected \`${name}\` to be a value or a list of values, got ${shown(choice)}`);
    else chosen[name] = values;
  }
  const picked = only === null ? {} : fieldsOf(only);
  if (picked === undefined)
    report("only", `Expected \`only\` to name settings of the runs, such as {model: lab/llama}, got ${shown(only)}`);
  const claims = (Array.isArray(claim) ? claim : [claim]).map((text: Json) =>
    typeof text === "string" ? readClaim(text) : { problem: `Expected \`claim\` to be text, got ${shown(text)}` },
  );
  for (const each of claims) if ("problem" in each) report("claim", each.problem);
  const isUntil = until === "decided";
  if (until !== undefined && until !== "all" && !isUntil)
    report("until", `Expected \`until\` to be all or decided, got ${shown(until)}`);
  if (isUntil && claims.length === 0) report("until", "Expected `claim` with `until: decided`, got no claim");
  const far = claims.find((each) => "least" in each && each.least !== 0);
  if (isUntil && far !== undefined)
    report(
      "until",
      "Expected `until: decided` for claims without `by`, because its test decides which is better, not by how much",
    );
  return {
    analysis,
    name: typeof named === "string" ? named : "",
    of: of === undefined || of === null ? undefined : (Array.isArray(of) ? (of as readonly Json[]) : [of]).map(String),
    only: picked ?? {},
    chosen,
    claims: claims.flatMap((each) => ("problem" in each ? [] : [each])),
    ...(isUntil && { untilDecided: true }),
    problems,
  };
}

/** Returns one value, several, none, or settings as `name=value`; undefined for any other form. */
function valuesOf(choice: Json): readonly string[] | undefined {
  if (choice === null) return [];
  const fields = fieldsOf(choice);
  if (fields !== undefined)
    return Object.entries(fields).flatMap(([name, values]) => values.map((each) => `${name}=${each}`));
  const values = (Array.isArray(choice) ? choice : [choice]) as readonly Json[];
  if (values.some((value) => value !== null && typeof value === "object")) return undefined;
  return values.map((value) => (typeof value === "boolean" ? (value ? "on" : "off") : String(value)));
}

/** Returns the values of a map's fields, each one value or a list; undefined for any other form. */
function fieldsOf(value: Json): Readonly<Record<string, readonly string[]>> | undefined {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  const fields = Object.entries(value as { readonly [key: string]: Json }).map(
    ([name, each]) =>
      [name, each !== null && typeof each === "object" && !Array.isArray(each) ? undefined : valuesOf(each)] as const,
  );
  return fields.some(([, values]) => values === undefined)
    ? undefined
    : Object.fromEntries(fields.map(([name, values]) => [name, values!]));
}

/** Choices offered by an analysis: one value of each of `choices`, several of each of `lists`. */
export type OfferedChoices = {
  readonly choices: Readonly<Record<string, readonly string[]>>;
  readonly lists?: Readonly<Record<string, ListChoice>>;
};
export type Settled = {
  readonly settled: Readonly<Record<string, string>>;
  readonly listed: Readonly<Record<string, readonly string[]>>;
  readonly problems: readonly CellProblem[];
};

/**
 * Returns the chosen values that the analysis can use, with defaults, and the problems of values that were replaced by defaults.
 */
export function settleChoices(
  { choices, lists = {} }: OfferedChoices,
  chosen: Readonly<Record<string, readonly string[]>>,
): Settled {
  const settled: Record<string, string> = {};
  const listed: Record<string, readonly string[]> = {};
  const problems: CellProblem[] = [];
  for (const [name, values] of Object.entries(choices)) settled[name] = values[0] ?? "";
  for (const [name, { standard }] of Object.entries(lists)) listed[name] = standard;
  const names = [...Object.keys(choices), ...Object.keys(lists)].join(", ") || "(this analysis has none)";
  for (const [word, wanted] of Object.entries(chosen)) {
    const isOffered = word in choices || word in lists;
    const name = isOffered ? word : currentChoice(word);
    const list = lists[name];
    const values = list?.values ?? choices[name];
    if (values === undefined) {
      problems.push({ message: `Expected one of the choices ${names}, got \`${word}\`` });
      continue;
    }
    const found = wanted.map((value) =>
      values.includes(value) ? value : (short(values, value) ?? formerly(values, value)),
    );
    const unknown = wanted.find((_, index) => found[index] === undefined);
    const most = list === undefined ? 1 : (list.most ?? Infinity);
    if (unknown !== undefined)
      problems.push({ message: `Expected \`${word}\` to be one of ${someOf(values)}, got \`${unknown}\`` });
    else if (found.length > most)
      problems.push({
        message: `Expected \`${word}\` to be ${most === 1 ? "one value" : `at most ${most} values`}, got ${found.length}`,
      });
    else if (list !== undefined) listed[name] = found.flatMap((value) => value ?? []);
    else if (found[0] !== undefined) settled[name] = found[0];
  }
  return { settled, listed, problems };
}

/** Maximum number of values named in a message: an API can be chosen among many thousands. */
const mostNamed = 40;
const someOf = (values: readonly string[]): string =>
  values.length <= mostNamed
    ? values.join(", ")
    : `${values.slice(0, mostNamed).join(", ")} and ${(values.length - mostNamed).toLocaleString("en")} more`;

/** Returns the label that an older notebook writes so, with commas. */
const formerly = (values: readonly string[], value: string) => values.find((each) => formerLabel(each) === value);

/** Resolves `argument-em` to the first of `official.argument-em`, `paper.argument-em` ... */
const short = (values: readonly string[], value: string) => values.find((each) => each.endsWith(`.${value}`));

/**
 * Returns the list with a value added, or removed if the list contains it. A value that excludes others replaces them, and is
 * replaced by them.
 */
export function toggled(
  { standard, alone = [], most = Infinity }: ListChoice,
  listed: readonly string[],
  value: string,
): readonly string[] {
  if (alone.includes(value)) return [value];
  const others = listed.filter((each) => each !== value && !alone.includes(each));
  const next = listed.includes(value) ? others : [...others, value].slice(-most);
  return next.length === 0 ? standard : next;
}

/** Returns a choice, or a list of chosen values, after choosing this value. */
export function nextChoice(
  { lists, listed }: { readonly lists: Readonly<Record<string, ListChoice>>; readonly listed: Settled["listed"] },
  name: string,
  value: string,
): string | readonly string[] {
  const list = lists[name];
  return list === undefined ? value : toggled(list, listed[name] ?? list.standard, value);
}

/** The value of the choice `of` when no cell is named. */
export const allAbove = "all above";

/** Returns the cell's source with one choice set and the other lines unchanged. An empty list is omitted. */
export function withChoice(source: string, name: string, value: string | readonly string[]): string {
  const document = parseYaml(source);
  if (name === "measures") for (const word of wordsForMeasures) document.delete(word);
  if (name === "of" && value[0] === allAbove) document.delete(name);
  else if (typeof value === "string") document.set(name, value);
  else if (value.length === 0) document.delete(name);
  else document.set(name, value.length === 1 ? value[0] : document.createNode(value, { flow: true }));
  return document.toString();
}
