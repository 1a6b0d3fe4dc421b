import { beforeAll, describe, expect, it } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { planRunCell } from "../../../source/engine/session/run-cell.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { RunSpec, Score } from "../../../source/engine/types.ts";
import { runWithBuiltin } from "../run-with-builtin.ts";
import { hubs } from "../../../suites/apibench/score/extraction.ts";
import { apibench } from "../../../suites/apibench/index.ts";
import { loadPythonGrammar } from "../../../suites/apibench/data/python-grammar.ts";
import { describePublished, shared } from "../../shared.ts";
import { askingStrategies } from "../../asking-strategies.ts";

let loaded: LoadedSuite;
beforeAll(async () => {
  loaded = await apibench.open({ folder: sampleFolder("apibench"), data: "sample" });
});

const signal = new AbortController().signal;
const specOf = (strategy: string, options: RunSpec["options"] = {}): RunSpec =>
  ({
    suite: "apibench",
    strategy,
    options,
    budget: { task: { steps: 60 } },
    temperature: 0,
    seed: 7,
    trial: 1,
    shots: 0,
  }) as unknown as RunSpec;

async function runAll(on: LoadedSuite, spec: RunSpec, model: string): Promise<Score[]> {
  const tasks = (await Promise.all(hubs.map((hub) => on.tasks(hub)))).flat();
  return Promise.all(tasks.map((task) => runWithBuiltin(on, task, spec, model).then(({ score }) => score)));
}

describe("the sample of APIBench", () => {
  it.each(["direct", "react"])("shows the right answer of %s as equal to its reference", async (strategy) => {
    const [task] = await loaded.tasks("torchhub");
    const { steps } = await runWithBuiltin(loaded, task!, specOf(strategy), "oracle");
    const said = steps.findLast((step) => step.type === "answer");
    const { plan, reference } = loaded.describe!(task!, said?.answer);
    expect(plan).toEqual(reference);
  });

  it("has match keys that agree with the grammar", async () => {
    const { matchCall, isStrictly } = await import("../../../suites/apibench/score/extraction.ts");
    const { loadHub } = await import("../../../suites/apibench/data/catalogue.ts");
    const listNodes = await loadPythonGrammar();
    for (const hub of hubs) {
      const { keys, apis, questions } = await loadHub(sampleFolder("apibench"), hub);
      expect(questions.size).toBeGreaterThanOrEqual(5);
      for (const [index, key] of keys.entries()) {
        const nodes = listNodes(apis[index]!.api_call);
        expect([matchCall(nodes, keys), isStrictly(nodes, key)]).toEqual([index, true]);
      }
    }
  });

  it("gives no points to a reply without a call, by either parser", async () => {
    for (const hub of hubs) {
      const [task] = await loaded.tasks(hub);
      const outcome = { answer: "I do not know of any.", steps: [], failure: undefined };
      const { value, metrics } = await loaded.score(task!, outcome, { spec: specOf("direct"), signal });
      expect(value).toBe(0);
      expect(metrics).toMatchObject({ pass: 0, same_api: 0, same_function_and_arguments: 0 });
    }
  });

  for (const { name } of askingStrategies(apibench)) {
    it(`is solved by the oracle with ${name}`, async () => {
      for (const toolkits of name === "direct" || name === "tool-planner" ? ["off"] : ["off", "on"]) {
        const scores = await runAll(loaded, specOf(name, { toolkits }), "oracle");
        expect(
          scores.map(({ metrics }) => [metrics["pass"], metrics["same_api"], metrics["same_function_and_arguments"]]),
        ).toEqual(scores.map(() => [1, 1, 1]));
      }
    });
  }

  it("shows the call parsed from a reply next to the expected call", async () => {
    const [task] = await loaded.tasks("torchhub");
    const { domain, api_call } = task!.answer as { readonly domain: string; readonly api_call: string };
    const shown = (answer: string) => loaded.describe!(task!, { output: answer });
    const reference = [{ title: domain, lines: [api_call], needs: [] }];
    const right = `<<<domain>>>: ${domain}\n<<<api_call>>>: ${api_call}\n<<<api_provider>>>: the hub`;
    expect(shown(right)).toEqual({ reference, plan: reference, matches: [[0, 0]] });
    expect(shown("I do not know of any.").plan).toEqual([
      { title: "Reply", lines: ["I do not know of any."], needs: [] },
    ]);
    expect(shown("")).toEqual({ reference, plan: [], matches: [] });
  });

  it("reports each injected mistake as its own kind", async () => {
    const kindsOf = async (kind: string) =>
      new Set(
        (await runAll(loaded, specOf("direct"), `slips?${kind}=1`)).flatMap(({ errors }) =>
          errors.map((error) => error.kind),
        ),
      );
    expect(await kindsOf("wrong-domain")).toEqual(new Set(["wrong-domain"]));
    expect(await kindsOf("api-hallucinated")).toEqual(new Set(["api-hallucinated"]));
    expect([...(await kindsOf("other-api"))]).toEqual(["other-api"]);
    expect(await kindsOf("no-api-call")).toEqual(new Set(["no-api-call", "api-hallucinated"]));
  });

  it("has answers judged in both orders against the reference", async () => {
    const [task] = await loaded.tasks("torchhub");
    const { score } = await runWithBuiltin(loaded, task!, specOf("direct"), "oracle", {
      ask: async () => '{"better": 1}',
    });
    expect(score.metrics).toMatchObject({ win: 0, "votes.candidate": 1, "votes.reference": 1 });
    const { score: nonsense } = await runWithBuiltin(loaded, task!, specOf("direct"), "oracle", {
      ask: async () => "?",
    });
    expect(nonsense.labels).toMatchObject({ votes: "none, none" });
  });

  it("executes a call by matching it, and gives the reason if that fails", async () => {
    const [task] = await loaded.tasks("torchhub");
    const environment = await loaded.asks.environment!.open(task!, specOf("react"));
    const run = async (name: string, text: string) => {
      const { observation, ...rest } = await environment.call({ id: "c", name, text, arguments: undefined }, signal);
      return { ...rest, error: (JSON.parse(observation) as { error: string }).error };
    };
    const tool = "api_0_gullnet_small";
    const right = JSON.stringify({ api_call: "torch.hub.load('harbourlab/vision-kit', 'gullnet_small')" });
    expect(await run(tool, right)).toMatchObject({ ok: true, status: 0 });
    expect(
      (await run(tool, "{\"api_call\": \"torch.hub.load('harbourlab/vision-kit', 'gullnet_large')\"}")).error,
    ).toContain("Invalid call");
    expect(await run(tool, '{"api_call": "made_up()"}')).toMatchObject({ ok: false, status: 1 });
    expect((await run(tool, "{")).error).toContain("Missing required parameter");
    expect(await run("ghost", right)).toMatchObject({ ok: false, status: 1 });
  });
});

