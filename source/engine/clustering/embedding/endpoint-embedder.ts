/** Embeddings by a model behind an OpenAI-compatible endpoint. */
import { ModelProblem } from "../../models/problem.ts";
import type { Embedder } from "../../clusters.ts";

/** The functions of the client that this file uses. */
export type EmbeddingsClient = {
  readonly embeddings: {
    create(
      body: { readonly model: string; readonly input: string[]; readonly encoding_format: "float" },
      options: { readonly signal: AbortSignal },
    ): PromiseLike<{ readonly data: readonly { readonly index: number; readonly embedding: unknown }[] }>;
  };
};

/** Texts per request, below the limits of endpoints. */
export const textsPerRequest = 64;

/**
 * Requests `/embeddings` of the client's endpoint, in batches. Vectors are ordered by their index. Throws `ModelProblem` if a
 * vector is missing, empty or contains a number that is not finite, and the client's own errors.
 */
export function endpointEmbedder(client: EmbeddingsClient, endpoint: string, model: string): Embedder {
  let dims = 0;
  return {
    name: `${endpoint}/${model}`,
    get dims() {
      return dims;
    },
    async embed(texts, signal, progress) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += textsPerRequest) {
        signal.throwIfAborted();
        // Endpoints refuse empty texts; a space is sent instead.
        const input = texts.slice(start, start + textsPerRequest).map((text) => (text === "" ? " " : text));
        const { data } = await client.embeddings.create({ model, input, encoding_format: "float" }, { signal });
        if (!Array.isArray(data)) throw new ModelProblem(`Expected vectors from ${endpoint}, got none`);
        const found = new Map(data.map(({ index, embedding }) => [index, embedding]));
        input.forEach((_, index) => {
          const vector = found.get(index);
          if (!Array.isArray(vector) || vector.length === 0)
            throw new ModelProblem(`Expected a vector for text ${start + index} from ${endpoint}, got none`);
          // Servers send `null` for NaN, which would become 0.
          const wrong = vector.findIndex((value) => typeof value !== "number" || !Number.isFinite(Math.fround(value)));
          if (wrong !== -1) {
            const got = JSON.stringify(vector[wrong])?.slice(0, 40);
            throw new ModelProblem(`Expected finite numbers for text ${start + index} from ${endpoint}, got ${got}`);
          }
          const numbers = Float32Array.from(vector);
          dims = numbers.length;
          vectors.push(numbers);
        });
        progress?.(vectors.length);
      }
      return vectors;
    },
  };
}
