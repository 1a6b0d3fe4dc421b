import { expect, test } from "vitest";
import type { Figure } from "../../source/engine/figure.ts";
import { appbench } from "../../suites/appbench/index.ts";
import { analysisOf, cellNamed, runsOf, temporarySessions } from "../engine/workbench/temporary-session.ts";
import { describePublished, shared } from "../shared.ts";

const sessions = temporarySessions();

const analyses = `
\`\`\`analysis mistakes
pane: errors
kinds: all
\`\`\`

\`\`\`analysis groups
pane: difficulty
by: category
\`\`\`
`;
const cell = (settings: string) => `\`\`\`run played\nsuite: appbench\nsplit: all\n${settings}\n\`\`\`\n${analyses}`;

/** The one published task whose reference fails the scorer: even a perfect answer has mistakes there. */
const faulty = "mm-010";

/** Tasks with a mistake of each kind, by the analysis's own title for it. */
function hitsOf(figures: readonly Figure[], but = ""): ReadonlyMap<string, number> {
  const endings = figures.find(({ title }) => title === "How answers ended");
  const ranked = figures.find(({ kind }) => kind === "bars");
  if (endings?.kind !== "table" || ranked?.kind !== "bars") throw new Error("Expected a table and bars");
  const countOf = (tasks: readonly { readonly task: string }[] = []) => tasks.filter(({ task }) => task !== but).length;
  // An answer without a plan was not read: its only mistake is how it ended.
  const unread = endings.rows.filter(([name]) => name!.text === "Other form");
  return new Map([
    ...ranked.bars.map(({ label, cell: { tasks } }) => [label, countOf(tasks)] as const),
    [appbench.errorKinds.find(({ name }) => name === "no-plan")!.title, countOf(unread[0]?.[1]!.tasks)] as const,
  ]);
}

/** The analysis's number of tasks with the errors that an injected fault causes. */
function found(figures: readonly Figure[], fault: string, but = ""): number {
  const hits = hitsOf(figures, but);
  const { errors = [] } = appbench.faultKinds.find(({ name }) => name === fault)!;
  const titles = errors.map((error) => appbench.errorKinds.find(({ name }) => name === error)!.title);
  return titles.reduce((sum, title) => sum + hits.get(title)!, 0);
}

/** The number of the 801 published tasks into which each mistake can be injected. */
const applicable: Readonly<Record<string, number>> = {
  "missing-call": 601,
  "wrong-value": 694,
  "wrong-time-value": 643,
  "wrong-place-value": 636,
  "literal-for-reference": 485,
};
const all = 801;
/** Excluding the task whose reference fails. */
const trials = (kind: string) => (applicable[kind] ?? all) - 1;

describePublished("mistakes injected into 801 published tasks", () => {
  test("are found by the errors analysis, kind by kind, at their injected rates", async () => {
    const rates = new Map(appbench.faultKinds.map(({ name }, index) => [name, 0.05 + 0.01 * index]));
    const model = `builtin/slips?${[...rates].map(([kind, rate]) => `${kind}=${rate}`).join("&")}`;
    const loaded = await sessions.open(cell(`prompting: flat\nmodel: ${model}`), {
      settings: { data: { appbench: shared("data", "appbench") } },
    });
    await loaded.run(cellNamed(loaded, "played"));
    await loaded.settled();
    expect(runsOf(loaded, "played")).toMatchObject([
      { status: "done", total: all, counts: { failed: 0, unscored: 0 } },
    ]);
    const { figures, warnings, problems } = analysisOf(loaded, "mistakes");
    expect(problems).toEqual([]);
    expect(warnings).toContain(`${model} reads the answer key`);
    let injected = 0;
    for (const [kind, rate] of rates) {
      const hits = found(figures, kind, faulty);
      injected += hits;
      const { low, high } = binomialInterval(trials(kind), rate);
      expect({ kind, hits, low, high, within: low <= hits && hits <= high }).toMatchObject({ within: true });
    }
    // Each injected fault is exactly one error: none is found twice, and no other is found.
    const whole = [...hitsOf(figures, faulty).values()].reduce((sum, hits) => sum + hits, 0);
    expect(whole).toBe(injected);
    const rows = loaded.rows(runsOf(loaded, "played")[0]!.run);
    const erring = rows.filter(({ task, score }) => task !== faulty && score!.errors.length > 0);
    expect(erring).toHaveLength(injected);
    expect(injected).toBeGreaterThan(550);
  });

  test("are found in the first answer of hierarchical prompting, which contains the wrong app", async () => {
    const loaded = await sessions.open(cell("model: builtin/slips?app=0.3\nlimit: 621"), {
      settings: { data: { appbench: shared("data", "appbench") } },
    });
    await loaded.run(cellNamed(loaded, "played"));
    const { figures } = analysisOf(loaded, "mistakes");
    const hits = found(figures, "app", faulty);
    const { low, high } = binomialInterval(620, 0.3);
    expect(hits).toBeGreaterThanOrEqual(low);
    expect(hits).toBeLessThanOrEqual(high);
    expect([...hitsOf(figures, faulty).values()].reduce((sum, each) => sum + each, 0)).toBe(hits);
  });
});

test.each(appbench.faultKinds.map(({ name }) => name))(
  "a fault of kind %s injected into every sample task is reported only as that kind",
  async (kind) => {
    const loaded = await sessions.open(cell(`prompting: flat\ndata: sample\nmodel: builtin/slips?${kind}=1`));
    // A fault that leaves no readable answer would otherwise pause the run.
    await loaded.run(cellNamed(loaded, "played"), undefined, "continue");
    const { figures } = analysisOf(loaded, "mistakes");
    const hits = found(figures, kind);
    expect(hits).toBeGreaterThan(0);
    expect([...hitsOf(figures).values()].reduce((sum, each) => sum + each, 0)).toBe(hits);
    // Tasks without such a mistake are right; the difficulty analysis shows the same for all tasks together.
    const [{ total, counts, run }] = runsOf(loaded, "played") as [ReturnType<typeof runsOf>[0]];
    const rows = loaded.rows(run);
    expect(rows.filter(({ score }) => score!.errors.length > 0)).toHaveLength(hits);
    const [groups] = analysisOf(loaded, "groups").figures;
    if (groups?.kind !== "table") throw new Error("Expected a table");
    const last = groups.rows.at(-1)!;
    expect(last[1]!.text).toBe("all");
    expect(last[2]).toMatchObject({ value: counts.right / total, n: total });
  },
);

/** Smallest interval of counts that excludes at most 0.05 % on either side, for `trials` draws at this rate. */
function binomialInterval(trials: number, rate: number): { low: number; high: number } {
  let log = trials * Math.log1p(-rate);
  let below = 0;
  let low: number | undefined;
  for (let count = 0; count <= trials; count++) {
    const here = Math.exp(log);
    low ??= below + here > 0.0005 ? count : undefined;
    if (below + here >= 0.9995) return { low: low!, high: count };
    below += here;
    log += Math.log(trials - count) - Math.log(count + 1) + Math.log(rate) - Math.log1p(-rate);
  }
  return { low: low ?? 0, high: trials };
}
