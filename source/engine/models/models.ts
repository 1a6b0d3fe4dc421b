/** Models by name, as written in a run cell. */
import type { Endpoint, Settings } from "../settings/settings.ts";
import type { Model, Price } from "../types.ts";
import { type Clock, machineClock } from "../work/clock.ts";
import { builtinFetch } from "./builtin/builtin-fetch.ts";
import { readBuiltinName } from "./builtin/builtin-name.ts";
import type { BuiltinSources } from "./builtin/builtin-reply.ts";
import { credentialsOf } from "./network/credentials.ts";
import { EndpointLimits } from "./limits/endpoint-limits.ts";
import { Limiter } from "./limits/limiter.ts";
import type { Connection } from "./stream-reply.ts";
import { streamReply } from "./stream-reply.ts";
import { Outage } from "./limits/outage.ts";
import { ModelProblem } from "./problem.ts";
import { requestKey } from "./request-key.ts";
import type { RetryPolicy } from "./limits/retry-policy.ts";
import { defaultPolicy } from "./limits/retry-policy.ts";

export type Models = {
  /** `endpoint/model`; the model's own name may contain slashes. Throws `ModelProblem` where there is no such endpoint. */
  model(name: string): Model;
  /** The limiter shared by all models of that model's endpoint. Throws like `model`. */
  limiter(name: string): Limiter;
  /** Whether that model's endpoint is there, as far as its requests know. Throws like `model`. */
  outage(name: string): Outage;
  /** Loads what requests to that model need, so that the first does not wait for it. Never rejects: a request says what is wrong. */
  ready(name: string): Promise<void>;
  /** Why this model cannot be used, as far as known without a request: wrong name, missing key. */
  problem(name: string): string | undefined;
  /** Names for select lists. */
  names(): readonly string[];
};

const builtinEndpoint: Endpoint = {
  name: "builtin",
  baseUrl: "http://builtin.invalid/v1",
  concurrency: 8,
  idleTimeout: 300,
  identify: true,
};
const isBuiltin = (endpoint: Endpoint) => endpoint === builtinEndpoint;
const builtinPrice: Price = { input: 0, output: 0 };

/**
 * The models of these settings and the built-in ones. One client and one limiter per endpoint, created when first needed; the
 * `openai` package is loaded with the first request. `policy`, `clock` and `environment` are for tests.
 */
