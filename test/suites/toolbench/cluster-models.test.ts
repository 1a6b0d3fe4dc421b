/** A session whose toolkits are made with an endpoint's models: explained, embedded and described before the first task. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { Endpoint } from "../../../source/engine/settings/settings.ts";
import { apibench } from "../../../suites/apibench/index.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";
import { analysisOf, cellNamed, runsOf, temporarySessions } from "../../engine/workbench/temporary-session.ts";
import { refuses, says, scriptedServer, type Answer, type Seen } from "../../engine/models/scripted-server.ts";
import { until } from "../../until.ts";

const sessions = temporarySessions();

const catalogue = readFileSync(join(sampleFolder("toolbench"), "catalogue", "apis.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { readonly category: string });
const kinds = [...new Set(catalogue.map(({ category }) => category))];

const text = ({ body }: Seen) => JSON.stringify(body);
const isEmbedding = ({ body }: Seen) => body["input"] !== undefined;
const isDescription = (seen: Seen) => text(seen).includes("put into one toolkit");
const isExplanation = (seen: Seen) => text(seen).includes("You are shown one API");

/** Explains an API by its category, embeds by the named category, describes a toolkit by the first category it names. */
const lab: Answer = (response, seen) => {
  if (isEmbedding(seen)) {
    const data = (seen.body["input"] as string[]).map((one, index) => ({
      index,
      embedding: kinds.map((kind) => (one.includes(`about ${kind}.`) ? 1 : 0.01 * (kind.length % 7))),
    }));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ object: "list", data, model: "e5" }));
  } else if (isDescription(seen))
    says(`Everything about ${kinds.find((kind) => text(seen).includes(`about ${kind}.`))}`)(response, seen);
  else says(`It is about ${kinds.find((kind) => text(seen).includes(`(${kind})`))}.`)(response, seen);
};

const endpoint = (baseUrl: string): Endpoint => ({
  name: "lab",
  baseUrl,
  concurrency: 2,
  idleTimeout: 5,
  identify: false,
  prices: { "*": { input: 1, output: 1 } },
});
const cell = (clusters: string, more = "") => `suite: toolbench
split: all
strategy: tool-planner
catalogue: all
model: builtin/oracle
clusters: ${clusters}
${more}`;
const asked = `{k: ${kinds.length}, embedding: lab/e5, explain: lab/m, describe: lab/m}`;
const session = (source: string) =>
  `\`\`\`run kits\n${source}\n\`\`\`\n\n\`\`\`analysis map\npane: clusters\nof: [kits]\n\`\`\`\n`;
const open = (source: string, url: string) =>
  sessions.open(session(source), { suites: [toolbench, apibench], settings: { endpoints: [endpoint(url)] } });

