/** One limiter for each endpoint, made when first needed, and the share of the endpoint this program may take. */
import type { Endpoint } from "../settings/settings.ts";
import type { Clock } from "../work/clock.ts";
import { Limiter, type LimitShare } from "./limiter.ts";

export class EndpointLimits {
  // By the endpoint object, not its name: changed settings need a new limiter.
  readonly #limiters = new Map<Endpoint, Limiter>();

  of(endpoint: Endpoint, clock: Clock): Limiter {
    const known = this.#limiters.get(endpoint) ?? new Limiter(endpoint, clock);
    this.#limiters.set(endpoint, known);
    return known;
  }

  /** Endpoints that were asked. */
  endpoints(): readonly Endpoint[] {
    return [...this.#limiters.keys()];
  }

  share(shareOf: (endpoint: Endpoint) => LimitShare): void {
    for (const [endpoint, limiter] of this.#limiters) limiter.take(shareOf(endpoint));
  }
}
