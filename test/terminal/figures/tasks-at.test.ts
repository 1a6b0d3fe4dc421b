import { describe, expect, it } from "vitest";
import { type Figure, type TableFigure, tableColumns } from "../../../source/engine/figure.ts";
import { callsOfRow, tasksAt, clickedStop } from "../../../source/terminal/figures/figure-screen.tsx";
import { prepared } from "../../../source/engine/figures/prepared-figure.ts";
import { openDouble } from "../double-workbench.ts";
import { enter, escape, openScreen } from "../open-screen.tsx";
import { grid, table, bars, lines } from "../sample-figures.ts";
import { runningWorkbench, sampleBoard } from "../sample-trajectory.ts";
import { drawFigure } from "../../../source/engine/figures/drawing/draw-figure.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";

describe("the tasks that a figure opens", () => {
  const ref = (task: string) => ({ run: "run-1", task });
  const row = [
    { label: "category", cell: { text: "many apps" } },
    { label: "many apps, F1", cell: { text: "50.0", value: 0.5, tasks: [ref("a"), ref("b")] } },
    { label: "many apps, Succ", cell: { text: "0.0", value: 0, tasks: [ref("b"), ref("c")] } },
    { label: "many apps, GPT-4o", cell: { text: "0.7", reported: true } },
  ];

  it("are the tasks of the value; a label opens the tasks of all values in its row, which are read only then", () => {
    expect(tasksAt(row, 2)).toEqual({ label: "many apps, Succ", tasks: [ref("b"), ref("c")] });
    const lists = [
      [ref("a"), ref("b")],
      [ref("b"), ref("c")],
    ];
    expect(tasksAt(row, 0)).toEqual({ label: "many apps", tasks: { lists } });
    const [label, first] = row;
    expect(tasksAt([{ ...label!, cell: { text: "alike" } }, first!, first!], 0).tasks).toBe(first!.cell.tasks);
  });

  it("are none for a paper's value or an empty place", () => {
    expect(tasksAt(row, 3).tasks).toEqual([]);
    expect(tasksAt([{ label: "none", cell: undefined }], 0).tasks).toEqual([]);
    const reported = prepared(table).stops.row(4);
    expect(reported.map((_, column) => tasksAt(reported, column).tasks)).toEqual(reported.map(() => []));
  });

  it("are shown side by side with their calls if a row contains one task of several runs", () => {
    const tasksOf = (...refs: readonly (readonly [string, string])[]) => refs.map(([run, task]) => ({ run, task }));
    const answers = (columns: readonly (readonly (readonly [string, string])[])[]): TableFigure => ({
      kind: "table",
      title: "Answers",
      columns: tableColumns(
        ["Task"],
        columns.map((_, at) => `run ${at}`),
      ),
      rows: ["t1", "t2"].map((task) => [
        { text: task, tasks: tasksOf(...columns.flat()).map((ref) => ({ ...ref, task })) },
        ...columns.map((refs) => ({ text: "yes", tasks: tasksOf(...refs).map((ref) => ({ ...ref, task })) })),
      ]),
      notes: [],
    });
    const at = (figure: TableFigure, row = 0) => callsOfRow(prepared(figure).stops, row);
    const pair = { kind: "beside", tasks: ["t1", "t2"], section: "calls" };
    expect(at(answers([[["a", ""]], [["b", ""]]]), 1)).toEqual({ ...pair, task: "t2", runs: ["a", "b"] });
    const five = answers(["a", "b", "c", "d", "e"].map((run) => [[run, ""]]));
    expect(at(five)).toEqual({ ...pair, task: "t1", runs: ["a", "b", "c", "d"] });
    // For pooled trials the first of each column; for a single column its trials.
    const pooled = answers([
      [
        ["a1", ""],
        ["a2", ""],
      ],
      [
        ["b1", ""],
        ["b2", ""],
      ],
    ]);
    expect(at(pooled)).toMatchObject({ runs: ["a1", "b1"] });
    expect(at(answers([pooled.rows[0]![1]!.tasks!.map(({ run }) => [run, ""] as const)]))).toMatchObject({
      runs: ["a1", "a2"],
    });
    expect(at(answers([[["a", ""]]]))).toBe("Only one run has this task");
    expect(callsOfRow(prepared(table).stops, 0)).toContain(
      "Calls are shown side by side only for rows of a single task",
    );
  });

  it("are none if a figure has no tasks, and no list appears next to the figure", () => {
    const bare = { ...table, rows: table.rows.map((cells) => cells.map(({ text }) => ({ text }))) };
    expect([table, bare].map((figure) => prepared(figure).stops.hasTasks)).toEqual([true, false]);
  });

  it("are gathered when the cursor rests, not for each value that it passes", async () => {
    let looked = 0;
    const board = Array.from({ length: 5_000 }, (_, at) => ({ ...sampleBoard()[1]!, task: `sm-${at}` }));
    const many = (from: number) =>
      board.slice(from).map(({ task }) => ({
        run: "run-1",
        get task() {
          looked++;
          return task;
        },
      }));
    const cells = grid.cells.map((cellsOfRow, row) =>
      cellsOfRow.map((cell, column) => cell && { ...cell, tasks: many(row + column) }),
    );
    const screen = await openFigure({ ...grid, cells }, { workbench: runningWorkbench(board), columns: 200, rows: 60 });
    const oneMove = async (...keys: string[]) => {
      looked = 0;
      await screen.press(...keys);
      return looked;
    };
    const one = await oneMove("l");
    expect(screen.text()).toMatch(/4999 tasks +✓ 4999 right/);
    expect(one).toBeGreaterThanOrEqual(4_999);
    expect(await oneMove("hlhlhlhl".repeat(4))).toBeLessThan(1.5 * one);
    expect(screen.text()).toMatch(/4999 tasks +✓ 4999 right/);
    // Meanwhile no unknown number of tasks is shown.
    expect(screen.stdout.written).toContain("Loading ...");
    expect(screen.stdout.written).not.toMatch(/ 0 tasks| 0 runs|\b0\/0 /);
    // The label leads to all tasks of its row, but they are read only once the cursor is there.
    await screen.press("h", "h");
    expect(screen.text()).toMatch(/5000 tasks +✓ 5000 right/);
    await screen.press(enter, "G");
    expect(screen.text()).toContain("5000/5000");
    await screen.close();
  });

  async function openFigure(figure: Figure, options: Parameters<typeof openScreen>[0] = {}) {
    const workbench = options.workbench ?? openDouble();
    const state = workbench.state("c3");
    if (state.kind === "analysis") workbench.setState("c3", { ...state, figures: [figure] });
    const screen = await openScreen({ columns: 120, rows: 40, ...options, workbench });
    await screen.press("G", "o");
    return screen;
  }

  it("are initially the tasks of the first number", async () => {
    const screen = await openFigure(table);
    expect(screen.lines().at(-3)).toContain("single app, single API, slips, F1 app: 92.5");
    await screen.press(enter);
    expect(screen.text()).toContain("By category: single app, single API, builtin/slips, F1 app");
    await screen.press(escape, "h", "h", enter);
    expect(screen.text()).toContain("By category: single app, single API");
    expect(screen.text()).toContain("3 tasks");
    await screen.close();
  });

  it("are the tasks of the whole row for the label of a row in a heat map", async () => {
    const tasks = [ref("a"), ref("b")];
    const [[first, second] = [], ...rows] = grid.cells;
    const cells = [
      [
        { ...first!, tasks },
        { ...second!, tasks: [ref("c"), ref("a")] },
      ],
      ...rows,
    ];
    const screen = await openFigure({ ...grid, cells });
    expect(screen.text()).toMatch(/^│? 1▸/m);
    await screen.press("h");
    expect(screen.text()).toMatch(/^│?▸1 /m);
    expect(screen.lines().at(-3)).toContain("parallel 1");
    await screen.press(enter);
    expect(screen.text()).toContain("Argument EM by scale: parallel 1");
    expect(screen.text()).toContain("3 tasks");
    await screen.close();
  });

  it("are initially the tasks of the first number, even if earlier labels also have tasks", async () => {
    const [[category, ...values] = [], ...rest] = table.rows;
    const screen = await openFigure({ ...table, rows: [[{ ...category!, tasks: [ref("a")] }, ...values], ...rest] });
    expect(screen.lines().at(-3)).toContain("single app, single API, slips, F1 app: 92.5");
    await screen.close();
  });
});

