/**
 * An analysis of one's own: how many tokens right and wrong answers take. Try it below a run cell, with this file named by
 * --with:
 *
 *     analysis: my-analysis
 */
import { type Analysis, define, type Row } from "planwright";

const analysis: Analysis = {
  // What analysis cells name it by: letters, digits and dashes.
  name: "my-analysis",
  title: "My analysis",
  question: "Do wrong answers take more tokens than right ones?",
  // What cells may choose, each with its values; the first is the default: `tokens: input`.
  choices: () => ({ tokens: ["output", "input"] }),
  // Why there is nothing to show, in a sentence.
  missing: (runs) => (runs.some(({ rows }) => rows.some(isScored)) ? undefined : "No task has a score yet"),
  // Rows in, figures out: a table here; grids (heat maps), bars, lines and points are the other kinds.
  compute(runs, { tokens = "output" }) {
    const taken = (row: Row) => (tokens === "input" ? row.counted.tokens.input : row.counted.tokens.output);
    const groups = [
      { title: "Right", has: (row: Row) => row.score?.value === 1 },
      { title: "Wrong", has: (row: Row) => row.score?.value !== 1 },
    ];
    return [
      {
        kind: "table",
        title: `Mean ${tokens} tokens a task`,
        columns: [{ title: "Run", align: "left" }, ...groups.map(({ title }) => ({ title, align: "right" }) as const)],
        rows: runs.map(({ label, rows }) => [
          { text: label },
          ...groups.map(({ has }) =>
            meanCell(
              rows.filter((row) => isScored(row) && has(row)),
              taken,
            ),
          ),
        ]),
        notes: ["Right: a score of 1. Tasks without a score are left out"],
      },
    ];
  },
};

/** A score that could not be worked out is none, and never 0. */
function isScored({ score }: Row): boolean {
  return score?.value !== undefined;
}

/** A number says how many tasks it rests on, and which: Enter on it lists them. */
function meanCell(rows: readonly Row[], of: (row: Row) => number) {
  if (rows.length === 0) return { text: "-", n: 0 };
  const value = rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
  return { text: value.toFixed(0), value, n: rows.length, tasks: rows.map(({ run, task }) => ({ run, task })) };
}

export default define({ analyses: [analysis] });
