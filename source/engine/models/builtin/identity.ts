/**
 * How a built-in model learns which task it is asked about: a header that goes to built-in models, and to endpoints whose
 * settings ask for it. No other server is told.
 */
import type { Asker, Role, RunSpec } from "../../types.ts";

export const identityHeader = "x-planwright-task";

/** The task of a request that only tries the connection out; `planwright serve-builtin` answers it without one. */
export const connectionTest = "planwright-connection-test";

/** base64url of the asker's JSON. The filter is left out: it may be long, and no reply depends on it. */
export function identityOf(asker: Asker): string {
  const { task, role, stage, spec } = asker;
  return Buffer.from(JSON.stringify({ task, role, stage, spec: { ...spec, filter: {} } })).toString("base64url");
}

/** The asker a header names; undefined when it is absent or not one. */
export function readIdentity(header: string | null | undefined): Asker | undefined {
  if (header === null || header === undefined || header === "") return undefined;
  try {
    const value = JSON.parse(Buffer.from(header, "base64url").toString("utf8")) as Record<string, unknown>;
    const { task, role, stage, spec } = value;
    if (typeof task !== "string" || typeof role !== "string" || typeof stage !== "string") return undefined;
    if (typeof spec !== "object" || spec === null || typeof (spec as RunSpec).suite !== "string") return undefined;
    return { task, role: role as Role, stage, spec: spec as RunSpec };
  } catch {
    return undefined;
  }
}
