import { expect, test } from "vitest";
import { analysisOf, cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";
import { tinySuite } from "./tiny-suite.ts";

const sessions = temporarySessions();

const cell = (name: string, more: string) =>
  `\`\`\`run ${name}\nsuite: tiny\nmodel: builtin/slips?rate=0.4\n${more}\`\`\`\n\n`;
const pane = (name: string, more = "") => `\`\`\`analysis ${name}\npane: ${name}\n${more}\`\`\`\n\n`;

/** Returns a table's cells by line and column title. */
function table(figure: { readonly kind: string } | undefined): readonly Readonly<Record<string, string>>[] {
  if (figure?.kind !== "table") throw new Error("Expected a table");
  const { columns, rows } = figure as Extract<ReturnType<typeof analysisOf>["figures"][number], { kind: "table" }>;
  return rows.map((row) => Object.fromEntries(row.map(({ text }, at) => [columns[at]!.title, text])));
}

test("repeats reuse earlier trials and execute the missing trials, and analyses treat all trials as one run", async () => {
  const { suite } = tinySuite();
  const text =
    cell("main", "trial: [1, 2]\n") + cell("other", "temperature: 1\n") + pane("consistency") + pane("compare");
  const loaded = await sessions.open(text, { suites: [suite] });
  await loaded.run(cellNamed(loaded, "main"));
  await loaded.run(cellNamed(loaded, "other"));
  const before = runsOf(loaded, "main");
  expect(before.map(({ status }) => status)).toEqual(["done", "done"]);
  // Every analysis except consistency treats two listed trials as two runs.
  expect(analysisOf(loaded, "compare").choices["before"]).toEqual(["main: trial 1", "main: trial 2", "other"]);
  expect(table(analysisOf(loaded, "consistency").figures[0])[0]).toMatchObject({
    Run: "main",
    trials: "2",
    tasks: "12",
  });

  loaded.edit(cellNamed(loaded, "main"), "suite: tiny\nmodel: builtin/slips?rate=0.4\nrepeats: 3\n");
  const after = runsOf(loaded, "main");
  expect(after.map(({ run }) => run).slice(0, 2)).toEqual(before.map(({ run }) => run));
  expect(after.map(({ status }) => status)).toEqual(["done", "done", "ready"]);
  await loaded.run(cellNamed(loaded, "main"));
  expect(runsOf(loaded, "main").map(({ status }) => status)).toEqual(["done", "done", "done"]);

  const compared = analysisOf(loaded, "compare");
  expect(compared.choices["before"]).toEqual(["main", "other"]);
  expect(compared.runs).toHaveLength(4);
  const right = runsOf(loaded, "main").map(
    ({ run }) => loaded.rows(run).filter(({ score }) => score?.value === 1).length,
  );
  const mean = right.reduce((sum, count) => sum + count, 0) / 36;
  const all = table(compared.figures[0]).at(-1)!;
  expect(all).toMatchObject({ main: (mean * 100).toFixed(2), n: "12" });
  expect(compared.figures[0]!.notes.at(-1)).toBe(
    "Trials of one task are averaged before tasks are compared; n counts tasks",
  );

  const [means] = table(analysisOf(loaded, "consistency").figures[0]);
  expect(means).toMatchObject({
    Run: "main",
    trials: "3",
    mean: (mean * 100).toFixed(2),
    best: ((Math.max(...right) / 12) * 100).toFixed(2),
    worst: ((Math.min(...right) / 12) * 100).toFixed(2),
  });
});

test("a run that is in two cells is counted in both, even if one of the cells repeats it", async () => {
  const { suite } = tinySuite();
  const text = cell("once", "") + cell("again", "repeats: 2\n") + pane("compare");
  const loaded = await sessions.open(text, { suites: [suite] });
  await loaded.run(cellNamed(loaded, "again"));
  expect(runsOf(loaded, "once")[0]!.status).toBe("done");
  expect(analysisOf(loaded, "compare").choices["before"]).toEqual(["once", "again"]);
});
