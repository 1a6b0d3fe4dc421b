import { beforeAll, expect, test } from "vitest";
import type { Day } from "../../../suites/travelplanner/score/plan.ts";
import type { Block } from "../../../suites/travelplanner/ask/reference.ts";
import { legsOf, referenceInformation } from "../../../suites/travelplanner/ask/reference.ts";
import type { Sandbox } from "../../../suites/travelplanner/data/sandbox.ts";
import { describePublished, sharedLines } from "../../shared.ts";
import { publishedQueries, publishedSandbox } from "./world.ts";

describePublished("reference information", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await publishedSandbox();
  });

  test("all 675 blocks of the 45 training requests are the published ones, to the letter", async () => {
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
