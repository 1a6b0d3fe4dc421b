import { describe, expect, test } from "vitest";
import { profile } from "../../analyses/profile.ts";
import type { TableFigure } from "../../source/engine/figure.ts";
import { planningarena } from "../../suites/planningarena/index.ts";
import { planRow, planRun, texts } from "./plan-rows.ts";

const rows = (run: string, values: readonly (number | undefined)[]) =>
  values.map((value, index) =>
    planRow(
      run,
      String(index),
      { level: index % 2 === 0 ? "easy" : "hard" },
      value === undefined ? undefined : { result: value, PC: value },
    ),
  );
const on = planRun("on", rows("on", [1, 1, 1, 1, 1, 1, 0, undefined]));
const off = planRun("off", rows("off", [0, 0, 0, 0, 0, 0, 1, 1]), { options: { profile: "off" } });

describe("the profile analysis", () => {
  test("pairs runs that differ only in the profile, lists the run without a profile first, and shows difference and test below", () => {
    const [figure] = profile.compute([on, off], {}) as TableFigure[];
    const shown = texts(figure!.rows).map((line) => [line[0], line[1], line[3], line.at(-1)]);
    expect(shown).toEqual([
      ["off", "14.29", "-", "7"],
      ["on", "85.71", "-", "7"],
      ["gap", "+71.43", "-", ""],
      ["p (Holm)", "0.2500", "-", ""],
    ]);
    expect(figure!.rows[2]![1]).toMatchObject({ n: 7 });
    expect(figure!.title).toBe("With and without the user profile: test/model");
  });

  test("compares group by group on request", () => {
    const figures = profile.compute([on, off], { by: "level", measures: "result" });
    expect(figures).toHaveLength(2);
    expect(figures[1]!.title).toBe("Result: off against on");
    const other = [on, off].map((run) => ({ ...run, run: `b ${run.run}`, spec: { ...run.spec, model: "test/other" } }));
    expect(profile.compute([on, off, ...other], { by: "level", measures: "result" }).map(({ title }) => title)).toEqual(
      [
        "With and without the user profile: test/model",
        "With and without the user profile: test/other",
        "Result by model: off against on",
      ],
    );
  });

  test("shows the paper's two rows, although one of them lacks most of its cells", async () => {
    const reported = { ...on, reported: await planningarena.reported!() };
    const [figure] = profile.compute([reported, { ...off, reported: reported.reported }], {
      paper: "on",
    }) as TableFigure[];
    expect(
      texts(figure!.rows)
        .slice(4)
        .map((line) => line.slice(0, 4)),
    ).toEqual([
      ["Qwen-plus, profile off", "51.0", "lost", "lost"],
      ["Qwen-plus, profile on", "40.1", "68.1", "53.3"],
    ]);
  });

  test("reports the setting to change if there is no pair", () => {
    expect(profile.missing!([on])).toContain("set `profile: [on, off]` in the run cell and run both");
    expect(profile.missing!([on, off])).toBeUndefined();
  });
});
