/** The usage and flags of `planwright cluster`, kept in a separate file so that `planwright help` need not load the command. */
import type { Flags } from "../shell/arguments.ts";

export const clusterUsage = `planwright cluster --vectors FILE.f32le.bin --shape FILE.shape.json METHOD [--json]
planwright cluster --library FILE.jsonl METHOD [--only FIELD] [--embedding lexical|onnx|ENDPOINT/MODEL] [--model FOLDER]
  [--explain ENDPOINT/MODEL] [--describe ENDPOINT/MODEL] [--cache FOLDER] [--queries FILE...] [--out FILE.jsonl] [--json]

METHOD is one of
  --method kmeans --k K [--n-init N] [--seed SEED] [--plain]   (--method may be left out with --library)
  --method dbscan --eps E                                      cosine distance, min_pts 1

--plain      only seeding and Lloyd's iterations, as in scikit-learn; by default results are refined by splits, merges
             and swaps, which lowers the inertia
--only       reads only lines of the library whose FIELD is true, such as in_pool_approx
--embedding  lexical (the default, needs no model), onnx (a model in --model FOLDER, or its .onnx file), or an endpoint's embeddings
--explain    a model explains each API, one request per API; the explanations are embedded
--describe   a model describes each toolkit, one request per toolkit
--cache      folder for replies and vectors, so that no request is sent twice; default: a folder next to the settings
--queries    files of queries with \`relevant APIs\`: counts the queries whose APIs are all in distinct toolkits

Endpoints are set up with \`planwright endpoint add\`. Ctrl+C stops; replies so far are saved, and the same command resumes.`;

export const clusterFlags: Flags = {
  vectors: "file",
  shape: "file",
  library: "file",
  method: { words: ["kmeans", "dbscan"] },
  k: "text",
  "n-init": "text",
  seed: "text",
  eps: "text",
  embedding: "model",
  model: "folder",
  only: "text",
  out: "file",
  explain: "model",
  describe: "model",
  cache: "folder",
  queries: "file",
  json: "nothing",
  plain: "nothing",
};
