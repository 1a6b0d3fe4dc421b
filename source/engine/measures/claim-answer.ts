/** The claims of a notebook answered together: each rejection holds although there are several. */
import type { Cell, TableFigure } from "../figure.ts";
import type { Interval } from "../statistics/interval.ts";
import { holm } from "../statistics/paired.ts";
import { shownValue, textCell, withTasks } from "./measure-cell.ts";
import type { ClaimTest } from "./claim-test.ts";
import { tableColumns } from "./table-columns.ts";

export type ClaimAnswer = Omit<ClaimTest, "test"> & {
  readonly answer: "yes" | "no" | "not decided";
  readonly difference: number | undefined;
  /** Corrected by Holm. */
  readonly p: number | undefined;
  /** Lies on one side of the bound exactly where the answer is yes or no. */
  readonly interval: Interval | undefined;
  readonly test: string | undefined;
};

const level = 0.05;

/**
 * Yes where the interval of the difference lies above the bound, no where it lies below it. Over all claims together, the
 * chance that any yes or no is an accident is at most 5 %: Holm's correction (1979, Scandinavian Journal of Statistics 6:
 * 65-70), by which the k-th smallest of m p-values, and its interval, has the level 5 % / (m - k + 1), up to the first that
 * does not pass; those behind it keep that one's level.
 */
export function claimAnswers(claims: readonly ClaimTest[]): readonly ClaimAnswer[] {
  const tests = claims.flatMap(({ test }) => test ?? []);
  const adjusted = new Map(holm(tests.map(({ p }) => p)).map((p, index) => [tests[index]!, p]));
  const levels = new Map<(typeof tests)[number], number>();
  let rank = 0;
  for (const test of tests.toSorted((one, other) => one.p - other.p)) {
    const own = level / (tests.length - rank);
    levels.set(test, own);
    if (test.p < own) rank += 1;
  }
  return claims.map(({ test, ...claim }): ClaimAnswer => {
    const p = test && adjusted.get(test)!;
    const isDecided = test !== undefined && test.p < levels.get(test)!;
    const side = test !== undefined && test.difference > claim.bound ? "yes" : "no";
    return {
      ...claim,
      answer: isDecided ? side : "not decided",
      difference: test?.difference,
      p,
      interval: test && test.interval(levels.get(test)!),
      test: test?.test,
    };
  });
}

/** The claims of one cell, a table each, with a line for each answer; `all` is how many answers the notebook has. */
export function claimTables(answers: readonly ClaimAnswer[], all: number): readonly TableFigure[] {
  const byClaim = Map.groupBy(answers, ({ claim }) => claim);
  return [...byClaim.values()].map((own) => claimTable(own, all));
}

function claimTable(answers: readonly ClaimAnswer[], all: number): TableFigure {
  const tests = [...new Set(answers.flatMap(({ test }) => test ?? []))];
  return {
    kind: "table",
    title: `Claim: ${answers[0]!.claim.text}`,
    columns: tableColumns(
      ["Of", "Answer"],
      ["more", "less", "difference", "95 % interval", "p", "tasks that decide", "n"],
    ),
    rows: answers.map(line),
    notes: [
      `Yes: the interval of the difference lies above what is claimed; no: below it${tests.length === 0 ? "" : `. By ${tests.join("; ")}`}`,
      `Interval and p are corrected by Holm for ${all === 1 ? "the one answer" : `all ${all} answers`} of this notebook`,
    ],
  };
}

function line({
  label,
  measure,
  answer,
  more,
  less,
  values,
  difference,
  interval,
  p,
  n,
  deciding,
}: ClaimAnswer): Cell[] {
  const show = (value: number | undefined) => shownValue(value, measure.unit);
  const side = (value: number | undefined, rows: typeof more): Cell =>
    withTasks({ text: show(value), ...(value === undefined ? {} : { value }), n: rows.length }, rows);
  const tasks = new Set<string>();
  for (const { task } of deciding) tasks.add(task);
  const sign = difference !== undefined && difference > 0 ? "+" : "";
  return [
    textCell(label),
    textCell(answer, { tasks: deciding }),
    side(values[0], more),
    side(values[1], less),
    textCell(`${sign}${show(difference)}`, { ...(difference !== undefined && { value: difference }), tasks: deciding }),
    textCell(interval === undefined ? "-" : `[${show(interval.low)}, ${show(interval.high)}]`),
    textCell(p === undefined ? "-" : p < 0.0001 ? "<0.0001" : p.toFixed(4), p === undefined ? {} : { value: p }),
    textCell(String(tasks.size), { tasks: deciding }),
    withTasks(textCell(String(n), { value: n }), [...more, ...less]),
  ];
}
