import { createHash } from "node:crypto";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { explain, explainByDescription } from "../../../../source/engine/clustering/toolkits/explanations.ts";
import type { Asking } from "../../../../source/engine/clusters.ts";
import {
  describeToolkits,
  libraryOf,
  toolkits,
  toolkitsIn,
  descriptionRequests,
} from "../../../../source/engine/clustering/toolkits/toolkits.ts";
import type { Message } from "../../../../source/engine/types.ts";
import { sampleApis } from "./sample-apis.ts";

const { signal } = new AbortController();
const labels = sampleApis.map((_, index) => index % 6);

describe("toolkits", () => {
  it("are described by the words that distinguish each toolkit", async () => {
    const all = await toolkits(sampleApis, labels);
    expect(all.map(({ id, apis }) => [id, apis.length])).toEqual([0, 1, 2, 3, 4, 5].map((id) => [id, 5]));
    for (const { apis, description } of all) {
      expect(description).toMatch(/^APIs about /);
      expect(description).toContain(apis[0]!.api_dest.type_name.replace(/s$/, "").slice(0, 4));
    }
  });

  it("can be described by a model; after an empty reply, toolkits keep their words, and the model gets the request again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "planwright-descriptions-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const all = await toolkits(sampleApis, labels);
    const seen: string[] = [];
    const asking: Asking = {
      model: "m",
      cache: join(folder, "descriptions.jsonl"),
      signal,
      concurrency: 1,
      ask: async (messages) => {
        seen.push(messages.at(-1)!.content);
        return seen.length === 2 ? "  " : ` Toolkit\nnumber ${seen.length} `;
      },
    };
    expect(await descriptionRequests(all, asking)).toBe(6);
    const described = await describeToolkits(all, asking);
    expect(seen[0]).toContain("[API0 weather.weather.weather_0, Functionality: Current weather for a city");
    expect(described[0]!.description).toBe("Toolkit number 1");
    expect(described[1]!.description).toBe(all[1]!.description);
    expect(await descriptionRequests(all, asking)).toBe(1);
    expect((await describeToolkits(all, asking))[1]!.description).toBe("Toolkit number 7");
  });

  it("are written into a library and read back", async () => {
    const all = await toolkits(sampleApis, labels);
    const library = libraryOf(sampleApis, all);
    expect(library.map(({ toolkit }) => toolkit)).toEqual(labels);
    expect((await toolkitsIn(library)).map(({ id, description }) => ({ id, description }))).toEqual(
      all.map(({ id, description }) => ({ id, description })),
    );
    expect(await toolkitsIn(sampleApis)).toEqual([]);
  });

  it("must have a label for each API", async () => {
    await expect(toolkits(sampleApis, [0])).rejects.toThrow("Expected one label for each of 30 APIs, got 1");
  });
});

it("requests for toolkits contain the same messages as in earlier versions, or a run's own texts", async () => {
  const folder = mkdtempSync(join(tmpdir(), "planwright-cluster-prompts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const sent: (readonly Message[])[] = [];
  const asking = (name: string): Asking => ({
    model: "m",
    cache: join(folder, name),
    signal,
    concurrency: 1,
    ask: async (messages) => {
      sent.push(messages);
      return "x";
    },
  });
  const taken = () => sent.splice(0);
  const hash = () => createHash("sha256").update(JSON.stringify(taken())).digest("hex").slice(0, 12);
  const crowded = Array.from({ length: 62 }, (_, id) => ({ ...sampleApis[id % 30]!, id }));
  await explain(sampleApis, asking("explanations"));
  expect(hash()).toBe("515bdfdc8ce2");
  await describeToolkits(await toolkits(sampleApis, labels), asking("descriptions"));
  expect(hash()).toBe("d0f1fd464e3d");
  const single = await toolkits(
    crowded,
    crowded.map(() => 0),
  );
  await describeToolkits(single, asking("crowded"));
  expect(hash()).toBe("e2aaa8bc9b9c");

  const prompts = {
    explain: "Be short.",
    "explain.user": "{{name}} in {{category}}",
    "describe.user": "All:{{others}}",
  };
  await explain(sampleApis.slice(0, 1), asking("explanations"), prompts);
  expect(taken()).toEqual([
    [
      { role: "system", content: "Be short." },
      { role: "user", content: "weather_0 in weather" },
    ],
  ]);
  await describeToolkits(single, asking("crowded"), prompts);
  expect(taken()[0]![1]!.content).toBe("All:\n(and 2 more like these)");
});

describe("explanations", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "planwright-explanations-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it("are the descriptions if no model is configured", () => {
    const [api] = explainByDescription([{ ...sampleApis[0]!, functionality: "" }]);
    expect(api!.functionality).toBe(sampleApis[0]!.api_dest.desc);
  });

  it("are requested once, even if a run is killed while it writes a line", async () => {
    const cache = join(folder, "kept", "explanations.jsonl");
    let asked = 0;
    const ask = async () => {
      asked += 1;
      if (asked === 11) throw new Error("the model is gone");
      return `explanation ${asked}`;
    };
    const options = { model: "m", ask, cache, signal, concurrency: 1 };
    await expect(explain(sampleApis, options)).rejects.toThrow("the model is gone");
    appendFileSync(cache, '{"key": "cut o');
    appendFileSync(cache, "\n");
    const explained = await explain(sampleApis, options);
    expect(asked).toBe(11 + 20);
    expect(explained[0]!.functionality).toBe("explanation 1");
    expect(explained[29]!.functionality).toBe("explanation 31");
    expect(await explain(sampleApis, options)).toEqual(explained);
    expect(asked).toBe(31);
    await explain(sampleApis.slice(0, 2), { ...options, model: "another" });
    expect(asked).toBe(33);
  });

  it("are the descriptions after an empty reply, and are requested again the next time", async () => {
    const cache = join(folder, "explanations.jsonl");
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return " ";
    };
    for (const times of [1, 2]) {
      const [api] = await explain(sampleApis.slice(0, 1), { model: "m", ask, cache, signal });
      expect(api!.functionality).toBe(sampleApis[0]!.api_dest.desc);
      expect(asked).toBe(times);
    }
  });
});
