/** Tests the abilities of an endpoint with a few small requests. */
import { systemAndUser } from "../text/system-and-user.ts";
import { isRecord, type JsonRecord } from "../text/json-record.ts";
import type { EndpointTable } from "../settings/endpoint-table.ts";
import type { Endpoint, Settings } from "../settings/settings.ts";
import type { Chunk, ModelRequest } from "../types.ts";
import { type Clock, machineClock } from "../work/clock.ts";
import { BuiltinProblem } from "./builtin/builtin-name.ts";
import { connectionTest } from "./builtin/identity.ts";
import { credentialsOf } from "./network/credentials.ts";
import { largestBatch } from "./embeddings.ts";
import { Limiter } from "./limits/limiter.ts";
import { createModels, type Models } from "./models.ts";
import { networkTo } from "./network/network.ts";
import { outsideRun } from "./network/outside-run.ts";
import { ModelProblem, withoutKeys } from "./problem.ts";

export type Probe = {
  readonly settings: Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
  readonly clock?: Clock;
};

/**
 * Throws `ModelProblem` if the model does not reply, with a hint if the base URL looks wrong. Throws the signal's reason if it is
 * aborted.
 */
export async function probeEndpoint(endpoint: Endpoint, given: Probe & { readonly model?: string | undefined }) {
  const { environment, signal, report } = given;
  const { headers, secrets } = credentialsOf(endpoint, environment);
  const fetch = networkTo(endpoint.baseUrl, { headers, perRequest: [], environment });
  report("Requests the server's list of models (GET /models) and its context size (GET /props)");
  const server = await listedModels(endpoint, fetch, signal);
  const id = given.model ?? endpoint.models?.[0] ?? server.models[0];
  if (id === undefined) return undefined;
  const models = createModels({
    settings: () => given.settings,
    sources: { loadedFor: none, taskFor: none },
    policy: { attempts: 2, busyAttempts: 2 },
    environment,
  });
  const asking = { models, name: `${endpoint.name}/${id}`, signal, report, clock: given.clock ?? machineClock };
  let reply: Awaited<ReturnType<typeof probeReply>>;
  report(`Requests one word from ${asking.name}, with every setting that a server may refuse`);
  try {
    reply = await probeReply(asking);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelProblem)) throw error;
    const { message, status, attempts } = error;
    const hint = await hintFor(endpoint, error, fetch, signal);
    throw hint === undefined ? error : new ModelProblem(`${message}. ${hint}`, { status, attempts });
  }
  report("Requests a tool call");
  const tools = await probeTools(asking);
  report("Requests embeddings in growing batches");
  const embeddings = await probeEmbeddings(endpoint, id, given);
  return { id, text: reply.text, table: tableOf(id, server, reply, tools, withoutKeys(embeddings, secrets)) };
}

const none = () => Promise.reject(new BuiltinProblem("Expected a model served by an endpoint, got a built-in model"));

type Asking = {
  readonly models: Models;
  readonly name: string;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
  readonly clock: Clock;
};

/** Sends a request with all parameters that a server may refuse. */
async function probeReply({ models, name, signal, report, clock }: Asking) {
  const seen = {
    text: "",
    pieces: 0,
    thinking: false,
    first: 0,
    seconds: 0,
    output: 0,
    refused: [] as readonly string[],
    api: undefined as EndpointTable["api"],
  };
  const began = clock.now();
  const take = (chunk: Chunk) => {
    if (chunk.type === "text" || chunk.type === "thinking") {
      seen.first ||= (clock.now() - began) / 1000;
      seen.pieces += 1;
    }
    if (chunk.type === "text") seen.text += chunk.text;
    else if (chunk.type === "thinking") seen.thinking = true;
    else if (chunk.type === "usage") seen.output = chunk.output;
    else if (chunk.type === "finish") {
      seen.refused = chunk.without ?? [];
      seen.api = (["responses", "messages"] as const).find((api) => chunk.adjusted?.includes(`asked-by-${api}`));
    } else if (chunk.type === "retry") {
      report(`${chunk.error}; sent again${chunk.wait === 0 ? " without this field" : ` in ${chunk.wait} ms`}`);
      Object.assign(seen, { text: "", pieces: 0, first: 0 });
    }
  };
  const request = testRequest(signal, {
    messages: systemAndUser("You are being tested.", "Answer with the one word: ready"),
    temperature: 0,
    topP: 1,
    seed: 1,
    stop: ["\n\n\n"],
    maxTokens: 64,
  });
  for await (const chunk of models.model(name).stream(request)) take(chunk);
  seen.seconds = (clock.now() - began) / 1000;
  return seen;
}

async function probeTools({ models, name, signal }: Asking): Promise<EndpointTable["tools"]> {
  const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const request = testRequest(signal, {
    messages: [{ role: "user", content: "Call the tool `weather` for the city Paris." }],
    tools: [{ name: "weather", description: "The weather of a city", parameters }],
    maxTokens: 256,
  });
  try {
    for await (const chunk of models.model(name).stream(request)) if (chunk.type === "call") return "called";
    return "not called";
  } catch {
    signal.throwIfAborted();
    return "refused";
  }
}

/**
 * Statuses of a server that does not offer a service. This is not a fault, because most servers offer only chat or only
 * embeddings.
 */
