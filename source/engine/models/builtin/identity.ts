/**
 * Identifies the task of a request to a built-in model: a header sent to built-in models, and to endpoints whose settings request
 * it. No other server receives it.
 */
import type { Asker, Role, RunSpec } from "../../types.ts";

export const identityHeader = "x-planwright-task";

/** The task id of connection tests, which `planwright serve-builtin` answers without a task. */
export const connectionTest = "planwright-connection-test";

/**
 * Returns the sender of a request as JSON in base64url, without the filter and the paraphrases of other tasks, which may be long
 * and affect no reply.
 */
export function identityOf(asker: Asker): string {
  const { task, role, stage, spec, names } = asker;
  const words = spec.vary?.questions?.[task];
  const vary = words === undefined ? {} : { vary: { questions: { [task]: words } } };
  return Buffer.from(
    JSON.stringify({ task, role, stage, spec: { ...spec, filter: {}, ...vary }, ...(names && { names }) }),
  ).toString("base64url");
}

/** Returns the sender in a header; undefined if the header is absent or cannot be parsed. */
export function readIdentity(header: string | null | undefined): Asker | undefined {
  if (header === null || header === undefined || header === "") return undefined;
  try {
    const value = JSON.parse(Buffer.from(header, "base64url").toString("utf8")) as Record<string, unknown>;
    const { task, role, stage, spec, names } = value;
    if (typeof task !== "string" || typeof role !== "string" || typeof stage !== "string") return undefined;
    if (typeof spec !== "object" || spec === null || typeof (spec as RunSpec).suite !== "string") return undefined;
    const own = typeof names === "object" && names !== null ? { names: names as Asker["names"] & object } : {};
    return { task, role: role as Role, stage, spec: spec as RunSpec, ...own };
  } catch {
    return undefined;
  }
}
