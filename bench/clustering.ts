/**
 * Speed and peak memory of clustering, beside scikit-learn and faiss with as many threads, on matrices with planted clusters
 * from a seeded generator. Each in a process of its own. The Python that has them is `PLANWRIGHT_PYTHON`, else `python3`.
 * 50,000 points take five minutes on two cores (`--large`), 100,000 a quarter of an hour more (`--largest`), most of it for scikit-learn's seeds.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { threadsFor } from "../source/engine/clustering/kernel/threads.ts";
import { dbscan } from "../source/engine/clustering/methods/dbscan.ts";
import { kMeans } from "../source/engine/clustering/methods/k-means.ts";
import { silhouette } from "../source/engine/clustering/methods/silhouette.ts";
import type { Vectors } from "../source/engine/clustering/methods/vectors.ts";
import { randomFrom } from "../source/engine/statistics/random.ts";
import { measured } from "./child-program.ts";
import type { Bench, LeftOut, Measurement, Size } from "./measurement.ts";
import { copied } from "./memory-bandwidth.ts";

type Planted = { readonly rows: number; readonly dims: number; readonly k: number };
type Method = "k-means" | "k-means refined" | "silhouette" | "DBSCAN";
/** Seconds and MB; `result` is the inertia, the mean silhouette or the number of clusters. */
type Taken = { readonly seconds: number; readonly memory: number; readonly result: number };
/** `method` is what peers.py is asked for, `iterations` the most it does. */
type Peer = { readonly of: string; readonly method: string; readonly iterations: number; readonly goal?: number };
type Case = {
  readonly size: Planted;
  readonly method: Method;
  /** The most of them, of ours and of peers that stop when they have converged; by default as many as those take. */
  readonly iterations?: number;
  readonly peers: readonly Peer[];
};

/** The number of ToolBench's APIs, and of the toolkits that Tool-Planner makes of them. */
const full: Planted = { rows: 16_464, dims: 768, k: 1800 };
const large: Planted = { rows: 50_000, dims: 768, k: 2000 };
const largest: Planted = { rows: 100_000, dims: 768, k: 5000 };
/** Below every distance: all pairs are compared. */
const eps = 0.02;
/** Both have converged before. */
const converged = 300;
/** Repetitions for large inputs, each of which takes scikit-learn 15 seconds. */
const few = 10;

const scikit = (method: Method, iterations = converged): Peer => ({ of: "scikit-learn", method, iterations });
const faiss = (iterations: number): Peer => ({ of: `faiss, ${iterations} iterations`, method: "faiss", iterations });
const usual: readonly Case[] = [
  { size: full, method: "k-means", peers: [{ ...scikit("k-means"), goal: 0.12 }, faiss(20)] },
  {
    size: full,
    method: "k-means refined",
    peers: [{ ...scikit("k-means"), of: "scikit-learn, which does not refine" }],
  },
  { size: full, method: "silhouette", peers: [{ ...scikit("silhouette"), goal: 1 }] },
  { size: full, method: "DBSCAN", peers: [{ ...scikit("DBSCAN"), goal: 1 }] },
];
const many = (size: Planted): readonly Case[] => [
  { size, method: "k-means", iterations: few, peers: [scikit("k-means", few), faiss(few)] },
  { size, method: "DBSCAN", peers: [scikit("DBSCAN")] },
];
const sizes = ["usual", "large", "largest"] as const satisfies readonly Size[];
const cases: Readonly<Record<Size, readonly Case[]>> = { usual, large: many(large), largest: many(largest) };

