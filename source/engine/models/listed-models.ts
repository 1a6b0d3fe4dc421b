/** What a server says of itself: its models, and how long their context is. */
import type { Endpoint } from "../settings/settings.ts";

export type ServerInfo = {
  readonly models: readonly string[];
  /** Tokens by model; `*` for all. */
  readonly context: ReadonlyMap<string, number>;
};

type Fields = { readonly [key: string]: unknown };

/** Most models kept: some services list thousands. */
const mostModels = 500;

/** Nothing where the server does not say. Throws the signal's reason when aborted. */
export async function listedModels(
  { baseUrl, query = {} }: Endpoint,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<ServerInfo> {
  const context = new Map<string, number>();
  const base = baseUrl.replace(/\/+$/, "");
  const search = Object.keys(query).length === 0 ? "" : `?${String(new URLSearchParams(query))}`;
  const { data } = await fieldsAt(`${base}/models${search}`, fetch, signal);
  const listed = Array.isArray(data) ? (data as unknown[]).filter(isFields) : [];
  const models = listed.flatMap(({ id }) => (typeof id === "string" && id !== "" ? [id] : [])).slice(0, mostModels);
  for (const { id, max_model_len, context_length } of listed) {
    const tokens = [max_model_len, context_length].find(isCount);
    if (typeof id === "string" && tokens !== undefined) context.set(id, tokens);
  }
  // llama.cpp's server says what it was started with beside the protocol.
  const props = await fieldsAt(`${base.replace(/\/v1$/, "")}/props`, fetch, signal);
  const { n_ctx: started } = isFields(props["default_generation_settings"]) ? props["default_generation_settings"] : {};
  if (isCount(started)) context.set("*", started);
  return { models, context };
}

async function fieldsAt(url: string, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<Fields> {
  try {
    // A server that does not answer this need not be waited for.
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]) });
    const value: unknown = response.ok ? await response.json() : undefined;
    if (!response.ok) await response.body?.cancel();
    return isFields(value) ? value : {};
  } catch {
    signal.throwIfAborted();
    return {};
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}
