/** What tokens cost. */

/** In the endpoint's currency, per million tokens. */
export type Price = { readonly input: number; readonly output: number };

/** What so many tokens cost; undefined where the price is not known. */
export function tokenCost(
  { input, output }: { readonly input: number; readonly output: number },
  price: Price | undefined,
): number | undefined {
  return price === undefined ? undefined : (input * price.input + output * price.output) / 1_000_000;
}
