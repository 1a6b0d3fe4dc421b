import { describe, expect, it } from "vitest";
import { openNavigation } from "../../../source/terminal/frame/navigation.ts";
import { titled } from "../../../source/look/spacing.ts";
import { isWide, panesOf } from "../../../source/terminal/frame/panes.ts";
import type { Screen } from "../../../source/terminal/frame/screen.ts";

const window = { columns: 200, rows: 57 };
const columnsOf = (kinds: readonly Screen["kind"][], top: number) =>
  [...panesOf(kinds, top, window, titled)].map(([index, { left, columns }]) => [kinds[index], left, columns]);

describe("a window of 150 columns or more", () => {
  it("is wide from exactly 150 columns", () => {
    expect([149, 150].map(isWide)).toEqual([false, true]);
  });

  it("shows a figure next to the notebook", () => {
    expect(columnsOf(["notebook", "figure"], 0)).toEqual([
      ["notebook", 0, 98],
      ["figure", 101, 99],
    ]);
  });

  it("gives a figure next to a notebook the width that the figure needs, unless too little remains for the notebook", () => {
    const shown = (wanted: number) =>
      [...panesOf(["notebook", "figure"], 0, window, titled, wanted)].map(([index, { columns }]) => [index, columns]);
    expect(shown(99)).toEqual([
      [0, 98],
      [1, 99],
    ]);
    expect(shown(117)).toEqual([
      [0, 80],
      [1, 117],
    ]);
    expect(shown(118)).toEqual([[0, 200]]);
  });

  it("shows the tasks of a figure below the figure if the window is high enough", () => {
    const kinds = ["notebook", "figure", "tasks"] as const;
    const panes = panesOf(kinds, 0, window, titled);
    expect([...panes.keys()]).toEqual([0, 1, 2]);
    expect(panes.get(1)).toEqual({ left: 101, top: 0, columns: 99, rows: 34 });
    expect(panes.get(2)).toEqual({ left: 101, top: 34, columns: 99, rows: 23 });
    expect([...panesOf(kinds, 0, { columns: 160, rows: 29 }, titled).keys()]).toEqual([0, 1]);
  });

  it("shows a run's tasks next to the notebook, and the selected task below the list if the window is high enough", () => {
    const kinds = ["notebook", "tasks", "trajectory"] as const;
    const panes = panesOf(kinds, 0, window, titled);
    expect([...panes.keys()]).toEqual([0, 1, 2]);
    expect(panes.get(0)).toEqual({ left: 0, top: 0, columns: 98, rows: 57 });
    expect(panes.get(1)).toEqual({ left: 101, top: 0, columns: 99, rows: 19 });
    expect(panes.get(2)).toEqual({ left: 101, top: 19, columns: 99, rows: 38 });
    expect([...panesOf(kinds, 0, { columns: 160, rows: 29 }, titled).keys()]).toEqual([0, 1]);
  });

  it("shows the keys next to a notebook without runs", () => {
    expect(columnsOf(["notebook", "help"], 0)).toEqual([
      ["notebook", 0, 98],
      ["help", 101, 99],
    ]);
  });

  it("shows a figure, the tasks of its value, and below them the selected task", () => {
    const panes = panesOf(["notebook", "figure", "tasks", "trajectory"], 1, window, titled);
    expect([...panes.keys()]).toEqual([1, 2, 3]);
    expect(panes.get(2)).toEqual({ left: 101, top: 0, columns: 99, rows: 19 });
    expect(panes.get(3)).toEqual({ left: 101, top: 19, columns: 99, rows: 38 });
  });

  it("gives a figure the width that it needs, or the whole width if no room for tasks remains", () => {
    const columnsOfFigure = (wanted: number) =>
      panesOf(["notebook", "figure", "tasks"], 1, window, titled, wanted).get(1)?.columns;
    expect([60, 98, 120, 137, 138].map(columnsOfFigure)).toEqual([98, 98, 120, 137, 200]);
  });

  it("shows tasks next to the trajectory, whichever pane has the focus", () => {
    const beside = columnsOf(["notebook", "figure", "tasks", "trajectory"], 2);
    expect(beside).toEqual([
      ["tasks", 0, 80],
      ["trajectory", 83, 117],
    ]);
    expect(columnsOf(["notebook", "figure", "tasks", "trajectory"], 3)).toEqual(beside);
  });

  it("shows two compared runs next to both plans of the selected task, whichever pane has the focus", () => {
    for (const top of [1, 2])
      expect(columnsOf(["notebook", "compare", "beside"], top)).toEqual([
        ["compare", 0, 80],
        ["beside", 83, 117],
      ]);
  });

  it("shows the origin of a fork, the subject of notes, and the runs of a trajectory", () => {
    const seen = (...kinds: readonly Screen["kind"][]) => columnsOf(kinds, kinds.length - 1);
    expect(seen("notebook", "tasks", "trajectory", "fork")).toEqual([
      ["trajectory", 0, 98],
      ["fork", 101, 99],
    ]);
    for (const below of ["notebook", "figure", "tasks", "compare", "beside", "trajectory"] as const)
      expect(seen(below, "text")).toEqual([
        [below, 0, 98],
        ["text", 101, 99],
      ]);
    expect(seen("notebook", "compare", "trajectory")).toEqual([
      ["compare", 0, 80],
      ["trajectory", 83, 117],
    ]);
    expect(seen("form", "text")).toEqual([["text", 0, 200]]);
  });

  it("gives the whole window to screens without a related screen", () => {
    expect(columnsOf(["notebook", "help"], 1)).toEqual([["help", 0, 200]]);
    expect(columnsOf(["notebook", "live", "trajectory"], 2)).toEqual([["trajectory", 0, 200]]);
  });
});

