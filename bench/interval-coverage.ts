/**
 * Coverage of the 95 % intervals of the suites' measures: how often the interval of 10 tasks drawn from a population contains the
 * population's mean. A population is at least 200 answers to tasks of a benchmark, with mistakes at one of five rates: one answer per task, five to
 * each of the 45 requests of TravelPlanner that have a plan. Populations
 * whose tasks all have the same value are left out, because no interval misses them.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasTaskValues } from "../source/engine/measures/measure.ts";
import { randomFrom } from "../source/engine/statistics/random.ts";
import { intervalOf } from "../source/engine/statistics/mean-interval.ts";
import type { LoadedSuite } from "../source/engine/loaded-suite.ts";
import type { Suite } from "../source/engine/suite.ts";
import type { Row, RunSpec, Task } from "../source/engine/types.ts";
import { runBuiltin } from "../source/kit/builtin-run.ts";
import { apibench } from "../suites/apibench/index.ts";
import { appbench } from "../suites/appbench/index.ts";
import { planbench } from "../suites/planbench/index.ts";
import { generatePlanningArena } from "../suites/planningarena/data/generator/generate.ts";
import { planningarena } from "../suites/planningarena/index.ts";
import { travelplanner } from "../suites/travelplanner/index.ts";
import { ultratool } from "../suites/ultratool/index.ts";
import type { Bench, LeftOut, Measurement } from "./measurement.ts";
import { bareSpec } from "../test/bare-spec.ts";
import { publishedData } from "./published.ts";

const rates = [0.1, 0.3, 0.5, 0.7, 0.9];
const sizes = [8, 10, 20];
const tasksOfEach = 240;
const draws = 2000;
const nominal = 95;
/** Intervals of a measure that cover less, in percent, are called rough. */
const rough = 88;

type Population = {
  readonly suite: Suite;
  readonly split: string;
  /** Answers per task, each with other mistakes; 1 by default. */
  readonly repeats?: number;
  /** A file of the published data; undefined for generated tasks. */
  readonly file: string | undefined;
};

const populations: readonly Population[] = [
  { suite: appbench, split: "all", file: "test_mm.json" },
  { suite: travelplanner, split: "train", repeats: 5, file: "queries" },
  ...["tool_usage_awareness", "tool_creation_awareness", "tool_selection", "tool_usage"].map((aspect) => ({
    suite: ultratool,
    split: `en/${aspect}`,
    file: "en",
  })),
  { suite: planningarena, split: "generated", file: undefined },
  { suite: apibench, split: "huggingface", file: "eval" },
  { suite: planbench, split: "blocksworld/task_1_plan_generation", file: "instances" },
];

/** Coverage of one measure in percent, the mean over its populations, by the number of tasks. */
type Covered = {
  readonly suite: string;
  readonly measure: string;
  /** True if figures mark its intervals as rough. */
  readonly isMarked: boolean;
  readonly shares: ReadonlyMap<number, number>;
};

export const bench = coverages satisfies Bench;

