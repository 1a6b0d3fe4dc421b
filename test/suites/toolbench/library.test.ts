import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";
import { temporaryFolder, typed } from "../../commands/typed.ts";
import { runWithBuiltin } from "../run-with-builtin.ts";

const at = temporaryFolder();
const spec = {
  suite: "toolbench",
  split: "all",
  data: "sample",
  strategy: "tool-planner",
  options: { catalogue: "all", "clusters.embedding": "library" },
  budget: { task: { steps: 60 } },
  seed: 7,
  trial: 1,
} as unknown as RunSpec;

it("Tool-Planner plans over toolkits from a library file", async () => {
  cpSync(sampleFolder("toolbench"), at("data"), { recursive: true });
  const without = await toolbench.open({ folder: at("data"), data: "sample" });
  const tasks = await without.tasks("all");
  await expect(runWithBuiltin(without, tasks[0]!, spec, "oracle")).rejects.toThrow(
    "make one with `planwright cluster`",
  );

  mkdirSync(at("data", "toolkits"));
  const library = at("data", "toolkits", "all.jsonl");
  const clustered = await typed(
    "cluster",
    "--library",
    at("data", "catalogue", "apis.jsonl"),
    "--k",
    "9",
    "--out",
    library,
  );
  expect(clustered.status).toBe(0);
  const loaded = await toolbench.open({ folder: at("data"), data: "sample" });
  const runs = await Promise.all(tasks.map((task) => runWithBuiltin(loaded, task, spec, "oracle")));
  expect(runs.map(({ score }) => score.value)).toEqual(tasks.map(() => 1));
  expect(runs[0]!.score.metrics["cluster.count"]).toBe(9);

  // The planner receives the file's toolkits, even if a single one contains everything.
  const lines = readFileSync(library, "utf8").trim().split("\n");
  const one = lines.map((line) => ({
    ...(JSON.parse(line) as object),
    toolkit: 0,
    toolkit_fun: "Everything there is",
  }));
  writeFileSync(library, one.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const again = await toolbench.open({ folder: at("data"), data: "sample" });
  const { steps } = await runWithBuiltin(again, tasks[0]!, spec, "oracle");
  const [prompt] = steps.flatMap((step) => (step.type === "prompt" ? [step] : []));
  expect(JSON.stringify(prompt!.messages)).toContain("[Toolkit 0, Desc[Everything there is]]");
});