const notOffered: ReadonlySet<number | undefined> = new Set([400, 404, 405, 415, 422, 501]);

/** Returns the largest batch and the dimensions, a note that the server has no embeddings, or the server's error. */
async function probeEmbeddings(endpoint: Endpoint, id: string, given: Probe): Promise<string> {
  try {
    return await largestBatch(`${endpoint.name}/${id}`, {
      settings: given.settings,
      limiter: new Limiter(endpoint),
      policy: { attempts: 1, busyAttempts: 1 },
      environment: given.environment,
      signal: given.signal,
    });
  } catch (error) {
    given.signal.throwIfAborted();
    if (error instanceof ModelProblem && notOffered.has(error.status)) return "not offered";
    return `none (${(error as Error).message})`;
  }
}

function testRequest(signal: AbortSignal, more: Pick<ModelRequest, "messages"> & Partial<ModelRequest>): ModelRequest {
  return { signal, asker: { task: connectionTest, role: "model", stage: "test", spec: outsideRun }, ...more };
}

function tableOf(
  model: string,
  server: ServerInfo,
  reply: Awaited<ReturnType<typeof probeReply>>,
  tools: EndpointTable["tools"],
  embeddings: string,
): EndpointTable {
  const context = server.context.get(model) ?? server.context.get("*");
  const after = reply.seconds - reply.first;
  return {
    model,
    models: server.models,
    ...(reply.api === undefined ? {} : { api: reply.api }),
    streams: reply.pieces > 1,
    tools,
    thinks: reply.thinking,
    refused: reply.refused,
    ...(context === undefined ? {} : { context }),
    firstToken: reply.first,
    ...(reply.pieces > 1 && after > 0 ? { tokensPerSecond: reply.output / after } : {}),
    embeddings,
  };
}

/** Returns a hint about the base URL from the failure of a request; undefined if it looks right. */
async function hintFor(
  endpoint: Endpoint,
  { message, status }: ModelProblem,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { baseUrl } = endpoint;
  const bare = baseUrl.replace(/\/+$/, "");
  const shorter = bare.replace(/\/(chat\/completions|completions|responses|messages|embeddings|models)$/, "");
  if (shorter !== bare) return `The base URL ends before the last part: try ${shorter}`;
  if (/wrong version number|packet length too long|EPROTO/i.test(message) && bare.startsWith("https:"))
    return `This port uses http: try ${bare.replace(/^https:/, "http:")}`;
  if (/plain HTTP request|HTTP request to an? HTTPS/i.test(message) && bare.startsWith("http:"))
    return `This port uses https: try ${bare.replace(/^http:/, "https:")}`;
  if (status !== undefined && status >= 300 && status < 400)
    return "The server redirects to another address: use that address as the base URL";
  if ((status === 404 || status === 405) && !/\/v\d+\w*$/.test(bare)) {
    const { models } = await listedModels({ ...endpoint, baseUrl: `${bare}/v1` }, fetch, signal);
    if (models.length > 0) return `There are models at ${bare}/v1: try that base URL`;
  }
  return undefined;
}

type ServerInfo = {
  readonly models: readonly string[];
  /** Tokens by model; `*` for all. */
  readonly context: ReadonlyMap<string, number>;
};

/** Maximum number of models kept, because some services list thousands. */
const mostModels = 500;

/** Resolves to the models that a server at this address lists; to an empty list if there is no server. */
export async function modelsAt(baseUrl: string, signal: AbortSignal): Promise<readonly string[]> {
  return (await listedModels({ baseUrl }, globalThis.fetch, signal)).models;
}

/** Resolves to undefined if the server does not list its models. Throws the signal's reason if it is aborted. */
async function listedModels(
  { baseUrl, query = {} }: Pick<Endpoint, "baseUrl" | "query">,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
) {
  const context = new Map<string, number>();
  const base = baseUrl.replace(/\/+$/, "");
  const search = Object.keys(query).length === 0 ? "" : `?${String(new URLSearchParams(query))}`;
  const { data } = await fieldsAt(`${base}/models${search}`, fetch, signal);
  const listed = Array.isArray(data) ? (data as unknown[]).filter(isRecord) : [];
  const models = listed.flatMap(({ id }) => (typeof id === "string" && id !== "" ? [id] : [])).slice(0, mostModels);
  for (const { id, max_model_len, context_length, max_input_tokens } of listed) {
    const tokens = [max_model_len, context_length, max_input_tokens].find(isCount);
    if (typeof id === "string" && tokens !== undefined) context.set(id, tokens);
  }
  // llama.cpp's server reports its start options outside the protocol.
  const props = await fieldsAt(`${base.replace(/\/v1$/, "")}/props`, fetch, signal);
  const { n_ctx: started } = isRecord(props["default_generation_settings"]) ? props["default_generation_settings"] : {};
  if (isCount(started)) context.set("*", started);
  return { models, context };
}

async function fieldsAt(url: string, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<JsonRecord> {
  try {
    // This request is optional, so nothing waits for it.
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]) });
    const value: unknown = response.ok ? await response.json() : undefined;
    if (!response.ok) await response.body?.cancel();
    return isRecord(value) ? value : {};
  } catch {
    signal.throwIfAborted();
    return {};
  }
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0;
