import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clusterCommand } from "../../../source/commands/cluster/cluster.ts";
import { endpointCommand } from "../../../source/commands/endpoints/endpoint.ts";
import { formatLibrary, readLibrary } from "../../../source/engine/clustering/toolkits/library.ts";
import { sampleApis } from "../../engine/clustering/toolkits/sample-apis.ts";
import { refuses, says, scriptedServer, type Answer, type Seen } from "../../engine/models/scripted-server.ts";

const key = "sk-nobody-may-see-this";
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-cluster-models-"));
  vi.stubEnv("PLANWRIGHT_CONFIG_DIR", join(folder, "settings"));
  vi.stubEnv("LAB_KEY", key);
  writeFileSync(join(folder, "library.jsonl"), formatLibrary(sampleApis));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

async function cluster(args: string, stop = new AbortController()) {
  let out = "";
  let err = "";
  const io = {
    stdout: (text: string) => void (out += text),
    stderr: (text: string) => void (err += text),
    signal: stop.signal,
  };
  const status = await clusterCommand(["--library", join(folder, "library.jsonl"), ...args.split(" ")], io);
  expect(out + err).not.toContain(key);
  return { status, out, err };
}

async function endpointAt(url: string): Promise<void> {
  const quiet = { stdout() {}, stderr() {}, signal: new AbortController().signal };
  const add = `add lab --base-url ${url} --key-env LAB_KEY --concurrency 2`;
  expect(await endpointCommand(add.split(" "), quiet)).toBe(0);
}

const text = ({ body }: Seen) => JSON.stringify(body);
const isEmbedding = ({ body }: Seen) => body["input"] !== undefined;
const isDescription = (seen: Seen) => text(seen).includes("put into one toolkit");

/** Explains an API by its category, embeds by the named category, describes a toolkit by its number of APIs. */
const lab: Answer = (response, seen) => {
  const kinds = [...new Set(sampleApis.map(({ api_dest }) => api_dest.type_name))];
  if (isEmbedding(seen)) {
    const data = (seen.body["input"] as string[]).map((one, index) => ({
      index,
      object: "embedding",
      embedding: kinds.map((kind) => (one.includes(`about ${kind}.`) ? 1 : 0)),
    }));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ object: "list", data, model: "e5", usage: { prompt_tokens: 1, total_tokens: 1 } }));
  } else if (isDescription(seen)) says(`Toolkit of ${text(seen).split("[API").length - 1}\u001b[2J`)(response, seen);
  else says(`It is about ${kinds.find((kind) => text(seen).includes(`(${kind})`))}.`)(response, seen);
};

