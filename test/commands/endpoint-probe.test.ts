import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { endpointCommand } from "../../source/commands/endpoints/endpoint.ts";
import { createModels } from "../../source/engine/models/models.ts";
import { openSettings } from "../../source/engine/settings/settings.ts";
import { delta, event } from "../engine/models/scripted-server.ts";
import { toySources } from "../engine/models/toy.ts";

type Body = { readonly input?: readonly string[]; readonly tools?: unknown; readonly seed?: number };

let folder: string;
let server: Server;
let base: string;
/** The HTTP status of replies to embeddings; 200: vectors. */
let embeddings = 200;

/** A server like vLLM's, which accepts no seed and at most 100 texts per batch. */
async function answer(path: string, body: Body): Promise<{ status: number; text: string }> {
  const json = (status: number, value: object) => ({ status, text: JSON.stringify(value) });
  if (path === "/v1/models") return json(200, { data: [{ id: "big", max_model_len: 4096 }, { id: "embedder" }] });
  if (path === "/v1/embeddings" && embeddings !== 200) return json(embeddings, { error: { message: "no embeddings" } });
  if (path === "/v1/embeddings" && body.input!.length <= 100)
    return json(200, { data: body.input!.map((_, index) => ({ index, embedding: [1, 0, 0] })) });
  if (path === "/v1/embeddings") return json(400, { error: { message: "too many inputs" } });
  if (path !== "/v1/chat/completions") return json(404, { detail: "Not Found" });
  if (body.seed !== undefined) return json(400, { error: { message: "Unsupported parameter: 'seed'" } });
  const call = { index: 0, id: "c", function: { name: "weather", arguments: "{}" } };
  const pieces = body.tools === undefined ? [{ content: "rea" }, { content: "dy" }] : [{ tool_calls: [call] }];
  const usage = event({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } });
  return { status: 200, text: `${pieces.map((piece) => delta(piece)).join("")}${delta({}, "stop")}${usage}` };
}

beforeEach(async () => {
  embeddings = 200;
  folder = mkdtempSync(join(tmpdir(), "planwright-probe-"));
  vi.stubEnv("PLANWRIGHT_CONFIG_DIR", folder);
  vi.stubEnv("NODE_EXTRA_CA_CERTS", undefined);
  server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += String(part);
    const { status, text: replied } = await answer(request.url!, JSON.parse(text || "{}") as Body);
    const type = replied.startsWith("data:") ? "text/event-stream" : "application/json";
    response.writeHead(status, { "content-type": type });
    // Each event separately: the client in this process has read one before the next is sent.
    for (const part of replied.split(/(?<=\n\n)/)) {
      response.write(part);
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

async function typed(line: string) {
  let out = "";
  let err = "";
  const signal = new AbortController().signal;
  const stdout = (text: string) => (out += text);
  const stderr = (text: string) => (err += text);
  return { status: await endpointCommand(line.split(" "), { stdout, stderr, signal }), out: () => out, err: () => err };
}

it("an endpoint test detects and saves what the endpoint supports, and offers the endpoint's models", async () => {
  await typed(`add lab --base-url ${base}/v1`);
  const { status, out, err } = await typed("test lab");
  expect(status).toBe(0);
  expect(err().split("\n")).toEqual([
    "Requests the server's list of models (GET /models) and its context size (GET /props)",
    "Requests one word from lab/big, with every setting that a server may refuse",
    expect.stringContaining("Unsupported parameter: 'seed'; sent again without this field"),
    "Requests a tool call",
    "Requests embeddings in growing batches",
    "",
  ]);
  expect(out().replace(/\d+\.\d+ (s|tokens\/s)/g, "N $1")).toBe(
    `reached      directly
lab/big replied: ready
models       big, embedder
protocol     chat completions
streaming    yes
tools        called
thinking     the reply has none
refuses      seed
context      4096 tokens
first token  N s
speed        N tokens/s
embeddings   3 dimensions, 32 texts in a batch
`,
  );
  expect((await typed("list")).out()).toContain(
    "tested with big: models big, embedder · protocol chat completions · streaming yes · tools called",
  );
  const settings = await openSettings();
  expect(createModels({ settings: settings.read, sources: toySources }).names()).toContain("lab/embedder");
  await typed("remove lab");
  expect((await openSettings()).read()).not.toHaveProperty("tested");
});

it.each([
  [501, "not offered"],
  [404, "not offered"],
  [500, "none ("],
])("an endpoint test reports embeddings that the server answers with %i: %s", async (status, named) => {
  embeddings = status;
  await typed(`add lab --base-url ${base}/v1`);
  const { status: ended, out } = await typed("test lab");
  expect([ended, out()]).toEqual([0, expect.stringContaining(`embeddings   ${named}`)]);
});

it.each([
  ["/v1/chat/completions", "try {base}/v1"],
  ["", "There are models at {base}/v1: try that base URL"],
])("an endpoint test gives a hint if the base URL ends in %j", async (path, hint) => {
  await typed(`add lab --base-url ${base}${path}`);
  const { status, err } = await typed("test lab --model big");
  expect(status).toBe(1);
  expect(err()).toContain(hint.replace("{base}", base));
});

it("an endpoint test gives a hint if https is used for an http port", async () => {
  await typed(`add lab --base-url ${base.replace("http:", "https:")}/v1`);
  const { err } = await typed("test lab --model big");
  expect(err()).toContain(`This port uses http: try ${base}/v1`);
});

it.each([
  [
    "301 Moved Permanently\r\nlocation: https://other.invalid/v1",
    "",
    "The server redirects to another address: use that address as the base URL",
  ],
  [
    "400 Bad Request",
    "<html><body>The plain HTTP request was sent to HTTPS port</body></html>",
    "This port uses https: try {https}/v1",
  ],
])("an endpoint test gives a hint if the server answers %j", async (status, page, hint) => {
  const length = Buffer.byteLength(page);
  const elsewhere = createTcpServer((socket) =>
    socket.once("data", () =>
      socket.end(`HTTP/1.1 ${status}\r\ncontent-type: text/html\r\ncontent-length: ${length}\r\n\r\n${page}`),
    ),
  );
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  try {
    const host = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    await typed(`add lab --base-url http://${host}/v1`);
    const { status: ended, err } = await typed("test lab --model big");
    expect(ended).toBe(1);
    expect(err()).toContain(hint.replace("{https}", `https://${host}`));
  } finally {
    elsewhere.close();
  }
});
