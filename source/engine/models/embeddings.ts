/** Requests embeddings, with the endpoint's limits and retries, as for its models. */
import type { Settings } from "../settings/settings.ts";
import { tokensOf } from "../text/tokens.ts";
import { connect, type Connection } from "./connection.ts";
import { type Tries, limited, retrying } from "./limits/attempts.ts";
import type { Limiter } from "./limits/limiter.ts";
import type { RequestFailure, RetryPolicy } from "./limits/retry-policy.ts";
import { splitName } from "./models.ts";
import { ModelProblem, withoutKeys } from "./problem.ts";
import { protocolOf } from "./protocols/protocols.ts";

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
    /** Throws `ModelProblem` when the client stops retrying, and the signal's reason when aborted. */
    create(body: EmbeddingsRequest, options: { readonly signal: AbortSignal }): Promise<Reply>;
  };
};

/**
 * Returns the embeddings of a model by its name, `endpoint/model`. Throws `ModelProblem` if the endpoint does not exist, or its
 * key is missing.
 */
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
  if (endpoint.name === "builtin") throw new ModelProblem(`Expected an embedding model, got \`${name}\``);
  const { noEmbeddings } = protocolOf(endpoint);
  if (noEmbeddings !== undefined)
    throw new ModelProblem(`Endpoint \`${endpoint.name}\` has no embeddings: ${noEmbeddings}`);
  const { limiter, onRetry } = given;
  const connection = await connect(endpoint, given);
  const server = `Endpoint \`${endpoint.name}\` (${endpoint.baseUrl})`;
  const create = async (body: EmbeddingsRequest, { signal }: { readonly signal: AbortSignal }): Promise<Reply> => {
    const expected = limiter.countsTokens ? body.input.reduce((sum, text) => sum + tokensOf(text), 0) : 0;
    const tries: Tries = { connection, signal, expected, attempts: 0, away: 0 };
    const problem = ({ status, error }: RequestFailure, giveUp: string) =>
      new ModelProblem(`${`${server} failed ${giveUp}`.trimEnd()}: ${withoutKeys(error, connection.secrets)}`, {
        status,
        attempts: tries.attempts,
      });
    const trying = retrying(tries, problem, () => limited(tries, () => attemptTo(connection, body, signal)));
    for (;;) {
      const { value, done } = await trying.next();
      if (done === true && holdsVectors(value.reply)) return value.reply;
      if (done === true) {
        const words = withoutKeys(JSON.stringify(value.reply) ?? "nothing", connection.secrets);
        throw new ModelProblem(`${server} answered without vectors: ${words}`);
      }
      if (value.type === "retry") onRetry?.(value.error, value.wait);
    }
  };
  return { endpoint: endpoint.name, model: id, embeddings: { create } };
}

/** Sends one request. */
async function attemptTo({ client, requestFailureOf }: Connection, body: EmbeddingsRequest, signal: AbortSignal) {
  try {
    return { reply: await client.embeddings.create(body, { signal }), failure: undefined };
  } catch (error) {
    signal.throwIfAborted();
    const failure = requestFailureOf(error);
    if (failure === undefined) throw error;
    return { failure };
  }
}

/** Batch sizes to try, the largest first. */
const batches = [2048, 512, 128, 32, 8, 1];

/** Describes the largest accepted batch and the dimensions of its vectors. Throws as `create` does. */
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
