import { expect, it, test } from "vitest";
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

it("toolkits that need no model are computed once for a run and for the analyses that show them", async () => {
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

const toolkits = [1, 2, 12, 2000].map((id) => ({ id, description: `Kit ${id}`, tools: [] }));

test("the toolkits listed in a prompt are found in it", () => {
  const shown = [toolkits[3]!, toolkits[1]!];
  const prompt = `${listing(shown)}\n\nRequest: which of Toolkit 12 or [Toolkit 7, is it?`;
  expect(listedIn(prompt, toolkits)).toEqual([toolkits[1], toolkits[3]]);
  expect(listedIn("no list", toolkits)).toEqual([]);
});