export const bench: Bench = async function* ({ most }) {
  const folder = mkdtempSync(join(tmpdir(), "planwright-clustering-"));
  const peers = new Peers();
  try {
    for (const [at, size] of sizes.entries())
      for (const one of cases[size])
        if (at <= sizes.indexOf(most)) yield* await besidePeers(one, folder, peers);
        else yield { of: nameOf(one), leftOut: `with its peers it takes long: --${size}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

function nameOf({ iterations, method, size: { dims, k, rows } }: Case): string {
  const most = iterations === undefined ? "" : `, at most ${iterations} iterations`;
  return `${method} ${rows} x ${dims}${method === "DBSCAN" ? "" : `, k ${k}`}${most}`;
}

/** Time and peak memory of a method, beside each of its peers. */
async function besidePeers(one: Case, folder: string, peers: Peers): Promise<readonly (Measurement | LeftOut)[]> {
  const { iterations = converged, method, size } = one;
  const file = vectorsIn(folder, size);
  const ours = await measured<Taken>("clustering.ts", method, file, JSON.stringify(size), String(iterations));
  const bytes = size.rows * size.dims * 4;
  const read = { of: "its vectors copied in memory", value: copied(bytes) / 1000 };
  const held = { of: "its vectors", value: bytes / 2 ** 20 };
  const what = nameOf(one);
  const time = { what, ours: ours.seconds, unit: "s", bound: read };
  const memory = { what: `${what}: peak memory`, ours: ours.memory, unit: "MB", bound: held };
  const beside = one.peers.map(({ goal, iterations: most, method: asked, of }): readonly (Measurement | LeftOut)[] => {
    const theirs = peers.taken(asked, file, size, method === "DBSCAN" ? eps : size.k, most);
    if (typeof theirs === "string") return [{ of: `${what} beside ${of}`, leftOut: theirs }];
    const also = asked === "faiss" ? ", as faiss" : "";
    return [
      {
        ...time,
        what: `${time.what}${also}`,
        beside: { of, value: theirs.seconds },
        ...(goal === undefined ? {} : { goal }),
      },
      { ...memory, what: `${memory.what}${also}`, beside: { of, value: theirs.memory } },
      method.startsWith("k-means")
        ? {
            what: `${what}: inertia at the end${also}`,
            ours: ours.result,
            unit: "summed squared distances",
            beside: { of, value: theirs.result },
            bound: { unknown: "nobody knows the best clustering" },
          }
        : {
            what: `${what}: result${also}`,
            ours: ours.result,
            unit: `(to the last digit ${ours.result}, theirs ${theirs.result})`,
          },
    ];
  });
  const measuredBeside = beside.flat().some((line) => "ours" in line);
  return [...(measuredBeside ? [] : [time, memory]), ...beside.flat()];
}

/** Times of peers, or why they have none; each is requested once. */
class Peers {
  private readonly answers = new Map<string, Taken | string>();

  taken(method: string, file: string, { dims, rows }: Planted, choice: number, iterations: number): Taken | string {
    const args = [method, file, rows, dims, choice, threadsFor(), iterations].map(String);
    const key = args.join(" ");
    const answer = this.answers.get(key) ?? peerTaken(args);
    this.answers.set(key, answer);
    return answer;
  }
}

/** The exit status of peers.py if a package is missing. */
const notInstalled = 3;
/** Minutes in which a peer has to be done. */
const longest = 40;

function peerTaken(args: readonly string[]): Taken | string {
  const python = process.env["PLANWRIGHT_PYTHON"] ?? "python3";
  const ran = spawnSync(python, [join(import.meta.dirname, "peers.py"), ...args], {
    encoding: "utf8",
    timeout: longest * 60_000,
  });
  // The time limit; without enough memory, Linux kills the program.
  if (ran.signal === "SIGTERM") return `it was not done after ${longest} minutes`;
  if (ran.error !== undefined) return `no ${python}`;
  if (ran.status === notInstalled) return "it is not installed";
  if (ran.status !== 0) return `it failed: ${ran.signal ?? ran.stderr.trimEnd().split("\n").at(-1) ?? ""}`;
  return JSON.parse(ran.stdout) as Taken;
}

/** In a process of its own, with as many threads as cores. */
async function taken(method: Method, file: string, { dims, k, rows }: Planted, iterations: number): Promise<Taken> {
  const bytes = readFileSync(file);
  const vectors = { rows, dims, values: new Float32Array(bytes.buffer, bytes.byteOffset, rows * dims) };
  const from = performance.now();
  const result = await resultOf(method, vectors, k, iterations);
  return { seconds: (performance.now() - from) / 1000, memory: process.resourceUsage().maxRSS / 1024, result };
}

async function resultOf(method: Method, vectors: Vectors, k: number, iterations: number): Promise<number> {
  switch (method) {
    case "DBSCAN":
      return (await dbscan(vectors, [eps]))[0]!.sizes.length;
    case "silhouette": {
      const labels = Int32Array.from({ length: vectors.rows }, (_, row) => row % k);
      return (await silhouette(vectors, labels, "euclidean"))!;
    }
    default:
      return (await kMeans(vectors, { k, inits: 1, iterations, plain: method === "k-means" })).inertia;
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

/** The file of these vectors, as row after row of 32-bit floats. */
function vectorsIn(folder: string, size: Planted): string {
  const file = join(folder, `${size.rows}-${size.dims}-${size.k}.f32`);
  if (!existsSync(file)) writeFileSync(file, new Uint8Array(plantedClusters(size).values.buffer));
  return file;
}

if (process.argv[1] === import.meta.filename) {
  const [method, file, size, iterations] = process.argv.slice(2) as [Method, string, string, string];
  console.log(JSON.stringify(await taken(method, file, JSON.parse(size) as Planted, Number(iterations))));
}
