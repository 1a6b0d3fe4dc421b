/** A perfect answer in a wrapping, or cut, is never an answer that was read and wrong. */
import { describe, expect, test } from "vitest";
import { toys, toyTools } from "../../source/kit/toy-tools.ts";
import { sampleOf } from "../../source/engine/settings/package-folder.ts";
import { suites } from "../../suites/index.ts";
import { askingStrategies } from "../asking-strategies.ts";
import { bareSpec } from "../bare-spec.ts";
import { cut, dressedRow, dresses } from "./dressed.ts";

/** Options that change what a reply has to be. */
const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  travelplanner: { mode: "two-stage" },
  appbench: { prompting: "flat" },
  toolbench: { toolkits: "on" },
  apibench: { toolkits: "on" },
};

/** Suites without a form cannot tell a wrapping from a mistake. */
const formed = suites.filter(({ form }) => form !== undefined);

describe.each(formed.map((suite) => [suite.name, suite] as const))("%s", (name, suite) => {
  const variants = [{}, ...(others[name] === undefined ? [] : [others[name]])];
  const cases = askingStrategies(suite).flatMap((strategy) =>
    variants.map((options) => [`${strategy.name} ${JSON.stringify(options)}`, strategy, options] as const),
  );
  test.each(cases)("%s", async (_, strategy, chosen) => {
    const loaded = await suite.open({ folder: sampleOf(suite), data: "sample", toolSources: toyTools });
    const standard = [...suite.options, ...(strategy.options ?? [])].map((one) => [one.name, one.default]);
    const options = { ...Object.fromEntries(standard), ...chosen };
    const tools = suite.takesTools === true ? { toolServers: { [toys]: "toys" } } : {};
    const wrong: string[] = [];
    // Answers to the test split of TravelPlanner have no score.
    for (const { name: split } of suite.splits.filter((one) => one.name !== "test")) {
      const spec = bareSpec(name, {
        split,
        options,
        strategy: strategy.name,
        maxTokens: 20,
        judge: "b/oracle",
        ...tools,
      });
      const task = (await loaded.tasks(split)).find((each) => loaded.lacking?.(each, spec) === undefined);
      if (task === undefined) continue;
      const asked = { suite, loaded, strategy, spec };
      const plain = await dressedRow(asked, task, "plain");
      if (plain.cause?.cause !== "read") wrong.push(`${split} ${task.id}: ${JSON.stringify(plain.cause)}`);
      for (const dress of [...Object.keys(dresses), cut]) {
        const { score, cause } = await dressedRow(asked, task, dress);
        if (cause === undefined || (cause.cause === "read" && score?.value !== plain.score?.value))
          wrong.push(`${split} ${task.id}, ${dress}: ${score?.value} instead of ${plain.score?.value}`);
      }
    }
    loaded.close?.();
    expect(wrong).toEqual([]);
  });
});
