import { describe, expect, test } from "vitest";
import { errors } from "../../analyses/errors.ts";
import { wilson } from "../../source/engine/statistics/interval.ts";
import type { TableFigure } from "../../source/engine/figure.ts";
import { figureText } from "../../source/engine/figures/figure-text.ts";
import { at, madeRun, texts, type MadeRow } from "./made-run.ts";

const rows: MadeRow[] = [
  { task: "1", facets: { level: "hard" }, right: 0, errors: ["key", "key", "app"] },
  { task: "2", facets: { level: "hard" }, right: 0, errors: ["key"] },
  { task: "3", facets: { level: "easy" }, right: 1 },
  { task: "4", facets: { level: "easy" }, right: null },
  { task: "5", facets: { level: "easy" }, failed: "model" },
  { task: "6", facets: { level: "easy" }, running: true },
];

describe("the errors analysis", () => {
  test("ranks each kind by its share of scored tasks, counting each task once", () => {
    const [ranked, table] = errors.compute([madeRun("a", rows)], { by: "level", kinds: "made" });
    const few = { rests: { scored: 4, unscored: 0, failed: 1 }, faint: true };
    expect(ranked).toEqual({
      kind: "bars",
      title: "Tasks with each kind of mistake: a",
      unit: "% of tasks",
      bars: [
        {
          label: "Missing key",
          cell: { text: "50.00 %", value: 0.5, n: 4, tasks: at("a", "1", "2"), note: "2 of 4 tasks, 3 times", ...few },
          ...wilson(2, 4),
        },
        {
          label: "Wrong app",
          cell: {
            text: "25.00 %",
            value: 0.25,
            n: 4,
            tasks: at("a", "1"),
            note: "1 of 4 tasks, 1 time; Names another app.",
            ...few,
          },
          ...wilson(1, 4),
        },
      ],
      notes: [
        "4 answers examined; lines show 95 % intervals (Wilson)",
        "a: 1 failed, 1 still running; these tasks have no score and are left out",
        "a: 1 could not be scored; mistakes in these answers still count",
      ],
    });
    const easy = { rests: { scored: 2, unscored: 0, failed: 1 }, faint: true };
    expect(table).toEqual({
      kind: "table",
      title: "Share of tasks by level and kind: a",
      columns: [
        { title: "Group", align: "left" },
        { title: "Kind", align: "left" },
        { title: "easy", align: "right" },
        { title: "hard", align: "right" },
        { title: "all", align: "right" },
      ],
      rows: [
        [
          { text: "form" },
          { text: "Wrong app" },
          { text: "0.00", value: 0, n: 2, tasks: [], ...easy },
          { text: "50.00", value: 0.5, n: 2, tasks: at("a", "1") },
          { text: "25.00", value: 0.25, n: 4, tasks: at("a", "1"), ...few },
        ],
        [
          { text: "arguments" },
          { text: "Missing key" },
          { text: "0.00", value: 0, n: 2, tasks: [], ...easy },
          { text: "100.00", value: 1, n: 2, tasks: at("a", "1", "2") },
          { text: "50.00", value: 0.5, n: 4, tasks: at("a", "1", "2"), ...few },
        ],
        [
          { text: "" },
          { text: "n" },
          { text: "2", tasks: at("a", "3", "4") },
          { text: "2", tasks: at("a", "1", "2") },
          { text: "4", tasks: at("a", "1", "2", "3", "4") },
        ],
      ],
      notes: ["Percent of tasks with at least one mistake of the kind"],
    });
  });

  test("draws several runs in one figure, groups them by kind, and orders kinds by the highest share", () => {
    const other: MadeRow[] = [
      { task: "1", right: 0, errors: ["app"] },
      { task: "2", right: 0, errors: ["app"] },
    ];
    const figures = errors.compute([madeRun("a", rows), madeRun("b", other)], { by: "nothing", kinds: "made" });
    const drawn = figures.filter((figure) => figure.kind === "bars");
    expect(drawn).toHaveLength(1);
    expect(drawn[0]!.title).toBe("Tasks with each kind of mistake");
    expect(drawn[0]!.bars.map(({ group, label, cell }) => [group, label, cell.value, cell.tasks])).toEqual([
      ["Wrong app", "a", 0.25, at("a", "1")],
      ["Wrong app", "b", 1, at("b", "1", "2")],
      ["Missing key", "a", 0.5, at("a", "1", "2")],
      ["Missing key", "b", 0, []],
    ]);
    expect(drawn[0]!.bars[1]).toMatchObject(wilson(2, 2)!);
    expect(drawn[0]!.notes[0]).toBe("a: 4 answers examined; b: 2 answers examined; lines show 95 % intervals (Wilson)");
    expect(figures.filter(({ kind }) => kind === "table").map(({ title }) => title)).toEqual([
      "Share of tasks by kind: a",
      "Share of tasks by kind: b",
    ]);
  });

  test("shows only the total if it is not grouped", () => {
    const table = errors.compute([madeRun("a", rows)], { by: "nothing" })[1] as TableFigure;
    expect(table.title).toBe("Share of tasks by kind: a");
    expect(texts(table.rows)[0]).toEqual(["form", "Wrong app", "25.00"]);
  });

  test("shows kinds without a mistake on request, and kinds that the suite no longer has in any case", () => {
    const run = madeRun("a", [...rows, { task: "7", right: 0, errors: ["bygone"] }]);
    const labels = (kinds: string) => {
      const [ranked] = errors.compute([run], { by: "level", kinds });
      return ranked?.kind === "bars" ? ranked.bars.map(({ label }) => label) : [];
    };
    expect(labels("all")).toEqual(["Missing key", "Wrong app", "bygone", "Never made"]);
    expect(labels("made")).toEqual(["Missing key", "Wrong app", "bygone"]);
    expect(errors.choices([run])).toEqual({ by: ["level", "nothing"], kinds: ["made", "all"] });
  });

  test("has a column for all tasks if they have no groups, but not for a single group", () => {
    const columns = (some: readonly MadeRow[]) => {
      const table = errors.compute([madeRun("a", some)], { by: "level", kinds: "made" })[1];
      return table?.kind === "table" ? table.columns.slice(2).map(({ title }) => title) : [];
    };
    expect(columns([{ task: "x", right: 0, errors: ["app"] }])).toEqual(["all"]);
    expect(columns(rows.slice(0, 2))).toEqual(["hard"]);
  });

  test("gives a run without scores no shares, rather than shares of 0", () => {
    const figures = errors.compute([madeRun("a", [{ task: "x", failed: "model" }])], { by: "level", kinds: "made" });
    expect(figures).toMatchObject([{ kind: "bars", bars: [] }]);
  });

  test("omits the columns of groups if no task with a mistake has a group", () => {
    const run = madeRun("a", [{ task: "x", right: 0, errors: ["never", "never"] }]);
    const [, table] = errors.compute([run], { by: "level", kinds: "made" }) as TableFigure[];
    expect(table!.columns.map(({ title }) => title)).toEqual(["Kind", "all"]);
    expect(texts(table!.rows)).toEqual([
      ["Never made", "100.00"],
      ["n", "1"],
    ]);
  });

  test("reports that no task has a mistake, and the number of tasks, instead of an empty table", () => {
    const figures = errors.compute([madeRun("a", rows.slice(2, 4))], { by: "level" });
    for (const figure of figures) {
      expect(figureText(figure, { width: 80, ascii: false })).toMatch(/\n +none\n/);
      expect(figure.notes[0]).toBe("2 answers examined");
    }
  });

  test("starts with the causes of how answers ended, and Enter opens the mistakes in the answers that were read", () => {
    const run = madeRun("a", rows);
    const ended = run.rows.map((row, at): typeof row =>
      row.score === undefined ? row : { ...row, cause: { cause: at === 0 ? "cut" : "read" } },
    );
    const figures = errors.compute([{ ...run, rows: ended }], { by: "level", kinds: "made" });
    expect(figures.map(({ title }) => title)).toEqual([
      "How answers ended",
      "Tasks with each kind of mistake: a",
      "Share of tasks by level and kind: a",
    ]);
    expect(texts((figures[0] as TableFigure).rows)).toEqual([
      ["Read", "75.00"],
      ["Cut", "25.00"],
      ["n", "4"],
    ]);
    expect(errors.opensAt?.(figures)).toBe(1);
  });
});
