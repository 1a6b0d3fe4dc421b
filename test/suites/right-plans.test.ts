/** A right task shows no difference between plan and reference, with any strategy. */
import { describe, expect, it } from "vitest";
import { viewOf } from "../../source/engine/loaded-suite.ts";
import { callsMade, trajectoryOf } from "../../source/engine/log/trajectory.ts";
import { sampleOf } from "../../source/engine/settings/package-folder.ts";
import type { TaskEvent } from "../../source/engine/types.ts";
import { runBuiltin } from "../../source/kit/builtin-run.ts";
import { toyTools } from "../../source/kit/toy-tools.ts";
import { pairSteps } from "../../source/terminal/trajectory/sections/plan-diff.ts";
import { suites } from "../../suites/index.ts";
import { askingStrategies } from "../asking-strategies.ts";
import { bareSpec } from "../bare-spec.ts";

const asking = suites.flatMap((suite) => askingStrategies(suite).map((strategy) => [suite, strategy] as const));

/** Suites whose tasks can be solved by other calls than the listed ones, and suites that need a judge for a score. */
const anyCall = new Set(["toolbench"]);
const judged = new Set(["ultratool"]);

describe.each(asking.map(([suite, strategy]) => [`${suite.name} ${strategy.name}`, suite, strategy] as const))(
  "the views of right answers in %s",
  (_, suite, strategy) => {
    it("show no difference to the reference", async () => {
      const loaded = await suite.open({ folder: sampleOf(suite), data: "sample", toolSources: toyTools });
      const options = Object.fromEntries(suite.options.map(({ name, default: value }) => [name, value]));
      const split = suite.splits.find(({ name }) => name !== "test")!.name;
      const spec = bareSpec(suite.name, { split, options, strategy: strategy.name, toolServers: { toys: "" } });
      let right = 0;
      for (const task of (await loaded.tasks(split)).slice(0, 3)) {
        const run = await runBuiltin({ loaded, strategy, spec, model: "oracle" }, task).catch(() => undefined);
        if (run?.score.value !== 1) continue;
        right += 1;
        const started = { type: "started", question: task.question, facets: {} };
        const events = [started, ...run.steps].map(
          (step, seq) => ({ seq, at: seq, task: task.id, ...step }) as TaskEvent,
        );
        const trajectory = trajectoryOf(task.id, events);
        const pairs = pairSteps(viewOf(loaded, task, trajectory.answer, callsMade(trajectory)));
        const differing = pairs.filter(
          ({ change }) => change !== "same" && !(change === "missing" && anyCall.has(suite.name)),
        );
        expect(differing).toEqual([]);
      }
      if (!judged.has(suite.name)) expect(right).toBeGreaterThan(0);
      loaded.close?.();
    });
  },
);
