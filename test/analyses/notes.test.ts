/** What figures say of the tasks they rest on: no two notes of one figure may disagree, whatever the analysis. */
import { describe, expect, test } from "vitest";
import { analyses } from "../../analyses/index.ts";
import type { Analysis, RunRows } from "../../source/engine/analysis.ts";
import type { Figure } from "../../source/engine/figure.ts";
import { planRunCell } from "../../source/engine/session/run-cell.ts";
import { sampleFolder } from "../../source/engine/settings/package-folder.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type { Row } from "../../source/engine/types.ts";
import { suites } from "../../suites/index.ts";
import { bareRow } from "../bare-row.ts";
import { runWithBuiltin } from "../suites/run-with-builtin.ts";

/** Of each run this many tasks ended in this way; the others have a score. */
const ended = { failed: 2, unscored: 3, running: 1 };

async function runsOf(suite: Suite): Promise<readonly RunRows[]> {
  const loaded = await suite.open({ folder: sampleFolder(suite.name), data: "sample" });
  const talks = suite.strategies.some(({ roles }) => roles.includes("responder"));
  const models = `model: builtin/slips\njudge: builtin/oracle\n${talks ? "responder: builtin/oracle\n" : ""}`;
  const { runs, problems } = planRunCell(`suite: ${suite.name}\n${models}seed: [1, 2]\n`, {
    suites: [suite],
    defaultData: () => "sample",
  });
  expect(problems).toEqual([]);
  const all = await loaded.tasks(runs[0]!.spec.split);
  const tasks = all.filter((_, index) => index % Math.ceil(all.length / 14) === 0);
  const made: RunRows[] = [];
  for (const { spec } of runs) {
    const rows: Row[] = [];
    for (const [index, task] of tasks.entries()) {
      const run = String(spec.seed);
      const own = { question: task.question, facets: task.facets };
      if (index < ended.failed)
        rows.push(bareRow(run, task.id, { ...own, state: "failed", failure: { kind: "model", message: "no" } }));
      else if (index < ended.failed + ended.running) rows.push(bareRow(run, task.id, { ...own, state: "running" }));
      else {
        const ask = async () => "";
        const { score } = await runWithBuiltin(loaded, task, spec, `slips?rate=${spec.seed * 0.3}`, { ask });
        const unscored = index < ended.failed + ended.running + ended.unscored;
        rows.push(
          bareRow(run, task.id, { ...own, score: unscored ? { ...score, value: undefined, metrics: {} } : score }),
        );
      }
    }
    made.push({
      run: String(spec.seed),
      label: spec.seed === 1 ? "first" : "second",
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

/** As it is asked without a choice, and with each other value of each choice. */
function waysToAsk(analysis: Analysis, runs: readonly RunRows[]): readonly Readonly<Record<string, string>>[] {
  const choices = Object.entries(analysis.choices(runs)).filter(([, values]) => values.length > 0);
  const usual = Object.fromEntries(choices.map(([name, values]) => [name, values[0]!]));
  const others = choices.flatMap(([name, values]) => values.slice(1).map((value) => ({ ...usual, [name]: value })));
  return [usual, ...others];
}

const listed = (analysis: Analysis, runs: readonly RunRows[]) =>
  Object.fromEntries(Object.entries(analysis.lists?.(runs) ?? {}).map(([name, { standard }]) => [name, standard]));

/** What a figure says in words, a statement each. */
const saidBy = (figure: Figure): readonly string[] =>
  [figure.title, ...figure.notes].flatMap((text) => text.split(/; |, (?=\d)/));
const kinds = {
  failed: { pattern: /(\d+) failed/, of: ({ state }: Row) => state === "failed" },
  unscored: {
    pattern: /(\d+) (?:could not be|unscored|not scored)/,
    of: ({ score }: Row) => score !== undefined && score.value === undefined,
  },
  running: { pattern: /(\d+) (?:still )?running/, of: ({ state }: Row) => state === "running" },
  scored: { pattern: /(\d+) scored/, of: ({ score }: Row) => score?.value !== undefined },
};

describe.each(suites.filter(({ ofFile }) => ofFile === undefined).map((suite) => [suite.name, suite] as const))(
  "figures of %s, some tasks of which have no score",
  (_, suite) => {
    test("say the same of them wherever they say it", async () => {
      const runs = await runsOf(suite);
      const figures = analyses.flatMap((analysis) => {
        if (analysis.missing?.(runs) !== undefined) return [];
        return waysToAsk(analysis, runs).flatMap((chosen) =>
          analysis.compute(runs, chosen, listed(analysis, runs)).map((figure) => ({ name: analysis.name, figure })),
        );
      });
      expect(figures.length).toBeGreaterThan(8);
      for (const { name, figure } of figures) {
        const where = `${name}: ${figure.title}`;
        const counts = new Map<string, Set<string>>();
        for (const text of saidBy(figure)) {
          for (const [kind, { pattern, of }] of Object.entries(kinds)) {
            const most = Math.max(...runs.map(({ rows }) => rows.filter(of).length));
            expect(Number(pattern.exec(text)?.[1] ?? 0), `${where}: ${kind}: ${text}`).toBeLessThanOrEqual(most);
          }
          const phrase = text.replaceAll(/\d[\d,.]*/g, "#");
          counts.set(phrase, (counts.get(phrase) ?? new Set()).add(text));
        }
        for (const [phrase, texts] of counts) expect([...texts], `${where}: ${phrase}`).toHaveLength(1);
        const all = figure.notes.join("\n");
        for (const { label } of runs)
          for (const kind of ["failed", "could not be scored"]) {
            const said = all.split("\n").filter((note) => note.startsWith(`${label}: `) && note.includes(kind));
            const ways = new Set(said.map((note) => note.slice(note.lastIndexOf("; "))));
            expect(ways.size, `${where}: ${said.join(" | ")}`).toBeLessThanOrEqual(1);
          }
      }
    });
  },
);
