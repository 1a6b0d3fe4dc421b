/**
 * Writes a session as a JUnit report, which every CI shows; https://github.com/testmoapp/junitxml describes what each reads. It
 * is valid by the schema of Jenkins (junit-10.xsd), whose total has no count of skipped test cases.
 *
 * A test case is a failure or an error if it ends the command with status 1: an unmet requirement or claim, a failed task, an
 * unfinished run, a cell with an error. A wrong answer is a result, so its test case reports it and passes.
 */
import { escapeMarkup } from "../../engine/figures/markup.ts";
import { verdictOf } from "../../engine/log/rows/verdict.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import type { RunState, SessionCell } from "../../engine/workbench/session-state.ts";
import type { Row } from "../../engine/types.ts";
import { cellTitle, type Condition, isFinished } from "../session/conditions.ts";

type TestCase = {
  readonly name: string;
  readonly of: string;
  readonly seconds?: number;
  readonly outcome?: {
    readonly kind: "failure" | "error" | "skipped";
    readonly type: string;
    readonly message: string;
  };
  /** Text of a passing test case. */
  readonly said?: string;
};

type TestSuite = {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly cases: readonly TestCase[];
};

/** Returns the whole report. `cells` names the included run cells; undefined includes all. */
export function junitReport(
  workbench: SessionWorkbench,
  conditions: readonly Condition[],
  cells: readonly string[] | undefined,
): string {
  const suites = workbench.cells().flatMap((cell) => {
    const state = workbench.state(cell.id);
    const isAsked = cells === undefined || cells.includes(cell.name);
    const runs = state.kind === "run" && isAsked ? state.runs.map((run) => runSuite(cell, run, workbench)) : [];
    return [
      ...problemSuite(
        cell,
        state.problems.map(({ message }) => message),
      ),
      ...runs,
    ];
  });
  const asked = { name: "conditions", properties: {}, cases: conditions.map(conditionCase) };
  const all = conditions.length === 0 ? suites : [...suites, asked];
  const { skipped: _, ...counts } = tally(all.flatMap((suite) => suite.cases));
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: workbench.title, ...counts })}>`,
    ...all.flatMap(suiteLines),
    "</testsuites>",
  ];
  return `${lines.join("\n")}\n`;
}

function runSuite(cell: SessionCell, run: RunState, workbench: SessionWorkbench): TestSuite {
  const name = `${cellTitle(cell)} (${run.label})`;
  const { suite, split, data, strategy, model } = run.spec;
  const counts = { ...run.counts, total: run.total };
  return {
    name,
    properties: { run: run.run, suite, split, data, strategy, model, ...mapped(counts, String) },
    cases: [
      ...workbench.rows(run.run).map((row) => taskCase(row, name, run)),
      { name: "whole run", of: name, ...unfinished(run) },
    ],
  };
}

function unfinished(run: RunState): Pick<TestCase, "outcome"> {
  if (isFinished(run)) return {};
  const { status, message, total, counts } = run;
  const answered = `${counts.right + counts.wrong + counts.unscored} of ${total} tasks are answered`;
  return { outcome: { kind: "error", type: status, message: message ?? answered } };
}

function taskCase({ task, state, score, failure, counted }: Row, of: string, { leftOutBy }: RunState): TestCase {
  const named = { name: task, of, seconds: counted.seconds };
  const isLeftOut = failure?.kind === "stopped" && leftOutBy !== undefined;
  if (state === "failed" && failure !== undefined && !isLeftOut)
    return { ...named, outcome: { kind: "error", type: failure.kind, message: failure.message } };
  if (state !== "scored") return { ...named, outcome: { kind: "skipped", type: "open", message: "not executed" } };
  const verdict = verdictOf(score);
  if (verdict === "unscored")
    return { ...named, outcome: { kind: "skipped", type: verdict, message: "could not be scored" } };
  const kinds = [...new Set((score?.errors ?? []).map(({ kind }) => kind))].join(", ");
  return { ...named, said: `${verdict}, score ${score?.value}${kinds === "" ? "" : `: ${kinds}`}` };
}

const conditionCase = ({ text, of, failure }: Condition): TestCase => ({
  name: text,
  of,
  ...(failure !== undefined && { outcome: { kind: "failure", type: "condition", message: failure } }),
});

function problemSuite(cell: SessionCell, problems: readonly string[]): readonly TestSuite[] {
  if (problems.length === 0) return [];
  const name = cellTitle(cell);
  const cases = problems.map((message, index): TestCase => {
    return { name: `mistake ${index + 1}`, of: name, outcome: { kind: "error", type: "cell", message } };
  });
  return [{ name, properties: {}, cases }];
}

function suiteLines({ name, properties, cases }: TestSuite): readonly string[] {
  const listed = Object.entries(properties).map(([key, value]) => `<property${attributes({ name: key, value })}/>`);
  return [
    `  <testsuite${attributes({ name, ...tally(cases) })}>`,
    ...(listed.length === 0 ? [] : [`    <properties>${listed.join("")}</properties>`]),
    ...cases.map(caseLine),
    "  </testsuite>",
  ];
}

function caseLine({ name, of, seconds, outcome, said }: TestCase): string {
  const inner = [
    ...(outcome === undefined
      ? []
      : [`<${outcome.kind}${attributes({ type: outcome.type, message: outcome.message })}/>`]),
    ...(said === undefined ? [] : [`<system-out>${escapeMarkup(said)}</system-out>`]),
  ].join("");
  const opening = `    <testcase${attributes({ classname: of, name, ...(seconds !== undefined && { time: seconds.toFixed(3) }) })}`;
  return inner === "" ? `${opening}/>` : `${opening}>${inner}</testcase>`;
}

function tally(cases: readonly TestCase[]): Readonly<Record<string, string>> {
  const count = (kind: string) => cases.filter(({ outcome }) => outcome?.kind === kind).length;
  const seconds = cases.reduce((sum, each) => sum + (each.seconds ?? 0), 0);
  return {
    tests: String(cases.length),
    failures: String(count("failure")),
    errors: String(count("error")),
    skipped: String(count("skipped")),
    time: seconds.toFixed(3),
  };
}

/** Escapes line ends, which an attribute would otherwise read as blanks. */
const attributes = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeMarkup(value).replace(/\r\n|[\r\n]/g, "&#10;")}"`)
    .join("");

const mapped = <Value>(values: Readonly<Record<string, Value>>, to: (value: Value) => string) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]));
