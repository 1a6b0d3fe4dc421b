/** Requests for embeddings, with the endpoint's limits and retries, as for its models. */
import type { Settings } from "../settings/settings.ts";
import type { Limiter } from "./limits/limiter.ts";
import { credentialsOf } from "./network/credentials.ts";
import { splitName } from "./models.ts";
import { receptionOf } from "./limits/overload.ts";
import { pause } from "./limits/pause.ts";
import { ModelProblem, withoutKeys } from "./problem.ts";
import { nextWait, defaultPolicy, type RequestFailure, type RetryPolicy } from "./limits/retry-policy.ts";
import { tokensOf } from "../text/tokens.ts";

export type EmbeddingsRequest = {
  readonly model: string;
  readonly input: string[];
  readonly encoding_format: "float";
};
type Reply = { readonly data: readonly { readonly index: number; readonly embedding: unknown }[] };

export type Embeddings = {
  readonly endpoint: string;
  /** The model's id at the endpoint. */
  readonly model: string;
  readonly embeddings: {
    /** Throws `ModelProblem` when it gives up, and the signal's reason when aborted. */
    create(body: EmbeddingsRequest, options: { readonly signal: AbortSignal }): Promise<Reply>;
  };
};

/** The embeddings of a model by its name, `endpoint/model`. Throws `ModelProblem` when there is no such endpoint, or no key for it. */
export async function createEmbeddings(
  name: string,
  given: {
    readonly settings: Settings;
    readonly limiter: Limiter;
    readonly policy?: Partial<RetryPolicy>;
    readonly environment?: Readonly<Record<string, string | undefined>>;
    /** Called after every failed attempt; the message does not contain the key. */
    readonly onRetry?: (error: string, wait: number) => void;
  },
): Promise<Embeddings> {
  const { endpoint, id } = splitName(name, given.settings);
  if (endpoint.name === "builtin") throw new ModelProblem(`Expected a model that embeds, got \`${name}\``);
  const environment = given.environment ?? process.env;
  const credentials = credentialsOf(endpoint, environment);
  const { secrets } = credentials;
  const policy = { ...defaultPolicy, ...given.policy };
  const [{ clientOf }, { requestFailureOf }] = await Promise.all([
    import("./network/client.ts"),
    import("./network/request-failure.ts"),
  ]);
  const client = clientOf(endpoint, { ...credentials, environment });
  const { limiter } = given;
  const create = async (body: EmbeddingsRequest, { signal }: { readonly signal: AbortSignal }): Promise<Reply> => {
    const tokens = limiter.countsTokens ? body.input.reduce((sum, text) => sum + tokensOf(text), 0) : 0;
    let busy = 0;
    for (let attempt = 1; ; attempt++) {
      const permit = await limiter.acquire(signal, tokens, attempt > 1);
      let failure: RequestFailure | undefined;
      try {
        const reply: unknown = await client.embeddings.create(body, { signal });
        if (holdsVectors(reply)) return reply;
        const words = withoutKeys(JSON.stringify(reply) ?? "nothing", secrets);
        throw new ModelProblem(
          `Endpoint \`${endpoint.name}\` (${endpoint.baseUrl}) answered without vectors: ${words}`,
        );
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ModelProblem) throw error;
        const known = requestFailureOf(error);
        if (known === undefined) throw error;
        failure = known;
      } finally {
        permit.release(signal.aborted ? undefined : receptionOf(failure));
      }
      if (failure.kind === "busy") busy += 1;
      const message = withoutKeys(failure.error, secrets);
      const next = nextWait(policy, failure, { attempt, busy });
      if ("giveUp" in next) {
        const failed = `Endpoint \`${endpoint.name}\` (${endpoint.baseUrl}) failed ${next.giveUp}`.trimEnd();
        throw new ModelProblem(`${failed}: ${message}`, { status: failure.status, attempts: attempt });
      }
      given.onRetry?.(message, next.wait);
      await pause(next.wait, signal);
    }
  };
  return { endpoint: endpoint.name, model: id, embeddings: { create } };
}

/** Batches tried, the largest first. */
const batches = [2048, 512, 128, 32, 8, 1];

/** In words: the largest batch that is answered, and the dimensions of its vectors. Throws like `create`. */
export async function largestBatch(
  name: string,
  given: Parameters<typeof createEmbeddings>[1] & { readonly signal: AbortSignal },
): Promise<string> {
  const { model, embeddings } = await createEmbeddings(name, given);
  const embed = (count: number) =>
    embeddings.create(
      { model, input: Array.from({ length: count }, (_, index) => `text ${index}`), encoding_format: "float" },
      { signal: given.signal },
    );
  const [first] = (await embed(1)).data as readonly { readonly embedding: readonly unknown[] }[];
  for (const count of batches) {
    try {
      if (count > 1) await embed(count);
      return `${(first!.embedding as readonly unknown[]).length} dimensions, ${count} texts in a batch`;
    } catch {
      given.signal.throwIfAborted();
    }
  }
  return "";
}

function holdsVectors(reply: unknown): reply is Reply {
  const { data } = (reply ?? {}) as { readonly data?: unknown };
  const vectors = Array.isArray(data) ? (data as unknown[]) : [];
  return (
    vectors.length > 0 && vectors.every((each) => Array.isArray((each as { embedding?: unknown } | null)?.embedding))
  );
}
