/** The APIs among which strategies choose, and how results report them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { typed, temporaryFolder } from "../../commands/typed.ts";
import { forkSource } from "../../../source/engine/session/fork-cell.ts";
import { planRunCell } from "../../../source/engine/session/run-cell.ts";
import { writtenOptions } from "../../../source/engine/migration/run-options.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { RunSpec, Task } from "../../../source/engine/types.ts";
import { apibench } from "../../../suites/apibench/index.ts";
import { describePublished, shared } from "../../shared.ts";
import { runWithBuiltin } from "../run-with-builtin.ts";

const context = { suites: [apibench], defaultData: () => "sample" as const };
const planned = (fields: string) => {
  const { runs, problems } = planRunCell(`suite: apibench\nmodel: builtin/oracle\n${fields}\n`, context);
  expect(problems).toEqual([]);
  return runs[0]!;
};
const specOf = (fields: string): RunSpec => planned(fields).spec;
const acting = ["tool-planner", "react", "reflexion", "adaplanner", "dfsdt", "single-chain"];

describe("the APIs offered to a run of APIBench", () => {
  it("are the 50 nearest APIs for every acting strategy, whereas a plain answer gets none", () => {
    for (const strategy of acting)
      expect(specOf(`strategy: ${strategy}`).options).toMatchObject({ catalogue: "same", retrieve: 50 });
    const { options } = specOf("strategy: direct");
    expect(options["retrieve"]).toBe(0);
    expect(options).not.toHaveProperty("catalogue");
  });

  it("equal those of the earlier version with `catalogue: usual`; these runs and plain answers have the ids of 0.1.0", () => {
    expect(planned("strategy: direct").run).toBe("0f7a68ed1516b8f0");
    expect(planned("strategy: react\ncatalogue: usual").run).toBe("e801951c4d648bcd");
    expect(planned("strategy: tool-planner\ncatalogue: usual").run).toBe("3d0e413d9b77a817");
    expect(planned("strategy: adaplanner\ncatalogue: usual\nretrieve: 20").run).toBe("ac7ecf74df0e08d0");
    expect(planned("strategy: react").run).not.toBe("e801951c4d648bcd");
  });

  it("are inherited by a fork, even from a saved run that lacks the setting", () => {
    const fork = { run: "e801951c4d648bcd", task: "torchhub-1", request: 0 };
    for (const fields of ["catalogue: usual", "catalogue: same", "retrieve: gold"]) {
      const spec = specOf(`strategy: react\n${fields}`);
      const cell = forkSource({ ...spec, options: writtenOptions(apibench, spec) }, fork);
      expect(planRunCell(cell, context).runs[0]!.spec.options).toEqual(spec.options);
    }
  });

  it("are a number, `all` or `gold`", () => {
    const { problems } = planRunCell("suite: apibench\nmodel: builtin/oracle\nretrieve: most\n", context);
    expect(problems.map(({ message }) => message)).toEqual([
      'Expected `retrieve` to be all, gold, a number, got `"most"`',
    ]);
    expect(specOf("strategy: react\nretrieve: all").options["retrieve"]).toBe("all");
  });
});

describe("the sample's hubs", () => {
  let loaded: LoadedSuite;
  beforeAll(async () => {
    loaded = await apibench.open({ folder: sampleFolder("apibench"), data: "sample" });
  });
  const opened = async (fields: string) => {
    const [task] = await loaded.tasks("torchhub");
    const spec = specOf(fields);
    const { tools, toolkits } = await loaded.asks.environment!.open(task!, spec);
    const { score } = await runWithBuiltin(loaded, task!, spec, "oracle");
    return {
      functions: tools.filter(({ name }) => name !== "Finish").map(({ name }) => name),
      grouped: toolkits?.flatMap(({ tools: own }) => own.map(({ name }) => name)),
      recall: score.metrics["retriever.recall"],
      offered: score.metrics["retriever.offered"],
      right: score.value,
    };
  };

  it("offer functions and toolkits with the same APIs, and report how many there are", async () => {
    const functions = await opened("strategy: react\nretrieve: 4");
    expect(functions).toMatchObject({ grouped: undefined, offered: 4, recall: 1, right: 1 });
    expect(functions.functions).toHaveLength(4);
    const toolkits = await opened("strategy: tool-planner\nretrieve: 4");
    expect(toolkits.grouped?.toSorted()).toEqual(functions.functions.toSorted());
    expect(toolkits).toMatchObject({ offered: 4, recall: 1, right: 1 });
    expect(await opened("strategy: react\nretrieve: 4\ntoolkits: on")).toMatchObject({ offered: 4, right: 1 });
  });

  it("are offered completely with `all`, and contain only the expected API with `gold`", async () => {
    expect(await opened("strategy: dfsdt\nretrieve: all")).toMatchObject({ offered: 10, recall: 1 });
    const gold = await opened("strategy: tool-planner\nretrieve: gold");
    expect(gold).toMatchObject({ offered: 1, recall: 1, right: 1 });
    expect(gold.grouped).toEqual(gold.functions);
    expect(await opened("strategy: direct\nretrieve: gold")).toMatchObject({ offered: 1, recall: 1 });
    expect(await opened("strategy: direct")).toMatchObject({ offered: undefined, recall: undefined });
  });

  it("are solved by the oracle even if the only API offered is unsuitable", async () => {
    const tasks = (await Promise.all(apibench.splits.map(({ name }) => loaded.tasks(name)))).flat();
    for (const strategy of acting)
      for (const toolkits of strategy === "tool-planner" ? ["off"] : ["off", "on"]) {
        const fields = `strategy: ${strategy}\nretrieve: 1\ntoolkits: ${toolkits}`;
        expect(await rightOf(loaded, tasks, fields), fields).toEqual(tasks.map(({ id }) => id));
      }
  });

  it("are offered completely as toolkits, whereas the usual catalogue offers ten functions", async () => {
    const usual = await opened("strategy: tool-planner\ncatalogue: usual\nretrieve: 4");
    expect([usual.functions.length, usual.grouped?.length, usual.offered]).toEqual([4, 10, 10]);
    expect(await opened("strategy: react\ncatalogue: usual")).toMatchObject({ offered: 10 });
  });
});

describe("every result of APIBench", () => {
  const folder = temporaryFolder();

  it("shows the retriever's recall, the number of offered APIs, and the number from the paper", async () => {
    const run = (name: string, fields: string) =>
      `\`\`\`run ${name}\nsuite: apibench\nsplit: torchhub\nmodel: builtin/oracle\ndata: sample\n${fields}\`\`\`\n\n`;
    const session = folder("beside");
    mkdirSync(session);
    writeFileSync(
      join(session, "session.md"),
      `${run("few", "strategy: react\nretrieve: 1\n")}${run("planned", "strategy: tool-planner\nretrieve: all\n")}\`\`\`analysis table\npane: compare\nof: [few, planned]\n\`\`\`\n`,
    );
    const { out } = await typed("run", session);
    expect(out).toMatch(
      /builtin\/oracle: done; 8 right.* s; Retriever's recall \d+\.\d\d % of 8 tasks, APIs offered 1\n/,
    );
    expect(out).toMatch(/Retriever's recall 100\.00 % of 8 tasks, APIs offered 10\n/);
    expect(out).toContain("planned: Toolkits shown to the planner: 50 (in the paper: all)");
    expect(out).toContain("planned: Most APIs tried per toolkit: 10 (in the paper: all)");
    expect(out).toContain("planned: Retriever's recall 100.00 % of 8 tasks, APIs offered 10");
  });
});

describePublished("the published hubs", () => {
  it("contain the expected API among the nearest as often as the calls of other tasks find it", async () => {
    const published = await apibench.open({ folder: shared("data", "apibench"), data: "published" });
    const recall = async (hub: string, fields: string) => {
      const spec = specOf(`strategy: react\n${fields}`);
      const outcome = { answer: undefined, steps: [], failure: undefined };
      const { signal } = new AbortController();
      let [found, count] = [0, 0];
      for (const task of await published.tasks(hub)) {
        const { metrics } = await published.score(task, outcome, { spec, signal });
        found += metrics["retriever.recall"]!;
        count += 1;
      }
      return `${((found / count) * 100).toFixed(0)} of ${count}`;
    };
    // Version 0.1.0 did not offer the right API in 63, 65 and 35 % of the questions.
    expect(await recall("torchhub", "catalogue: usual")).toBe("37 of 186");
    expect(await recall("huggingface", "catalogue: usual")).toBe("35 of 911");
    expect(await recall("tensorflowhub", "catalogue: usual")).toBe("65 of 688");
    expect(await recall("torchhub", "")).toBe("70 of 186");
    expect(await recall("torchhub", "retrieve: all")).toBe("100 of 186");
    // For 77 questions the requested call is not in the catalogue.
    expect(await recall("huggingface", "retrieve: gold")).toBe("92 of 911");
  });

  it("are solved by the oracle with every strategy, whether the API is offered or not", async () => {
    const published = await apibench.open({ folder: shared("data", "apibench"), data: "published" });
    // The official matcher finds a call of TensorFlow Hub in an entry of another domain before its own.
    const ceilings = { torchhub: [30, 30], huggingface: [15, 15], tensorflowhub: [15, 14] } as const;
    for (const [hub, [count, ceiling]] of Object.entries(ceilings)) {
      const tasks = (await published.tasks(hub)).slice(0, count);
      const direct = await rightOf(published, tasks, "strategy: direct");
      for (const strategy of [...acting, "adaplanner\ntoolkits: on"])
        for (const catalogue of ["usual", "same"]) {
          const fields = `strategy: ${strategy}\ncatalogue: ${catalogue}`;
          expect(await rightOf(published, tasks, fields), `${hub}: ${fields}`).toEqual(direct);
        }
      expect(direct).toHaveLength(ceiling);
    }
  });
});

/** Which of these tasks the oracle solves. */
async function rightOf(loaded: LoadedSuite, tasks: readonly Task[], fields: string): Promise<readonly string[]> {
  const planned = specOf(fields);
  const right: string[] = [];
  for (const task of tasks) {
    const spec = { ...planned, split: String(task.facets["hub"]) };
    const { score } = await runWithBuiltin(loaded, task, spec, "oracle");
    if (score.value === 1) right.push(task.id);
  }
  return right;
}