async function* coverages(): AsyncIterable<Measurement | LeftOut> {
  const measured: Covered[] = [];
  for (const [suite, own] of Map.groupBy(populations, (one) => one.suite)) {
    const scratch = mkdtempSync(join(tmpdir(), "planwright-coverage-"));
    try {
      const rows = await rowsOf(own, scratch);
      if (rows === undefined) yield { of: `intervals of ${suite.title}`, leftOut: "no published data" };
      else measured.push(...coveredMeasures(suite, rows));
    } finally {
      rmSync(scratch, { recursive: true });
    }
    const lines = measured.filter((one) => one.suite === suite.title);
    if (lines.length > 0) yield lineOf(`${suite.title}, ${lines.length} measures, 10 tasks`, lines, 10);
  }
  for (const size of sizes) yield lineOf(`mean over ${measured.length} measures, ${size} tasks`, measured, size);
  const lowest = measured.toSorted((a, b) => a.shares.get(10)! - b.shares.get(10)!)[0];
  if (lowest !== undefined) yield lineOf(`the lowest, ${lowest.suite} ${lowest.measure}, 10 tasks`, [lowest], 10);
  for (const { suite, measure, isMarked, shares } of measured)
    if (shares.get(10)! < rough || isMarked)
      yield {
        what: `rough${isMarked ? ", marked in figures" : "; to be marked by `rough: true`"}: ${suite}, ${measure}, 10 tasks`,
        ours: shares.get(10)!,
        unit: "%",
      };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function lineOf(what: string, lines: readonly Covered[], size: number): Measurement {
  return {
    what: `coverage of 95 % intervals: ${what}`,
    ours: mean(lines.map(({ shares }) => shares.get(size)!)),
    unit: "%",
    beside: { of: "nominal", value: nominal },
    bound: { unknown: "a share, no time" },
  };
}

/** Returns the rows of each rate; undefined without data or with fewer than 200 tasks. */
async function rowsOf(
  populations: readonly Population[],
  scratch: string,
): Promise<readonly (readonly Row[])[] | undefined> {
  const answered = new Map<number, Row[]>(rates.map((rate) => [rate, []]));
  let count = 0;
  for (const { suite, split, file, repeats = 1 } of populations) {
    const folder = file === undefined ? await generated(scratch) : await publishedData(suite.name, file);
    if (folder === undefined) continue;
    const loaded = await suite.open({ folder, data: "published" });
    const random = randomFrom(`coverage ${suite.name} ${split}`);
    const tasks = (await loaded.tasks(split)).map((task) => ({ task, at: random() })).toSorted((a, b) => a.at - b.at);
    const chosen = tasks.slice(0, tasksOfEach).map(({ task }) => task);
    count += repeats * chosen.length;
    const spec = specOf(suite, split);
    for (const rate of rates)
      for (let seed = 1; seed <= repeats; seed++)
        for (const task of chosen)
          answered.get(rate)!.push(await answer(suite, loaded, task, spec, `slips?rate=${rate}&seed=${seed}`));
    loaded.close?.();
  }
  return count < 200 ? undefined : [...answered.values()];
}

async function generated(folder: string): Promise<string> {
  const out = join(folder, "generated");
  const { signal } = new AbortController();
  await generatePlanningArena({ out, count: tasksOfEach, seed: 7, report: () => {}, signal });
  return out;
}

async function answer(suite: Suite, loaded: LoadedSuite, task: Task, spec: RunSpec, model: string): Promise<Row> {
  const strategy = suite.strategies.find(({ name }) => name === spec.strategy)!;
  const { score } = await runBuiltin({ loaded, strategy, spec, model }, task);
  return { run: model, task: task.id, question: "", facets: task.facets, state: "scored", score } as unknown as Row;
}

function specOf(suite: Suite, split: string): RunSpec {
  const options: RunSpec["options"] = Object.fromEntries(suite.options.map((option) => [option.name, option.default]));
  return bareSpec(suite.name, { split, data: "published", strategy: suite.strategies[0]!.name, options });
}

function coveredMeasures(suite: Suite, populations: readonly (readonly Row[])[]): readonly Covered[] {
  return suite.measures.filter(hasTaskValues).flatMap((measure) => {
    const shares = new Map<number, number>();
    for (const size of sizes) {
      const covered = populations.flatMap((rows) => {
        const values = rows.flatMap((row) => measure.each(row) ?? []);
        if (values.length < 200 || new Set(values).size < 2) return [];
        return [coverage(values, size, `${suite.name} ${measure.name} ${size}`)];
      });
      if (covered.length > 0) shares.set(size, mean(covered));
    }
    return shares.size === 0
      ? []
      : [{ suite: suite.title, measure: measure.name, isMarked: measure.rough === true, shares }];
  });
}

/** Returns the percentage of samples, drawn with replacement, whose interval contains the mean of the values. */
function coverage(values: readonly number[], size: number, seed: string): number {
  const random = randomFrom(seed);
  const truth = mean(values);
  let covered = 0;
  for (let draw = 0; draw < draws; draw++) {
    const sample = Array.from({ length: size }, () => values[Math.floor(random() * values.length)]!);
    const { low, high } = intervalOf(sample)!;
    // The mean of equal shares can differ from an end in its last digit.
    if (low <= truth + 1e-12 && truth - 1e-12 <= high) covered += 1;
  }
  return (100 * covered) / draws;
}
