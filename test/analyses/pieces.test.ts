/** Analyses of large runs leave the screen alive: what they do between two pauses is about one number, however many they show. */
import { describe, expect, test } from "vitest";
import { analyses } from "../../analyses/index.ts";
import { tableColumns } from "../../analyses/plan-checks.ts";
import type { RunRows } from "../../source/engine/analysis.ts";
import { filledShare } from "../../source/engine/measures/filled-share.ts";
import { meanMeasure } from "../../source/engine/measures/measure.ts";
import { errorClasses } from "../../source/engine/toolkits/error-classes.ts";
import type { Row } from "../../source/engine/types.ts";
import { atOnce } from "../../source/engine/work/pieces.ts";
import { madeRun, madeSuite, type MadeRow } from "./made-run.ts";

const tasks = 6_000;

const named = (name: string) => meanMeasure("right", { name, title: name, mode: "strict" });
const ofOthers = ["constraint.kept", "constraint.met", "official.planning", "judge.planning.clear"];
/** What every analysis needs: measures, facets and kinds of error. */
const suite = {
  ...madeSuite,
  facets: [...madeSuite.facets, { name: "scenario", title: "Scenario" }, { name: "aspect", title: "Ability" }],
  measures: [
    ...madeSuite.measures,
    ...ofOthers.map((name) => ({ ...named(name), mode: name.split(".")[0]! })),
    ...tableColumns.map(named),
  ],
  errorKinds: [...madeSuite.errorKinds, ...errorClasses],
};

/** Tasks in groups of every kind, each with its mistakes. */
function large(label: string): RunRows {
  const rows = Array.from({ length: tasks }, (_, index): MadeRow => {
    const facets = {
      level: ["easy", "hard"][index % 2]!,
      parallel: 1 + (index % 3),
      sequential: 1 + (index % 4),
      scenario: `scenario ${index % 6}`,
      aspect: "planning",
      language: "en",
    };
    const metrics = { waste: index % 5, hits: 1, tries: 2, cost: index % 90, budget: 80 };
    const errors = index % 3 === 0 ? ["app", errorClasses[0]!.name] : [];
    return { task: `t${index}`, facets, right: index % 3 === 0 ? 0 : 1, metrics, errors };
  });
  const made = madeRun(label, rows, { suite });
  const checks = [{ name: "Budget", kept: true }];
  const judged = made.rows.map((row) => ({ ...row, score: { ...row.score!, checks, labels: { judge: "read" } } }));
  return { ...made, rows: judged };
}

/** Calls `look` whenever what a row came to, or what it took, is read. */
function watched(row: Row, look: () => void): Row {
  const { score, counted } = row;
  const seen = <Value>(value: Value) => ({ enumerable: true, get: () => (look(), value) });
  return Object.defineProperties({ ...row }, { score: seen(score), counted: seen(counted) });
}

test("how much of a table is filled is counted cell by cell", () => {
  const [figure] = analyses[0]!.compute([large("run")], { mode: "strict" }, {}).filter(({ kind }) => kind === "table");
  let asked = 0;
  const counts: number[] = [];
  const pieces = filledShare(figure!, ({ task }) => ((asked += 1), task !== "t7"));
  for (;;) {
    asked = 0;
    const { done, value } = pieces.next();
    counts.push(asked);
    if (done !== true) continue;
    expect(value).toMatchObject({ title: figure!.title, filled: 0 });
    expect(value).toMatchObject({ cells: value!.begun });
    break;
  }
  expect(Math.max(...counts)).toBe(tasks);
  expect(counts.length).toBeGreaterThan(4);
});

describe("analyses that work in pieces", () => {
  const inPieces = analyses.flatMap(({ computeInPieces, ...rest }) =>
    computeInPieces === undefined ? [] : [{ ...rest, computeInPieces }],
  );

  test("are those that take long for large runs", () => {
    expect(inPieces.map(({ name }) => name)).toEqual([
      "overview",
      "difficulty",
      "scale",
      "errors",
      "prompting",
      "compare",
      "efficiency",
      "tool-errors",
      "aspects",
      "judge",
      "constraints",
      "cost",
      "structure",
      "scenario",
      "checks",
    ]);
  });

  test.each(inPieces)("$name looks at the rows of a run a few times between two pauses", (analysis) => {
    let looks = 0;
    const runs = ["one", "other"].map((label) => {
      const run = large(label);
      // What they differ in is an option that pairs of runs are made by.
      const spec = { ...run.spec, options: { prompting: label } };
      return { ...run, spec, rows: run.rows.map((row) => watched(row, () => (looks += 1))) };
    });
    const choices = Object.entries(analysis.choices(runs)).filter(([, values]) => values.length > 0);
    const chosen = Object.fromEntries(choices.map(([name, values]) => [name, values[0]!]));
    const lists = Object.entries(analysis.lists?.(runs) ?? {});
    const given = [runs, chosen, Object.fromEntries(lists.map(([name, { standard }]) => [name, standard]))] as const;
    expect(analysis.missing?.(runs)).toBeUndefined();
    const pieces = analysis.computeInPieces(...given);
    let [most, all, done] = [0, 0, false];
    while (!done) {
      looks = 0;
      done = pieces.next().done === true;
      most = Math.max(most, looks);
      all += looks;
    }
    expect(all).toBeGreaterThan(2 * tasks);
    expect(most).toBeLessThanOrEqual(8 * tasks);
    expect(atOnce(analysis.computeInPieces(...given))).toEqual(analysis.compute(...given));
  });
});
