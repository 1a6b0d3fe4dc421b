/** A call as people compare it: read generously, so that one error of form does not hide what was meant. */
import { strip } from "../../../source/engine/python/text.ts";
import type { Call } from "./call-text.ts";
import { readCall, shortName } from "./call-text.ts";
import type { CanonicalCall, CanonicalValue } from "./canonical-call.ts";
import { canonicalCall, canonicalKey, canonicalValue } from "./canonical-call.ts";

export type PlanCall = {
  readonly app: string;
  readonly text: string;
  /** As the official scorer reads it; undefined where it cannot. */
  readonly official: Call | undefined;
  /** As paper mode reads it; undefined where it cannot. */
  readonly canonical: CanonicalCall | undefined;
  /** API name, empty when neither can read the call. */
  readonly api: string;
  readonly arguments: ReadonlyMap<string, CanonicalValue>;
  readonly returns: readonly string[];
};

/** `read` reads a text as the official scorer does. */
export function planCall(app: string, text: string, read = readCall): PlanCall {
  const official = read(text.replaceAll("\\", ""));
  const canonical = canonicalCall(app, text);
  return {
    app,
    text,
    official,
    canonical,
    api: official?.name ?? shortName(canonical?.name ?? ""),
    arguments: canonical?.arguments ?? fromOfficial(official),
    returns: text.includes("=") ? text.slice(0, text.indexOf("=")).split(",").map(strip) : [],
  };
}

function fromOfficial(call: Call | undefined): Map<string, CanonicalValue> {
  const read = new Map<string, CanonicalValue>();
  for (const [key, value] of call?.arguments ?? []) read.set(canonicalKey(key), canonicalValue(value));
  return read;
}