it("APIBench reports the paper's tables 2 and 8", async () => {
  const { tables, values } = await apibench.reported!();
  expect(tables).toHaveLength(2);
  const best = values.find(
    ({ row, where, measure }) =>
      row === "GPT-4, Tool-Planner" && where["hub"] === "torchhub" && measure === "official.pass",
  );
  expect(best?.value).toBe(0.832);
});

it("APIBench keeps the ids of runs from versions in which models could not make toolkits", () => {
  const context = { suites: [apibench], defaultData: () => "sample" as const };
  const optionsOf = (source: string) =>
    planRunCell(`suite: apibench\nmodel: builtin/oracle\n${source}`, context).runs[0]!.spec.options;
  const before = { retrieve: 0, "clusters.k": 0, "clusters.method": "kmeans" };
  expect(optionsOf("strategy: direct")).toEqual(before);
  expect(optionsOf("strategy: direct\nclusters: {embedding: lexical, explain: none, describe: none}")).toEqual(before);
  const asked = { embedding: "lab/e5", explain: "lab/m", describe: "lab/m" };
  const wanted = Object.fromEntries(Object.entries(asked).map(([name, model]) => [`clusters.${name}`, model]));
  expect(optionsOf(`strategy: direct\nclusters: ${JSON.stringify(asked)}`)).toEqual({ ...before, ...wanted });
});

describePublished("published questions of APIBench", () => {
  it("are complete, and the oracle reaches the ceiling of the catalogue", async () => {
    const published = await apibench.open({ folder: shared("data", "apibench"), data: "published" });
    const counts = await Promise.all(hubs.map(async (hub) => (await published.tasks(hub)).length));
    expect(counts).toEqual([186, 911, 688]);
    const tasks = await published.tasks("torchhub");
    const scores = await Promise.all(
      tasks.map((task) => runWithBuiltin(published, task, specOf("direct"), "oracle").then(({ score }) => score)),
    );
    // Some calls are a prefix of others in file order (vgg13 of vgg13_bn): the first match wins, within the same domain.
    expect(scores.filter(({ value }) => value === 1)).toHaveLength(186);
    expect(scores.filter(({ metrics }) => metrics["same_function_and_arguments"] === 1)).toHaveLength(186);
    expect(scores.filter(({ metrics }) => metrics["same_api"] === 1).length).toBeLessThan(186);
  });
});
