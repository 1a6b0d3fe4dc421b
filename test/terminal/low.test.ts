/** The smallest window, 40 columns by 10 rows, still shows the purpose of each screen. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { width } from "../../source/engine/text/printable.ts";
import { type Frame, Surface } from "../../source/terminal/painting/surface.ts";
import { runState } from "./double-workbench.ts";
import { enter, openScreen } from "./open-screen.tsx";
import { places } from "./places.ts";
import { runningWorkbench, sampleBoard } from "./sample-trajectory.ts";

const small = { columns: 40, rows: 10 };

/** A run with a score so far. */
function workbench() {
  const double = runningWorkbench(sampleBoard());
  const cell = double.state("c2");
  const [run] = cell.kind === "run" ? cell.runs : [];
  double.setRuns("c2", [run!, runState({ ...run, run: "run-2", label: "flat" })]);
  return double;
}

describe("the program at 40x10", () => {
  it("shows the finished tasks and scores of its runs in a run cell, and more if there is room", async () => {
    const screen = await openScreen({ ...small, workbench: workbench() });
    await screen.press("j");
    expect(screen.text()).toMatch(/^▌ +run +tasks +score *$/m);
    expect(screen.text()).toMatch(/^▌ +hierarchical +4\/6 +75 n 24 *$/m);
    screen.stdout.resize(60, 15);
    await screen.still();
    expect(screen.text()).toMatch(/^▌ +hierarchical +\S running 1 +\S+ +4\/6 +75 n 24 *$/m);
    await screen.close();
  });

  it("shows five tasks of a list, without the strip of marks", async () => {
    const screen = await openScreen({ ...small, workbench: runningWorkbench() });
    await screen.press("j", "o");
    expect(screen.lines().filter((line) => /sm-00\d/.test(line))).toHaveLength(5);
    await screen.close();
  });

  it("shows four lines of a task below the task's name and sections", async () => {
    const screen = await openScreen({ ...small, workbench: runningWorkbench() });
    await screen.press("j", "o", enter, "2");
    await screen.still();
    expect(screen.lines()[1]).toMatch(/^ . sm-000 .* wrong/);
    expect(screen.lines()[2]).toContain("[2 Steps]");
    expect(
      screen
        .lines()
        .slice(3, 7)
        .filter((line) => line.trim() !== ""),
    ).toHaveLength(4);
    await screen.close();
  });

  it("shows all sections of a task with a tree, with brackets around the open section", async () => {
    const screen = await openScreen({ ...small, workbench: runningWorkbench() });
    await screen.press("j", "o", enter, "5");
    expect(screen.lines()[2]).toBe("  1 Plan 2 Steps 3 Checks 4 Raw [5 Tree]".slice(1));
    await screen.close();
  });

  it("shows a value of a figure and two of its rows, and more in a slightly larger window", async () => {
    const screen = await openScreen({ ...small });
    await screen.press("G", enter, "\t", "j");
    expect(screen.lines()[1]).toMatch(/ 2 of 4$/);
    const rows = () =>
      screen
        .lines()
        .slice(2, -3)
        .filter((line) => /\d\.\d/.test(line));
    expect(rows()).toHaveLength(2);
    screen.stdout.resize(60, 15);
    await screen.still();
    expect(rows().length).toBeGreaterThan(2);
    await screen.close();
  });

  it("shows three fields of the form", async () => {
    const screen = await openScreen({ ...small });
    await screen.press("n");
    await screen.pass(200);
    expect(screen.text()).toMatch(/▸ Benchmark .*\n.*Split .*\n.*Data /);
    await screen.close();
  });

  it("shows the result of the test between two compared runs", async () => {
    const { workbench, way } = places.find(({ name }) => name === "runs that differ")!;
    const screen = await openScreen({ columns: 60, rows: 15, workbench: workbench() });
    await screen.press(...way);
    expect(screen.text()).toMatch(/McNemar exact\s+p = 1\.0/);
    await screen.close();
  });

  it("shows the run's progress in the live view", async () => {
    const screen = await openScreen({ ...small, workbench: runningWorkbench() });
    await screen.press("j", "L");
    expect(screen.lines()[1]).toMatch(/hiera…ical +\S running .* 4\/6$/);
    await screen.close();
  });
});

/** Texts of a row that begin before the text to their left has ended. */
function overlaps(frame: Frame): string[] {
  return frame.flatMap((row) => {
    const pieces = row.filter(({ text }) => text !== "").toSorted((one, other) => one.column - other.column);
    const over = pieces.filter(
      (piece, at) => at > 0 && pieces[at - 1]!.column + width(pieces[at - 1]!.text) > piece.column,
    );
    return over.map(({ text }) => text);
  });
}

describe.each([
  [40, 10],
  [60, 15],
  [80, 24],
])("a screen of %ix%i", (columns, rows) => {
  afterEach(() => vi.restoreAllMocks());

  it.each(places.map((place) => [place.scope, place.name, place] as const))(
    "keeps texts apart, and its key bar shows the key for more keys: %s, %s",
    async (scope, _, { workbench: made, way }) => {
      const drawn = vi.spyOn(Surface.prototype, "frame");
      const screen = await openScreen({ columns, rows, workbench: made() });
      await screen.press(...way);
      await screen.still();
      const frame = drawn.mock.results.at(-1)?.value;
      expect(overlaps(frame ?? [])).toEqual([]);
      expect(frame).toHaveLength(rows);
      expect(screen.lines()[0]).toMatch(/^ \S/);
      expect(screen.lines().at(-1)).toMatch(["notebook", "everywhere"].includes(scope) ? /\? help$/ : /\bEsc |y\/n$/);
      expect(screen.lines().slice(1, -1).join("").trim()).not.toBe("");
      await screen.close();
    },
  );
});
