/** Runs of a suite's sample, some tasks of which have no score, and all their figures. */
import { expect } from "vitest";
import { analyses } from "../../analyses/index.ts";
import type { Analysis, RunRows } from "../../source/engine/analysis.ts";
import type { Figure } from "../../source/engine/figure.ts";
import { planRunCell } from "../../source/engine/session/run-cell.ts";
import { sampleFolder } from "../../source/engine/settings/package-folder.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type { Row } from "../../source/engine/types.ts";
import { bareRow } from "../bare-row.ts";
import { runWithBuiltin } from "../suites/run-with-builtin.ts";

/** This many tasks of each run ended in this way; the others have a score. */
const ended = { failed: 2, unscored: 3, running: 1 };

export async function runsOf(suite: Suite, fields = "seed: [1, 2]"): Promise<readonly RunRows[]> {
  const loaded = await suite.open({ folder: sampleFolder(suite.name), data: "sample" });
  const talks = suite.strategies.some(({ roles }) => roles.includes("responder"));
  const models = `model: builtin/slips\njudge: builtin/oracle\n${talks ? "responder: builtin/oracle\n" : ""}`;
  const { runs, problems } = planRunCell(`suite: ${suite.name}\n${models}${fields}\n`, {
    suites: [suite],
    defaultData: () => "sample",
  });
  expect(problems).toEqual([]);
  const all = await loaded.tasks(runs[0]!.spec.split);
  const tasks = all.filter((_, index) => index % Math.ceil(all.length / 14) === 0);
  const made: RunRows[] = [];
  for (const [number, { spec }] of runs.entries()) {
    const rows: Row[] = [];
    for (const [index, task] of tasks.entries()) {
      const run = String(number + 1);
      const own = { question: task.question, facets: task.facets };
      if (index < ended.failed)
        rows.push(bareRow(run, task.id, { ...own, state: "failed", failure: { kind: "model", message: "no" } }));
      else if (index < ended.failed + ended.running) rows.push(bareRow(run, task.id, { ...own, state: "running" }));
      else {
        const ask = async () => "";
        const { score } = await runWithBuiltin(loaded, task, spec, `slips?rate=${(number + 1) * 0.2}`, { ask });
        const unscored = index < ended.failed + ended.running + ended.unscored;
        rows.push(
          bareRow(run, task.id, { ...own, score: unscored ? { ...score, value: undefined, metrics: {} } : score }),
        );
      }
    }
    made.push({
      run: String(number + 1),
      label: ["first", "second"][number] ?? `run ${number + 1}`,
      spec,
      suite,
      rows,
      reported: { values: [], tables: [] },
      warnings: [],
      readsAnswerKey: true,
    });
  }
  await loaded.close?.();
  return made;
}

/** Computes the analysis without a choice, and with each other value of each choice. */
export function waysToAsk(analysis: Analysis, runs: readonly RunRows[]): readonly Readonly<Record<string, string>>[] {
  const choices = Object.entries(analysis.choices(runs)).filter(([, values]) => values.length > 0);
  const usual = Object.fromEntries(choices.map(([name, values]) => [name, values[0]!]));
  const others = choices.flatMap(([name, values]) => values.slice(1).map((value) => ({ ...usual, [name]: value })));
  return [usual, ...others];
}

const listed = (analysis: Analysis, runs: readonly RunRows[]) =>
  Object.fromEntries(Object.entries(analysis.lists?.(runs) ?? {}).map(([name, { standard }]) => [name, standard]));

/** Every figure of every analysis that applies to these runs, with every choice. */
export function figuresOf(runs: readonly RunRows[]): readonly { readonly name: string; readonly figure: Figure }[] {
  return analyses.flatMap((analysis) => {
    if (analysis.missing?.(runs) !== undefined) return [];
    return waysToAsk(analysis, runs).flatMap((chosen) =>
      analysis.compute(runs, chosen, listed(analysis, runs)).map((figure) => ({ name: analysis.name, figure })),
    );
  });
}
