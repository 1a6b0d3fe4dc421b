/** Computes the figures of analysis cells in a separate thread: it reads the rows of runs itself, and the screen never waits. */
import type { MessagePort } from "node:worker_threads";
import type { Analysis, Codebook } from "../../analysis.ts";
import { FigurePacker } from "../../figures/packed-figures.ts";
import { numbersBeside } from "../../measures/beside.ts";
import { unfinishedRun } from "../../measures/unfinished.ts";
import { GrowingRows } from "../../log/rows/growing-rows.ts";
import { EqualParts } from "../../log/rows/equal-parts.ts";
import { RowFile } from "../../log/rows/row-file.ts";
import { planAnalysisCell } from "../../session/analysis-cell.ts";
import { rowsByCode } from "../../session/codes/coded-rows.ts";
import type { Suite } from "../../suite.ts";
import type { Row, Task, TaskRef } from "../../types.ts";
import { GrowingList, flatMapped, listParts } from "../../work/growing-list.ts";
import { AnalysisCells, type WorkedOut, withRuns } from "../figures/analysis-state.ts";
import type { PoolableRun } from "../runs/wanted-runs.ts";
import type { FromThread, RunBlock, ThreadAnswer, ThreadJob, ThreadRun, ToThread } from "./thread-messages.ts";

/** Rows that are read between two progress messages. */
const rowsAtATime = 2_000;

/** The rows and tasks of one run that the thread has received. */
type KnownRun = {
  rows: readonly Row[];
  /** The rows to come. */
  next: Row[] | undefined;
  /** These rows as lists: facts about them are continued. */
  ended: GrowingRows;
  readonly tasks: Task[];
  /** Parts that many rows of the run share. */
  readonly parts: EqualParts;
  /** The position of each task's row, by name; built when positions are first requested. */
  places: Map<string, number> | undefined;
  /** Returns the position of a row. */
  readonly placeOf: (row: TaskRef) => number;
};

export type ThreadProgram = {
  readonly analyses: readonly Analysis[];
  /** Throws if the suite does not exist. */
  suite(name: string): Suite;
};

/** Answers the messages of this port until it is closed. */
export function serveAnalyses(port: MessagePort, program: ThreadProgram): void {
  const server = new Server(program, (message, transfer) => port.postMessage(message, [...transfer]));
  port.on("message", (message: ToThread) => server.take(message));
}

type Tell = (message: FromThread, transfer: readonly ArrayBuffer[]) => void;

class Server {
  readonly #program: ThreadProgram;
  readonly #tell: Tell;
  readonly #runs = new Map<string, KnownRun>();
  readonly #cells = new AnalysisCells();
  /** The shares of tables that are computed once the figures have been sent, by cell. */
  readonly #rests = new Map<string, NonNullable<WorkedOut["rest"]>>();

  constructor(program: ThreadProgram, tell: Tell) {
    this.#program = program;
    this.#tell = tell;
  }