describe("the second screen that a screen opens", () => {
  const figure: Screen = { kind: "figure", cell: "c1", figure: 0 };
  const tasks = [
    { run: "r", task: "a" },
    { run: "r", task: "b" },
  ];
  const trajectory = (at: number): Screen => ({ kind: "trajectory", ref: tasks[at]!, siblings: tasks });
  const idsOf = ({ places }: ReturnType<typeof openNavigation>) => places().all.map(({ id }) => id);

  it("is unchanged after it was opened and closed", () => {
    const navigation = openNavigation({ kind: "notebook" });
    navigation.leadTo(0, figure);
    const beside = idsOf(navigation);
    navigation.push({ ...figure });
    expect(navigation.places().open).toBe(2);
    expect(idsOf(navigation)).toEqual(beside);
    navigation.pop();
    navigation.leadTo(0, figure);
    expect(navigation.places()).toMatchObject({ open: 1 });
    expect(idsOf(navigation)).toEqual(beside);
  });

  it("is created again if it is opened at another position", () => {
    const navigation = openNavigation({ kind: "tasks", title: "T", tasks });
    navigation.leadTo(0, trajectory(0));
    const [, beside] = idsOf(navigation);
    navigation.push({ ...trajectory(0), atWords: true } as Screen);
    expect(idsOf(navigation)[1]).not.toBe(beside);
  });

  it("is replaced, together with all screens after it, if the cursor moves to another item", () => {
    const navigation = openNavigation({ kind: "tasks", title: "T", tasks });
    navigation.leadTo(0, trajectory(0));
    const [, first] = idsOf(navigation);
    navigation.leadTo(0, trajectory(1));
    expect(idsOf(navigation)[1]).not.toBe(first);
    navigation.leadTo(0, undefined);
    expect(idsOf(navigation)).toEqual([0]);
  });

  it("notifies listeners of changes only", () => {
    const navigation = openNavigation({ kind: "tasks", title: "T", tasks });
    let told = 0;
    navigation.subscribe(() => told++);
    navigation.leadTo(0, trajectory(0));
    navigation.leadTo(0, trajectory(0));
    expect(told).toBe(1);
  });

  it("is the same list if runs are renamed, and changes if runs are added or removed", () => {
    const navigation = openNavigation({ kind: "notebook" });
    const listOf = (...runs: readonly string[]): Screen => ({ kind: "tasks", title: "T", tasks: { cell: "c1", runs } });
    navigation.leadTo(0, listOf("r1", "r2"));
    const { all } = navigation.places();
    navigation.leadTo(0, listOf("r1", "r2"));
    expect(navigation.places().all).toBe(all);
    navigation.leadTo(0, listOf("r1", "r3"));
    expect(navigation.places().all[1]!.screen).toEqual(listOf("r1", "r3"));
  });

  it("is the same if the first screen needs more columns", () => {
    const navigation = openNavigation({ kind: "tasks", title: "T", tasks });
    navigation.leadTo(0, trajectory(0));
    const beside = idsOf(navigation);
    navigation.leadTo(0, trajectory(0), 90);
    expect(navigation.places().all[0]!.columns).toBe(90);
    expect(idsOf(navigation)).toEqual(beside);
  });

  it("keeps the screens that were opened from it, and closes if another screen replaces it", () => {
    const navigation = openNavigation({ kind: "tasks", title: "T", tasks });
    navigation.push(trajectory(0));
    navigation.leadTo(0, trajectory(1));
    expect(navigation.places().all[1]!.screen).toEqual(trajectory(0));
    navigation.amend(trajectory(1));
    navigation.pop();
    navigation.push({ kind: "help" });
    expect(navigation.places().all.map(({ screen }) => screen.kind)).toEqual(["tasks", "help"]);
  });
});
