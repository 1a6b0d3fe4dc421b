/** The six rates and thirteen constraints, computed as sums over rows. */
import { shownValue } from "../../../source/engine/measures/measure-cell.ts";
import { rowValues } from "../../../source/engine/measures/measure.ts";
import type { Measure } from "../../../source/engine/suite.ts";
import { counted } from "../../../source/engine/text/counted.ts";
import type { Row } from "../../../source/engine/types.ts";
import { addedCounts, filtered, type Fold, foldOver } from "../../../source/engine/work/growing-list.ts";
import { CONSTRAINTS } from "./constraints.ts";
import { slug } from "./error-kinds.ts";

const FIXED =
  "The divisor is the published constant if a whole split was run (45, 180 or 1,000 plans), otherwise the number of requests in these rows.";

type Counter = "plans" | "commonsense" | "hard";

/** Counts the scored rows, and adds up `passed` and `of`; without `of`, each row counts 1. */
const passedFold = (
  passed: string,
  of: string | undefined,
): Fold<Row, Record<"scored" | "kept" | "asked", number>> => ({
  start: () => ({ scored: 0, kept: 0, asked: 0 }),
  take(sums, { score }) {
    const own = score?.metrics[passed];
    if (own === undefined) return sums;
    sums.scored += 1;
    sums.kept += own;
    sums.asked += of === undefined ? 1 : (score!.metrics[of] ?? 0);
    return sums;
  },
  join: addedCounts,
});

/** Divides the sum of `passed` by the split's constant if all its plans are present, otherwise by the sum over scored rows. */
const rate = (name: string, title: string, passed: string, by: Counter, of: string | undefined): Measure => {
  const fold = passedFold(passed, of);
  return {
    name,
    title,
    mode: "official",
    note: FIXED,
    unit: "percent",
    better: "higher",
    has: ({ score }) => score?.metrics[passed] !== undefined,
    of(rows) {
      const { scored, kept, asked } = foldOver(fold, rows);
      const n = fixedDenominator(rows, by) ?? asked;
      return { value: scored === 0 || n === 0 ? undefined : kept / n, n };
    },
    ...(of === undefined ? { each: (row: Row) => row.score?.metrics[passed] } : {}),
  };
};

const plansOfSplit = ({ score }: Row) => score?.metrics["split:plans"];

/** Number of plans in the largest published split. */
const mostPlans = 1000;

/** Returns the published constant; undefined unless these rows are exactly those of one published split. */
function fixedDenominator(rows: readonly Row[], by: Counter): number | undefined {
  if (rows.length > mostPlans) return undefined;
  if (rows.length !== rowValues(plansOfSplit, rows)[0]) return undefined;
  const sized = rows.find((row) => plansOfSplit(row) !== undefined)!.score!.metrics;
  const splits = new Set(rows.map((row) => row.facets["split"]));
  const tasks = new Set(rows.map((row) => row.task));
  const settled = rows.every((row) => row.state !== "running");
  return splits.size === 1 && tasks.size === rows.length && settled ? sized[`split:${by}`] : undefined;
}

function constraintMeasure(title: string, note: string): Measure {
  const [asked, kept] = [`asked:${title}`, `kept:${title}`];
  return {
    kind: "mean",
    name: `constraint.${slug(title)}`,
    title,
    mode: "official",
    note,
    unit: "percent",
    better: "higher",
    each: ({ score }) => (score?.metrics[asked] === 1 ? (score.metrics[kept] ?? 0) : undefined),
  };
}

/** Returns whether only a judge could decide whether a text contains a plan. */
const isUndecided = ({ score }: Row): boolean =>
  score?.labels?.["reader"] === "unread" && score.metrics["delivered"] === undefined;

/** Returns whether a score of an earlier version counted such a text as delivered. */
const wasCounted = ({ score }: Row): boolean =>
  score?.labels?.["reader"] === "unread" && score.metrics["delivered"] === 1;

const deliveredOf = ({ score }: Row) => score?.metrics["delivered"];

/** States the minimum and maximum of Delivery, and the scores that count every text as a plan. */
export function findings(rows: readonly Row[]): readonly string[] {
  const texts: string[] = [];
  const { length: undecided } = filtered(isUndecided, rows);
  if (undecided > 0) {
    const decisions = rowValues(deliveredOf, rows);
    const [delivered, decided] = [decisions.filter((value) => value === 1).length, decisions.length];
    const of = fixedDenominator(rows, "plans") ?? decided + undecided;
    const share = (plans: number) => `${shownValue(plans / of, "percent")} %`;
    texts.push(
      `Delivery is at least ${share(delivered)} and at most ${share(delivered + undecided)}: only a judge can decide whether ${counted(undecided, "text")} ${undecided === 1 ? "contains" : "contain"} a plan (\`judge: ENDPOINT/MODEL\`)`,
    );
  }
  const { length: older } = filtered(wasCounted, rows);
  if (older > 0) {
    const made = `${counted(older, "score")} ${older === 1 ? "was" : "were"} made`;
    texts.push(`${made} when unreadable texts still counted as delivered: \`--rescore\` computes all scores again`);
  }
  return texts;
}

/** The constraints in the order of the paper's Table 4. */
const IN_PRINT = [
  "Within Sandbox",
  "Complete Information",
  "Within Current City",
  "Reasonable City Route",
  "Diverse Restaurants",
  "Diverse Attractions",
  "Non-conf. Transportation",
  "Minimum Nights Stay",
  "Budget",
  "Room Rule",
  "Cuisine",
  "Room Type",
  "Transportation",
];

export const measures: readonly Measure[] = [
  rate("final", "Final", "finalPass", "plans", undefined),
  rate("delivery", "Delivery", "delivered", "plans", undefined),
  rate("commonsense.micro", "CS micro", "commonsense", "commonsense", "commonsenseOf"),
  rate("commonsense.macro", "CS macro", "commonsensePass", "plans", undefined),
  rate("hard.micro", "Hard micro", "hard", "hard", "hardOf"),
  rate("hard.macro", "Hard macro", "hardPass", "plans", undefined),
  ...IN_PRINT.map((title) => CONSTRAINTS.find((constraint) => constraint.title === title)!).map(({ title, group }) =>
    constraintMeasure(
      title,
      group === "hard"
        ? "Share of the requests with this constraint; plans that are incomplete or not within the sandbox fail."
        : "Share of all requests; undelivered plans fail.",
    ),
  ),
];
