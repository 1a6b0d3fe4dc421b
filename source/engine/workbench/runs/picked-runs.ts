/** The runs of a grid that an analysis cell picks: those whose settings have the values it names under `only`. */
import type { RunRows } from "../../analysis.ts";
import { fieldNames, fieldValue } from "../../measures/run-field.ts";
import type { CellProblem } from "../../session/cell.ts";

/** Every setting must have one of its values. A setting no run has, and a value no run has there, is a problem. */
export function pickedRuns<Run extends Pick<RunRows, "spec" | "suite">>(
  runs: readonly Run[],
  only: Readonly<Record<string, readonly string[]>>,
): { readonly picked: readonly Run[]; readonly problems: readonly CellProblem[] } {
  const wanted = Object.entries(only);
  if (wanted.length === 0 || runs.length === 0) return { picked: runs, problems: [] };
  const problems: CellProblem[] = [];
  const names = [...new Set(runs.flatMap(fieldNames))];
  const valueOf = (run: Run, name: string) => String(fieldValue(run, name));
  for (const [name, values] of wanted) {
    const known = [...new Set(runs.map((run) => valueOf(run, name)))];
    const unknown = values.find((value) => !known.includes(value));
    if (!names.includes(name))
      problems.push({
        message: `Expected \`only\` to name settings of the runs (${names.join(", ")}), got \`${name}\``,
      });
    else if (unknown !== undefined)
      problems.push({ message: `Expected \`only\` to pick \`${name}\` among ${known.join(", ")}, got \`${unknown}\`` });
  }
  const picked = runs.filter((run) => wanted.every(([name, values]) => values.includes(valueOf(run, name))));
  if (problems.length === 0 && picked.length === 0)
    problems.push({ message: "Expected `only` to pick runs of this session: none has all these values" });
  return { picked, problems };
}
