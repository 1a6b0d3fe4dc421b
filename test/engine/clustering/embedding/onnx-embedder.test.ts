import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { embedAll } from "../../../../source/engine/clustering/embedding/embedder.ts";
import type { Embedder } from "../../../../source/engine/clusters.ts";
import { cachedEmbedder, vectorCacheFile } from "../../../../source/engine/clustering/embedding/vector-cache.ts";
import { onnxEmbedder, type OnnxOptions } from "../../../../source/engine/clustering/embedding/onnx-embedder.ts";
import { until } from "../../../until.ts";
import type { Transformers } from "../../../../source/engine/clustering/embedding/onnx-model.ts";

/**
 * Replaces the package, which is not tested here: a text's vector is its length and the number of the process. It records
 * how it was opened, and some texts make it fail.
 */
const standIn = `
import { writeFileSync } from "node:fs";
export const env = { allowRemoteModels: true, allowLocalModels: false, useFSCache: true, logLevel: 30 };
export async function pipeline(task, folder, options) {
  if (folder.endsWith("broken")) throw new Error("Protobuf parsing failed.\\nat some place");
  writeFileSync(folder + "/opened.json", JSON.stringify({ task, folder, options, env }));
  const extract = async (texts, { pooling }) => {
    if (texts.includes("fail")) throw new Error("Non-zero status code");
    if (texts.includes("die")) process.exit(3);
    if (texts.includes("flat")) return { data: new Float32Array(texts.length), dims: [texts.length] };
    if (texts.includes("bits")) return { data: new Uint16Array(texts.length), dims: [texts.length, 1] };
    if (texts.includes("endless")) {
      writeFileSync(folder + "/working", "");
      for (;;);
    }
    const rows = texts.map((text) => [text === "nan" ? NaN : text.length, process.pid, pooling === "cls" ? 1 : 0]);
    return { data: Float32Array.from(rows.flat()), dims: [texts.length, 3] };
  };
  const outputNames = folder.endsWith("classifier") ? ["logits"] : ["last_hidden_state"];
  const model = { config: { max_position_embeddings: 64 }, sessions: { model: { outputNames } } };
  return Object.assign(extract, { model, tokenizer: { config: {} } });
}
`;

const { signal } = new AbortController();
let folder = "";
let module = "";
let made: Embedder[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-onnx-"));
  writeFileSync(join(folder, "package.mjs"), standIn);
  module = pathToFileURL(join(folder, "package.mjs")).href;
  made = [];
});
afterEach(() => {
  for (const embedder of made) embedder.close?.();
  rmSync(folder, { recursive: true });
});

/** Writes a model's folder; returns its path. */
function modelFolder(name: string, files: Readonly<Record<string, string>> = { "onnx/model.onnx": "weights" }): string {
  const all = { "config.json": "{}", "tokenizer.json": "{}", "tokenizer_config.json": "{}", ...files };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name, file)), { recursive: true });
    writeFileSync(join(folder, name, file), text);
  }
  return join(folder, name);
}

function embedderOf(path: string, options: OnnxOptions = {}): Embedder {
  const embedder = onnxEmbedder(path, { module, ...options });
  made.push(embedder);
  return embedder;
}

