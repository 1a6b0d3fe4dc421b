import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { analyses } from "../../../../analyses/index.ts";
import type { ThreadData } from "../../../../source/analysis-thread.ts";
import type { RunRows, TaskCodes } from "../../../../source/engine/analysis.ts";
import { figureJson } from "../../../../source/engine/figures/figure-json.ts";
import { unharmed } from "../../../../source/engine/log/file/log-damage.ts";
import { emptyLog } from "../../../../source/engine/log/file/log-reader.ts";
import { pricesText, RowFile } from "../../../../source/engine/log/rows/row-file.ts";
import { RowTable } from "../../../../source/engine/log/rows/rows.ts";
import { planAnalysisCell } from "../../../../source/engine/session/analysis-cell.ts";
import { analysisState, beforeFigures } from "../../../../source/engine/workbench/figures/analysis-state.ts";
import { AnalysisThread, type RowSource } from "../../../../source/engine/workbench/thread/analysis-thread.ts";
import type { ThreadJob } from "../../../../source/engine/workbench/thread/thread-messages.ts";
import { rowsByCode } from "../../../../source/engine/session/codes/coded-rows.ts";
import type { Row } from "../../../../source/engine/types.ts";
import { atOnce } from "../../../../source/engine/work/pieces.ts";
import { ownAnalysis } from "../../../../source/extension/public-api.ts";
import { loadExtensions } from "../../../../source/extension/extensions.ts";
import { readNotebookFile, sourceOfNotebook } from "../../../../source/extension/notebook-code.ts";
import { suites } from "../../../../suites/index.ts";
import { builtProgram } from "../../../built-program.ts";
import { runsOf, waysToAsk } from "../../../analyses/every-figure.ts";

