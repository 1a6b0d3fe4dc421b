/** Inputs of figures besides rows, each ready or loading: a paper's numbers, toolkits, statistics of tasks, forecasts. */
import type { Analysis, RunRows, Codebook } from "../../analysis.ts";
import type { Clusters } from "../../clusters.ts";
import type { Forecast } from "../../session/forecast.ts";
import { floorSpec } from "../../run/floor-scores.ts";
import { keptText } from "../../session/older-code.ts";
import type { PaperNumbers, Suite } from "../../suite.ts";
import { rowsByCode } from "../../session/codes/coded-rows.ts";
import { saysAnything } from "../../session/codes/task-codes.ts";
import type { Row, RunSpec } from "../../types.ts";
import type { Clock } from "../../work/clock.ts";
import { many } from "../../work/pieces.ts";
import type { AnswerTexts } from "../runs/answer-texts.ts";
import type { CellRuns } from "../runs/cell-runs.ts";
import type { RunControl } from "../runs/run-control.ts";
import type { WantedRun } from "../runs/wanted-runs.ts";
import type { WorkQueue } from "./work-queue.ts";

export type Input<Value> = { readonly kind: "ready"; readonly value: Value } | { readonly kind: "loading" };

const loading = { kind: "loading" } as const;
const nothing: Input<undefined> = { kind: "ready", value: undefined };
const noNumbers: PaperNumbers = { values: [], tables: [] };

type RunInputs = {
  readonly paper: Input<PaperNumbers>;
  readonly clusters: Input<Clusters | undefined>;
  readonly statistics: Input<RunRows["statistics"]>;
  readonly floors: Input<RunRows["floors"]>;
  readonly answers: Input<Pick<AnswerTexts, "texts" | "lengths" | "calls"> | undefined>;
};

/** Toolkits of a run, with the version of its rows when they were requested. */
type FoundClusters = { readonly rows: number; readonly at: number; readonly found: Clusters | undefined };

/** Milliseconds after which missing toolkits are requested again while runs are executing. */
const longPause = 5_000;

/** Answers of a run with the version of its rows when they were read. */
type ReadAnswers = { readonly rows: number; readonly at: number; readonly found: AnswerTexts };

type Around = {
  readonly clock: Clock;
  readonly queue: WorkQueue;
  /** The codes of the session. */
  codes(): Codebook;
  busy(): boolean;
  lookAgain(): void;
};

export class FigureInputs {
  readonly #runs: CellRuns;
  readonly #around: Around;
  readonly #found = new Map<string, unknown>();
  readonly #clusters = new Map<string, FoundClusters>();
  readonly #answers = new Map<string, ReadAnswers>();
  readonly #rests = new Map<string, { readonly open: string; readonly forecast: Forecast | undefined }>();

  constructor(runs: CellRuns, around: Around) {
    this.#runs = runs;
    this.#around = around;
  }

  /** Returns the inputs that an analysis reads of a run; notes those to load in the queue. */
  of({ control, spec, suite }: WantedRun, analysis: Analysis | undefined): RunInputs {
    const { table } = control.store;
    const hasRows = table.sums().rows > 0;
    const key = JSON.stringify([spec.suite, spec.data, spec.split, spec.dataset]);
    return {
      paper: this.#loaded(`paper ${suite.name}`, noNumbers, async () => (await suite.reported?.()) ?? noNumbers),
      clusters:
        analysis?.needsClusters === true && hasRows
          ? this.#toolkits(control.planned.run, spec, table.version)
          : nothing,
      // Unreadable tasks have no statistics; the run cell reports why.
      statistics:
        analysis?.needsStatistics === true && hasRows
          ? this.#loaded(`statistics ${key}`, undefined, () => this.#runs.statistics(spec))
          : nothing,
      floors: analysis?.needsFloors === true && hasRows ? this.#floors(spec, suite, table.total) : nothing,
      answers: analysis?.needsAnswers === true && hasRows ? this.#answersOf(control, table.version) : nothing,
    };
  }

  /** Returns a key that changes if an analysis would read other inputs of the run than more answers. */
  key(run: WantedRun, analysis: Analysis | undefined): string {
    const { paper, clusters, statistics, floors, answers } = this.of(run, analysis);
    const hasPaper = paper.kind === "ready" && paper.value.values.length + paper.value.tables.length > 0;
    const hasStatistics = statistics.kind === "ready" && statistics.value !== undefined;
    const toolkits = clusters.kind === "ready" ? clusters.value !== undefined : clusters.kind;
    const hasFloors = floors.kind === "ready" && floors.value !== undefined;
    return `${hasPaper} ${hasStatistics} ${toolkits} ${hasFloors} ${answers.kind}`;
  }

