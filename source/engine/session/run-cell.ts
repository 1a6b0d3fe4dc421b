/** A run cell's YAML read into the runs it asks for: lists make a grid, mistakes are named with their line. */
import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import { readFields, type Fields } from "./run-fields.ts";
import { runId } from "./run-id.ts";
import { applies, optionsFor, shown } from "./run-options.ts";
import type { Suite } from "../suite.ts";
import type { Strategy } from "../strategy.ts";
import type { Json, RunSpec } from "../types.ts";
import type { CellProblem } from "./cell.ts";

export type PlannedRun = {
  readonly run: string;
  readonly label: string;
  readonly spec: RunSpec;
  /** Answers made elsewhere, to be scored instead of asking a model: a path relative to the session's folder. */
  readonly predictions?: string;
};
export type PlannedCell = { readonly runs: readonly PlannedRun[]; readonly problems: readonly CellProblem[] };
export type CellContext = {
  readonly suites: readonly Suite[];
  /** `published` where it is installed, else `sample`. */
  defaultData(suite: string): "sample" | "published";
  /** Which installed tasks these are, for suites whose tasks can be made afresh. */
  dataset?(suite: string, data: "sample" | "published"): string | undefined;
};

/** More runs than this in one grid are taken for a mistake. */
const mostRuns = 500;

/** Never throws: what is wrong comes back as problems, with no runs. */
export function planRunCell(source: string, context: CellContext): PlannedCell {
  try {
    return readRunCell(source, context);
  } catch (error) {
    // Nesting deeper than the parser's stack.
    return problem(`Expected YAML: ${(error as Error).message}`);
  }
}

function readRunCell(source: string, context: CellContext): PlannedCell {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const broken = document.errors[0];
  if (broken !== undefined) {
    const [position] = broken.linePos ?? [];
    return problem(`Expected YAML: ${broken.message.split("\n")[0]}`, position?.line);
  }
  if (!isMap(document.contents)) return problem("Expected `suite: NAME` and further settings, one a line");
  const lineOf = new Map<string, number>();
  for (const { key } of document.contents.items) {
    if (isScalar(key) && key.range) lineOf.set(String(key.value), lines.linePos(key.range[0]).line);
  }
  let value: { readonly [key: string]: Json };
  try {
    value = document.toJS({ maxAliasCount: 20 }) as { readonly [key: string]: Json };
  } catch (error) {
    return problem(`Expected YAML: ${(error as Error).message}`);
  }
  const problems: CellProblem[] = [];
  const say = (field: string, message: string) => {
    const line = lineOf.get(field.split(".")[0]!);
    problems.push({ message, ...(line === undefined ? {} : { line }) });
  };
  const suite = context.suites.find(({ name }) => name === value["suite"]);
  if (suite === undefined) {
    const names = context.suites.map(({ name }) => name).join(", ");
    say("suite", `Expected \`suite\` to be one of ${names}, got ${shown(value["suite"])}`);
    return { runs: [], problems };
  }
  const fields = readFields(value, suite, say);
  if (problems.length > 0) return { runs: [], problems };
  const runs = expand(fields, suite, context);
  const mute = runs.find(({ spec, predictions }) => predictions === undefined && lacksResponder(spec, suite));
  if (mute !== undefined) {
    say(
      "strategy",
      `Expected \`responder: ENDPOINT/MODEL\`, such as \`builtin/responder\`: \`${mute.spec.strategy}\` needs somebody who answers, got none`,
    );
    return { runs: [], problems };
  }
  if (runs.length > mostRuns) return problem(`Expected at most ${mostRuns} runs in one cell, got ${runs.length}`);
  return { runs, problems };
}

function problem(message: string, line?: number): PlannedCell {
  return { runs: [], problems: [{ message, ...(line === undefined ? {} : { line }) }] };
}

