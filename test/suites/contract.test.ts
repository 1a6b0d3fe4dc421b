/** What every suite promises, proved on its sample. */
import { describe, expect, test } from "vitest";
import { analyses } from "../../analyses/index.ts";
import { checkSuite } from "../../source/kit.ts";
import { suites } from "../../suites/index.ts";

/** Splits without answer keys: their answers can only be handed in. */
const unscored: Readonly<Record<string, readonly string[]>> = { travelplanner: ["test"] };

describe.each(suites.map((suite) => [suite.name, suite] as const))("%s", (name, suite) => {
  test("keeps its contract: names, facets, perfect replies, and each kind of fault found as what it is", async () => {
    expect(await checkSuite(suite, unscored[name])).toEqual([]);
  });

  test("names only analyses that exist", () => {
    expect(analyses.map((analysis) => analysis.name)).toEqual(expect.arrayContaining([...suite.analyses]));
  });
});
