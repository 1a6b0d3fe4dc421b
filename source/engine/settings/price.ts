/** The cost of tokens. */
import type { Price, TokenUsage } from "../types.ts";

type Tokens = Omit<TokenUsage, "estimated">;

/** Returns the cost of these tokens, preferably as the server reports it; undefined if the price is unknown. */
export function tokenCost({ input, output, cached = 0, reasoning = 0, cost }: Tokens, price: Price | undefined) {
  if (cost !== undefined) return cost;
  if (price === undefined) return undefined;
  const plain = (input - cached) * price.input + (output - reasoning) * price.output;
  return (plain + cached * (price.cached ?? price.input) + reasoning * (price.reasoning ?? price.output)) / 1_000_000;
}
