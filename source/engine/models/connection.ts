/** A connection to an endpoint that all requests to it share. */
import type { OpenAI } from "openai";
import type { Endpoint } from "../settings/settings.ts";
import { type Clock, machineClock } from "../work/clock.ts";
import type { Limiter } from "./limits/limiter.ts";
import { Outage } from "./limits/outage.ts";
import { defaultPolicy, type RequestFailure, type RetryPolicy } from "./limits/retry-policy.ts";
import { credentialsOf } from "./network/credentials.ts";
import type { Adaptation } from "./protocols/adaptation.ts";

export type Connection = {
  readonly endpoint: Endpoint;
  readonly limiter: Limiter;
  readonly outage: Outage;
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly client: OpenAI;
  /** Texts removed from everything that is shown or saved. */
  readonly secrets: readonly string[];
  /** Learnt adaptations to the server, by model. */
  readonly adaptations: Map<string, Set<Adaptation>>;
  /** Classifies an error of the client; undefined for a bug. */
  requestFailureOf(error: unknown): RequestFailure | undefined;
};

/** Loads the `openai` package, which is needed by the first request. Throws `ModelProblem` if the environment contains no key. */
export async function connect(
  endpoint: Endpoint,
  given: {
    readonly limiter: Limiter;
    readonly outage?: Outage;
    readonly policy?: Partial<RetryPolicy> | undefined;
    readonly clock?: Clock;
    readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
    /** Replaces the network. */
    readonly fetch?: typeof globalThis.fetch | undefined;
  },
): Promise<Connection> {
  const { limiter, clock = machineClock, outage = new Outage(endpoint, clock), environment = process.env } = given;
  const { headers, secrets } = credentialsOf(endpoint, environment);
  const [{ clientOf }, { requestFailureOf }] = await Promise.all([
    import("./network/client.ts"),
    import("./network/request-failure.ts"),
  ]);
  const client = clientOf(endpoint, { headers, environment, fetch: given.fetch });
  const policy = { ...defaultPolicy, ...given.policy };
  return { endpoint, limiter, outage, policy, clock, client, secrets, adaptations: new Map(), requestFailureOf };
}
