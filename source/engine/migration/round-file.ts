/** The file of a round in earlier versions. */

/** Returns a round's file with the hash of its address: earlier versions wrote the address itself, as `url`. */
export function currentRound(value: unknown, hashOf: (url: string) => string | undefined): unknown {
  if (typeof value !== "object" || value === null || "address" in value) return value;
  const url = "url" in value && typeof value.url === "string" ? value.url : undefined;
  return { ...value, address: (url !== undefined && hashOf(url)) || "" };
}
