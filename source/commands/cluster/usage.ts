/** How `planwright cluster` is called; apart from the command, which `planwright help` need not load. */
export const clusterUsage = `planwright cluster --vectors FILE.f32le.bin --shape FILE.shape.json METHOD [--json]
planwright cluster --library FILE.jsonl METHOD [--only FIELD] [--embedding lexical|onnx|ENDPOINT/MODEL] [--model FOLDER]
  [--explain ENDPOINT/MODEL] [--describe ENDPOINT/MODEL] [--cache FOLDER] [--queries FILE...] [--out FILE.jsonl] [--json]

METHOD is one of
  --method kmeans --k K [--n-init N] [--seed SEED] [--plain]   (--method may be left out with --library)
  --method dbscan --eps E                                      cosine distance, min_pts 1

--plain      seeding and Lloyd's iterations alone, as scikit-learn does; by default results are refined by splits, merges
             and swaps, which lowers the inertia
--only       lines of a catalogue whose FIELD is true, such as in_pool_approx
--embedding  lexical (the default, needs no model), onnx (a model in --model FOLDER, or its .onnx file), or an endpoint's embeddings
--explain    has a model say what each API does, one request for each; what is embedded then
--describe   has a model say what each toolkit is for, one request for each
--cache      where replies and vectors are kept, so that nothing is asked twice: by default a folder beside the settings
--queries    queries with \`relevant APIs\`: in how many do these fall in distinct toolkits?

Endpoints are set up with \`planwright endpoint add\`. Ctrl+C stops; what was answered is kept, and the same command goes on.`;
