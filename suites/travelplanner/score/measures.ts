/** The six rates and thirteen constraints, computed as sums over rows. */
import { sum } from "simple-statistics";
import { shownValue } from "../../../source/engine/measures/measure-cell.ts";
import { metricOf, rowValues } from "../../../source/engine/measures/measure.ts";
import type { Measure } from "../../../source/engine/suite.ts";
import { counted } from "../../../source/engine/text/counted.ts";
import type { Row } from "../../../source/engine/types.ts";
import { filtered, keyByName } from "../../../source/engine/work/growing-list.ts";
import { CONSTRAINTS } from "./constraints.ts";
import { slug } from "./error-kinds.ts";

const FIXED =
  "The divisor is the published constant if a whole split was run (45, 180 or 1,000 plans), otherwise the number of requests in these rows.";

type Counter = "plans" | "commonsense" | "hard";

/** The number `of` of a row that has `passed`. */
const askedOf = keyByName(
  ([passed, of]: readonly [string, string]) =>
    ({ score }: Row) =>
      score?.metrics[passed] === undefined ? undefined : (score.metrics[of] ?? 0),
);

/** Divides the sum of `passed` by the split's constant if all its plans are present, otherwise by the sum over scored rows. */
const rate = (name: string, title: string, passed: string, by: Counter, of: string | undefined): Measure => ({
  name,
  title,
  mode: "official",
  note: FIXED,
  unit: "percent",
  better: "higher",
  has: ({ score }) => score?.metrics[passed] !== undefined,
  of(rows) {
    const values = rowValues(metricOf(passed), rows);
    const asked = of === undefined ? values.length : sum(rowValues(askedOf([passed, of]), rows));
    const n = fixedDenominator(rows, by) ?? asked;
    return { value: values.length === 0 || n === 0 ? undefined : sum(values) / n, n };
  },
  ...(of === undefined ? { each: metricOf(passed) } : {}),
});

/** Number of plans in the largest published split. */
const mostPlans = 1000;

/** Returns the published constant; undefined unless these rows are exactly those of one published split. */
function fixedDenominator(rows: readonly Row[], by: Counter): number | undefined {
  if (rows.length > mostPlans) return undefined;
  if (rows.length !== rowValues(metricOf("split:plans"), rows)[0]) return undefined;
  const sized = rows.find((row) => metricOf("split:plans")(row) !== undefined)!.score!.metrics;
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

/** States the minimum and maximum of Delivery, and the scores that count every text as a plan. */
export function findings(rows: readonly Row[]): readonly string[] {
  const texts: string[] = [];
  const { length: undecided } = filtered(isUndecided, rows);
  if (undecided > 0) {
    const decisions = rowValues(metricOf("delivered"), rows);
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
