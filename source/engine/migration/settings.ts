/** Settings as version 0.1.0 wrote them. */

/** An endpoint with today's names: version 0.1.0 wrote `silence` for what is `idleTimeout` now. */
export function currentEndpoint(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("silence" in value) || "idleTimeout" in value) return value;
  const { silence: idleTimeout, ...others } = value;
  return { ...others, idleTimeout };
}
