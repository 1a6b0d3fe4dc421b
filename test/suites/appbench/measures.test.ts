import { describe, expect, test } from "vitest";
import { evaluate } from "../../../source/engine/measures/measure.ts";
import { isKnown } from "../../../source/engine/measures/measure-cell.ts";
import { rowContents } from "../../../source/engine/measures/row-contents.ts";
import { appbench } from "../../../suites/appbench/index.ts";
import { findings } from "../../../suites/appbench/score/score.ts";
import type { Row } from "../../../source/engine/types.ts";
import { bareRow } from "../../bare-row.ts";
import { madeRow, madeRun } from "../../analyses/made-run.ts";

const tasks = 1000;
const [f1] = appbench.measures.filter(({ name }) => name === "official.f1-api");

/** Scored rows, which call `look` for each number that is read from them. */
function watchedRows(look: () => void): readonly Row[] {
  const counted = { "official.total_match": 1, "official.api_hit_count": 1, "official.total_pred_apis": 2 };
  const numbers = {
    ...counted,
    "official.total_ground_apis": 3,
    "paper.call_pred": 2,
    "perfect.official.total_pred_apis": 3,
  };
  const metrics = new Proxy<Readonly<Record<string, number>>>(numbers, {
    get: (own, name: string) => (look(), own[name]),
    ownKeys: (own) => (look(), Reflect.ownKeys(own)),
  });
  return Array.from({ length: tasks }, (_, index) => {
    const row = madeRow("run", { task: `t${index}`, right: 1 });
    return { ...row, score: { ...row.score!, metrics } };
  });
}

describe("measures of the whole corpus", () => {
  test("read only those fields of tasks that they use", () => {
    let looks = 0;
    const rows = watchedRows(() => (looks += 1));
    expect(evaluate(f1!, rows).value).toBeCloseTo((2 * (1 / 2) * (1 / 3)) / (1 / 2 + 1 / 3), 12);
    // A score, and its hits, calls and reference calls.
    expect(looks).toBeLessThanOrEqual(6 * tasks);
  });

  test("read all fields that the measures use, even fields that are needed only with references", () => {
    const independent = appbench.measures.find(({ name }) => name === "official.independent-argument-f1")!;
    const row = madeRow("run", { task: "t", right: 0 });
    const metrics = {
      "official.total_match": 0,
      "official.non_depend_argu_hit": 2,
      "official.total_pred_non_depend_args": 4,
      "official.total_ground_non_depend_args": 5,
      "official.total_depend_argus": 1,
    };
    const { value } = evaluate(independent, [{ ...row, score: { ...row.score!, metrics } }]);
    expect(value).toBeCloseTo((2 * (2 / 4) * (2 / 5)) / (2 / 4 + 2 / 5), 12);
  });

  test("include the ceiling, which is the score of a perfect plan", () => {
    let looks = 0;
    const rows = watchedRows(() => (looks += 1));
    expect(f1!.ceiling!(rows)).toBeCloseTo(1 / 3, 12);
    expect(looks).toBeLessThanOrEqual(12 * tasks);
  });

  test("are recognised as numeric after a few tasks", () => {
    let looks = 0;
    const run = { ...madeRun("run", [], { suite: appbench }), rows: watchedRows(() => (looks += 1)) };
    // Every cell of a notebook begins with this.
    rowContents(run.rows);
    looks = 0;
    expect(isKnown(f1!, [run])).toBe(true);
    expect(looks).toBeLessThan(tasks);
  });
});

test("AppBench reports in how many tasks the first stage selected no app", () => {
  const without = { value: undefined, metrics: {}, checks: [], errors: [{ kind: "no-apps", got: "Sure!" }] };
  const read = bareRow("r", "a", { score: { ...without, value: 0, errors: [{ kind: "missing-call" }] } });
  expect(findings([read, bareRow("r", "b", { score: without })])).toEqual([
    "In 1 of 2 tasks the first stage named no app: these tasks have no score, because the official program drops them",
  ]);
  expect(appbench.findings!([read])).toEqual([]);
});
