/** One limiter for each endpoint, made when first needed. */
import type { Endpoint } from "../../settings/settings.ts";
import type { Clock } from "../../work/clock.ts";
import { Limiter, type SharedLimit } from "./limiter.ts";

export class EndpointLimits {
  // By the endpoint object, not its name: changed settings need a new limiter.
  readonly #limiters = new Map<Endpoint, Limiter>();
  readonly #sharedOf: ((endpoint: Endpoint) => SharedLimit) | undefined;

  /** `sharedOf` gives what programs that ask the same endpoints share; absent: this one asks them alone. */
  constructor(sharedOf?: (endpoint: Endpoint) => SharedLimit) {
    this.#sharedOf = sharedOf;
  }

  of(endpoint: Endpoint, clock: Clock): Limiter {
    const known = this.#limiters.get(endpoint) ?? new Limiter(endpoint, clock, this.#sharedOf?.(endpoint));
    this.#limiters.set(endpoint, known);
    return known;
  }
}
