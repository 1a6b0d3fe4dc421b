import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, test } from "vitest";
import { localModels } from "../../../source/engine/clustering/toolkits/cached-models.ts";
import { clusterRequests, clusterSettings } from "../../../source/engine/toolkits/cluster-settings.ts";
import { ToolClusters, type ClusterItem } from "../../../source/engine/toolkits/tool-clusters.ts";
import { unmonitored } from "../../../source/engine/work/monitor.ts";
import { sampleApis } from "../clustering/toolkits/sample-apis.ts";
import { listedIn, listing } from "../../../source/engine/toolkits/plan.ts";

const items: readonly ClusterItem[] = sampleApis.map((api) => ({
  api,
  text: api.functionality,
  spec: { name: api.api_dest.name, description: api.functionality, parameters: {} },
}));
const settings = { method: "kmeans", k: 4, eps: 0.02, embedding: "lexical" } as const;

it("toolkits that need no model are computed once for a run and for all analyses that show them", async () => {
  const clusters = new ToolClusters();
  let read = 0;
  const readItems = async () => {
    read += 1;
    return items;
  };
  const leaving = new AbortController();
  const looked = clusters.look("pool", settings, readItems, unmonitored(leaving.signal));
  const made = clusters.make("pool", settings, readItems, unmonitored());
  leaving.abort(new Error("left"));
  await expect(looked).rejects.toThrow("left");
  expect((await made).toolkits).toHaveLength(4);
  expect(await clusters.look("pool", settings, readItems, unmonitored())).toBe(await made);
  expect(clusters.known("pool", settings)).toBe(await made);
  expect(read).toBe(1);
});

it("toolkits are explained and described with a run's own prompts, separately from those of other runs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "planwright-own-clusters-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const sent: string[] = [];
  const clusters = new ToolClusters({
    ...localModels,
    asking: (stage, model, { signal }) => ({
      model,
      cache: join(folder, stage),
      signal,
      ask: async (messages) => {
        sent.push(messages[0]!.content);
        return "It serves.";
      },
    }),
  });
  const options = { "clusters.k": 4, "clusters.explain": "lab/model", "clusters.describe": "lab/model" };
  const made = async (prompts?: Readonly<Record<string, string>>) => {
    await clusters.make(
      "pool",
      clusterSettings({ options, ...(prompts && { prompts }) }),
      async () => items,
      unmonitored(),
    );
    return Object.fromEntries(
      Map.groupBy(sent.splice(0), (text) => text.split(".")[0]!)
        .entries()
        .map(([text, all]) => [text, all.length]),
    );
  };
  const explained = { "You are shown one API: its name, what its publisher says about it, and its documentation": 30 };
  const described = { "The APIs below were put into one toolkit because they do similar things": 4 };
  expect(await made()).toEqual({ ...explained, ...described });
  // The explanations are those of the run before.
  expect(await made({ describe: "Describe shortly." })).toEqual({ "Describe shortly": 4 });
  expect(await made({ explain: "Explain shortly." })).toMatchObject({ "Explain shortly": 30 });
  expect(await made()).toEqual({});
});

it("settings contain a run's own prompts only for the models that receive them", () => {
  const prompts = { explain: "Explain.", "explain.user": "{{name}}", describe: "Describe.", plan: "Plan." };
  const settingsOf = (options: Readonly<Record<string, string>>) => clusterSettings({ options, prompts });
  expect(settingsOf({})).toEqual({ method: "kmeans", k: 0, eps: 0.02, embedding: "lexical" });
  expect(settingsOf({ "clusters.explain": "lab/model" })).toEqual({
    ...settingsOf({}),
    explain: "lab/model",
    explainPrompts: { explain: "Explain.", "explain.user": "{{name}}" },
  });
  expect(settingsOf({ "clusters.describe": "lab/model" })).toMatchObject({
    describePrompts: { describe: "Describe." },
  });
  const requests = (own: typeof prompts | undefined) =>
    clusterRequests(
      clusterSettings({ options: { "clusters.explain": "lab/model" }, ...(own && { prompts: own }) }),
      "pool",
      30,
    ).map(({ of, calls }) => [of, calls]);
  expect(requests(undefined)).toEqual([['["pool","lab/model"]', 30]]);
  expect(requests(prompts)[0]![0]).not.toBe('["pool","lab/model"]');
});

const toolkits = [1, 2, 12, 2000].map((id) => ({ id, description: `Kit ${id}`, tools: [] }));

test("the toolkits in a prompt are recognised as such", () => {
  const shown = [toolkits[3]!, toolkits[1]!];
  const prompt = `${listing(shown)}\n\nRequest: which of Toolkit 12 or [Toolkit 7, is it?`;
  expect(listedIn(prompt, toolkits)).toEqual([toolkits[1], toolkits[3]]);
  expect(listedIn("no list", toolkits)).toEqual([]);
});
