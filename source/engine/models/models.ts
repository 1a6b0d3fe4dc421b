/** Models by name, as written in a run cell. */
import { modelSettings, namedModels } from "../run-settings.ts";
import type { Endpoint, Settings } from "../settings/settings.ts";
import type { Asker, Model, ModelRequest, Price } from "../types.ts";
import { type Clock, machineClock } from "../work/clock.ts";
import { builtinFetch } from "./builtin/builtin-fetch.ts";
import { keyless, readBuiltinName } from "./builtin/builtin-name.ts";
import type { BuiltinSources } from "./builtin/builtin-reply.ts";
import { connect, type Connection } from "./connection.ts";
import { EndpointLimits, Limiter } from "./limits/limiter.ts";
import { Outage } from "./limits/outage.ts";
import type { RetryPolicy } from "./limits/retry-policy.ts";
import { credentialsOf } from "./network/credentials.ts";
import { ModelProblem } from "./problem.ts";
import { requestBody } from "./protocols/chat/chat.ts";
import { streamReply } from "./stream-reply.ts";

export type Models = {
  /**
   * Returns the model named `endpoint/model`; the model's own name may contain slashes. Throws `ModelProblem` if the endpoint
   * does not exist.
   */
  model(name: string): Model;
  /** Returns the limiter shared by all models of that model's endpoint. Throws as `model` does. */
  limiter(name: string): Limiter;
  /** Returns the availability of that model's endpoint, as seen by its requests. Throws as `model` does. */
  outage(name: string): Outage;
  /** Loads the code for requests to that model, so that the first need not wait. Never rejects; a request reports errors. */
  ready(name: string): Promise<void>;
  /** Returns why this model cannot be used, as far as this is known without a request: wrong name, missing key. */
  problem(name: string): string | undefined;
  /** Returns names for select lists. */
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

type Given = {
  readonly settings: () => Settings;
  readonly sources: BuiltinSources;
  readonly policy?: Partial<RetryPolicy>;
  readonly clock?: Clock;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The limits that other models on the same endpoints already use; absent if there are no such limits. */
  readonly limits?: EndpointLimits;
};

/** Returns the models of these settings and the built-in models. `policy`, `clock` and `environment` are for tests. */
export function createModels(given: Given): Models {
  const { environment = process.env } = given;
  const { limiterOf, outageOf, connectionOf } = connections(given, environment);
  const find = (name: string) => splitName(name, given.settings());
  // A replay is marked as the run that it replays, and is marked if that run is unknown.
  const readsKey = (name: string, replays: readonly string[] = []): boolean => {
    const { endpoint, id } = find(name);
    const builtin = isBuiltin(endpoint) ? readBuiltinName(id) : undefined;
    if (builtin !== undefined && keyless.has(builtin.kind)) return false;
    const log = builtin?.log;
    if (log === undefined) return endpoint.identify;
    const spec = replays.includes(log) ? undefined : given.sources.specOf?.(log);
    if (spec === undefined) return true;
    const asked = namedModels(spec);
    return asked.some((each) => known(each) && readsKey(each, [...replays, log]));
  };
  const known = (name: string) => {
    try {
      const { endpoint, id } = find(name);
      return !isBuiltin(endpoint) || readBuiltinName(id).kind !== undefined;
    } catch {
      return false;
    }
  };
  return {
    model(name) {
      const { endpoint, id } = find(name);
      if (isBuiltin(endpoint)) readBuiltinName(id);
      const price = isBuiltin(endpoint) ? builtinPrice : priceOf(endpoint, id);
      return {
        name,
        // Only a server of built-in models receives the task's identity.
        readsAnswerKey: readsKey(name),
        ...(price === undefined ? {} : { price }),
        requestKey: (request) => requestKey(endpoint, id, request),
        stream: (request) => streamReply(connectionOf(endpoint), id, request),
      };
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

/** Creates one connection and one limiter per endpoint on first use. Changed settings need new ones. */
function connections(
  { sources, policy, clock = machineClock, limits = new EndpointLimits() }: Given,
  environment: Given["environment"],
) {
  const outages = new Map<Endpoint, Outage>();
  const opened = new Map<Endpoint, Promise<Connection>>();
  // Built-in models belong to this program, even if others use the same endpoints.
  const builtinLimiter = new Limiter(builtinEndpoint, clock);
  const limiterOf = (endpoint: Endpoint) => (isBuiltin(endpoint) ? builtinLimiter : limits.of(endpoint, clock));
  const outageOf = (endpoint: Endpoint) => {
    const outage = outages.get(endpoint) ?? new Outage(endpoint, clock);
    outages.set(endpoint, outage);
    return outage;
  };
  const connectionOf = (endpoint: Endpoint) => {
    const known = opened.get(endpoint);
    if (known !== undefined) return known;
    const fetch = isBuiltin(endpoint) ? builtinFetch(sources, clock) : undefined;
    const [limiter, outage] = [limiterOf(endpoint), outageOf(endpoint)];
    const connection = connect(endpoint, { limiter, outage, policy, clock, environment, fetch });
    opened.set(endpoint, connection);
    // A missing key may be set the next time.
    connection.catch(() => opened.delete(endpoint));
    return connection;
  };
  return { limiterOf, outageOf, connectionOf };
}

/**
 * Returns a key that distinguishes a request: its body, the server, and other inputs of a built-in model's reply. Adaptations to
 * a server are not part of the key.
 */
function requestKey(endpoint: Endpoint, model: string, request: ModelRequest): string {
  const { baseUrl, query = {}, api = "chat", identify } = endpoint;
  const body = requestBody(model, request);
  return JSON.stringify([baseUrl, query, api, body, identify ? identityIn(request.asker) : null]);
}

/** Drops settings that only determine which tasks are executed, when they end, and which other models receive requests. */
function identityIn({ role, stage, spec }: Asker): object {
  const { filter: _, limit: __, budget: ___, roles: ____, judging: _____, judges: ______, ...deciding } = spec;
  const own = Object.entries(deciding).filter(([name]) => !(modelSettings as readonly string[]).includes(name));
  return { role, stage, spec: Object.fromEntries(own) };
}

/** Splits a name `endpoint/model`. Throws `ModelProblem`. */
export function splitName(name: string, { endpoints }: Settings): { readonly endpoint: Endpoint; readonly id: string } {
  const slash = name.indexOf("/");
  if (slash <= 0 || slash === name.length - 1)
    throw new ModelProblem(`Expected \`model\` to be \`endpoint/model\`, such as \`builtin/oracle\`, got \`${name}\``);
  const wanted = name.slice(0, slash);
  const endpoint = wanted === "builtin" ? builtinEndpoint : endpoints.find((each) => each.name === wanted);
  if (endpoint === undefined) {
    const known = ["builtin", ...endpoints.map((each) => each.name)].join(", ");
    throw new ModelProblem(
      `Expected an existing endpoint (${known}), got \`${wanted}\`; add it with \`planwright endpoint add ${wanted} --base-url URL\``,
    );
  }
  return { endpoint, id: name.slice(slash + 1) };
}

/**
 * Returns names to choose from: built-in models, and those in the settings of endpoints, otherwise those that the servers listed
 * when tested.
 */
export function modelNames({ endpoints, tested = {} }: Settings): readonly string[] {
  const listed = endpoints.flatMap(({ name, models }) =>
    (models ?? (Object.hasOwn(tested, name) ? tested[name]!.models : [])).map((model) => `${name}/${model}`),
  );
  return [...["oracle", "slips", "responder", "nothing", "filler"].map((name) => `builtin/${name}`), ...listed];
}

function priceOf({ prices }: Endpoint, id: string): Price | undefined {
  if (prices === undefined) return undefined;
  if (Object.hasOwn(prices, id)) return prices[id];
  return Object.hasOwn(prices, "*") ? prices["*"] : undefined;
}
