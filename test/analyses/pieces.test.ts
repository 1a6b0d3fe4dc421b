/** Analyses of large runs leave the screen alive: what they do between two pauses is about one number, however many they show. */
import { describe, expect, test } from "vitest";
import { analyses } from "../../analyses/index.ts";
import { tableColumns } from "../../analyses/plan-checks.ts";
import type { RunRows } from "../../source/engine/analysis.ts";
import { claimAnswers, claimTables } from "../../source/engine/measures/claim-answer.ts";
import { claimTests, type ClaimTest } from "../../source/engine/measures/claim-test.ts";
import { type Claim, readClaim } from "../../source/engine/measures/claim.ts";
import { filledShare } from "../../source/engine/measures/filled-share.ts";
import { meanMeasure } from "../../source/engine/measures/measure.ts";
import { rowContentsInPieces } from "../../source/engine/measures/row-contents.ts";
import { direct } from "../../source/engine/strategies/direct.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { errorClasses } from "../../source/engine/toolkits/error-classes.ts";
import type { Row, RunSpec } from "../../source/engine/types.ts";
import { atOnce, partByPart, type Pieces } from "../../source/engine/work/pieces.ts";
import { madeRun, madeSpec, madeSuite, type MadeRow } from "./made-run.ts";

const tasks = 6_000;

const named = (name: string) => meanMeasure("right", { name, title: name, mode: "strict" });
const ofOthers = ["constraint.kept", "constraint.met", "official.planning", "judge.planning.clear"];
const facets = ["scenario", "aspect", "domain", "depth", "days"].map((name) => ({ name, title: name }));
const endings = [{ name: "lost", title: "Lost", group: "Tool use" }];
/** What every analysis needs: measures, facets, kinds of error, and a strategy with two models. */
const suite: Suite = {
  ...madeSuite,
  strategies: [{ ...direct, name: madeSpec.strategy, roles: ["actor"] }],
  facets: [...madeSuite.facets, ...facets],
  measures: [
    ...madeSuite.measures,
    ...ofOthers.map((name) => ({ ...named(name), mode: name.split(".")[0]! })),
    ...tableColumns.map(named),
    { ...named("official.right"), mode: "official" },
  ],
  errorKinds: [...madeSuite.errorKinds, ...errorClasses, ...endings],
};

/** A table of a paper that runs can be laid below. */
const table = {
  kind: "table" as const,
  title: "Printed",
  columns: [{ title: "", align: "left" as const }],
  rows: [],
  notes: [],
};
const printed = { ...table, measured: [undefined, { measure: "strict.right", where: { level: "easy" } }] };

/** In what the two runs differ, where an analysis is about that. */
const apart: Readonly<Record<string, (label: string) => Partial<RunSpec>>> = {
  profile: (label) => ({ options: { profile: label === "one" ? "off" : "on" } }),
  consistency: (label) => ({ trial: label.length }),
  shots: (label) => ({ shots: label.length }),
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
      domain: `domain ${index % 5}`,
      depth: 1 + (index % 3),
      days: 3 + (index % 2),
    };
    const metrics = {
      waste: index % 5,
      hits: 1,
      tries: 2,
      cost: index % 90,
      budget: 80,
      "cluster.count": label.length,
      "tool:Search": 2,
      "tool:failed": index % 2,
    };
    const errors = index % 3 === 0 ? ["app", errorClasses[0]!.name, "lost"] : [];
    return { task: `t${index}`, facets, right: index % 3 === 0 ? 0 : 1, metrics, errors };
  });
  const made = madeRun(label, rows, { suite });
  const checks = [{ name: "Budget", kept: true }];
  const labels = { judge: "read", repair: "as is", form: "json" };
  const judged = made.rows.map((row) => ({ ...row, score: { ...row.score!, checks, labels } }));
  return { ...made, rows: judged, reported: { values: [], tables: [printed] } };
}

/** Calls `look` whenever what a row came to, or what it took, is read. */
function watched(row: Row, look: () => void): Row {
  const { score, counted } = row;
  const seen = <Value>(value: Value) => ({ enumerable: true, get: () => (look(), value) });
  return Object.defineProperties({ ...row }, { score: seen(score), counted: seen(counted) });
}

