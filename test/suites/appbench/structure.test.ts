import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { describeApis, describeApps } from "../../../suites/appbench/data/catalogue.ts";
import { readCall } from "../../../suites/appbench/score/call-text.ts";
import { sequentialScale, topologyOf } from "../../../suites/appbench/data/topology.ts";
import { describePublished, sharedJson } from "../../shared.ts";
import { expectClose } from "./close.ts";
import { publishedCatalogue, publishedGold } from "./published.ts";

type Rendered = { text: string; sha256: string; chars?: number };
type TopologyFile = {
  records: { sample_id: string; components: number; sizes: number[]; edges: number[][]; calls: string[] }[];
  aggregate: Record<string, Record<string, number>>;
};

describePublished("the catalogue equals upstream's, byte for byte", () => {
  const rendered = sharedJson<{
    app_descriptions: Rendered;
    all_apps_and_apis: Rendered;
    two_apps: Rendered & { apps: string[] };
  }>("conformance", "appbench", "catalogue_render.json");
  const { apps } = publishedCatalogue();
  const two = apps.filter((app) => rendered.two_apps.apps.includes(app.name));

  test.each([
    ["descriptions of the apps", describeApps(apps), rendered.app_descriptions],
    ["all apps with their APIs", describeApis(apps), rendered.all_apps_and_apis],
    ["two apps with their APIs", describeApis(two), rendered.two_apps],
  ])("rendered as %s", (_, text, expected) => {
    expect(text).toBe(expected.text);
    expect(text.length).toBe(expected.chars ?? text.length);
    expect(createHash("sha256").update(text).digest("hex")).toBe(expected.sha256);
  });
});

describePublished("the structure of reference plans", () => {
  const { records, aggregate } = sharedJson<TopologyFile>("conformance", "appbench", "topology.json");
  const gold = publishedGold();

  test(`has upstream's edges and components in ${records.length} plans`, () => {
    for (const { sample_id, calls, ...expected } of records) {
      const { used_app, api_results } = gold.get(sample_id)!;
      const used = api_results.slice(0, used_app.length);
      expect(used.map((call) => readCall(call)?.name)).toEqual(calls);
      const { edges, sizes } = topologyOf(used);
      expect({ components: sizes.length, sizes, edges }, sample_id).toEqual(expected);
    }
  });

  test("has upstream's parallel and sequential scales by category", () => {
    for (const [category, expected] of Object.entries(aggregate)) {
      const plans = records
        .filter(({ sample_id }) => sample_id.startsWith(category.toLowerCase()))
        .map(({ sample_id }) => {
          const { used_app, api_results } = gold.get(sample_id)!;
          return topologyOf(api_results.slice(0, used_app.length));
        });
      const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      const sizes = plans.flatMap((plan) => plan.sizes);
      const parallel = plans.map((plan) => plan.sizes.length);
      expectClose(
        {
          samples: plans.length,
          max_parallel: Math.max(...parallel),
          avg_parallel: mean(parallel),
          max_sequential: Math.max(...sizes),
          avg_sequential_over_components: mean(sizes),
          avg_sequential_over_samples: mean(plans.map((plan) => mean([...plan.sizes]))),
        },
        expected,
        category,
      );
    }
  });

  test("falls into the published buckets of parallel by sequential scale if plans use several apps", () => {
    const buckets = new Map<string, number>();
    for (const [id, { used_app, api_results }] of gold) {
      if (!id.startsWith("mm")) continue;
      const topology = topologyOf(api_results.slice(0, used_app.length));
      const bucket = `${topology.sizes.length} x ${sequentialScale(topology)}`;
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
    }
    expect(Object.fromEntries(buckets)).toEqual({
      "1 x 3": 38,
      "1 x 4": 2,
      "1 x 5": 1,
      "2 x 1.5": 80,
      "2 x 2": 40,
      "2 x 2.5": 3,
      "3 x 1.33": 3,
      "3 x 1.67": 8,
      "3 x 2": 4,
      "4 x 1.25": 18,
      "4 x 1.5": 1,
      "4 x 1.75": 2,
    });
  });
});
