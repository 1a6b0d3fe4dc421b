/**
 * Speed and peak memory of clustering, beside scikit-learn and faiss with as many threads, on matrices with planted clusters
 * from a seeded generator. Each in a process of its own. The Python that has them is `PLANWRIGHT_PYTHON`, else `python3`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { threadsFor } from "../source/engine/clustering/kernel/threads.ts";
import { dbscan } from "../source/engine/clustering/methods/dbscan.ts";
import { kMeans } from "../source/engine/clustering/methods/k-means.ts";
import { silhouette } from "../source/engine/clustering/methods/silhouette.ts";
import type { Vectors } from "../source/engine/clustering/methods/vectors.ts";
import { randomFrom } from "../source/engine/statistics/random.ts";
import { measured } from "./child-program.ts";
import type { LeftOut, Measurement, Reference } from "./measurement.ts";

type Planted = { readonly rows: number; readonly dims: number; readonly k: number };
type Method = "k-means" | "k-means refined" | "silhouette" | "DBSCAN";
type Taken = { readonly seconds: number; readonly memory: number; readonly result: number };

/** As many APIs as ToolBench has, and the number of toolkits Tool-Planner makes of them. */
const full: Planted = { rows: 16_464, dims: 768, k: 1800 };
const larger: readonly Planted[] = [
  { rows: 50_000, dims: 768, k: 2000 },
  { rows: 100_000, dims: 768, k: 5000 },
];
/** Below every distance: all pairs are compared. */
const eps = 0.02;

export async function bench(): Promise<readonly (Measurement | LeftOut)[]> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-clustering-"));
  try {
    return [
      ...(await besidePeer(full, "k-means", "k-means", "scikit-learn", folder, 0.12)),
      ...(await besidePeer(full, "k-means", "faiss", "faiss, 20 iterations", folder)),
      ...(await besidePeer(full, "k-means refined", "k-means", "scikit-learn, which does not refine", folder)),
      ...(await besidePeer(full, "silhouette", "silhouette", "scikit-learn", folder, 1)),
      ...(await besidePeer(full, "DBSCAN", "DBSCAN", "scikit-learn", folder, 1)),
      ...(await larger.reduce(
        async (before, size) => [
          ...(await before),
          ...(await besidePeer(size, "k-means", "faiss", "faiss, 20 iterations", folder)),
        ],
        Promise.resolve<readonly Measurement[]>([]),
      )),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Time and peak memory of a method; `peer` is what peers.py is asked for. */
async function besidePeer(
  size: Planted,
  method: Method,
  peer: string,
  of: string,
  folder: string,
  goal?: number,
): Promise<readonly Measurement[]> {
  const { rows, dims, k } = size;
  const name = `${method} ${rows} x ${dims}${method === "DBSCAN" ? "" : `, k ${k}`}${peer === "faiss" ? ", as faiss" : ""}`;
  const ours = await measured<Taken>("clustering.ts", method, JSON.stringify(size));
  const file = join(folder, `${rows}-${dims}.f32`);
  const { values } = plantedClusters(size);
  writeFileSync(file, new Uint8Array(values.buffer));
  const theirs = peerTaken([peer, file, rows, dims, method === "DBSCAN" ? eps : k, threadsFor()].map(String));
  const beside = (key: "seconds" | "memory"): Reference | LeftOut =>
    theirs === undefined ? { of, leftOut: "it is not installed" } : { of, value: theirs[key] };
  return [
    { what: name, ours: ours.seconds, unit: "s", beside: beside("seconds"), ...(goal === undefined ? {} : { goal }) },
    { what: `${name}: peak memory`, ours: ours.memory, unit: "MB", beside: beside("memory") },
    { what: `${name}: result`, ours: ours.result, unit: theirs === undefined ? "" : `(theirs ${theirs.result})` },
  ];
}

/** Undefined where Python or the package is missing. */
function peerTaken(args: readonly string[]): Taken | undefined {
  const python = process.env["PLANWRIGHT_PYTHON"] ?? "python3";
  const ran = spawnSync(python, [join(import.meta.dirname, "peers.py"), ...args], { encoding: "utf8" });
  return ran.status === 0 ? (JSON.parse(ran.stdout) as Taken) : undefined;
}

/** In a process of its own, with as many threads as cores; `result` is inertia, the mean silhouette or the number of clusters. */
async function taken(method: Method, size: Planted): Promise<Taken> {
  const vectors = plantedClusters(size);
  const from = performance.now();
  const result = await resultOf(method, vectors, size.k);
  return { seconds: (performance.now() - from) / 1000, memory: process.resourceUsage().maxRSS / 1024, result };
}

async function resultOf(method: Method, vectors: Vectors, k: number): Promise<number> {
  switch (method) {
    case "DBSCAN":
      return (await dbscan(vectors, [eps]))[0]!.sizes.length;
    case "silhouette": {
      const labels = Int32Array.from({ length: vectors.rows }, (_, row) => row % k);
      return (await silhouette(vectors, labels, "euclidean"))!;
    }
    default:
      return (await kMeans(vectors, { k, inits: 1, plain: method === "k-means" })).inertia;
  }
}

/**
 * Centres with normal coordinates of about unit length, and points around them: squared distances to the own centre are
 * about 0.4, to other centres about 2.
 */
function plantedClusters({ rows, dims, k }: Planted): Vectors {
  const random = randomFrom("planted clusters");
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const centres = Float32Array.from({ length: k * dims }, () => normal() / Math.sqrt(dims));
  const noise = Math.sqrt(0.4 / dims);
  const values = new Float32Array(rows * dims);
  for (let row = 0; row < rows; row++) {
    const cluster = Math.floor(random() * k) * dims;
    for (let column = 0; column < dims; column++)
      values[row * dims + column] = centres[cluster + column]! + noise * normal();
  }
  return { rows, dims, values };
}

if (process.argv[1] === import.meta.filename) {
  console.log(JSON.stringify(await taken(process.argv[2] as Method, JSON.parse(process.argv[3]!) as Planted)));
}
