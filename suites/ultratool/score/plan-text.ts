/** Plans in plain text: one numbered step a line. */
import type { Mistake } from "../../../source/engine/types.ts";
import { stepNumber } from "./steps.ts";

const number = /^\d+(?:\.\d+)*\.?$/;

/** Mistakes kept for one plan: an answer of a million lines shows nothing more. */
const most = 100;

/** Lines that begin with a step number. */
export function planSteps(plan: string): readonly string[] {
  return plan
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => number.test(stepNumber(line)));
}

/** What is wrong with a plan as a numbered tree, whatever its content. */
export function planMistakes(plan: string): readonly Mistake[] {
  const mistakes: Mistake[] = [];
  const seen = new Set<string>();
  const lines = plan.split("\n").map((line) => line.trim());
  for (const [step, line] of lines.filter((each) => each !== "").entries()) {
    if (mistakes.length >= most) break;
    const written = stepNumber(line);
    if (!number.test(written)) {
      mistakes.push({ kind: "not-numbered", step, got: line.slice(0, 200) });
      continue;
    }
    const path = written.replace(/\.$/, "");
    if (seen.has(path)) mistakes.push({ kind: "duplicate-number", step, got: line.slice(0, 200) });
    seen.add(path);
    const parent = path.includes(".") ? path.slice(0, path.lastIndexOf(".")) : undefined;
    if (parent !== undefined && !seen.has(parent))
      mistakes.push({ kind: "orphan", step, expected: parent, got: written });
  }
  return mistakes;
}