export function createModels(given: {
  readonly settings: () => Settings;
  readonly sources: BuiltinSources;
  readonly policy?: Partial<RetryPolicy>;
  readonly clock?: Clock;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Those of other models that ask the same endpoints; absent: there are none. */
  readonly limits?: EndpointLimits;
}): Models {
  const policy = { ...defaultPolicy, ...given.policy };
  const clock = given.clock ?? machineClock;
  const environment = given.environment ?? process.env;
  // By the endpoint object, not its name: changed settings need a new connection.
  const limiters = given.limits ?? new EndpointLimits();
  const asked = new WeakMap<Endpoint, { readonly outage: Outage; connection?: Promise<Connection> | undefined }>();
  const models = new Map<string, { readonly endpoint: Endpoint; readonly model: Model }>();

  // Built-in models are this program's own, whoever asks the same endpoints.
  const builtinLimiter = new Limiter(builtinEndpoint, clock);
  const limiterOf = (endpoint: Endpoint) => (isBuiltin(endpoint) ? builtinLimiter : limiters.of(endpoint, clock));
  const askedOf = (endpoint: Endpoint) => {
    const known = asked.get(endpoint) ?? { outage: new Outage(endpoint, clock) };
    asked.set(endpoint, known);
    return known;
  };
  const outageOf = (endpoint: Endpoint) => askedOf(endpoint).outage;
  const connect = async (endpoint: Endpoint): Promise<Connection> => {
    const credentials = credentialsOf(endpoint, environment);
    const [{ clientOf }, { requestFailureOf }] = await Promise.all([
      import("./network/client.ts"),
      import("./network/request-failure.ts"),
    ]);
    const fetch = isBuiltin(endpoint) ? builtinFetch(given.sources, clock) : undefined;
    return {
      endpoint,
      adaptations: new Map(),
      client: clientOf(endpoint, { ...credentials, environment, fetch }),
      secrets: credentials.secrets,
      limiter: limiterOf(endpoint),
      outage: outageOf(endpoint),
      policy,
      clock,
      requestFailureOf,
    };
  };
  const connectionOf = (endpoint: Endpoint) => {
    const known = askedOf(endpoint);
    if (known.connection !== undefined) return known.connection;
    const connection = connect(endpoint);
    known.connection = connection;
    // A missing key may be set the next time.
    connection.catch(() => (known.connection = undefined));
    return connection;
  };
  const modelOf = (name: string, endpoint: Endpoint, id: string): Model => {
    if (isBuiltin(endpoint)) readBuiltinName(id);
    const price = isBuiltin(endpoint) ? builtinPrice : priceOf(endpoint, id);
    return {
      name,
      // Only a server of built-in models is sent the task's identity.
      readsAnswerKey: isBuiltin(endpoint) || endpoint.identify,
      ...(price === undefined ? {} : { price }),
      requestKey: (request) => requestKey(endpoint, id, request),
      stream: (request) => streamReply(connectionOf(endpoint), id, request),
    };
  };

  const find = (name: string) => splitName(name, given.settings());
  return {
    model(name) {
      const { endpoint, id } = find(name);
      const known = models.get(name);
      if (known?.endpoint === endpoint) return known.model;
      const model = modelOf(name, endpoint, id);
      models.set(name, { endpoint, model });
      return model;
    },
    limiter: (name) => limiterOf(find(name).endpoint),
    outage: (name) => outageOf(find(name).endpoint),
    async ready(name) {
      try {
        await connectionOf(find(name).endpoint);
      } catch {
        // Its requests are refused for the same reason.
      }
    },
    problem(name) {
      try {
        const { endpoint, id } = find(name);
        if (isBuiltin(endpoint)) readBuiltinName(id);
        else credentialsOf(endpoint, environment);
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    },
    names: () => modelNames(given.settings()),
  };
}

/** Endpoint and model of a name `endpoint/model`. Throws `ModelProblem`. */
export function splitName(name: string, { endpoints }: Settings): { readonly endpoint: Endpoint; readonly id: string } {
  const slash = name.indexOf("/");
  if (slash <= 0 || slash === name.length - 1)
    throw new ModelProblem(`Expected \`model\` to be \`endpoint/model\`, such as \`builtin/oracle\`, got \`${name}\``);
  const wanted = name.slice(0, slash);
  const endpoint = wanted === "builtin" ? builtinEndpoint : endpoints.find((each) => each.name === wanted);
  if (endpoint === undefined) {
    const known = ["builtin", ...endpoints.map((each) => each.name)].join(", ");
    throw new ModelProblem(
      `Expected an endpoint that is set up (${known}), got \`${wanted}\`; add it with \`planwright endpoint add ${wanted} --base-url URL\``,
    );
  }
  return { endpoint, id: name.slice(slash + 1) };
}

/** Names to choose from: built-in models, and those that endpoints name, else those their servers listed when they were tested. */
export function modelNames({ endpoints, tested = {} }: Settings): readonly string[] {
  const listed = endpoints.flatMap(({ name, models }) =>
    (models ?? (Object.hasOwn(tested, name) ? tested[name]!.models : [])).map((model) => `${name}/${model}`),
  );
  return ["builtin/oracle", "builtin/slips", "builtin/responder", ...listed];
}

function priceOf({ prices }: Endpoint, id: string): Price | undefined {
  if (prices === undefined) return undefined;
  if (Object.hasOwn(prices, id)) return prices[id];
  return Object.hasOwn(prices, "*") ? prices["*"] : undefined;
}
