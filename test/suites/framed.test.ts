/** Perfect answers in wrappings without a layer of their own, on the first tasks of each benchmark. */
import { expect, test } from "vitest";
import { sampleOf } from "../../source/engine/settings/package-folder.ts";
import { toys, toyTools } from "../../source/kit/toy-tools.ts";
import { suites } from "../../suites/index.ts";
import { askingStrategies } from "../asking-strategies.ts";
import { bareSpec } from "../bare-spec.ts";
import { dressedRow } from "./dressed.ts";
import { framed } from "./framed.ts";

/** The splits of each benchmark whose replies have different forms. */
const splits: Readonly<Record<string, readonly string[]>> = {
  appbench: ["ss", "mm"],
  ultratool: ["en/planning", "en/tool_usage_awareness"],
  planbench: ["blocksworld/task_1_plan_generation", "logistics/task_1_plan_generation"],
};

/** Only a judge could tell that these words, in another language on the last line of a plan, are no part of its last step. */
const undecided = "German politeness behind on one line";

const judged = new Set(["ultratool", "toolbench", "own", "mcp"]);
const formed = suites.filter(({ form }) => form !== undefined);

test.each(formed.map((suite) => [suite.name, suite] as const))(
  "answers to %s in any frame that has no layer of its own are read, or reported as unread, but never wrong",
  async (name, suite) => {
    const [strategy] = askingStrategies(suite);
    const loaded = await suite.open({ folder: sampleOf(suite), data: "sample", toolSources: toyTools });
    const standard = [...suite.options, ...(strategy!.options ?? [])].map((one) => [one.name, one.default]);
    const tools = suite.takesTools === true ? { toolServers: { [toys]: "toys" } } : {};
    const wrong: string[] = [];
    const names = splits[name] ?? [suite.splits[0]!.name];
    for (const [at, split] of names.entries()) {
      const more = { split, options: Object.fromEntries(standard), strategy: strategy!.name, ...tools };
      // A judge that nothing asks would hide that an answer is not found.
      const spec = bareSpec(name, { ...more, maxTokens: 20, ...(judged.has(name) && { judge: "b/oracle" }) });
      const task = (await loaded.tasks(split)).find((each) => loaded.lacking?.(each, spec) === undefined)!;
      const asked = { suite, loaded, strategy: strategy!, spec };
      const plain = await dressedRow(asked, task, "plain");
      expect(plain.cause?.cause).toBe("read");
      // Each wrapping is tried on one of the splits.
      for (const dress of Object.keys(framed).filter((_, number) => number % names.length === at)) {
        if (split === "en/planning" && dress === undecided) continue;
        const { score, cause } = await dressedRow(asked, task, dress, framed);
        if (cause === undefined || (cause.cause === "read" && score?.value !== plain.score?.value))
          wrong.push(`${split} ${task.id}, ${dress}: ${score?.value} instead of ${plain.score?.value}`);
      }
    }
    loaded.close?.();
    expect(wrong).toEqual([]);
  },
);
