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
import { rowContents, rowContentsInPieces } from "../../source/engine/measures/row-contents.ts";
import { direct } from "../../source/engine/strategies/direct.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { errorClasses } from "../../source/engine/toolkits/error-classes.ts";
import type { Row, RunSpec } from "../../source/engine/types.ts";
import { partByPart, type Pieces } from "../../source/engine/work/pieces.ts";
import { madeRun, madeSpec, madeSuite, type MadeRow } from "./made-run.ts";

const tasks = 3_500;

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

/** Counts which rows are looked at between two pauses, whatever of them is read. */
class Watch {
  #piece = 0;
  #seen = 0;
  #looks = 0;
  /** The most rows between two pauses, and all looks at any. */
  most = 0;
  all = 0;

  /** Rows whose every field tells of being read. */
  over(rows: readonly Row[]): readonly Row[] {
    return rows.map((row) => {
      let last = -1;
      const look = () => {
        this.#looks += 1;
        if (last !== this.#piece) this.#seen += 1;
        last = this.#piece;
      };
      const fields = Object.entries(row).map(([name, value]) => [
        name,
        { enumerable: true, get: () => (look(), value as unknown) },
      ]);
      return Object.defineProperties({}, Object.fromEntries(fields) as PropertyDescriptorMap) as Row;
    });
  }

  /** Does the work, pause by pause. */
  through<Result>(work: Pieces<Result>): Result {
    [this.#seen, this.#looks, this.most] = [0, 0, 0];
    this.#piece += 1;
    for (;;) {
      const { done, value } = work.next();
      this.most = Math.max(this.most, this.#seen);
      this.#piece += 1;
      this.#seen = 0;
      if (done !== true) continue;
      this.all = this.#looks;
      return value;
    }
  }
}

/** Tasks that are looked at between two pauses, of both runs where they are compared. */
const atATime = 2 * 1_000;

test("how much of a table is filled is counted a thousand tasks at a time", () => {
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
  expect(Math.max(...counts)).toBe(1_000);
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

  test.each(inPieces)("$name looks at a thousand tasks of a run at a time, whatever is chosen", (analysis) => {
    const watch = new Watch();
    const runs = ["one", "other"].map((label) => {
      const run = large(label);
      // What they differ in is an option that pairs of runs are made by.
      const differs = apart[analysis.name]?.(label) ?? { options: { prompting: label } };
      return { ...run, spec: { ...run.spec, ...differs }, rows: watch.over(run.rows) };
    });
    // As the work on a cell begins.
    for (const { rows } of runs) rowContents(rows);
    const choices = Object.entries(analysis.choices(runs)).filter(([, values]) => values.length > 0);
    const first = Object.fromEntries(choices.map(([name, values]) => [name, values[0]!]));
    const others = choices.flatMap(([name, values]) =>
      values.slice(1, 4).map((value) => ({ ...first, [name]: value })),
    );
    const lists = Object.entries(analysis.lists?.(runs) ?? {});
    const listed = Object.fromEntries(lists.map(([name, { standard }]) => [name, standard]));
    expect(analysis.missing?.(runs)).toBeUndefined();
    for (const chosen of [first, ...others]) {
      const given = [runs, chosen, listed] as const;
      const figures = watch.through(analysis.computeInPieces(...given));
      expect({ chosen, most: watch.most }).toEqual({ chosen, most: Math.min(watch.most, atATime) });
      if (chosen !== first) continue;
      // What a clustering comes to stands with any task: the first is enough.
      if (analysis.name !== "clusters") expect(watch.all).toBeGreaterThan(2 * tasks);
      expect(figures).toEqual(analysis.compute(...given));
    }
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
    const watch = new Watch();
    const watched = runs.map(({ rows }) => watch.over(rows));
    watch.through(partByPart(watched, rowContentsInPieces));
    expect(watch.all).toBeGreaterThanOrEqual(2 * tasks);
    expect(watch.most).toBeLessThanOrEqual(atATime);
    for (const { rows } of runs) rowContents(rows);
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
  "the claim %s looks at a thousand tasks of a run at a time",
  (text) => {
    const watch = new Watch();
    const options = [{ name: "prompting", title: "Prompting", values: ["one", "other"], default: "one" }];
    const runs = ["one", "other"].map((label) => {
      const run = large(label);
      const spec = { ...run.spec, options: { prompting: label } };
      return { ...run, spec, suite: { ...run.suite, options }, rows: watch.over(run.rows) };
    });
    const answered = function* () {
      const tests = yield* claimTests(readClaim(text) as Claim, runs);
      return yield* claimTables(yield* claimAnswers(tests as readonly ClaimTest[]), 1);
    };
    watch.through(answered());
    expect(watch.all).toBeGreaterThan(2 * tasks);
    expect(watch.most).toBeLessThanOrEqual(atATime);
  },
);
