import { MessageChannel, type MessagePort } from "node:worker_threads";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import type { Analysis } from "../../../../source/engine/analysis.ts";
import { withTasks } from "../../../../source/engine/measures/measure-cell.ts";
import { rowContents, scoredCount } from "../../../../source/engine/measures/row-contents.ts";
import type { Row } from "../../../../source/engine/types.ts";
import { type Fold, foldOver } from "../../../../source/engine/work/growing-list.ts";
import { serveAnalyses } from "../../../../source/engine/workbench/thread/serve-analyses.ts";
import type { FromThread, ToThread } from "../../../../source/engine/workbench/thread/thread-messages.ts";
import { bareRow } from "../../../bare-row.ts";
import { tinySuite } from "../tiny-suite.ts";

/** A figure with one cell. */
type Packed = {
  readonly figure: {
    readonly rows: readonly [readonly [{ readonly tasks: number | { readonly places: readonly number[] } }]];
  };
};

const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

/** Opens a thread whose only analysis records the rows that it gets, and the tasks that a fact about them reads. */
function openServer() {
  const read: string[] = [];
  const got: (readonly Row[])[] = [];
  const fold: Fold<Row, number> = { start: () => 0, take: (count, { task }) => (read.push(task), count + 1) };
  const analysis = {
    name: "looks",
    title: "Looks",
    question: "?",
    choices: () => ({}),
    compute: ([run]) => {
      got.push(run!.rows);
      const title = String(foldOver(fold, run!.rows));
      const cell = withTasks({ text: "all" }, rowContents(run!.rows).ended);
      return [{ kind: "table", title, columns: [{ title: "Tasks", align: "right" }], rows: [[cell]], notes: [] }];
    },
  } satisfies Analysis as Analysis;
  const { suite } = tinySuite();
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  serveAnalyses(port2, { analyses: [analysis], suite: () => suite });
  const tell = (message: ToThread) => port1.postMessage(message);
  const ask = async (message: ToThread) => {
    const answered = once(port1, "message");
    tell(message);
    return ((await answered) as [FromThread])[0];
  };
  const look = async (open: readonly string[] = []) => {
    const run = { run: "r", spec: {}, label: "r", suite: "tiny", warnings: [], readsAnswerKey: false, rows: [] };
    const runs = [{ ...run, reported: { values: [], tables: [] } }] as never;
    const job = { cell: "c", source: "pane: looks", problems: [], none: "", runs, open, claimants: [] };
    const message = await ask({ type: "job", job });
    if (message.type !== "done") throw new Error(JSON.stringify(message));
    const { ended, figures, lists, isFilledLater, state } = message.answer;
    const [[{ tasks }]] = (figures[0] as unknown as Packed).figure.rows;
    const places = typeof tasks === "number" ? [...lists[tasks]!] : tasks.places;
    return { read: read.splice(0), rows: got.at(-1)!, ended, places, isFilledLater, filled: state.filled };
  };
  const sendTasks = (ids: readonly string[]) => {
    const tasks = ids.map((id) => ({ id, question: id, facets: {} }));
    tell({ type: "block", block: { run: "r", tasks } });
  };
  const shares = () => ask({ type: "filled", cell: "c" });
  const send = (rows: readonly (readonly [number, Row])[], count: number) => {
    tell({ type: "block", block: { run: "r", rows } });
    tell({ type: "rows", run: "r", count });
  };
  return { send, sendTasks, look, shares, got };
}

const score = { value: 1, metrics: { right: 1 }, checks: [], errors: [] } as unknown as Row["score"];
const scored = (task: string) => bareRow("r", task, { score, facets: { half: Number(task) % 2 } });
const running = (task: string) => bareRow("r", task, { state: "running", facets: { half: Number(task) % 2 } });

describe("the figures of a run that executes", () => {
  it("read each row of an ended task once, and those after the first unended task at each look", async () => {
    const { send, look } = openServer();
    send(
      [
        [0, scored("0")],
        [1, scored("1")],
        [2, running("2")],
        [3, scored("3")],
      ],
      4,
    );
    expect((await look()).read).toEqual(["0", "1", "2", "3"]);
    send(
      [
        [2, scored("2")],
        [4, running("4")],
      ],
      5,
    );
    expect((await look()).read).toEqual(["2", "3", "4"]);
    send([[4, scored("4")]], 5);
    expect((await look()).read).toEqual(["4"]);
    expect((await look()).read).toEqual([]);
  });

  it("read all rows again if an ended task is executed again, or if the run has fewer rows", async () => {
    const { send, look } = openServer();
    const all = ["0", "1", "2"].map((task, at) => [at, scored(task)] as const);
    send(all, 3);
    await look();
    send([[1, running("1")]], 3);
    expect((await look()).read).toEqual(["0", "1", "2"]);
    send([[1, scored("1")]], 3);
    expect((await look()).read).toEqual(["1", "2"]);
    send([], 2);
    expect((await look()).read).toEqual(["0", "1"]);
  });

  it("have the contents of the same rows in a list of their own", async () => {
    const { send, look } = openServer();
    const rows: Row[] = [];
    for (let step = 0; step < 12; step++) {
      const changed: [number, Row][] = [];
      const put = (at: number, row: Row) => changed.push([at, (rows[at] = row)]);
      // Two tasks begin at each step, and end two steps later, except for a slow one.
      for (const at of [2 * step, 2 * step + 1]) put(at, at === 0 ? scored("0") : running(String(at)));
      for (const at of [2 * step - 4, 2 * step - 3]) if (at >= 0 && at !== 5) put(at, scored(String(at)));
      if (step === 9) put(5, bareRow("r", "5", { state: "failed", failure: { kind: "model", message: "no" } }));
      send(changed, rows.length);
      const found = await look();
      expect(found.rows).toEqual(rows);
      const alone = rowContents([...rows]);
      expect(rowContents(found.rows)).toEqual(alone);
      expect(found.ended).toBe(alone.ended.length);
      // The tasks of a cell are sent as their places among all tasks of the run.
      expect(found.places).toEqual(alone.ended.map((row) => rows.indexOf(row)));
      expect(scoredCount(found.rows)).toBe(alone.ended.filter(({ state }) => state === "scored").length);
    }
  });
});

describe("the figures of an unfinished run", () => {
  it("are sent before the shares of their tables, which need the tables once more", async () => {
    const { send, sendTasks, look, shares, got } = openServer();
    sendTasks(["0", "1"]);
    send([[0, scored("0")]], 1);
    const first = await look(["r"]);
    expect([first.isFilledLater, first.filled, got.length]).toEqual([true, undefined, 1]);
    const filled = [{ title: "2", cells: 1, filled: 0, begun: 1 }];
    expect(await shares()).toEqual({ type: "filled", filled });
    expect(got.length).toBe(2);
    const second = await look(["r"]);
    expect([second.isFilledLater, second.filled, got.length]).toEqual([false, filled, 3]);
    expect(await shares()).toEqual({ type: "filled", filled: undefined });
  });
});
