import type { TaskRef } from "../../types.ts";

/** What is meant of the runs that are exported: one task, where `only` names it; all until the signal is aborted. */
export type ExportedPart = { readonly only?: TaskRef | undefined; readonly signal?: AbortSignal | undefined };
