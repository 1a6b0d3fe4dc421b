/** How living workers share out the limits of endpoints they have in common. */
import { createHash } from "node:crypto";
import { hostname } from "node:os";
import type { EndpointLimits } from "../engine/models/endpoint-limits.ts";
import type { LimitShare } from "../engine/models/limiter.ts";
import type { Endpoint } from "../engine/settings/settings.ts";
import type { WorkerPresence } from "./presence.ts";

/** The endpoints a worker has asked, as others compare them. */
export function endpointKeys(limits: EndpointLimits): readonly string[] {
  return limits.endpoints().map(endpointKey);
}

/** What is worker `id`'s of an endpoint: an equal part to each living worker that has asked it. */
export function shareAmong(
  workers: readonly Pick<WorkerPresence, "id" | "endpoints">[],
  id: string,
): (endpoint: Endpoint) => LimitShare {
  return (endpoint) => {
    const key = endpointKey(endpoint);
    const asking = workers
      .filter((worker) => worker.id === id || worker.endpoints.includes(key))
      .map((worker) => worker.id);
    const ids = [...new Set([...asking, id])].toSorted();
    return { index: ids.indexOf(id), of: ids.length };
  };
}

/** A server on the machine itself is that machine's: each host has its own. Addresses are not told: they may hold secrets. */
export function endpointKey({ baseUrl }: Endpoint): string {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
  const isOwn = /^(localhost|127\..*|\[::1\]|builtin\.invalid)$/.test(host);
  return createHash("sha256")
    .update(`${isOwn ? hostname() : ""} ${baseUrl}`)
    .digest("hex")
    .slice(0, 16);
}
