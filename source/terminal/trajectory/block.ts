/** A long document as blocks of lines; only visible lines are drawn. */
import type { Line, Style } from "../../engine/figures/drawing/line.ts";
import type { Mistake } from "../../engine/types.ts";
import type { Code } from "../../engine/analysis.ts";

export type Block = {
  /** Constant while the document grows: the cursor and expanded blocks refer to it. */
  readonly id: string;
  readonly count: number;
  line(index: number): Line;
  /** True if an error is shown here, at which "next error" stops. */
  readonly error?: boolean | undefined;
  /** Scored errors shown here, whose labels can be corrected. */
  readonly mistakes?: readonly Mistake[] | undefined;
  /** A tool call begins here. */
  readonly isCall?: boolean | undefined;
  /** The speaker from this block on. */
  readonly speaker?: string;
  /** The code that it shows. */
  readonly code?: Code;
  /** Enter expands and collapses it. */
  readonly folds?: boolean | undefined;
  /** The folded lines, and the id of the block that contains them after unfolding. */
  readonly folded?: { readonly id: string; readonly lines: readonly string[] } | undefined;
  /** The block of another section that Enter opens. */
  readonly leadsTo?: { readonly section: Section; readonly block: string } | undefined;
  /** The block that must be unfolded before this block is visible. */
  readonly opens?: string;
};

export const blockOf = (id: string, lines: readonly Line[], rest: Partial<Block> = {}): Block => ({
  id,
  count: lines.length,
  line: (index) => lines[index] ?? [],
  ...rest,
});

const empty: readonly Line[] = [[]];
export const gap = (id: string): Block => blockOf(id, empty);

/** Lines of text, indented by four columns. */
export const textBlock = (id: string, lines: readonly string[], style: Style): Block => ({
  id,
  count: lines.length,
  line: (index) => [{ text: "    " }, { text: lines[index] ?? "", style }],
});

export type Section = "plan" | "steps" | "checks" | "raw" | "tree";

export const sectionTitles: Readonly<Record<Section, string>> = {
  plan: "Plan",
  steps: "Steps",
  checks: "Checks",
  raw: "Raw",
  tree: "Tree",
};

/** Returns the sections; includes the tree only if the strategy builds one. */
export const sectionsOf = (nodes: number): readonly Section[] =>
  nodes === 0 ? ["plan", "steps", "checks", "raw"] : ["plan", "steps", "checks", "raw", "tree"];

/** Returns the default section: the steps while they arrive, the checks of a failed task, otherwise the plan. */
export function firstSection(about: {
  readonly live: boolean;
  readonly loading: boolean;
  readonly hasPlan: boolean;
  readonly failed: boolean;
}): Section {
  const { failed, hasPlan, live, loading } = about;
  if (live) return "steps";
  if (failed && !loading) return "checks";
  return loading || hasPlan ? "plan" : "steps";
}
