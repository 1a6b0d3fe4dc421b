/** An analysis cell's YAML: which analysis, of which run cells, with which choices. */
import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import type { Analysis } from "../analysis.ts";
import { shown } from "./run-options.ts";
import type { Json } from "../types.ts";
import { lengthProblem, type CellProblem } from "./cell.ts";

export type PlannedAnalysis = {
  readonly analysis: Analysis | undefined;
  /** The name asked for, whether or not there is such an analysis. */
  readonly name: string;
  /** Names of run cells; undefined means all run cells above. */
  readonly of: readonly string[] | undefined;
  readonly chosen: Readonly<Record<string, string>>;
  readonly problems: readonly CellProblem[];
};

/** Never throws. Choices are not checked here: what an analysis offers depends on the runs. */
export function planAnalysisCell(source: string, analyses: readonly Analysis[]): PlannedAnalysis {
  const tooLong = lengthProblem(source);
  if (tooLong !== undefined) return { analysis: undefined, name: "", of: undefined, chosen: {}, problems: [tooLong] };
  try {
    return readAnalysisCell(source, analyses);
  } catch (error) {
    // Aliases that multiply without end, or nesting deeper than the parser's stack.
    const problems = [{ message: `Expected YAML: ${(error as Error).message}` }];
    return { analysis: undefined, name: "", of: undefined, chosen: {}, problems };
  }
}

function readAnalysisCell(source: string, analyses: readonly Analysis[]): PlannedAnalysis {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const problems: CellProblem[] = document.errors.slice(0, 1).map((error) => {
    const line = error.linePos?.[0].line;
    return { message: `Expected YAML: ${error.message.split("\n")[0]}`, ...(line === undefined ? {} : { line }) };
  });
  const nothing = { analysis: undefined, name: "", of: undefined, chosen: {}, problems };
  if (problems.length > 0) return nothing;
  if (!isMap(document.contents))
    return { ...nothing, problems: [{ message: "Expected `pane: NAME` and further settings, one a line" }] };
  const value = document.toJS({ maxAliasCount: 20 }) as { readonly [key: string]: Json };
  const lineOf = (field: string) => {
    const key = isMap(document.contents)
      ? document.contents.items.find((item) => isScalar(item.key) && item.key.value === field)?.key
      : undefined;
    return isScalar(key) && key.range ? { line: lines.linePos(key.range[0]).line } : {};
  };
  const { pane, analysis: named = pane, of, ...rest } = value;
  const analysis = analyses.find(({ name }) => name === named);
  if (analysis === undefined) {
    const field = "analysis" in value ? "analysis" : "pane";
    const names = analyses.map(({ name }) => name).join(", ");
    problems.push({ message: `Expected \`${field}\` to be one of ${names}, got ${shown(named)}`, ...lineOf(field) });
  }
  if (pane !== undefined && named !== pane)
    problems.push({ message: "Expected `analysis` or `pane`, which mean the same, got both", ...lineOf("pane") });
  const chosen: Record<string, string> = {};
  for (const [name, choice] of Object.entries(rest)) {
    if (name === "__proto__")
      problems.push({ message: "Expected one of the choices of the analysis, got `__proto__`", ...lineOf(name) });
    else if (choice !== null && typeof choice === "object")
      problems.push({ message: `Expected \`${name}\` to be one value, got ${shown(choice)}`, ...lineOf(name) });
    else chosen[name] = typeof choice === "boolean" ? (choice ? "on" : "off") : String(choice);
  }
  const names =
    of === undefined || of === null ? undefined : (Array.isArray(of) ? (of as readonly Json[]) : [of]).map(String);
  return { analysis, name: typeof named === "string" ? named : "", of: names, chosen, problems };
}

/** The chosen values an analysis can use, defaults filled in, and what does not fit. */
export function settleChoices(
  choices: Readonly<Record<string, readonly string[]>>,
  chosen: Readonly<Record<string, string>>,
): { readonly settled: Readonly<Record<string, string>>; readonly problems: readonly CellProblem[] } {
  const settled: Record<string, string> = {};
  const problems: CellProblem[] = [];
  for (const [name, values] of Object.entries(choices)) settled[name] = values[0] ?? "";
  for (const [name, value] of Object.entries(chosen)) {
    const values = choices[name];
    if (values === undefined) {
      problems.push({
        message: `Expected one of the choices ${Object.keys(choices).join(", ") || "(none here)"}, got \`${name}\``,
      });
    } else if (values.includes(value)) settled[name] = value;
    else if (short(values, value) !== undefined) settled[name] = short(values, value)!;
    else {
      problems.push({ message: `Expected \`${name}\` to be one of ${someOf(values)}, got \`${value}\`` });
    }
  }
  return { settled, problems };
}

/** Most values named in a message: an API can be chosen among many thousands. */
const mostNamed = 40;
const someOf = (values: readonly string[]): string =>
  values.length <= mostNamed
    ? values.join(", ")
    : `${values.slice(0, mostNamed).join(", ")} and ${(values.length - mostNamed).toLocaleString("en")} more`;

/** `argument-em` stands for the first of `official.argument-em`, `paper.argument-em` ... */
function short(values: readonly string[], value: string): string | undefined {
  return values.find((each) => each.endsWith(`.${value}`));
}

/** The cell's source with one choice set: the other lines stay as they are. */
export function withChoice(source: string, name: string, value: string): string {
  const document = parseDocument(source);
  document.set(name, value);
  return document.toString();
}
