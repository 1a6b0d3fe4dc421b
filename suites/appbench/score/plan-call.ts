/** Reads a call leniently for comparison, so that one formal error does not hide its content. */
import { strip } from "../../../source/engine/python/text.ts";
import { type Call, readCall, shortName } from "./call-text.ts";
import {
  type CanonicalCall,
  type CanonicalValue,
  canonicalCall,
  canonicalKey,
  canonicalValue,
} from "./canonical-call.ts";

export type PlanCall = {
  readonly app: string;
  readonly text: string;
  /** The official scorer's reading; undefined if it cannot read the call. */
  readonly official: Call | undefined;
  /** Paper mode's reading; undefined if it cannot read the call. */
  readonly canonical: CanonicalCall | undefined;
  /** The API name; empty if neither mode can read the call. */
  readonly api: string;
  readonly arguments: ReadonlyMap<string, CanonicalValue>;
  readonly returns: readonly string[];
};

/** Reads a call in all modes; `read` is the official scorer's reader. */
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
