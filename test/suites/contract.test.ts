/** The contract of every suite, tested on its sample. */
import { describe, expect, test } from "vitest";
import { analyses } from "../../analyses/index.ts";
import { sampleOf } from "../../source/engine/settings/package-folder.ts";
import { checkSuite } from "../../source/kit.ts";
import { suites } from "../../suites/index.ts";
import { bareSpec } from "../bare-spec.ts";

/** Splits without answer keys, whose answers can only be submitted elsewhere. */
const unscored: Readonly<Record<string, readonly string[]>> = { travelplanner: ["test"] };

// Tasks of a process come from a program.
const own = suites.filter(({ tasksFrom }) => tasksFrom === undefined);
describe.each(own.map((suite) => [suite.name, suite] as const))("%s", (name, suite) => {
  test("satisfies its contract on names, facets and perfect replies, and reports each injected fault as its own kind", async () => {
    expect(await checkSuite(suite, unscored[name])).toEqual([]);
  });

  test("lists only existing analyses", () => {
    expect(analyses.map((analysis) => analysis.name)).toEqual(expect.arrayContaining([...suite.analyses]));
  });

  const staged = suite.strategies.some(({ needs }) => needs === "stages") ? test : test.skip;
  staged("reads a stage's answer from the reply and the reasoning alone", async () => {
    const loaded = await suite.open({ folder: sampleOf(suite), data: "sample" });
    const split = suite.splits[0]!.name;
    const [task] = await loaded.tasks(split);
    const reply = "Thought.\nFinal answer:\nOutput: Answer: [1]";
    const options = Object.fromEntries(suite.options.map((option) => [option.name, option.default]));
    for (const stage of loaded.asks.stages!(task!, { ...bareSpec(name), split, options }, [])) {
      const [asIs, inSteps] = [stage.answer?.(reply, "none"), stage.answer?.(reply, "steps")];
      for (const reasoning of ["steps", "none"] as const) {
        stage.messages(["[1]"], reasoning);
        expect([stage.answer?.(reply, "none"), stage.answer?.(reply, "steps")]).toEqual([asIs, inSteps]);
      }
      if (stage.answer !== undefined) expect(inSteps).not.toBe(asIs);
    }
    loaded.close?.();
  });
});
