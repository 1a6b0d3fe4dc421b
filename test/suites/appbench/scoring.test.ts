import { expect, test } from "vitest";
import { argumentsOf, namesOf } from "../../../suites/appbench/score/call-text.ts";
import { readPlan } from "../../../suites/appbench/score/plan-text.ts";
import type { Scores } from "../../../suites/appbench/score/record.ts";
import { aggregateOf, recordOf, scoreAnswer } from "../../../suites/appbench/score/record.ts";
import { describePublished } from "../../shared.ts";
import { expectClose } from "./close.ts";
import { categoryNames, publishedCatalogue, publishedGold, scoringFile } from "./published.ts";

describePublished("answers are scored as upstream scores them", () => {
  const gold = publishedGold();
  const apps = publishedCatalogue().apps.map((app) => app.name);

  for (const category of categoryNames) {
    const { records, aggregate } = scoringFile(category);
    const scored = (): Scores[] =>
      records.map(({ sample_id, output }) => scoreAnswer({ output }, gold.get(sample_id)!, apps));

    test(`${category}: the text of every one of ${records.length} plans is read alike`, () => {
      for (const { id, output, expected } of records) {
        const plan = readPlan(output);
        const read = {
          decided_app: plan.apps,
          decided_api: plan.calls,
          api_names: namesOf(plan.calls),
          api_arguments: Array.from(argumentsOf(plan.calls), ([api, args]) => ({ api, args: [...args] })),
        };
        expect(read, id).toEqual(expected.parse);
      }
    });

    test(`${category}: every record gets upstream's counters and ratios in all three modes`, () => {
      for (const [index, scores] of scored().entries()) {
        const { id, expected } = records[index]!;
        const { parse: _, ...blocks } = expected;
        expectClose(recordOf(scores), blocks, id);
      }
    });

    test(`${category}: the records together come to upstream's totals`, () => {
      expectClose(aggregateOf(scored()), aggregate, category);
    });
  }
});