describe("a run that groups its tools with an endpoint's models", () => {
  it("sends one request for each API, before the first task, and later runs send requests only for new APIs", async () => {
    await using server = await scriptedServer(lab);
    const loaded = await open(cell(asked), server.url);
    await loaded.run(cellNamed(loaded, "kits"));
    const [run] = runsOf(loaded, "kits");
    expect(run).toMatchObject({ status: "done", preparing: undefined, counts: { right: 24, wrong: 0 } });
    expect(server.seen.filter(isExplanation)).toHaveLength(catalogue.length);
    // Explanations are equal within a category, so there are as many texts as categories.
    expect(server.seen.filter(isEmbedding).flatMap(({ body }) => body["input"] as string[])).toHaveLength(kinds.length);
    expect(server.seen.filter(isDescription)).toHaveLength(kinds.length);
    const before = server.seen.length;
    const metrics = loaded.rows(run!.run)[0]!.score!.metrics;
    expect(metrics["cluster.count"]).toBe(kinds.length);

    // Another k reuses explanations and vectors; only new toolkits must be described.
    loaded.edit(cellNamed(loaded, "kits"), cell(asked.replace(`k: ${kinds.length}`, "k: 2")));
    await loaded.run(cellNamed(loaded, "kits"));
    expect(runsOf(loaded, "kits")[0]).toMatchObject({ status: "done" });
    expect(server.seen.slice(before).every(isDescription)).toBe(true);
    // A toolkit with one category was described before.
    expect([1, 2]).toContain(server.seen.length - before);
  });

  it("shows its toolkits later without requests, and omits toolkits that would need requests", async () => {
    await using server = await scriptedServer(lab);
    const loaded = await open(cell(asked, "limit: 2"), server.url);
    await loaded.run(cellNamed(loaded, "kits"));
    await loaded.close();
    const requests = server.seen.length;
    const titles = async (again: Awaited<ReturnType<typeof open>>) => {
      analysisOf(again, "map");
      await again.settled();
      return analysisOf(again, "map").figures.map(({ title }) => title);
    };
    const again = await open(cell(asked, "limit: 2"), server.url);
    const figures = await titles(again);
    expect(figures.length).toBeGreaterThan(1);
    expect(JSON.stringify(analysisOf(again, "map").figures)).toContain(`Everything about ${kinds[0]}`);
    await again.close();
    sessions.forget("clustering");
    const without = await open(cell(asked, "limit: 2"), server.url);
    expect(await titles(without)).toEqual(["Clusterings"]);
    // Scores contain metrics of the toolkits with which the tasks were executed: without those toolkits the old scores stay.
    const { run } = runsOf(without, "kits")[0]!;
    const scores = () =>
      without.rows(run).map(({ score }) => {
        // The time to the first call varies.
        const { first_call: _, ...metrics } = score!.metrics;
        return { ...score, metrics };
      });
    const before = scores();
    await without.rescore(cellNamed(without, "kits"));
    expect(scores()).toEqual(before);
    expect(runsOf(without, "kits")[0]!.message).toMatch(/^2 tasks keep their old score .*re-run one task/);
    expect(server.seen).toHaveLength(requests);
    await without.run(cellNamed(without, "kits"), [{ run, task: without.rows(run)[0]!.task }]);
    await without.rescore(cellNamed(without, "kits"));
    expect(runsOf(without, "kits")[0]).toMatchObject({ message: undefined, status: "done" });
    expect(scores()).toEqual(before);
  });

  it("reports its progress, can be stopped, and resumes with the replies that it received", async () => {
    const held = Promise.withResolvers<void>();
    await using server = await scriptedServer((response, seen) => {
      if (server.seen.length <= 10) lab(response, seen);
      else void held.promise.then(() => lab(response, seen));
    });
    const loaded = await open(cell(asked), server.url);
    const running = loaded.run(cellNamed(loaded, "kits"));
    await until(() =>
      expect(runsOf(loaded, "kits")[0]).toMatchObject({
        status: "loading",
        preparing: expect.stringMatching(/^explaining APIs with lab\/m: \d+ of 48 requests$/),
      }),
    );
    loaded.stop(cellNamed(loaded, "kits"));
    await running;
    held.resolve();
    expect(runsOf(loaded, "kits")[0]).toMatchObject({ status: "ready", preparing: undefined, message: undefined });
    expect(loaded.rows(runsOf(loaded, "kits")[0]!.run)).toEqual([]);
    const before = server.seen.filter(isExplanation).length;
    await loaded.run(cellNamed(loaded, "kits"));
    expect(runsOf(loaded, "kits")[0]).toMatchObject({ status: "done", counts: { right: 24 } });
    // Two requests were in flight when it was stopped.
    expect(server.seen.filter(isExplanation).length - before).toBeLessThanOrEqual(catalogue.length - before + 2);
  });

  it.each([
    ["{embedding: lab/e5}", refuses(400, { error: { message: "no such model" } }), "no such model"],
    ["{explain: lab/m}", refuses(401, { error: { message: "who are you" } }), "who are you"],
    ["{embedding: nowhere/e5}", lab, "Expected an existing endpoint (builtin, lab), got `nowhere`"],
  ])("fails before any task, with the server's message, if %s cannot be reached", async (clusters, answer, message) => {
    await using server = await scriptedServer(answer);
    const loaded = await open(cell(clusters), server.url);
    await loaded.run(cellNamed(loaded, "kits"));
    const [run] = runsOf(loaded, "kits");
    expect(run).toMatchObject({ status: "failed", message: expect.stringContaining(message) });
    expect(loaded.rows(run!.run)).toEqual([]);
  });

  it("groups each task's tools if every query has its own list", async () => {
    await using server = await scriptedServer(lab);
    const loaded = await open(
      cell("{k: 2, embedding: lab/e5}", "limit: 3").replace(": all\nm", ": query\nm"),
      server.url,
    );
    await loaded.run(cellNamed(loaded, "kits"));
    expect(runsOf(loaded, "kits")[0]).toMatchObject({ status: "done", counts: { right: 3 } });
    expect(server.seen.every(isEmbedding)).toBe(true);
  });

  it("works for APIBench, too", async () => {
    await using server = await scriptedServer(lab);
    const source = `suite: apibench\nsplit: torchhub\nstrategy: tool-planner\nmodel: builtin/oracle\nlimit: 2\nclusters: {k: 2, embedding: lab/e5, describe: lab/m}`;
    const loaded = await open(source, server.url);
    await loaded.run(cellNamed(loaded, "kits"));
    expect(runsOf(loaded, "kits")[0]).toMatchObject({ status: "done", counts: { right: 2 } });
    // All vectors are equal and make one toolkit, because no text names a category.
    expect(server.seen.filter(isEmbedding)).toHaveLength(1);
    expect(server.seen.filter(isDescription)).toHaveLength(1);
  });
});

