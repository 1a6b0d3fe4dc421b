/** Shows how a task was scored: value, errors, constraints, metrics, and the facets by which figures group it. */
import { scoreHistory } from "../../../engine/log/rows/score-history.ts";
import { noMistake, verdictOf } from "../../../engine/log/rows/verdict.ts";
import type { Line, Style } from "../../../engine/figures/drawing/line.ts";
import { pad, printable, width, wrap } from "../../../engine/text/printable.ts";
import type { TaskView } from "../../../engine/loaded-suite.ts";
import type { Trajectory } from "../../../engine/log/trajectory.ts";
import { readableFacets } from "../../../engine/run/fork-point.ts";
import type { Mistake, Score } from "../../../engine/types.ts";
import { type Block, blockOf, gap } from "../block.ts";
import { kindTitle, mistakeText, overruledText, scoreText } from "../../../engine/log/rows/mistake-text.ts";
import { leadsToWords } from "./step-blocks.ts";
import { pairOfMistake, pairSteps } from "./plan-diff.ts";
import type { View } from "../view.ts";

export function checkBlocks(trajectory: Trajectory, task: TaskView | undefined, view: View): Block[] {
  const { score, failure } = trajectory;
  const blocks: Block[] = [];
  if (failure !== undefined) {
    const text = `  ${view.symbols.failed} Failed (${failure.kind}): ${printable(failure.message)}`;
    blocks.push(blockOf("failure", wrapped(text, "bad", view), { error: true }), gap("failure gap"));
  }
  if (score === undefined) {
    const text = trajectory.ended ? "  There is no score" : "  Not scored yet";
    return [...blocks, blockOf("no score", [[{ text, style: "faint" }]])];
  }
  blocks.push(blockOf("score", scoreLines(score, view)));
  if (score.fault !== undefined) {
    const text = `  Fault  ${score.fault.by}: ${printable(score.fault.rule)} (guessed by this rule)`;
    blocks.push(blockOf("fault", wrapped(text, "plain", view)));
  }
  for (const [name, value] of Object.entries(score.labels ?? {})) {
    blocks.push(blockOf(`label ${name}`, [[{ text: `  ${printable(name)}: ${printable(value)}`, style: "faint" }]]));
  }
  return [
    ...blocks,
    ...mistakeBlocks(score.errors, task, view),
    ...constraintBlocks(score, view),
    ...historyBlocks(trajectory, view),
    ...measureBlocks(view),
    ...metricBlocks(score, view),
    ...facetBlocks(trajectory, view),
  ];
}

function scoreLines(score: Score, view: View): Line[] {
  const { value, override } = score;
  if (value === undefined) return [[{ text: "  Score  none: the answer could not be scored", style: "warn" }]];
  const own: Line = [
    { text: "  Score  " },
    { text: scoreText(value), style: verdictOf(score) === "right" ? "good" : "bad" },
  ];
  if (override === undefined) return [own];
  const text = `was ${scoreText(override.was)}, by ${override.source}: ${override.reason}`;
  return [own, ...wrapped(`    ${printable(text)}`, "warn", view)];
}

const wrapped = (text: string, style: Style, { columns }: View): Line[] =>
  wrap(text, Math.max(10, columns - 6)).map((line, index) => [{ text: index === 0 ? line : `    ${line}`, style }]);

const heading = (id: string, text: string): Block => blockOf(id, [[], [{ text: `  ${text}`, style: "title" }]]);