const folder = mkdtempSync(join(tmpdir(), "planwright-thread-"));
const opened: AnalysisThread[] = [];
afterEach(() => {
  for (const thread of opened.splice(0)) thread.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a thread and records the messages it is sent. */
function openThread(own: ThreadData["own"] = [], standIn?: string) {
  const posted: { readonly type: string; readonly block?: { readonly rows?: readonly unknown[] } }[] = [];
  const workerData: ThreadData = { session: folder, own, standIn };
  const start = () => {
    // Built, because a thread would load hundreds of sources one by one.
    const worker = new Worker(join(dirname(builtProgram()), "analysis-thread.js"), { workerData });
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (message: (typeof posted)[number]) => (posted.push(message), post(message));
    return worker;
  };
  const thread = new AnalysisThread(start);
  opened.push(thread);
  const sent = () => posted.splice(0).flatMap(({ type, block }) => (type === "block" ? (block?.rows ?? []) : []));
  return { thread, posted, sent };
}

type Source = Partial<RowSource["store"]["table"]> & Partial<Pick<RowSource["store"], "hasRows" | "rowsOnDisk">>;

function sourceOf({ run, rows }: RunRows, { hasRows = true, rowsOnDisk, ...more }: Source = {}): RowSource {
  const table = { version: 1, rows: () => rows, watch: () => () => {}, sums: () => ({ rows: rows.length }), ...more };
  const store = { hasRows, rowsOnDisk: rowsOnDisk ?? (() => undefined), readRows: () => Promise.resolve(), table };
  return { run, store, open: undefined };
}

function jobOf(source: string, runs: readonly RunRows[]): ThreadJob {
  const threadRuns = runs.map((run) => ({ ...run, suite: run.suite.name, rows: [] }));
  return { cell: "c", source, problems: [], none: "", runs: threadRuns, open: [], claimants: [] };
}

const goesOn = new AbortController().signal;
const asked = (source: string, runs: readonly RunRows[]) => ({
  job: jobOf(source, runs),
  sources: runs.map((run) => sourceOf(run)),
});

/** Returns the state of a cell computed in this thread. */
function stateHere(source: string, runs: readonly RunRows[]) {
  return analysisState(beforeFigures(planAnalysisCell(source, analyses), runs, [], ""));
}

describe("analyses in a worker thread", () => {
  it.each(suites.filter(({ name }) => !["mcp", "process"].includes(name)))(
    "equal those of the main thread, byte for byte, for any choice: $name",
    async (suite) => {
      const runs = await runsOf(suite);
      const { thread, sent } = openThread();
      let compared = 0;
      for (const analysis of analyses.filter(({ name }) => suite.analyses.includes(name))) {
        if (analysis.missing?.(runs) !== undefined) continue;
        for (const chosen of waysToAsk(analysis, runs)) {
          const fields = Object.entries(chosen).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
          const source = `pane: ${analysis.name}\n${fields.join("")}`;
          const here = stateHere(source, runs);
          const there = await thread.answer(asked(source, runs), goesOn, () => {});
          expect(JSON.stringify(there.state.figures.map(figureJson))).toBe(
            JSON.stringify(here.figures.map(figureJson)),
          );
          const { analysis: _, runs: __, ...state } = here;
          expect(there.state).toEqual(state);
          compared += here.figures.length;
        }
      }
      expect(compared).toBeGreaterThan(0);
      // The rows of both runs are sent once, however often they are read.
      expect(sent()).toHaveLength(runs.reduce((sum, { rows }) => sum + rows.length, 0));
    },
  );

  it("group and select by codes as in the main thread", async () => {
    const [run] = await runsOf(suites[0]!, "seed: 1");
    const at = "2026-01-01T00:00:00Z";
    const tagged = run!.rows.slice(0, 2).map(({ task }): [string, TaskCodes] => {
      return [task, { codes: [{ id: task, by: "anna", at, kind: "misread" }], labelled: [] }];
    });
    const codebook = { kinds: [{ name: "misread" }], runs: new Map([[run!.run, new Map(tagged)]]) };
    const coded = { ...run!, rows: rowsByCode(run!.rows, codebook), codes: codebook };
    const { thread } = openThread();
    for (const source of ["pane: errors\nby: code\n", "pane: difficulty\nby: code.misread\n", "pane: agreement\n"]) {
      const work = asked(source, [run!]);
      const job = { ...work.job, codes: { key: "1", codebook } };
      const there = await thread.answer({ ...work, job }, goesOn, () => {});
      const { figures, missing } = stateHere(source, [coded]);
      expect(there.state.figures.map(figureJson)).toEqual(figures.map(figureJson));
      expect(there.state.missing).toBe(missing);
    }
    const source = "pane: difficulty\nby: nothing\nonly: {code: misread}\n";
    const work = asked(source, [run!]);
    const there = await thread.answer(
      { ...work, job: { ...work.job, codes: { key: "1", codebook } } },
      goesOn,
      () => {},
    );
    const selected = { ...coded, rows: coded.rows.slice(0, 2) };
    expect(there.state.figures.map(figureJson)).toEqual(stateHere(source, [selected]).figures.map(figureJson));
  });

  it("receive only the changed rows", async () => {
    const [run] = await runsOf(suites[0]!, "seed: 1");
    const { thread, sent } = openThread();
    const source = "pane: overview\n";
    let change: (task: string) => void = () => {};
    const watch = (changed: typeof change) => ((change = changed), () => {});
    await thread.answer({ job: jobOf(source, [run!]), sources: [sourceOf(run!, { watch })] }, goesOn, () => {});
    expect(sent()).toHaveLength(run!.rows.length);
    change(run!.rows[6]!.task);
    const rows = run!.rows.with(6, { ...run!.rows[7]!, task: run!.rows[6]!.task });
    const later = { ...run!, rows };
    const work = { job: jobOf(source, [later]), sources: [sourceOf(later, { version: 2 })] };
    const there = await thread.answer(work, goesOn, () => {});
    expect(sent()).toEqual([[6, rows[6]]]);
    expect(there.state.figures).toEqual(stateHere(source, [later]).figures);
  });

  it("read the file of rows themselves, and receive later changes", async () => {
    const [run] = await runsOf(suites[0]!, "seed: 1");
    const path = join(mkdtempSync(join(tmpdir(), "planwright-thread-rows-")), "rows.jsonl");
    const written = run!.rows.map((row) => JSON.parse(JSON.stringify(row)) as Row);
    const table = new RowTable();
    const summary = atOnce(table.summary(run!.spec));
    const head = { end: emptyLog, prices: pricesText(run!.spec, () => undefined), damage: unharmed, summary };
    atOnce(new RowFile(path).write(head, written));
    const { thread, sent } = openThread();
    const source = "pane: overview\n";
    const ofFile = { ...run!, rows: written };
    let changed: (task: string) => void = () => {};
    const watch = (watcher: typeof changed) => ((changed = watcher), () => {});
    const notHere = () => {
      throw new Error("Expected the thread to read the file");
    };
    const reading = sourceOf(ofFile, { hasRows: false, rowsOnDisk: () => path, rows: notHere, watch });
    const there = await thread.answer({ job: jobOf(source, [ofFile]), sources: [reading] }, goesOn, () => {});
    expect(there.state.figures).toEqual(stateHere(source, [ofFile]).figures);
    expect(sent()).toEqual([]);
    changed(written[6]!.task);
    const rows = written.with(6, { ...written[7]!, task: written[6]!.task });
    const later = { ...run!, rows };
    const work = { job: jobOf(source, [later]), sources: [sourceOf(later, { version: 2 })] };
    expect((await thread.answer(work, goesOn, () => {})).state.figures).toEqual(stateHere(source, [later]).figures);
    expect(sent()).toEqual([[6, rows[6]]]);
  });

  it("do not start if they were cancelled, and work again after the thread was ended", async () => {
    const [run] = await runsOf(suites[0]!, "seed: 1");
    const { thread, sent } = openThread();
    const ending = new AbortController();
    const first = thread.answer(asked("pane: overview\n", [run!]), goesOn, () => {});
    const second = thread.answer(asked("pane: difficulty\n", [run!]), ending.signal, () => {});
    ending.abort(new Error("another text"));
    await expect(second).rejects.toThrow("another text");
    await first;
    expect(sent()).toHaveLength(run!.rows.length);
    const cut = thread.answer(asked("pane: efficiency\n", [run!]), goesOn, () => {});
    const failed = expect(cut).rejects.toThrow("was stopped");
    // The request is sent before the thread's answer can arrive.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    thread.end();
    await failed;
    const again = await thread.answer(asked("pane: overview\n", [run!]), goesOn, () => {});
    expect(again.state.figures).toEqual(stateHere("pane: overview\n", [run!]).figures);
    expect(sent()).toHaveLength(run!.rows.length);
  });

  it("include the user's own analysis, whose file the thread loads", async () => {
    const [run] = await runsOf(suites[0]!, "seed: 1");
    const file = new URL("../../../../documentation/examples/analysis.ts", import.meta.url).pathname;
    const [extension] = await loadExtensions([file]);
    const [own] = extension!.definition.analyses!;
    const { thread } = openThread([file]);
    const { state } = await thread.answer(asked("analysis: my-analysis\n", [run!]), goesOn, () => {});
    expect(state.figures).toEqual(ownAnalysis(own!).compute([run!], { tokens: "output" }));
  });

  it("use the notebook's own analysis as it was first read, even if its file has changed", async () => {
    const [run] = await runsOf(suites[0]!, "seed: 1");
    mkdirSync(folder, { recursive: true });
    const file = join(folder, "variant.ts");
    const example = readFileSync("documentation/examples/analysis.ts", "utf8");
    writeFileSync(file, example);
    const source = sourceOfNotebook(readNotebookFile(folder, "variant.ts"));
    writeFileSync(file, "throw new Error('replaced');\n");
    const { thread } = openThread([source]);
    const { state } = await thread.answer(asked("analysis: my-analysis\n", [run!]), goesOn, () => {});
    expect(state.figures).not.toEqual([]);
  });

  it("work for a suite that is not loaded, from the content of the notebook's logs", async () => {
    const [run] = await runsOf(suites[0]!, "seed: 1");
    const spec = { ...run!.spec, suite: "stranger", code: { suite: "0123456789abcdef" } };
    const log = join(folder, "runs", "0000000000000000");
    mkdirSync(log, { recursive: true });
    writeFileSync(
      join(log, "events.jsonl"),
      `${JSON.stringify({ seq: 0, at: 1, type: "run-started", run: run!.run, spec, total: 1, warnings: [] })}\n`,
    );
    const stranger = { ...run!, spec, suite: { ...run!.suite, name: "stranger" } };
    const { thread } = openThread([], "not loaded");
    const { state } = await thread.answer(asked("pane: overview\n", [stranger]), goesOn, () => {});
    expect(state.figures).not.toEqual([]);
  });

  it("fail with the reason if the thread does not know the suite", async () => {
    const [run] = await runsOf(suites[0]!, "seed: 1");
    const stranger = { ...run!, suite: { ...run!.suite, name: "stranger" } };
    const answered = openThread().thread.answer(asked("pane: overview\n", [stranger]), goesOn, () => {});
    await expect(answered).rejects.toThrow("got `stranger`");
  });
});