describe("planwright cluster with an endpoint's models", () => {
  it("explains, embeds and describes, announces its requests, and sends no request twice", async () => {
    await using server = await scriptedServer(lab);
    await endpointAt(server.url);
    const all = `--k 6 --explain lab/m --embedding lab/e5 --describe lab/m --out ${join(folder, "out.jsonl")}`;
    const first = await cluster(`${all} --json`);
    expect(first.status).toBe(0);
    expect(first.err).toContain(
      "Will send 30 requests to lab/m for explanations of 30 APIs, at most 1 request to lab/e5 for vectors, at most 6 requests to lab/m for descriptions",
    );
    expect(first.err).toContain("Sending 1 request to lab/e5 for 6 vectors");
    expect(first.err).toContain("Sending 6 requests to lab/m for descriptions of 6 toolkits");
    const { purity, sizes } = JSON.parse(first.out) as { purity: object; sizes: number[] };
    expect([purity, sizes]).toEqual([{ category: 1, package: expect.any(Number) as number }, sizes.map(() => 5)]);
    const [api] = await readLibrary(join(folder, "out.jsonl"));
    expect(api).toMatchObject({ functionality: "It is about weather.", toolkit_fun: "Toolkit of 5\u001b[2J" });
    expect(server.seen.filter(isEmbedding)).toHaveLength(1);
    expect(server.seen).toHaveLength(30 + 1 + 6);
    expect(server.seen.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true);
    const again = await cluster(all);
    expect(again.err).toContain("Will send 0 requests to lab/m for explanations");
    expect(again.out).not.toContain("\u001b");
    expect(server.seen).toHaveLength(37);
  });

  it("stops at Ctrl+C, saves the replies, and later resumes from the saved replies", async () => {
    const stop = new AbortController();
    await using server = await scriptedServer((response, seen) => {
      if (server.seen.length <= 10) lab(response, seen);
      else if (!stop.signal.aborted) stop.abort();
    });
    await endpointAt(server.url);
    const stopped = await cluster("--k 6 --explain lab/m", stop);
    expect(stopped.status).toBe(130);
    expect(stopped.err).toContain("Stopped. Replies received so far are saved");
    const kept = readFileSync(join(folder, "settings", "clustering", "explanations.jsonl"), "utf8");
    const lines = kept.trim().split("\n").length;
    expect(lines).toBeGreaterThanOrEqual(9);
    expect(kept).not.toContain(key);
    await using healthy = await scriptedServer(lab);
    await endpointCommand(`add lab --base-url ${healthy.url} --replace`.split(" "), {
      stdout() {},
      stderr() {},
      signal: new AbortController().signal,
    });
    const done = await cluster("--k 6 --explain lab/m");
    expect(done.err).toContain(`Will send ${30 - lines} requests to lab/m`);
    expect(healthy.seen).toHaveLength(30 - lines);
  });

  it("keeps the vectors of received batches, retries a busy server, and reports a request that the server refuses", async () => {
    const many = Array.from({ length: 70 }, (_, id) => {
      return { ...sampleApis[id % 30]!, id, functionality: `number ${id} about weather.` };
    });
    writeFileSync(join(folder, "library.jsonl"), formatLibrary(many));
    const busy = refuses(429, { error: { message: "too many" } }, { "retry-after": "0" });
    const refused = refuses(400, { error: { message: `no such model for ${key}` } });
    await using server = await scriptedServer(busy, lab, refused);
    await endpointAt(server.url);
    const { status, err } = await cluster("--k 2 --embedding lab/e5");
    expect(status).toBe(1);
    expect(err).toContain("too many; trying again in 0 ms");
    expect(err).toMatch(/Endpoint `lab` .* failed: .*no such model for \[key\]/);
    await using healthy = await scriptedServer(lab);
    await endpointCommand(`add lab --base-url ${healthy.url} --replace`.split(" "), {
      stdout() {},
      stderr() {},
      signal: new AbortController().signal,
    });
    expect((await cluster("--method dbscan --eps 0.1 --embedding lab/e5")).err).toContain(
      "Sending 1 request to lab/e5 for 6 vectors",
    );
    expect(healthy.seen[0]!.body["input"]).toHaveLength(6);
    expect(readdirSync(join(folder, "settings", "clustering"))).toHaveLength(1);
  });

  it.each([
    ["--k 6 --explain nowhere/m", "Expected an existing endpoint"],
    ["--k 6 --explain builtin/oracle", "Expected `--explain` to be a model of an endpoint, got `builtin/oracle`"],
    ["--k 6 --embedding nowhere/e5", "Expected an existing endpoint"],
    ["--k 6 --embedding lexical --cache x", "Expected `--cache` only together with a model"],
    ["--k 60 --explain lab/m", "Expected `--k` to be a whole number from 1 to 30, the number of vectors, got `60`"],
  ])("rejects `%s` before anything is sent", async (args, word) => {
    await using server = await scriptedServer(lab);
    await endpointAt(server.url);
    const { status, err } = await cluster(args);
    expect(status).toBeGreaterThan(0);
    expect(err).toContain(word);
    expect(server.seen).toHaveLength(0);
  });

  it("requires the environment variable with the key", async () => {
    await endpointAt("http://127.0.0.1:9/v1");
    vi.stubEnv("LAB_KEY", "");
    expect((await cluster("--k 6 --describe lab/m")).err).toContain(
      "Expected the key of endpoint `lab` in the environment variable `LAB_KEY`, found none",
    );
  });
});

describe("planwright cluster --queries", () => {
  it("reports for how many queries the relevant APIs belong to different toolkits", async () => {
    const pair = (index: number): [string, string] => {
      const { name, package_name } = sampleApis[index]!.api_dest;
      return [package_name.toUpperCase(), name.replaceAll("_", " ")];
    };
    const other = sampleApis.findIndex(({ api_dest }) => api_dest.type_name !== sampleApis[0]!.api_dest.type_name);
    const write = (name: string, ...queries: [string, string][][]) => {
      const lines = queries.map((pairs) => JSON.stringify({ query: "?", api_list: [], "relevant APIs": pairs }));
      writeFileSync(join(folder, name), lines.join("\n"));
      return join(folder, name);
    };
    const files = [
      write("a.jsonl", [pair(0), pair(other)], [pair(0), pair(0)]),
      write("b.jsonl", [pair(0)], [pair(0), ["nobody's", "api"]]),
    ];
    const { out, status } = await cluster(`--k 30 --queries ${files.join(" ")} --json`);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ queries: { queries: 2, distinct: 1, leftOut: 2 } });
    expect((await cluster(`--k 30 --queries ${files.join(" ")}`)).out).toMatch(/queries with one API per toolkit +1/);
    writeFileSync(join(folder, "c.jsonl"), '{"relevant APIs": [["a"]]}');
    expect((await cluster(`--k 30 --queries ${join(folder, "c.jsonl")}`)).err).toMatch(
      /Expected `relevant APIs` in line 1 of .*c\.jsonl to be a list of \[tool, api\]/,
    );
  });
});