  /** Returns a key that changes with the rows whose answers were read. */
  answersKey({ control }: WantedRun): string {
    return String(this.#answers.get(control.planned.run)?.rows ?? "");
  }

  /** Returns the run for analyses, without inputs that are loading. */
  poolable(wanted: WantedRun, analysis: Analysis | undefined, rows: readonly Row[] = wanted.control.rows()) {
    const { control, spec, suite, label, named, pool } = wanted;
    const { run, kept: ofOlder } = control.planned;
    const { paper, clusters, statistics, floors, answers } = this.of(wanted, analysis);
    const codes = this.#around.codes();
    return {
      run,
      ...(saysAnything(codes) && { codes }),
      spec,
      ...(named && { named }),
      warnings: control.store.table.warnings,
      readsAnswerKey: control.readsAnswerKey,
      label,
      ...(pool === undefined ? {} : { pool }),
      ...(ofOlder && { notes: [keptText(ofOlder, spec)] }),
      suite,
      rows: rowsByCode(rows, codes),
      isAtRest: !control.isExecuted,
      ...(control.store.table.ended?.rule === "decided" && { isDecided: true as const }),
      reported: paper.kind === "ready" ? paper.value : noNumbers,
      ...(clusters.kind === "loading" && { clustersLoading: true }),
      ...(clusters.kind === "ready" && clusters.value && { clusters: clusters.value }),
      ...(statistics.kind === "ready" && statistics.value && { statistics: statistics.value }),
      ...(floors.kind === "ready" && floors.value && { floors: floors.value }),
      ...(answers.kind === "ready" &&
        answers.value && {
          answers: answers.value.texts,
          answerLengths: answers.value.lengths,
          calls: answers.value.calls,
        }),
    };
  }

  /**
   * Returns the remaining work of a cell's open runs; undefined while it is computed or if computing fails; executing the runs
   * then reports the reason.
   */
  rest(cell: string, open: readonly string[], key: string): Forecast | undefined {
    const known = this.#rests.get(cell);
    if (known?.open === key) return known.forecast;
    this.#around.queue.want(`rest ${cell}`, key, async () => {
      const forecast = await this.#runs.rest(open).catch(() => undefined);
      this.#rests.set(cell, { open: key, forecast });
    });
    return undefined;
  }

  /**
   * Returns the floors of a run. If its data are not installed, there are no floors, and the run cell reports why. While a run is
   * executing, floors of many tasks wait, because scoring several trivial answers to each task would take as long as the run's
   * own tasks.
   */
  #floors(spec: RunSpec, suite: Suite, tasks: number): Input<RunRows["floors"]> {
    const name = `floors ${JSON.stringify(floorSpec(spec, suite))}`;
    if (tasks > many && !this.#found.has(name) && this.#around.busy()) return loading;
    return this.#loaded(name, undefined, (signal) => this.#runs.floors(spec, signal));
  }

  /** A failed input leaves everything else working. */
  #loaded<Value>(name: string, without: Value, load: (signal: AbortSignal) => Promise<Value>): Input<Value> {
    if (this.#found.has(name)) return { kind: "ready", value: this.#found.get(name) as Value };
    const find = async (signal: AbortSignal) => void this.#found.set(name, await load(signal).catch(() => without));
    this.#around.queue.want(name, "", find);
    return loading;
  }

  /** Returns the answers of a run. While runs are executing, reads only new answers, and not each time. */
  #answersOf(control: RunControl, rows: number): RunInputs["answers"] {
    const { clock, queue } = this.#around;
    const { run } = control.planned;
    const known = this.#answers.get(run);
    if (known?.rows !== rows) {
      const isEarly = known !== undefined && this.#around.busy() && clock.now() - known.at < longPause;
      if (isEarly) this.#around.lookAgain();
      else
        queue.want(`answers ${run}`, String(rows), async (signal) => {
          const found = await this.#runs.answers(control, known?.found, signal);
          this.#answers.set(run, { rows, at: clock.now(), found });
        });
    }
    return known === undefined ? loading : { kind: "ready", value: known.found };
  }

  /**
   * Returns the toolkits of a run; undefined if the run has no toolkits, or if making them requires a model, until the run is
   * resumed.
   */
  #toolkits(run: string, spec: RunSpec, rows: number): Input<Clusters | undefined> {
    const { clock, queue } = this.#around;
    const known = this.#clusters.get(run);
    if (known === undefined || (known.found === undefined && known.rows !== rows)) {
      const isEarly = known !== undefined && this.#around.busy() && clock.now() - known.at < longPause;
      if (isEarly) this.#around.lookAgain();
      else
        queue.want(`toolkits ${run}`, "", async () => {
          const at = clock.now();
          const found = await this.#runs.clusters(spec).catch(() => undefined);
          this.#clusters.set(run, { rows, at, found });
        });
    }
    return known === undefined ? loading : { kind: "ready", value: known.found };
  }
}