describe("a local model's folder", () => {
  it("can contain the model in onnx/ or at the top, quantized, or as several files, one of which an option selects", () => {
    expect(onnxEmbedder(modelFolder("e5")).name).toBe("onnx/e5");
    expect(onnxEmbedder(`${modelFolder("e5")}/`).name).toBe("onnx/e5");
    expect(onnxEmbedder(relative(process.cwd(), modelFolder("e5"))).name).toBe("onnx/e5");
    expect(onnxEmbedder(modelFolder("root", { "model.onnx": "" })).name).toBe("onnx/root");
    expect(onnxEmbedder(modelFolder("small", { "onnx/model_quantized.onnx": "" })).name).toBe(
      "onnx/small/model_quantized",
    );
    const many = modelFolder("many", { "onnx/model_int8.onnx": "", "onnx/model_q4.onnx": "" });
    expect(onnxEmbedder(join(many, "onnx", "model_q4.onnx")).name).toBe("onnx/many/model_q4");
    expect(() => onnxEmbedder(many)).toThrow(/Expected onnx\/model\.onnx in .*model_int8\.onnx, .*model_q4\.onnx/);
  });

  it("reports a missing file", () => {
    expect(() => onnxEmbedder("/nowhere/at/all")).toThrow(
      "Expected a folder with an ONNX model at /nowhere/at/all, found none",
    );
    mkdirSync(join(folder, "empty"));
    expect(() => onnxEmbedder(join(folder, "empty"))).toThrow("Expected onnx/model.onnx in");
    const path = modelFolder("e5");
    expect(() => onnxEmbedder(join(path, "config.json"))).toThrow("Expected a folder or an .onnx file, got");
    rmSync(join(path, "tokenizer_config.json"));
    expect(() => onnxEmbedder(path)).toThrow(`Expected tokenizer_config.json in ${path}, found none`);
  });

  it("gets its cache key from model, tokenizer and pooling, not from its path", () => {
    const keyOf = (name: string, files: Readonly<Record<string, string>>, options?: OnnxOptions) =>
      onnxEmbedder(modelFolder(name, files), options).key;
    const large = Buffer.alloc(3 << 20, "w").toString();
    const first = keyOf("a", { "onnx/model.onnx": large });
    expect(keyOf("b", { "onnx/model.onnx": large })).toBe(first);
    const others = [
      keyOf("c", { "onnx/model.onnx": `${large}w` }),
      keyOf("d", { "onnx/model.onnx": `${large.slice(1)}x` }),
      keyOf("e", { "onnx/model.onnx": large, "onnx/model.onnx_data": "more" }),
      keyOf("f", { "onnx/model.onnx": large, "tokenizer.json": "[]" }),
      keyOf("g", { "onnx/model.onnx": large }, { pooling: "cls" }),
    ];
    expect(new Set([first, ...others]).size).toBe(6);
  });
});