/** What is counted while the work is done: in all, and the most of it between two pauses. */
function looksBetweenPauses(
  work: Pieces<unknown>,
  count: () => number,
): { readonly most: number; readonly all: number } {
  const from = count();
  let [before, most, done] = [from, 0, false];
  while (!done) {
    done = work.next().done === true;
    most = Math.max(most, count() - before);
    before = count();
  }
  return { most, all: before - from };
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

  test("are all that look at rows", () => {
    expect(analyses.filter(({ computeInPieces }) => computeInPieces === undefined).map(({ name }) => name)).toEqual([
      "statistics",
    ]);
  });

  test.each(inPieces)("$name looks at the rows of a run a few times between two pauses", (analysis) => {
    let looks = 0;
    const runs = ["one", "other"].map((label) => {
      const run = large(label);
      // What they differ in is an option that pairs of runs are made by.
      const differs = apart[analysis.name]?.(label) ?? { options: { prompting: label } };
      const spec = { ...run.spec, ...differs };
      return { ...run, spec, rows: run.rows.map((row) => watched(row, () => (looks += 1))) };
    });
    const choices = Object.entries(analysis.choices(runs)).filter(([, values]) => values.length > 0);
    const chosen = Object.fromEntries(choices.map(([name, values]) => [name, values[0]!]));
    const lists = Object.entries(analysis.lists?.(runs) ?? {});
    const given = [runs, chosen, Object.fromEntries(lists.map(([name, { standard }]) => [name, standard]))] as const;
    expect(analysis.missing?.(runs)).toBeUndefined();
    const { most, all } = looksBetweenPauses(analysis.computeInPieces(...given), () => looks);
    // What a clustering comes to stands with any task: the first is enough.
    if (analysis.name !== "clusters") expect(all).toBeGreaterThan(2 * tasks);
    expect(most).toBeLessThanOrEqual(8 * tasks);
    expect(atOnce(analysis.computeInPieces(...given))).toEqual(analysis.compute(...given));
  });
});

describe("what analyses offer of a run of very many tasks", () => {
  let looks = 0;
  const seen = (row: Row, name: "facets" | "state" | "score") => {
    const value = row[name];
    return { enumerable: true, get: () => ((looks += 1), value) };
  };
  const bare = madeRun(
    "bare",
    Array.from({ length: tasks }, (_, index): MadeRow => ({ task: `t${index}`, right: 1 })),
  );
  const runs = [large("one"), { ...large("other"), ...bare, suite }].map((run) => ({
    ...run,
    rows: run.rows.map((row) =>
      Object.defineProperties(
        { ...row },
        { facets: seen(row, "facets"), state: seen(row, "state"), score: seen(row, "score") },
      ),
    ),
  }));

  test("is known once the rows were looked through, with pauses", () => {
    const { most, all } = looksBetweenPauses(
      partByPart(runs, ({ rows }) => rowContentsInPieces(rows)),
      () => looks,
    );
    expect(all).toBeGreaterThanOrEqual(2 * tasks);
    // Three looks at each of two slices of 2,000.
    expect(most).toBeLessThanOrEqual(2 * 2_000 * 3);
  });

  test.each(analyses)("$name then looks at hardly any row, be what it asks for there or not", (analysis) => {
    for (const of of [runs, runs.slice(0, 1), runs.slice(1)]) {
      const before = looks;
      analysis.missing?.(of);
      analysis.choices(of);
      analysis.lists?.(of);
      expect(looks - before).toBeLessThanOrEqual(20);
    }
  });
});

test.each(["prompting=one > prompting=other on right", "level=easy > level=hard on waste"])(
  "the claim %s looks at the rows of a run a few times between two pauses",
  (text) => {
    let looks = 0;
    const options = [{ name: "prompting", title: "Prompting", values: ["one", "other"], default: "one" }];
    const runs = ["one", "other"].map((label) => {
      const run = large(label);
      const spec = { ...run.spec, options: { prompting: label } };
      return {
        ...run,
        spec,
        suite: { ...run.suite, options },
        rows: run.rows.map((row) => watched(row, () => (looks += 1))),
      };
    });
    const answered = function* () {
      const tests = yield* claimTests(readClaim(text) as Claim, runs);
      return yield* claimTables(yield* claimAnswers(tests as readonly ClaimTest[]), 1);
    };
    const { most, all } = looksBetweenPauses(answered(), () => looks);
    expect(all).toBeGreaterThan(2 * tasks);
    expect(most).toBeLessThanOrEqual(8 * tasks);
  },
);
