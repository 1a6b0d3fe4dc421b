import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { answers } from "../../analyses/answers.ts";
import { answerKey, type RunRows } from "../../source/engine/analysis.ts";
import type { TableFigure } from "../../source/engine/figure.ts";
import { temporaryFolder, typed } from "../commands/typed.ts";
import { madeRun } from "./made-run.ts";

/** A run of three tasks with their success, and the answers `LABEL TASK`. */
function run(label: string, right: readonly (0 | 1)[]): RunRows {
  const made = madeRun(
    label,
    right.map((value, index) => ({ task: `t${index}`, right: value })),
  );
  const texts = new Map(made.rows.map((row) => [answerKey(row), `${label} ${row.task}`]));
  return { ...made, answers: texts };
}

function shown(runs: readonly RunRows[], show: string): readonly (readonly string[])[] {
  const table = answers.compute(runs, { show, by: "" }).at(-1) as TableFigure;
  return table.rows.map((row) => row.slice(0, -1).map(({ text }) => text));
}

describe("the analysis of answers side by side", () => {
  const runs = [run("a", [1, 1, 0]), run("b", [1, 0, 0])];

  test("shows a task per row and a run per column, with a right or wrong sign at each answer", () => {
    expect(shown(runs, "all")).toEqual([
      ["t0", "✓ a t0", "✓ b t0"],
      ["t1", "✓ a t1", "✗ b t1"],
      ["t2", "✗ a t2", "✗ b t2"],
    ]);
  });

  test("can show only the tasks whose success differs between runs, or only the tasks with a wrong answer", () => {
    expect(shown(runs, "differ").map(([task]) => task)).toEqual(["t1"]);
    expect(shown(runs, "wrong").map(([task]) => task)).toEqual(["t1", "t2"]);
  });

  test("shows the paired test of two runs above the answers; three runs have no test", () => {
    expect(answers.compute(runs, { show: "all", by: "" })).toHaveLength(2);
    expect(answers.compute([...runs, run("c", [0, 0, 0])], { show: "all", by: "" })).toHaveLength(1);
  });

  test("links each answer to the task in the answer's run, and shows a dash for a missing answer", () => {
    const [first, second] = [run("a", [1]), run("b", [1, 0])];
    const table = answers.compute([first, second], { show: "all", by: "" }).at(-1) as TableFigure;
    expect(table.rows[0]![2]!.tasks).toEqual([{ run: second.run, task: "t0" }]);
    expect(table.rows[1]![1]!.text).toBe("-");
  });

  test("reports that the answers are loading until they have been read", () => {
    expect(answers.missing!([{ ...runs[0]!, answers: undefined } as unknown as RunRows])).toBe(
      "Reading the answers ...",
    );
  });
});

describe("a cell of answers", () => {
  const folder = temporaryFolder();

  test("shows the answers that the run exports, also if trials are pooled", async () => {
    mkdirSync(folder("mine"));
    writeFileSync(folder("mine/sums.csv"), "question,answer\n1 + 1,2\n2 + 2,4\n3 + 3,6\n");
    writeFileSync(
      folder("mine/session.md"),
      "```run sums\nsuite: own/sums.csv\nmodel: builtin/slips?rate=0.5\nrepeats: 2\n```\n\n```analysis side\npane: answers\n```\n",
    );
    const printed = JSON.parse((await typed("run", folder("mine"), "--json")).out) as {
      readonly cells: readonly { readonly figures?: readonly TableFigure[] }[];
    };
    await typed("export", folder("mine"), "--rows", "jsonl");
    const rows = readFileSync(folder("mine/exports/rows.jsonl"), "utf8").trimEnd().split("\n");
    const exported = rows.map(
      (line) => JSON.parse(line) as { readonly task: string; readonly answer: Readonly<Record<string, unknown>> },
    );
    const table = printed.cells.at(-1)!.figures!.at(-1)!;
    expect(table.rows).toHaveLength(3);
    for (const [task, cell] of table.rows.map(([first, second]) => [first!.text, second!] as const)) {
      const own = exported.filter((row) => row.task === task);
      expect(own).toHaveLength(2);
      const texts = cell.note!.split(" | ").map((text) => text.slice(2));
      expect(texts.toSorted()).toEqual(
        own.map(({ answer }) => Object.values(answer).find((value) => typeof value === "string")).toSorted(),
      );
      expect(cell.text).toContain("(2 trials)");
    }
  });
});