describe("a local model's embeddings", () => {
  it("come from another process, which downloads nothing and stays alive between calls", async () => {
    const path = modelFolder("my model");
    const embedder = embedderOf(path);
    const texts = Array.from({ length: 40 }, (_, index) => "x".repeat(index));
    const done: number[] = [];
    const vectors = await embedder.embed(texts, signal, (count) => done.push(count));
    expect(vectors.map(([length]) => length)).toEqual(texts.map((_, index) => index));
    expect(done).toEqual([16, 32, 40]);
    expect(embedder.dims).toBe(3);
    const pids = [...vectors, ...(await embedder.embed(["again"], signal))].map(([, pid]) => pid);
    expect(new Set(pids).size).toBe(1);
    expect(pids[0]).not.toBe(process.pid);
    const options = {
      local_files_only: true,
      device: "cpu",
      dtype: "fp32",
      subfolder: "onnx",
      model_file_name: "model",
    };
    expect(JSON.parse(readFileSync(join(path, "opened.json"), "utf8"))).toEqual({
      task: "feature-extraction",
      folder: path,
      options,
      env: { allowRemoteModels: false, allowLocalModels: true, useFSCache: false, logLevel: 50 },
    });
  });

  it("are pooled as the folder's configuration states, unless an option overrides it", async () => {
    const pooled = async (path: string, options?: OnnxOptions) =>
      (await embedderOf(path, options).embed(["a"], signal))[0]![2];
    const files = { "onnx/model.onnx": "", "1_Pooling/config.json": '{"pooling_mode_cls_token": true}' };
    expect(await pooled(modelFolder("bge", files))).toBe(1);
    expect(await pooled(modelFolder("bge", files), { pooling: "mean" })).toBe(0);
    expect(await pooled(modelFolder("e5"))).toBe(0);
    const odd = modelFolder("odd", { ...files, "1_Pooling/config.json": '{"pooling_mode_max_tokens": true}' });
    expect(() => onnxEmbedder(odd)).toThrow("Expected mean or cls pooling in");
  });

  it("are computed one after another when requested concurrently", async () => {
    const embedder = embedderOf(modelFolder("e5"));
    const [many, one] = await Promise.all([
      embedder.embed(Array<string>(50).fill("ab"), signal),
      embedder.embed(["c"], signal),
    ]);
    expect([many.length, one.length, one[0]![0]]).toEqual([50, 1, 1]);
  });

  it("stop immediately when aborted while the model works, and can be requested again", async () => {
    const path = modelFolder("e5");
    const embedder = embedderOf(path);
    const [before] = await embedder.embed(["a"], signal);
    const stop = new AbortController();
    const stopped = expect(embedder.embed(["endless"], stop.signal)).rejects.toThrow("enough");
    await until(() => expect(existsSync(join(path, "working"))).toBe(true));
    stop.abort(new Error("enough"));
    await stopped;
    const [after] = await embedder.embed(["a"], signal);
    expect(after![0]).toBe(1);
    expect(after![1]).not.toBe(before![1]);
    await until(() => expect(() => process.kill(before![1]!, 0)).toThrow("ESRCH"));
  });

  it("report an error of a model, and continue with other texts", async () => {
    const path = modelFolder("e5");
    const file = join(path, "onnx", "model.onnx");
    const embedder = embedderOf(path);
    const problem = (text: string) =>
      embedder.embed([text], signal).then(
        () => "none",
        (error: Error) => `${error.name}: ${error.message}`,
      );
    expect(await problem("fail")).toBe(
      `DataProblem: Expected vectors from the model ${file}, but it failed: Non-zero status code`,
    );
    expect(await problem("nan")).toBe(`DataProblem: Expected finite numbers from the model ${file}, got NaN for "nan"`);
    expect(await problem("flat")).toContain("Expected 1 vectors of 32-bit or 16-bit numbers");
    expect(await problem("bits")).toContain("got Uint16Array [1 x 1]");
    expect(await problem("die")).toBe(
      "DataProblem: Expected vectors from a local model, but its process ended: status 3",
    );
    expect(await problem("fine")).toBe("none");
    await expect(embedderOf(modelFolder("broken")).embed(["a"], signal)).rejects.toThrow(
      /Expected a loadable model at .*model\.onnx: Protobuf parsing failed\.$/,
    );
    await expect(embedderOf(modelFolder("classifier")).embed(["a"], signal)).rejects.toThrow(
      /Expected an output last_hidden_state or token_embeddings of the model .*, got logits/,
    );
  });

  it("report how to install the package if it is missing", async () => {
    const absent = embedderOf(modelFolder("e5"), { module: pathToFileURL(join(folder, "absent.mjs")).href });
    await expect(absent.embed(["a"], signal)).rejects.toThrow(
      "Expected the optional package @huggingface/transformers for local embeddings; install it with `npm install --no-save -D",
    );
  });

  it("can be computed in this process, with texts truncated to the model's positions", async () => {
    const config: { model_max_length?: number } = { model_max_length: 1e30 };
    const load = async (): Promise<Transformers> => ({
      env: { allowRemoteModels: true, allowLocalModels: false, useFSCache: true, logLevel: 30 },
      pipeline: async () =>
        Object.assign(
          async (texts: readonly string[]) => ({
            data: Float32Array.from(texts, (text) => text.length),
            dims: [texts.length, 1],
          }),
          {
            tokenizer: { config },
            model: { config: { max_position_embeddings: 514, model_type: "xlm-roberta", pad_token_id: 1 } },
          },
        ),
    });
    const embedder = embedderOf(modelFolder("e5"), { load });
    const { values } = await embedAll(embedder, ["a", "bb"], { signal });
    expect([...values]).toEqual([1, 2]);
    expect(config.model_max_length).toBe(512);
  });
});

describe("cached vectors of a local model", () => {
  it("are not computed again unless the model changes", async () => {
    const texts = Array.from({ length: 100 }, (_, index) => "x".repeat(index));
    const cache = join(folder, "cache");
    const keptFor = async (path: string) => {
      const embedder = embedderOf(path);
      return cachedEmbedder(embedder, vectorCacheFile(cache, embedder));
    };
    const path = modelFolder("e5");
    const done: number[] = [];
    const first = await (await keptFor(path)).embed(texts, signal, (count) => done.push(count));
    expect(done).toEqual([16, 32, 48, 64, 80, 96, 100]);
    const again = await keptFor(path);
    expect(again.missing(texts)).toBe(0);
    expect(await again.embed(texts, signal)).toEqual(first);
    writeFileSync(join(path, "onnx", "model.onnx"), "trained on");
    expect((await keptFor(path)).missing(texts)).toBe(100);
  });

  it("include the vectors computed before an abort or an error", async () => {
    const embedder = embedderOf(modelFolder("e5"));
    const file = vectorCacheFile(folder, embedder);
    const kept = await cachedEmbedder(embedder, file);
    const texts = [...Array.from({ length: 80 }, (_, index) => "x".repeat(index)), "fail"];
    await expect(kept.embed(texts, signal)).rejects.toThrow("it failed");
    expect((await cachedEmbedder(embedder, file)).missing(texts)).toBe(17);
  });
});