function mistakeBlocks(mistakes: readonly Mistake[], task: TaskView | undefined, view: View): Block[] {
  if (mistakes.length === 0) return [];
  const pairs = task === undefined ? [] : pairSteps(task);
  return [
    heading("mistakes", "Errors (Enter shows the step)"),
    ...mistakes.map((mistake, index) => {
      const where = mistake.step === undefined ? "" : `  step ${mistake.step + 1}`;
      const isNone = mistake.kind === noMistake;
      const text = `  ${isNone ? "-" : view.symbols.wrong} ${mistakeText(mistake, view)}${where}`;
      const pair = pairOfMistake(mistake, pairs);
      const leadsTo =
        pair === undefined ? leadsToWords(mistake, mistakes) : ({ section: "plan", block: `plan ${pair.id}` } as const);
      const correction = overruledText(mistake, view);
      const lines = [
        ...wrapped(text, isNone ? "faint" : "bad", view),
        ...(correction === undefined ? [] : wrapped(`    ${correction}`, "warn", view)),
      ];
      return blockOf(`mistake ${index}`, lines, { error: !isNone, mistakes: [mistake], leadsTo });
    }),
  ];
}

/** Lists the corrections with time, author and reason, including withdrawn ones. */
function historyBlocks({ scores }: Trajectory, view: View): Block[] {
  const changes = scoreHistory(scores);
  if (changes.length === 0) return [];
  return [
    heading("history", "Corrections"),
    ...changes.map(({ at, by, from, to, reason }, index) => {
      const time = new Date(at).toISOString().slice(0, 16).replace("T", " ");
      const [was, is] = [from, to].map((what) => (typeof what === "number" ? scoreText(what) : labelText(what, view)));
      const why = reason === undefined ? "withdrawn" : reason;
      return blockOf(
        `history ${index}`,
        wrapped(`  ${time}  ${printable(`${by}: ${was} to ${is}: ${why}`)}`, "plain", view),
      );
    }),
  ];
}

const labelText = (kind: string | undefined, { errorKinds }: View): string =>
  kind === undefined ? "no score" : kindTitle(kind, errorKinds);

function constraintBlocks({ checks }: Score, view: View): Block[] {
  if (checks.length === 0) return [];
  return [
    heading("checks", "Checks"),
    ...checks.map(({ name, kept, message }, index) => {
      const [mark, style, word]: [string, Style, string] =
        kept === undefined
          ? ["-", "faint", "does not apply"]
          : kept
            ? [view.symbols.right, "good", "kept"]
            : [view.symbols.wrong, "bad", "broken"];
      const text = `  ${mark} ${printable(name)}: ${message === undefined ? word : printable(message)}`;
      return blockOf(`check ${index}`, wrapped(text, style, view), { error: kept === false });
    }),
  ];
}

function measureBlocks({ measured = [], columns }: View): Block[] {
  const rows = measured.map(({ title, mode, text }) => [`${title} (${mode})`, pad(text, 8, "right")] as const);
  return tableBlocks("measures", "Measures of this task", rows, columns);
}

/** Lists metrics by their names in exports and scorers, because they have no titles. */
function metricBlocks({ metrics }: Score, { columns }: View): Block[] {
  const rows = Object.entries(metrics).map(
    ([name, value]) => [name, Number.isInteger(value) ? String(value) : value.toFixed(4)] as const,
  );
  return tableBlocks("metrics", "Metrics used by these measures", rows, columns);
}

/** Lists all facets except hashes, because the rows above the section have room only for the first facets. */
function facetBlocks({ facets }: Trajectory, { columns }: View): Block[] {
  const rows = readableFacets(facets).map(([name, value]) => [name, String(value)] as const);
  return tableBlocks("facets", "Facets of this task", rows, columns);
}

/** Lists names with their texts, which are wrapped beside the names. */
function tableBlocks(
  id: string,
  title: string,
  rows: readonly (readonly [string, string])[],
  columns: number,
): Block[] {
  if (rows.length === 0) return [];
  const side = Math.min(columns - 14, Math.max(...rows.map(([name]) => width(name))));
  const lines = rows.flatMap(([name, text]): Line[] => {
    const [first = "", ...more] = wrap(printable(text), Math.max(10, columns - side - 4));
    return [
      [{ text: `  ${pad(printable(name), side)}  `, style: "faint" }, { text: first }],
      ...more.map((rest): Line => [{ text: " ".repeat(side + 4) }, { text: rest }]),
    ];
  });
  return [heading(id, title), blockOf(`${id} lines`, lines)];
}
