import { describe, expect, it } from "vitest";
import { wordings } from "../../analyses/wordings.ts";
import type { TableFigure } from "../../source/engine/figure.ts";
import { planRunCell } from "../../source/engine/session/run-cell.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type { RunSpec } from "../../source/engine/types.ts";
import { suites } from "../../suites/index.ts";
import { madeRun, madeSpec, madeSuite, texts } from "./made-run.ts";

const suite = {
  ...madeSuite,
  strategies: [{ name: "direct", roles: ["model"], needs: "stages" }],
  prompts: [{ name: "answer", role: "model", message: "user", text: "Be quick.\nAnswer {{question}}\nNow." }],
} as unknown as Suite;

/** The results of four tasks in two wordings and two trials. */
const results: Readonly<Record<string, readonly (readonly number[])[]>> = {
  standard: [
    [1, 0, 0, 0],
    [1, 0, 1, 0],
  ],
  careful: [
    [1, 1, 1, 0],
    [1, 1, 0, 0],
  ],
};
const runOf = (level: string, trial: number) =>
  madeRun(
    `${level}${trial}`,
    results[level]![trial - 1]!.map((right, task) => ({ task: `t${task}`, right })),
    {
      label: `${level} · trial ${trial}`,
      suite,
      named: { prompts: level },
      spec: {
        ...madeSpec,
        trial,
        ...(level === "careful" && { prompts: { answer: "Be careful.\nAnswer {{question}}\nNow." } }),
      },
    },
  );
const runs = ["standard", "careful"].flatMap((level) => [runOf(level, 1), runOf(level, 2)]);
const figures = (of = runs) =>
  wordings.compute(of, { measures: "strict.right", by: "prompts" }) as readonly TableFigure[];

describe("variants of irrelevant details", () => {
  const varied = (label: string, vary: RunSpec["vary"], right: readonly number[]) =>
    madeRun(
      label,
      right.map((each, task) => ({ task: `t${task}`, right: each })),
      { label, suite, spec: { ...madeSpec, ...(vary && { vary }) } },
    );
  const all = [
    varied("own", undefined, [1, 0, 1, 0]),
    varied("second", { tools: 2 }, [1, 1, 1, 0]),
    varied("third", { tools: 3 }, [1, 1, 1, 1]),
    varied("renamed", { names: 2 }, [1, 0, 0, 0]),
  ];

  it("are listed by kind, each next to the benchmark's original", () => {
    expect(wordings.choices(all)["by"]).toEqual(["vary"]);
    const [spread, tools, names, ...others] = wordings.compute(all, {
      measures: "strict.right",
      by: "vary",
    }) as readonly TableFigure[];
    expect(spread!.title).toBe("Right: spread over variants beyond sampling");
    expect(texts(spread!.rows).map(([label, values]) => [label, values])).toEqual([
      ["lab/small · order of tools", "3"],
      ["lab/small · names of tools", "2"],
    ]);
    expect(texts(tools!.rows).map(([level, right]) => [level, right])).toEqual([
      ["standard", "50.00"],
      ["tools 2", "75.00"],
      ["tools 3", "100.00"],
    ]);
    expect(texts(names!.rows).map(([level, right]) => [level, right])).toEqual([
      ["standard", "50.00"],
      ["names 2", "25.00"],
    ]);
    expect(others).toEqual([]);
  });
});

describe("the wordings analysis", () => {
  it("offers the settings that differ, prompts first", () => {
    expect(wordings.missing!(runs)).toBeUndefined();
    expect(wordings.choices(runs)["by"]).toEqual(["prompts"]);
    expect(wordings.missing!(runs.slice(0, 2))).toContain("prompts: {standard: {}, careful: {plan: careful.md}}");
  });

  it("shows the variation between wordings next to the variation between repeated samples, and divides the variance", () => {
    const [spread] = figures();
    // By hand: means 0.375 and 0.625; sampling 0.125 per value, so a mean of four tasks has 17.68 by sampling.
    expect(texts(spread!.rows)[0]!.slice(1, 5)).toEqual(["2", "12.50", expect.stringMatching(/^\[/), "17.68"]);
    expect(
      spread!.rows[0]!.slice(6, 10)
        .map(({ text }) => Number(text))
        .reduce((sum, each) => sum + each),
    ).toBeCloseTo(100, -1);
    expect(spread!.rows[0]!.at(-1)!.text).toBe("4");
  });

  it("lists each wording with its tasks, their differences from other wordings, and the flipped tasks", () => {
    const [, levels, differences, flips] = figures();
    expect(texts(levels!.rows).map(([level, , tasks, repeats]) => [level, tasks, repeats])).toEqual([
      ["standard", "4", "2"],
      ["careful", "4", "2"],
    ]);
    expect(texts(differences!.rows)).toEqual([
      ["answer", "-", "Be quick."],
      ["answer", "+", "Be careful."],
    ]);
    expect(flips!.title).toBe("Tasks whose Right differs");
  });

  it("reports that the variation between samples is unknown if there is one repeat", () => {
    const [spread] = figures([runs[0]!, runs[2]!]);
    expect(texts(spread!.rows)[0]!.slice(4, 6)).toEqual(["-", "-"]);
    expect(spread!.notes.join("\n")).toContain("sampling is unknown (there is only one repeat)");
  });

  it("uses the names of a cell's prompts", () => {
    const { runs: planned } = planRunCell(
      "suite: appbench\nmodel: lab/m\nprompts: {standard: {}, careful: {plan: Plan with care}}",
      { suites, defaultData: () => "sample" },
    );
    expect(planned.map(({ named }) => named)).toEqual([{ prompts: "standard" }, { prompts: "careful" }]);
  });
});
