/** Which rows of a run a cell shows if other cells share its folder. */
import { describe, expect, it } from "vitest";
import { unharmed } from "../../../source/engine/log/file/log-damage.ts";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import { RunSums } from "../../../source/engine/log/rows/run-sums.ts";
import { RunView, runningSeconds, type ViewOptions } from "../../../source/engine/log/run-view.ts";
import type { RunStore } from "../../../source/engine/log/run-store.ts";
import type { Event, Facets, Row } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";

type Told = { readonly value?: number; readonly failed?: string; readonly from?: string; readonly facets?: Facets };

/** An in-memory folder with rows. */
class Folder {
  readonly table: RowTable;
  #seq = 0;
  readonly store: RunStore;

  constructor(name: string, tasks: Readonly<Record<string, Told>> = {}, more: Readonly<Record<string, unknown>> = {}) {
    this.table = (more["table"] as RowTable | undefined) ?? new RowTable();
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

describe("a cell whose tasks change", () => {
  it("has a new version with each choice and each change, and no row that does not fit any more", () => {
    const home = new Folder("a", { one: { value: 1, facets: { level: "easy" } } });
    const { table } = view(home, [home], { fits: ({ level }) => level === "easy" });
    expect([table.version, table.rows().length, table.sums().right]).toEqual([0, 1, 1]);
    home.tell("one", { facets: { level: "hard" } });
    expect([table.rows(), table.sums().rows, table.row("one")]).toEqual([[], 0, undefined]);
    const { version } = table;
    table.choose(new Set(["one"]));
    expect([table.version - version, table.rows().length]).toEqual([1, 1]);
    home.take({ type: "note", task: "one", kind: "n", text: "" });
    expect(table.version - version).toBe(2);
  });

  it("has the rows of its folders that are on disk from now on, in place of its own", () => {
    /** A table that keeps copies of its rows when it moves them. */
    const moving = () => {
      const rows = { blocks: [], store: (moved: readonly { row: Row }[]) => moved.map(({ row }) => ({ ...row })) };
      return new RowTable(undefined, undefined, { rows: rows as never, grow: true });
    };
    const home = new Folder("a", { one: { value: 1 } }, { table: moving() });
    const other = new Folder("b", { one: { value: 1 }, two: { value: 1 } }, { table: moving() });
    const { table } = view(home, [home, other], { isPart: false });
    const [one, two] = table.rows();
    other.table.storeBlock();
    expect([table.row("one") === one, table.row("two") === two]).toEqual([true, false]);
    expect([table.row("two"), table.rows()[1]]).toEqual([two, two]);
    expect([table.row("two"), table.rows()[1]].every((row) => row === other.table.row("two"))).toBe(true);
    home.table.storeBlock();
    expect([table.row("one") === one, table.row("one") === home.table.row("one")]).toEqual([false, true]);
  });

  it("has the first attempt at a task that has no answer, unless the cell's own folder has one", () => {
    const failed = { one: { failed: "model" } };
    const [a, b, c] = ["a", "b", "c"].map((name) => new Folder(name, failed));
    expect(shown(view(new Folder("d"), [a!, b!], { isPart: false }))).toEqual(["one of a"]);
    expect(shown(view(c!, [a!, b!, c!], { isPart: false }))).toEqual(["one of c"]);
  });

  it("has settings and warnings of the first folder that has any, and none before its first task", () => {
    const home = new Folder("a");
    home.table.clear();
    const other = new Folder("b", { one: { value: 1 } });
    const third = new Folder("c", { one: { value: 1 } });
    const { table } = view(home, [other, third], { isPart: false });
    expect([table.spec, table.warnings[0]]).toEqual([bareSpec("made"), "of b"]);
    const ended = new Folder("d");
    ended.take({ type: "run-ended", reason: "done", choice: "cell" });
    expect([view(ended).table.spec, view(ended).table.total]).toEqual([undefined, 0]);
  });
});

describe("a cell with several folders", () => {
  const gone = (why?: string) => ({ presence: { gone: why } });

  it("is read as far as the folder that is read least, and is damaged as all are", () => {
    const folded = (...parts: readonly (readonly [isBehind: boolean, share: number])[]) => {
      const folders = parts.map(([isBehind, share], at) => new Folder(`${at}`, {}, { isBehind, folded: share }));
      return view(folders[0]!, folders).folded;
    };
    expect([folded([true, 0.5], [false, 0]), folded([true, 0.5], [true, 0.25]), folded([false, 0])]).toEqual([
      0.5, 0.25, 1,
    ]);
    const [one, other] = [{ changed: 1 }, { cut: 2 }].map(
      (more, at) => new Folder(`${at}`, {}, { damage: { ...unharmed, ...more } }),
    );
    expect(view(one!, [one!, other!]).damage).toEqual({ ...unharmed, changed: 1, cut: 2 });
  });

  it("was removed if one of them was removed", () => {
    const [home, there, removed] = [gone(), gone(), gone("removed")].map((more, at) => new Folder(`${at}`, {}, more));
    expect(view(home!, [there!, removed!]).presence).toBe(removed!.store.presence);
    expect(view(home!, [there!]).presence).toBe(home!.store.presence);
  });

  it("looks at, reads and checks each folder, and has changed if one of them has", async () => {
    const calls: string[] = [];
    const folder = (name: string, isChanged: boolean) =>
      new Folder(
        name,
        {},
        {
          look: () => calls.push(`look ${name}`),
          readRows: async () => void calls.push(`read ${name}`),
          check: async () => (calls.push(`check ${name}`), isChanged),
        },
      );
    const changed = async (...are: readonly boolean[]) => {
      const folders = are.map((isChanged, at) => folder(`${at}`, isChanged));
      return view(folders[0]!, folders).check();
    };
    expect([await changed(false, true), await changed(true, false), await changed(false, false)]).toEqual([
      true,
      true,
      false,
    ]);
    calls.length = 0;
    const [a, b] = [folder("a", true), folder("b", true)];
    const of = view(a, [a, b]);
    of.look();
    await of.catchUp();
    await of.check();
    expect(calls).toEqual(["look a", "look b", "read a", "read b", "check a", "check b"]);
    expect(of.rowsOnDisk()).toBeUndefined();
  });

  it("reads the events of a task in the folder of the task, with one reader for each folder", () => {
    let readers = 0;
    const events = (name: string) => ({
      reader: () => ((readers += 1), (id: string) => [`${id} of ${name}`]),
      task: (id: string) => [`${id} in ${name}`],
      eachTask: (ids: readonly string[]) => ids.map((id) => [id, name]),
    });
    const home = new Folder("a", { one: { value: 1 }, two: { value: 1 } }, events("a"));
    const other = new Folder("b", { three: { value: 1 } }, events("b"));
    const of = view(home, [home, other], { isPart: false });
    const read = of.reader();
    expect(["one", "three", "two", "none"].flatMap((id) => read(id))).toEqual([
      "one of a",
      "three of b",
      "two of a",
      "none of a",
    ]);
    expect([readers, of.task("three")]).toEqual([2, ["three in b"]]);
    expect([...of.eachTask(["three", "one", "two"])]).toEqual([
      ["three", "b"],
      ["one", "a"],
      ["two", "a"],
    ]);
  });

  it("has no sums until all of them have their rows", () => {
    const [home, slow] = [new Folder("a", { one: { value: 1 } }), new Folder("b", {}, { hasRows: false })];
    expect(view(home, [home, slow], { isPart: false }).table.sums()).toEqual(new RunSums().read(0));
  });
});

it("the seconds in which any of several tasks was running are counted once", () => {
  const seconds = (...spans: readonly (readonly [number, number])[]) =>
    runningSeconds(spans.map(([from, to]) => ({ from, to })));
  expect([seconds(), seconds([0, 2000]), seconds([0, 2000], [5000, 6000])]).toEqual([0, 2, 3]);
  expect(seconds([0, 4000], [1000, 2000], [3000, 6000])).toBe(6);
  expect(seconds([3000, 6000], [0, 4000])).toBe(6);
});
