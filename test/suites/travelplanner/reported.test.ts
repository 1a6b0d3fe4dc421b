import { expect, test, beforeAll } from "vitest";
import { figureCsvParts } from "../../../source/engine/figures/figure-csv.ts";
import { travelplanner } from "../../../suites/travelplanner/index.ts";
import type { Day } from "../../../suites/travelplanner/score/plan.ts";
import { type Block, legsOf, referenceInformation } from "../../../suites/travelplanner/ask/reference.ts";
import type { Sandbox } from "../../../suites/travelplanner/data/sandbox.ts";
import { describePublished, sharedLines } from "../../shared.ts";
import { publishedQueries, publishedSandbox } from "./world.ts";

test("every reported number of TravelPlanner has a measure of the suite and a source", async () => {
  const { values, tables } = await travelplanner.reported!();
  const measures = new Set(travelplanner.measures.map(({ name }) => name));
  const kinds = new Set(travelplanner.errorKinds.map(({ name }) => name));
  const lost = values.filter(({ value }) => value === undefined);
  expect(lost.map(({ source, measure }) => [source.slice(-3), measure])).toEqual(
    ["hard.micro", "hard.macro", "final"].map((measure) => ["B.3", measure]),
  );
  for (const { measure, source, value = 0 } of values) {
    const known = measures.has(measure) || measure.startsWith("tool:") || kinds.has(measure.replace("ending.", ""));
    expect(known, measure).toBe(true);
    expect(source).toMatch(/^TravelPlanner paper \(ICML 2024\), (Table [345]|Table B\.3|Figure B\.1)$/);
    expect(value).toBeGreaterThanOrEqual(0);
  }
  expect(values).toHaveLength(13 * 12 + (84 - 10) + 30 + 16 + 6);
  expect(tables.map(({ title }) => title.split(":")[0])).toEqual([
    "Table 3",
    "Table 4",
    "Table 5",
    "Figure B.1",
    "Table B.3",
  ]);
  const reflexion = tables.at(-1)!;
  expect(reflexion.rows[0]!.map(({ text }) => text)).toEqual([
    expect.any(String),
    "80.6",
    "62.9",
    "6.1",
    "lost",
    "lost",
    "lost",
  ]);
  // Programs find no number there, rather than a text.
  expect([...figureCsvParts(reflexion)].join("").trim().split("\n")[1]).toMatch(/,0\.806,.*,,$/);
});

test("rows from TravelPlanner's paper are found by their subject", async () => {
  const { values } = await travelplanner.reported!();
  const find = (measure: string, row: string, where: object) =>
    values.find(
      (value) =>
        value.measure === measure && value.row === row && JSON.stringify(value.where) === JSON.stringify(where),
    )?.value;
  expect(find("commonsense.micro", "Greedy Search, baseline", { split: "validation" })).toBeCloseTo(0.744, 12);
  expect(find("constraint.budget", "GPT-4-Turbo, sole-planning", { split: "test", level: "hard" })).toBeCloseTo(
    0.251,
    12,
  );
  expect(find("tool:GoogleDistanceMatrix", "reference", { days: 7 })).toBe(4);
});

describePublished("published reference information", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await publishedSandbox();
  });

  test("equals the rebuilt text, character for character, in all 675 blocks of the 45 training requests", async () => {
    type Line = { idx: number; reference_information: Block[] };
    const lines = sharedLines<Line>("data/travelplanner/reference/train_reference_text.jsonl.gz");
    const { train } = await publishedQueries();
    let blocks = 0;
    for (const [index, { reference_information }] of lines.entries()) {
      const { query, plan } = train[index]!;
      const made = referenceInformation(sandbox, query, legsOf(plan as Day[]));
      expect(made, `request ${index + 1}`).toEqual(reference_information);
      blocks += made.length;
    }
    expect(blocks).toBe(675);
  });
});