  take(message: ToThread): void {
    switch (message.type) {
      case "file":
        return this.#read(message.run, message.path);
      case "block":
        return this.#add(message.block);
      case "rows":
        return this.#settle(message.run, message.count);
      case "job":
        return this.#tellOf(() => {
          const { answer, transfer } = this.#answer(message.job);
          this.#tell({ type: "done", answer }, transfer);
        });
      case "filled":
        return this.#tellOf(() => {
          const filled = this.#rests.get(message.cell)?.();
          this.#rests.delete(message.cell);
          this.#tell({ type: "filled", filled }, []);
        });
      case "beside":
        return this.#tellOf(() => {
          const { rows, tasks } = this.#run(message.run);
          const order = message.seed === undefined ? undefined : unfinishedRun(tasks, rows, message.seed);
          const numbers = numbersBeside(this.#program.suite(message.suite), rows, order);
          this.#tell({ type: "numbers", numbers }, []);
        });
      default:
        message satisfies never;
    }
  }

  #run(run: string): KnownRun {
    const known: KnownRun = this.#runs.get(run) ?? {
      rows: [],
      next: undefined,
      ended: new GrowingRows(),
      tasks: [],
      parts: new EqualParts(),
      places: undefined,
      placeOf: ({ task }) => this.#placesIn(run).get(task)!,
    };
    this.#runs.set(run, known);
    return known;
  }

  #read(run: string, path: string): void {
    const rows = new RowFile(path).rows((count) => {
      if (count % rowsAtATime === 0) this.#tell({ type: "reading", run, rows: count }, []);
    });
    if (rows !== undefined)
      Object.assign(this.#run(run), { rows, next: undefined, ended: new GrowingRows(), places: undefined });
    const tasks = rows && JSON.stringify(rows.map(({ task }) => task));
    this.#tell({ type: "read", run, tasks }, []);
  }

  #add({ run, rows = [], tasks = [] }: RunBlock): void {
    const known = this.#run(run);
    known.tasks.push(...(tasks as readonly Task[]));
    if (rows.length === 0) return;
    known.next ??= [...known.rows];
    for (const [at, row] of rows) {
      if (known.next[at] === undefined || known.next[at].task === row.task) known.places?.set(row.task, at);
      else known.places = undefined;
      known.next[at] = known.parts.row(row);
      known.ended.changed(at);
    }
  }

  #settle(run: string, count: number): void {
    const known = this.#run(run);
    const next = known.next ?? known.rows;
    // Another array: facts about the rows are cached by the array.
    if (count < known.rows.length) known.places = undefined;
    Object.assign(known, { rows: known.ended.of(next, count), next: undefined });
  }

  #tellOf(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#tell({ type: "failed", message: (error as Error).message }, []);
    }
  }

  #answer(job: ThreadJob): { readonly answer: ThreadAnswer; readonly transfer: readonly ArrayBuffer[] } {
    const planned = planAnalysisCell(job.source, this.#program.analyses);
    const tasksOf = (run: string) => (job.open.includes(run) ? this.#run(run).tasks : undefined);
    const codes = this.#codesOf(job);
    const worked = this.#cells.workOut(
      planned,
      withRuns(job, (run) => this.#whole(run, codes)),
      tasksOf,
      { isFilledLater: true },
    );
    this.#rests.delete(job.cell);
    if (worked.rest !== undefined) this.#rests.set(job.cell, worked.rest);
    const { figures, claims, analysis: _, runs: __, ...state } = worked.state;
    const places = this.#places(job);
    const packer = new FigurePacker(places);
    const stated = claims?.map(({ claim, label, answer, difference, interval, p, detectable, n, deciding }) => {
      const fields = { claim, label, answer, difference, interval, p, n, detectable };
      return { ...fields, deciding: packer.tasks(deciding) };
    });
    const answer: ThreadAnswer = {
      figures: packer.figures(figures),
      lists: packer.lists,
      state,
      claims: stated,
      open: worked.open,
      ended: worked.ended,
      isFilledLater: worked.rest !== undefined,
      places: places.runs,
    };
    return { answer, transfer: packer.buffers };
  }

  /** Equal codes stay the same object, so that cached facts about the rows stay valid. */
  #codesOf({ codes }: ThreadJob): Codebook | undefined {
    if (codes !== undefined && this.#codes?.key !== codes.key) this.#codes = codes;
    return codes && this.#codes?.codebook;
  }
  #codes: ThreadJob["codes"];

  #whole({ suite, ...run }: ThreadRun, codes: Codebook | undefined): PoolableRun {
    const rows = rowsByCode(this.#run(run.run).rows, codes);
    return { ...run, suite: this.#program.suite(suite), rows, ...(codes && { codes }) };
  }

  /** Returns the position of a task among the tasks of all runs of the job. */
  #places({ runs, claimants }: ThreadJob) {
    const all = [...runs, ...claimants.flatMap((claimant) => claimant.runs)];
    const names = [...new Set(all.map(({ run }) => run))];
    const known = names.map((run) => ({ run, count: this.#run(run).rows.length }));
    const begins = new Map<string, number>();
    let begin = 0;
    for (const { run, count } of known) {
      begins.set(run, begin);
      begin += count;
    }
    const of = ({ run, task }: TaskRef) => {
      const from = begins.get(run);
      const at = from === undefined ? undefined : this.#placesIn(run).get(task);
      return at === undefined ? undefined : from! + at;
    };
    // Only rows of one run are in a list that grows.
    const listed = (tasks: readonly TaskRef[]) => {
      const parts = listParts(tasks);
      if (parts[0] === tasks) return undefined;
      const places = parts.flatMap((part) => {
        if (!(part instanceof GrowingList)) return part.map(of);
        const run = part.all()[0]?.run ?? "";
        const from = begins.get(run);
        return flatMapped(this.#run(run).placeOf, part.with([])).map((at) =>
          from === undefined ? undefined : from + at,
        );
      });
      return places.includes(undefined) ? undefined : Uint32Array.from(places as readonly number[]);
    };
    return { runs: known, of, listed };
  }

  #placesIn(run: string): Map<string, number> {
    const known = this.#run(run);
    return (known.places ??= new Map(known.rows.map(({ task }, at) => [task, at])));
  }
}
