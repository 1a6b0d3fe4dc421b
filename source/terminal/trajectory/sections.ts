export type Section = "plan" | "steps" | "checks" | "raw" | "tree";

export const sectionTitles: Readonly<Record<Section, string>> = {
  plan: "Plan",
  steps: "Steps",
  checks: "Checks",
  raw: "Raw",
  tree: "Tree",
};

/** The tree is there where a strategy builds one. */
export function sectionsOf(nodes: number): readonly Section[] {
  return nodes === 0 ? ["plan", "steps", "checks", "raw"] : ["plan", "steps", "checks", "raw", "tree"];
}
