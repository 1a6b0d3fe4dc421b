/** All analysis panes, in the order they are offered. This array is the registry: a new pane is one more line. */
import type { Analysis } from "../source/engine/analysis.ts";

export const analyses: readonly Analysis[] = [];
