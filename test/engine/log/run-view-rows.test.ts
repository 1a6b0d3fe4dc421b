/** Which rows of a run a cell shows if other cells share its folder. */
import { describe, expect, it } from "vitest";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import { RunView, runningSeconds, type ViewOptions } from "../../../source/engine/log/run-view.ts";
import type { RunStore } from "../../../source/engine/log/run-store.ts";
import type { Event, Facets } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";

type Told = { readonly value?: number; readonly failed?: string; readonly from?: string; readonly facets?: Facets };

/** An in-memory folder with rows. */
class Folder {
  readonly table = new RowTable();
  #seq = 0;
  readonly store: RunStore;

  constructor(name: string, tasks: Readonly<Record<string, Told>> = {}, more: object = {}) {
    this.take({ type: "run-started", run: name, spec: bareSpec("made"), total: 3, warnings: [`of ${name}`] });
    for (const [task, told] of Object.entries(tasks)) this.tell(task, told);
    this.store = { folder: `/runs/${name}`, table: this.table, hasRows: true, ...more } as unknown as RunStore;
  }
  take(event: object): void {
    this.table.take({ seq: this.#seq, at: this.#seq++ * 1000, ...event } as Event);
  }
  tell(task: string, { value, failed, from, facets = {} }: Told): void {
    this.take({ type: "started", task, facets, question: "" });
    if (from !== undefined) this.take({ type: "note", task, kind: `answer-from:${from} none`, text: "" });
    const score = { value, metrics: {}, checks: [], errors: [] };
    if (value !== undefined) this.take({ type: "scored", task, score, suiteRevision: 1 });
    if (failed !== undefined) this.take({ type: "failed", task, failure: { kind: failed, message: "" } });
  }
}
const view = (home: Folder, parts: readonly Folder[] = [home], more: Partial<ViewOptions> = {}) =>
  new RunView({ id: "cell", home: home.store, parts: parts.map(({ store }) => store), isPart: true, ...more });
const shown = ({ table }: RunView) => table.rows().map(({ task, run }) => `${task} of ${run}`);

describe("the rows of a cell", () => {
  it("are the rows of the tasks that the cell selects, in the order of the selection", () => {
    const home = new Folder("a", { one: { value: 1 }, two: { value: 0 }, three: { value: 1 } });
    const of = view(home);
    of.table.choose(new Set(["three", "none", "one"]));
    expect(shown(of)).toEqual(["three of a", "one of a"]);
    expect(of.table.sums()).toMatchObject({ rows: 2, right: 2, wrong: 0 });
    of.table.choose(new Set(["two"]));
    expect([shown(of), of.table.sums().wrong]).toEqual([["two of a"], 1]);
    const all = view(home, [home], { isPart: false });
    expect(shown(all)).toEqual(["one of a", "two of a", "three of a"]);
    all.table.choose(new Set(["two"]));
    expect(shown(all)).toEqual(["two of a", "one of a", "three of a"]);
  });

  it("are the rows that the log names or that match the facets, until the data set is loaded", () => {
    const home = new Folder("a", { one: { value: 1, facets: { level: "easy" } }, two: { value: 1 } });
    expect(shown(view(home))).toEqual([]);
    expect(shown(view(home, [home], { fits: ({ level }) => level === "easy" }))).toEqual(["one of a"]);
    home.take({
      type: "run-started",
      run: "a",
      spec: bareSpec("made"),
      total: 1,
      warnings: [],
      choice: { id: "cell", tasks: ["two"] },
    });
    expect(shown(view(home, [home], { fits: () => true }))).toEqual(["two of a"]);
  });

  it("are the earliest answers from several folders, with unanswered tasks last", () => {
    const [home, other] = [
      new Folder("a", { one: { failed: "model" }, two: { value: 0 }, three: { failed: "model" } }),
      new Folder("b", { one: { value: 1 }, two: { value: 1 }, three: { failed: "model" }, four: { value: 1 } }),
    ];
    const of = view(home, [home, other], { isPart: false });
    expect(shown(of)).toEqual(["one of b", "two of a", "three of a", "four of b"]);
    expect(["one", "two", "four", "none"].map((task) => of.partOf(task).folder)).toEqual([
      "/runs/b",
      "/runs/a",
      "/runs/b",
      "/runs/a",
    ]);
    expect(of.table.warnings).toContain("1 task has several answers in `runs`: the answers of the earliest run count");
    // The other folder began first.
    expect(shown(view(home, [other, home], { isPart: false }))).toEqual([
      "one of b",
      "two of b",
      "three of a",
      "four of b",
    ]);
  });

  it("are the rows in the folder of the cell if earlier answers were copied into that folder", () => {
    const first = new Folder("a", { one: { value: 1 } });
    const home = new Folder("b", { one: { value: 1, from: "a" } });
    const of = view(home, [first, home], { isPart: false });
    expect([shown(of), of.table.warnings]).toEqual([
      ["one of b"],
      expect.not.arrayContaining([expect.stringContaining("several")]),
    ]);
    const foreign = new Folder("c", { one: { value: 0, from: "z" } });
    const two = view(foreign, [first, foreign], { isPart: false });
    expect(shown(two)).toEqual(["one of a"]);
    expect(two.table.warnings.join()).toContain("1 task has several answers");
  });

  it("change when a row of any folder changes, and notify watchers", () => {
    const home = new Folder("a", { one: { value: 0 } });
    const of = view(home);
    of.table.choose(new Set(["one", "two"]));
    const seen: string[] = [];
    const end = of.table.watch((task) => seen.push(task));
    expect(of.table.rows()).toBe(of.table.rows());
    const { version } = of.table;
    home.tell("two", { value: 1 });
    expect(shown(of)).toEqual(["one of a", "two of a"]);
    expect(of.table.sums()).toMatchObject({ rows: 2, right: 1, wrong: 1 });
    expect([new Set(seen), of.table.version > version]).toEqual([new Set(["two"]), true]);
    const before = seen.length;
    home.tell("unchosen", { value: 1 });
    expect(seen).toHaveLength(before);
    end();
    home.tell("one", { value: 1 });
    expect([seen.length, of.table.sums().right]).toEqual([before, 2]);
    expect(of.table.row("unchosen")).toBeUndefined();
  });

  it("have the total, the ending and the settings that the log contains for the cell", () => {
    const home = new Folder("a", { one: { value: 1 } });
    const of = view(home);
    expect([of.table.total, of.table.ended, of.table.spec]).toEqual([0, undefined, undefined]);
    of.table.choose(new Set(["one"]));
    expect(of.table.spec).toEqual(bareSpec("made"));
    expect(of.table.warnings).toEqual(["of a"]);
    home.take({
      type: "run-started",
      run: "a",
      spec: bareSpec("made"),
      total: 1,
      warnings: [],
      choice: { id: "cell" },
    });
    home.take({ type: "run-ended", reason: "done", choice: "cell" });
    expect([of.table.total, of.table.ended]).toEqual([1, { reason: "done" }]);
    // Its settings are known from its beginning, before any task.
    const begun = new Folder("b");
    const choice = { id: "cell" };
    begun.take({ type: "run-started", run: "b", spec: bareSpec("made"), total: 1, warnings: [], choice });
    expect(view(begun).table.spec).toEqual(bareSpec("made"));
    // The run's own folder contains all of it.
    const whole = view(home, [home], { id: "a" });
    expect([whole.table.total, whole.table.ended]).toEqual([3, undefined]);
  });

  it("are known once all folders have read their rows", () => {
    const [home, slow] = [new Folder("a", { one: { value: 1 } }), new Folder("b", {}, { hasRows: false })];
    const of = view(home, [home, slow], { isPart: false });
    expect([of.hasRows, of.isBehind, of.table.sums().rows, of.isShared]).toEqual([false, true, 0, true]);
    const alone = view(home);
    expect([alone.hasRows, alone.isBehind, alone.isShared, alone.folders]).toEqual([true, false, false, ["/runs/a"]]);
  });

  it("count as running only if the cell selects them", () => {
    const home = new Folder("a", { one: {}, two: {} });
    const of = view(home);
    of.table.choose(new Set(["two"]));
    expect(of.table.begun()).toEqual(["two"]);
  });
});

it("the seconds in which any of several tasks was running are counted once", () => {
  const seconds = (...spans: readonly (readonly [number, number])[]) =>
    runningSeconds(spans.map(([from, to]) => ({ from, to })));
  expect([seconds(), seconds([0, 2000]), seconds([0, 2000], [5000, 6000])]).toEqual([0, 2, 3]);
  expect(seconds([0, 4000], [1000, 2000], [3000, 6000])).toBe(6);
  expect(seconds([3000, 6000], [0, 4000])).toBe(6);
});
