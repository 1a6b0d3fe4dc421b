export type Section = "plan" | "steps" | "checks" | "raw" | "tree";

export const sectionTitles: Readonly<Record<Section, string>> = {
  plan: "Plan",
  steps: "Steps",
  checks: "Checks",
  raw: "Raw",
  tree: "Tree",
};

/** Includes the tree only if the strategy builds one. */
export function sectionsOf(nodes: number): readonly Section[] {
  return nodes === 0 ? ["plan", "steps", "checks", "raw"] : ["plan", "steps", "checks", "raw", "tree"];
}

/** Returns the default section: the steps while they arrive, the checks of a failed task, else the plan. */
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