describe("the cost of grouping", () => {
  it("is forecast before any request, once for all runs that share the grouping", async () => {
    await using server = await scriptedServer(lab);
    const loaded = await open("", server.url);
    const alone = await loaded.forecast(cell("{k: 5}"));
    const one = await loaded.forecast(cell("{k: 5, embedding: lab/e5, explain: lab/m, describe: lab/m}"));
    expect(one.calls - alone.calls).toBe(48 + 1 + 5);
    expect(one.cost! - alone.cost!).toBeCloseTo((one.input - alone.input + one.output - alone.output) / 1e6, 6);
    expect(one.warnings.slice(0, 3)).toEqual([
      "First, lab/m: at most 48 requests for explanations of APIs; replies are cached",
      "First, lab/e5: at most 1 request for vectors; replies are cached",
      "First, lab/m: at most 5 requests for descriptions of toolkits; replies are cached",
    ]);
    const grid = await loaded.forecast(cell("{k: [5, 6], embedding: lab/e5, explain: lab/m, describe: lab/m}"));
    expect(grid.calls - 2 * alone.calls).toBe(48 + 1 + 5 + 6);
    expect(grid.warnings).toContain(
      "First, lab/m: at most 11 requests for descriptions of toolkits; replies are cached",
    );
    // Toolkits from other vectors are different toolkits, so each is counted.
    const both = await loaded.forecast(cell("{k: 5, embedding: [lexical, lab/e5], describe: lab/m}"));
    expect(both.calls - 2 * alone.calls).toBe(1 + 5 + 5);
    // The catalogue is equal for every split.
    const splits = "split: [G1_instruction, G2_instruction]";
    const wide = await loaded.forecast(cell("{k: 5, explain: lab/m}").replace("split: all", splits));
    const none = await loaded.forecast(cell("{k: 5}").replace("split: all", splits));
    expect(wide.calls - none.calls).toBe(48);
    const wrong = await loaded.forecast(cell("{embedding: nowhere/e5, explain: nowhere/m}"));
    expect(wrong.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining("planwright endpoint add nowhere"),
    ]);
    expect(server.seen).toHaveLength(0);
  });

  it("is computed from the tools of every query, which are counted once for all runs", async () => {
    const loaded = await open("", "http://127.0.0.1:9/v1");
    const callsOf = async (clusters: string, more: string) =>
      (await loaded.forecast(cell(clusters, more).replace("catalogue: all", "catalogue: query"))).calls;
    const added = async (more: string) =>
      (await callsOf("{k: 2, embedding: lab/e5}", more)) - (await callsOf("{k: 2}", more));
    expect(await added("limit: 3")).toBe(3);
    expect(await added("limit: [3, 24]")).toBe(24);
    expect(await added("trial: [1, 2]")).toBe(24);
    const [one, other] = ["G1_instruction", "G2_instruction"].map((split) => `limit: 2\nfilter: {set: ${split}}`);
    expect((await added(one!)) + (await added(other!))).toBe(4);
  });

  it.each([
    ["{embedding: e5}", 'Expected `clusters.embedding` to be lexical, library, ENDPOINT/MODEL, got `"e5"`'],
    ["{explain: builtin/oracle}", 'Expected `clusters.explain` to be none, ENDPOINT/MODEL, got `"builtin/oracle"`'],
    ["{describe: 3}", "Expected `clusters.describe` to be none, ENDPOINT/MODEL, got `3`"],
  ])("is not computed if the cell is rejected because of %s", async (clusters, problem) => {
    const loaded = await open("", "http://127.0.0.1:9/v1");
    expect((await loaded.forecast(cell(clusters))).problems.map(({ message }) => message)).toEqual([problem]);
  });
});
