/** The share of tasks into which `builtin/slips?rate=` puts a mistake, on the sample of every suite. */
import { describe, expect, it } from "vitest";
import type { LoadedSuite } from "../../source/engine/loaded-suite.ts";
import { sampleOf } from "../../source/engine/settings/package-folder.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type { RunSpec, Task } from "../../source/engine/types.ts";
import { suites } from "../../suites/index.ts";
import { askingStrategies } from "../asking-strategies.ts";
import { bareSpec } from "../bare-spec.ts";
import { runWithBuiltin } from "./run-with-builtin.ts";

/** Executes a task and returns the kinds of the mistakes that were made. */
async function kindsMade(loaded: LoadedSuite, task: Task, spec: RunSpec, rates = "rate=1"): Promise<readonly string[]> {
  const made = new Set<string>();
  const fault: LoadedSuite["fault"] = (...given) => {
    const reply = loaded.fault!(...given);
    if (reply !== undefined) made.add(given[2]);
    return reply;
  };
  await runWithBuiltin({ ...loaded, fault }, task, spec, `slips?${rates}`);
  return [...made];
}

async function allowsAny(loaded: LoadedSuite, task: Task, spec: RunSpec): Promise<boolean> {
  for (const { name } of loaded.suite.faultKinds)
    if ((await kindsMade(loaded, task, spec, `${name}=1`)).length > 0) return true;
  return false;
}

/** Returns the default options, and those with toolkits if the strategy may plan over them. */
function choicesFor({ options }: Suite, strategy: string): readonly RunSpec["options"][] {
  const usual = Object.fromEntries(options.map((option) => [option.name, option.default]));
  const toolkits = options.find(({ name }) => name === "toolkits");
  return toolkits?.when?.["strategy"]?.includes(strategy) === true ? [usual, { ...usual, toolkits: "on" }] : [usual];
}

/**
 * ToolBench cannot know everything before: Tool-Planner may first offer a function that does not serve, and without a list of its own
 * a task may offer functions that never fail.
 */
const isCertain = ({ suite, strategy, options }: RunSpec): boolean =>
  suite !== "toolbench" || (strategy !== "tool-planner" && options["toolkits"] !== "on");

const most = 6;
const several = suites.filter(({ faultKinds }) => faultKinds.length > 1);
describe.each(several.map((suite) => [suite.name, suite] as const))("%s", (name, suite) => {
  it.each(askingStrategies(suite).map((strategy) => [strategy.name]))(
    "has one mistake in each task that allows any, at rate 1 with the strategy %s",
    async (strategy) => {
      const loaded = await suite.open({ folder: sampleOf(suite), data: "sample" });
      const wrong: string[] = [];
      let executed = 0;
      for (const { name: split } of suite.splits) {
        const tasks = await loaded.tasks(split).catch((): Task[] => []);
        for (const options of choicesFor(suite, strategy)) {
          const models = { model: "builtin/slips?rate=1", responder: "builtin/responder" };
          const spec = bareSpec(name, { split, data: "sample", strategy, options, ...models });
          for (const task of tasks.slice(0, most)) {
            if (loaded.lacking?.(task, spec) !== undefined) continue;
            executed += 1;
            const made = await kindsMade(loaded, task, spec);
            if (made.length === 0 && (!isCertain(spec) || !(await allowsAny(loaded, task, spec)))) continue;
            if (made.length !== 1) wrong.push(`${task.id}: ${made.join(" and ") || "none"}`);
          }
        }
      }
      loaded.close?.();
      expect(wrong).toEqual([]);
      expect(executed).toBeGreaterThan(5);
    },
  );
});
