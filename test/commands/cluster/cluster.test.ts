import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clusterCommand } from "../../../source/commands/cluster/cluster.ts";
import { formatLibrary, readLibrary } from "../../../source/engine/clustering/toolkits/library.ts";
import { sampleApis } from "../../engine/clustering/toolkits/sample-apis.ts";
import { describePublished, shared, sharedJson } from "../../shared.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-cluster-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function cluster(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const io = {
    stdout: (text: string) => void (out += text),
    stderr: (text: string) => void (err += text),
    signal: new AbortController().signal,
  };
  const status = await clusterCommand(args, io);
  return { status, out, err };
}

/** Writes vectors with their shape file, and returns the two flags. */
function vectorFiles(rows: readonly (readonly number[])[], shape: unknown = [rows.length, rows[0]!.length]): string[] {
  const bytes = Buffer.alloc(rows.flat().length * 4);
  rows.flat().forEach((value, index) => bytes.writeFloatLE(value, index * 4));
  writeFileSync(join(folder, "a.bin"), bytes);
  writeFileSync(join(folder, "a.json"), JSON.stringify({ shape, dtype: "float32" }));
  return ["--vectors", join(folder, "a.bin"), "--shape", join(folder, "a.json")];
}

describe("planwright cluster", () => {
  const rows = [
    [1, 0],
    [0, 5],
    [2, 0],
    [0, 6],
  ];

  it("a clustering is printed as one JSON object for k-means", async () => {
    const { status, out, err } = await cluster(...vectorFiles(rows), "--method", "kmeans", "--k", "2", "--json");
    expect([status, err]).toEqual([0, ""]);
    const { seconds, silhouette, ...rest } = JSON.parse(out) as Record<string, unknown>;
    expect(rest).toEqual({
      format: 1,
      method: "kmeans",
      k: 2,
      inertia: 1,
      iterations: 2,
      mending: 0,
      labels: [0, 1, 0, 1],
      sizes: [2, 2],
    });
    expect(silhouette).toBeCloseTo(0.8246, 4);
    expect(seconds).toBeGreaterThan(0);
  });

  it("prints the clusters that DBSCAN finds", async () => {
    const { out } = await cluster(...vectorFiles(rows), "--method", "dbscan", "--eps", "0.1", "--json");
    expect(JSON.parse(out)).toMatchObject({
      method: "dbscan",
      k: 2,
      eps: 0.1,
      clusters: 2,
      labels: [0, 1, 0, 1],
      silhouette: 1,
    });
  });

  it("prints readable tables without --json", async () => {
    const { out } = await cluster(...vectorFiles(rows), "--method", "kmeans", "--k", "2");
    expect(out).toContain("k-means");
    expect(out).toMatch(/inertia +1\.0000/);
    expect(out).toMatch(/2 members .* 2/);
  });

  it("groups a library into toolkits, and writes these to a file", async () => {
    const path = join(folder, "library.jsonl");
    writeFileSync(path, formatLibrary(sampleApis));
    const out = join(folder, "toolkits.jsonl");
    const done = await cluster("--library", path, "--k", "6", "--embedding", "lexical", "--out", out, "--json");
    expect(done.err).toBe(`Wrote 30 APIs in 6 toolkits to ${out}\n`);
    const { labels, toolkits } = JSON.parse(done.out) as { labels: number[]; toolkits: { apis: number[] }[] };
    const library = await readLibrary(out);
    expect(library.map(({ toolkit }) => toolkit)).toEqual(labels);
    expect(toolkits.flatMap(({ apis }) => apis).sort((a, b) => a - b)).toEqual(sampleApis.map(({ id }) => id));
    expect(library[0]!.toolkit_fun).toMatch(/^APIs about /);
  });

  it.each([
    {
      args: ["--method", "kmeans", "--k", "5"],
      word: "Expected `--k` to be a whole number from 1 to 4, the number of vectors, got `5`",
    },
    { args: ["--method", "kmeans", "--k", "0"], word: "Expected `--k` to be a whole number of at least 1, got `0`" },
    { args: ["--method", "kmeans"], word: "Expected `--k K`, the number of clusters, got none" },
    { args: ["--method", "dbscan"], word: "Expected `--eps E`, a cosine distance, got none" },
    { args: ["--method", "dbscan", "--eps", "3"], word: "Expected `--eps` to be a number from 0 to 2, got `3`" },
    {
      args: ["--method", "dbscan", "--eps", "0.1", "--k", "3"],
      word: "Expected `--k` only together with `--method kmeans`",
    },
    { args: ["--method", "ward"], word: "Expected `--method` to be kmeans or dbscan, got `ward`" },
    { args: [], word: "Expected `--method kmeans` or `--method dbscan`, got none" },
    {
      args: ["--method", "kmeans", "--k", "2", "--n-init", "0"],
      word: "Expected `--n-init` to be a whole number of at least 1, got `0`",
    },
    { args: ["--method", "kmeans", "--k", "2", "--out", "x"], word: "Expected `--out` only together with `--library`" },
  ])("rejects $args", async ({ args, word }) => {
    const { status, out, err } = await cluster(...vectorFiles(rows), ...args);
    expect([status, out, err]).toEqual([2, "", `${word}\n`]);
  });

  it("rejects malformed files", async () => {
    const kmeans = ["--method", "kmeans", "--k", "1"];
    expect((await cluster(...vectorFiles([[1], [Number.NaN]]), ...kmeans)).err).toBe(
      "Expected finite numbers, got NaN in row 1, column 0\n",
    );
    expect((await cluster(...vectorFiles([[1], [2]], [3, 1]), ...kmeans)).err).toMatch(
      /to be 3 x 1 x 4 = 12 bytes long according to .*a\.json, got 8\n$/,
    );
    expect((await cluster(...vectorFiles([[1], [2]], [2]), ...kmeans)).err).toMatch(
      /to be \[rows, dims\], got \[2\]\n$/,
    );
    expect(
      (
        await cluster(
          ...vectorFiles([
            [0, 0],
            [1, 1],
          ]),
          "--method",
          "dbscan",
          "--eps",
          "0.1",
        )
      ).status,
    ).toBe(2);
    expect((await cluster("--vectors", "/nowhere", "--shape", "/nowhere", ...kmeans)).err).toBe(
      "Expected a file at /nowhere, found none\n",
    );
    expect((await cluster("--library", "/nowhere", "--k", "3", "--embedding", "x")).err).toBe(
      "Expected `--embedding` to be lexical, onnx or ENDPOINT/MODEL, got `x`\n",
    );
    expect((await cluster("--nonsense")).status).toBe(2);
  });
});

describePublished("planwright cluster on published vectors", () => {
  it("prints scikit-learn's partitions", async () => {
    const name = ["conformance", "toolplanner"];
    const files = [
      "--vectors",
      shared(...name, "emb_a_600x64.f32le.bin"),
      "--shape",
      shared(...name, "emb_a_600x64.shape.json"),
    ];
    const expected = sharedJson<{
      kmeans: { k: number; labels_canonical: number[] }[];
      dbscan: { eps: number; labels_canonical: number[] }[];
    }>(...name, "emb_a_600x64.expected.json");
    const kmeans = await cluster(...files, "--method", "kmeans", "--k", "8", "--n-init", "10", "--seed", "0", "--json");
    const dbscan = await cluster(...files, "--method", "dbscan", "--eps", "0.02", "--json");
    const labels = ({ out }: { out: string }) => (JSON.parse(out) as { labels: number[] }).labels;
    expect(labels(kmeans)).toEqual(expected.kmeans.find(({ k }) => k === 8)!.labels_canonical);
    expect(labels(dbscan)).toEqual(expected.dbscan.find(({ eps }) => eps === 0.02)!.labels_canonical);
  });
});
