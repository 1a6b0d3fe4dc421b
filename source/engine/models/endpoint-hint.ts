/** What may be wrong with an endpoint's base URL. */
import type { Endpoint } from "../settings/settings.ts";
import type { ModelProblem } from "./problem.ts";
import { listedModels } from "./listed-models.ts";

/** A sentence about the base URL, from how a request failed; undefined where it looks right. */
export async function hintFor(
  endpoint: Endpoint,
  { message, status }: ModelProblem,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { baseUrl } = endpoint;
  const bare = baseUrl.replace(/\/+$/, "");
  const shorter = bare.replace(/\/(chat\/completions|completions|responses|embeddings|models)$/, "");
  if (shorter !== bare) return `The base URL is the part before it: try ${shorter}`;
  if (/wrong version number|packet length too long|EPROTO/i.test(message) && bare.startsWith("https:"))
    return `This port speaks http: try ${bare.replace(/^https:/, "http:")}`;
  if (/plain HTTP request|HTTP request to an? HTTPS/i.test(message) && bare.startsWith("http:"))
    return `This port speaks https: try ${bare.replace(/^http:/, "https:")}`;
  if (status !== undefined && status >= 300 && status < 400)
    return "The server redirects to another address: use that one as the base URL";
  if ((status === 404 || status === 405) && !/\/v\d+\w*$/.test(bare)) {
    const { models } = await listedModels({ ...endpoint, baseUrl: `${bare}/v1` }, fetch, signal);
    if (models.length > 0) return `There are models at ${bare}/v1: try that base URL`;
  }
  return undefined;
}
