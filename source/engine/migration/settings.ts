/** Settings written by version 0.1.0. */

/** Returns an endpoint with today's names: version 0.1.0 wrote `silence` instead of `idleTimeout`. */
export function currentEndpoint(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("silence" in value) || "idleTimeout" in value) return value;
  const { silence: idleTimeout, ...others } = value;
  return { ...others, idleTimeout };
}
