/** One limiter for each endpoint, made when first needed, and the share of the endpoint this program may take. */
import type { Endpoint } from "../settings/settings.ts";
import type { Clock } from "../work/clock.ts";
import { Limiter, type LimitShare } from "./limiter.ts";

export class EndpointLimits {
  // By the endpoint object, not its name: changed settings need a new limiter.
  readonly #limiters = new Map<Endpoint, Limiter>();
  readonly #overloaded: (endpoint: Endpoint, ago: number) => void;

  /** `overloaded` is told of endpoints that reported overload, and how many milliseconds ago they were asked. */
  constructor(overloaded: (endpoint: Endpoint, ago: number) => void = () => {}) {
    this.#overloaded = overloaded;
  }

  of(endpoint: Endpoint, clock: Clock): Limiter {
    const told = (ago: number) => this.#overloaded(endpoint, ago);
    const known = this.#limiters.get(endpoint) ?? new Limiter(endpoint, clock, told);
    this.#limiters.set(endpoint, known);
    return known;
  }

  /** Endpoints that were asked. */
  endpoints(): readonly Endpoint[] {
    return [...this.#limiters.keys()];
  }

  /** Other programs with a share were told so by those of these endpoints that fit, which they had asked so many milliseconds ago. */
  overloadedElsewhere(fits: (endpoint: Endpoint) => boolean, ago: number): void {
    for (const [endpoint, limiter] of this.#limiters) if (fits(endpoint)) limiter.overloadedElsewhere(ago);
  }

  share(shareOf: (endpoint: Endpoint) => LimitShare): void {
    for (const [endpoint, limiter] of this.#limiters) limiter.take(shareOf(endpoint));
  }
}