/** The product of all listed values, in the order the cell writes its fields. */
function expand(fields: Fields, suite: Suite, context: CellContext): PlannedRun[] {
  let combinations: Map<string, string | number>[] = [new Map()];
  for (const [name, values] of fields.lists) {
    combinations = combinations.flatMap((before) => values.map((value) => new Map(before).set(name, value)));
    if (combinations.length > mostRuns) break;
  }
  const varied = [...fields.lists].filter(([, values]) => values.length > 1).map(([name]) => name);
  const runs = new Map<string, PlannedRun>();
  for (const chosen of combinations) {
    const spec = specOf(chosen, fields, suite, context);
    const predictions = chosen.get("predictions");
    const run = runId(spec, predictions ?? null);
    const label = varied.map((name) => labelOf(name, chosen.get(name)!)).join(", ") || answeredBy(spec, predictions);
    if (!runs.has(run))
      runs.set(run, { run, label, spec, ...(predictions === undefined ? {} : { predictions: String(predictions) }) });
  }
  return [...runs.values()];
}

function lacksResponder({ strategy, responder }: RunSpec, suite: Suite): boolean {
  return (
    responder === undefined &&
    suite.strategies.some(({ name, roles }) => name === strategy && roles.includes("responder"))
  );
}

/** A run of answers made elsewhere asks no model: it is named for its file. */
function answeredBy({ model }: RunSpec, predictions: string | number | undefined): string {
  return predictions === undefined || model !== "none" ? model : String(predictions).split(/[\\/]/).at(-1)!;
}

function labelOf(name: string, value: string | number): string {
  if (name === "shots") return `${value} shots`;
  return typeof value === "number" || value === "on" || value === "off" ? `${name.split(".").at(-1)} ${value}` : value;
}

function specOf(chosen: Map<string, string | number>, fields: Fields, suite: Suite, context: CellContext): RunSpec {
  const text = (name: string) => (chosen.has(name) ? String(chosen.get(name)) : undefined);
  const number = (name: string) => chosen.get(name) as number | undefined;
  const strategy = suite.strategies.find(({ name }) => name === chosen.get("strategy")) ?? suite.strategies[0]!;
  const role = (name: "actor" | "responder" | "judge") => (text(name) === undefined ? {} : { [name]: text(name)! });
  const optional = (name: "topP" | "maxTokens") => (number(name) === undefined ? {} : { [name]: number(name)! });
  const data = (text("data") as RunSpec["data"] | undefined) ?? context.defaultData(suite.name);
  const dataset = context.dataset?.(suite.name, data);
  return {
    suite: suite.name,
    split: text("split") ?? suite.splits[0]!.name,
    data,
    ...(dataset === undefined ? {} : { dataset }),
    filter: fields.filter,
    limit: number("limit") ?? 0,
    strategy: strategy.name,
    shots: number("shots") ?? 0,
    options: optionsOf(chosen, suite, strategy),
    model: text("model") ?? "none",
    ...role("actor"),
    ...role("responder"),
    ...role("judge"),
    temperature: number("temperature") ?? 0,
    ...optional("topP"),
    ...optional("maxTokens"),
    seed: number("seed") ?? 0,
    trial: number("trial") ?? 1,
    budget: fields.budget,
    ...(fields.fork === undefined ? {} : { fork: fields.fork }),
    suiteRevision: suite.revision,
    strategyRevision: strategy.revision,
  };
}

/** Every option that applies, with its default where the cell is silent, so that writing a default changes no hash. */
function optionsOf(chosen: Map<string, string | number>, suite: Suite, strategy: Strategy): RunSpec["options"] {
  const options: Record<string, string | number> = {};
  for (const option of optionsFor(suite, strategy)) {
    const value = chosen.get(option.name) ?? option.default;
    const given: Readonly<Record<string, string | number>> = { ...options, strategy: strategy.name };
    const left = option.quiet === true && value === option.default;
    if (!left && applies(option, given)) options[option.name] = value;
  }
  return options;
}