/** A click on the first occurrence of these words in the body of the figure. */
function clicked(figure: Figure, words: string) {
  const { body } = drawFigure(figure, { width: 120, ascii: false });
  const texts = body.map(lineText);
  const line = texts.findIndex((text) => text.includes(words));
  const text = texts[line]!;
  return clickedStop(
    figure,
    prepared(figure).stops,
    { line, body: body.length, textOf: () => text },
    text.indexOf(words),
  );
}

describe("a click on a figure on the screen", () => {
  it("selects the value, the label or the bar under the click", () => {
    expect(clicked(table, "70.0")).toEqual({ row: 1, column: 3 });
    expect(clicked(table, "many apps, many APIs")).toEqual({ row: 2, column: 0 });
    const value = prepared(grid).stops.row(1)[1]!.cell!.text;
    expect(clicked(grid, value)).toMatchObject({ row: expect.any(Number), column: expect.any(Number) });
    expect(clicked(bars, bars.bars[1]!.label)).toEqual({ row: 1, column: 0 });
  });

  it("selects the value above an interval", () => {
    const starts = [0, 2];
    const at = { body: 3, starts, textOf: (line: number) => (line === 0 ? "  a  92.5  70.0" : "") };
    const stops = prepared(table).stops;
    expect(clickedStop(table, stops, { ...at, line: 1 }, 6)).toEqual(clickedStop(table, stops, { ...at, line: 0 }, 6));
  });

  it("selects the nearest value, but no value in a plot or below the figure", () => {
    const { body } = drawFigure(table, { width: 120, ascii: false });
    const at = { line: 0, body: body.length, textOf: () => lineText(body[0]!) };
    expect(clickedStop(table, prepared(table).stops, at, 10_000)).toEqual({ row: 0, column: 5 });
    expect(clickedStop(table, prepared(table).stops, { ...at, line: 99 }, 0)).toBeUndefined();
    expect(clickedStop(lines, prepared(lines).stops, at, 0)).toBeUndefined();
  });
});
