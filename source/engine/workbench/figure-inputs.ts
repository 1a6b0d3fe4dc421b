/** What figures are made of beside rows, loaded when an analysis first asks: a paper's numbers, toolkits, statistics of tasks. */
import type { Analysis } from "../analysis.ts";
import type { Clusters } from "../clusters.ts";
import type { TableFigure } from "../figure.ts";
import { keptText } from "../session/older-code.ts";
import type { PaperNumbers, Suite } from "../suite.ts";
import type { Row, RunSpec } from "../types.ts";
import type { Clock } from "../work/clock.ts";
import { nextIteration } from "../work/event-loop.ts";
import type { CellRuns } from "./cell-runs.ts";
import type { PoolableRun } from "./pooled-runs.ts";
import type { WantedRun } from "./wanted-runs.ts";

/** Toolkits of a run, with the version of its rows when they were asked for. */
type KeptClusters = {
  readonly rows: number;
  readonly at: number;
  readonly loading: boolean;
  /** Nothing was known before: the analysis says that they are being made. */
  readonly first: boolean;
  readonly found: Clusters | undefined;
};

/** Milliseconds after which toolkits that were not there are asked for again while runs are running. */
const longPause = 5_000;

type Around = {
  readonly clock: Clock;
  /** Is given what is being loaded. */
  load(loading: Promise<void>): void;
  /** Is told that there is something new to show. */
  loaded(): void;
  busy(): boolean;
  lookAgain(): void;
};

export class FigureInputs {
  readonly #runs: CellRuns;
  readonly #around: Around;
  readonly #reported = new Map<string, PaperNumbers>();
  readonly #clusters = new Map<string, KeptClusters>();
  readonly #statistics = new Map<string, TableFigure | undefined>();

  constructor(runs: CellRuns, around: Around) {
    this.#runs = runs;
    this.#around = around;
  }

  /** The run with all that is there so far; what is missing is loaded. */
  poolable(
    { control, spec, suite, label, pool }: WantedRun,
    analysis: Analysis | undefined,
    rows: readonly Row[] = control.rows(),
  ): PoolableRun {
    const { readsAnswerKey } = control;
    const { run, kept: ofOlder } = control.planned;
    const { warnings } = control.store.table;
    const { table } = control.store;
    const hasRows = table.sums().rows > 0;
    const clusters = analysis?.needsClusters === true && hasRows ? this.#toolkits(run, spec, table.version) : undefined;
    const statistics = analysis?.needsStatistics === true && hasRows ? this.#statisticsOf(spec) : undefined;
    const kept = this.#clusters.get(run);
    return {
      run,
      spec,
      warnings,
      readsAnswerKey,
      label,
      ...(pool === undefined ? {} : { pool }),
      ...(ofOlder && { notes: [keptText(ofOlder, spec)] }),
      suite,
      rows,
      isAtRest: !control.isExecuted,
      reported: this.#paper(suite),
      ...(clusters === undefined ? {} : { clusters }),
      ...(statistics === undefined ? {} : { statistics }),
      ...(kept?.loading === true && kept.first ? { clustersLoading: true } : {}),
    };
  }

  /** Empty at first; there with the next look once they are loaded. */
  #paper(suite: Suite): PaperNumbers {
    const known = this.#reported.get(suite.name);
    if (known !== undefined) return known;
    const none: PaperNumbers = { values: [], tables: [] };
    this.#reported.set(suite.name, none);
    const load = async () => {
      // The frame that asks is drawn before.
      await nextIteration();
      this.#reported.set(suite.name, (await suite.reported?.()) ?? none);
      this.#around.loaded();
    };
    // Without a paper's numbers everything else still works.
    this.#around.load(load().catch(() => {}));
    return none;
  }

  /** Undefined at first, as above. Tasks that cannot be read have no statistics: the run cell says why. */
  #statisticsOf(spec: RunSpec): TableFigure | undefined {
    const key = JSON.stringify([spec.suite, spec.data, spec.split, spec.dataset]);
    if (this.#statistics.has(key)) return this.#statistics.get(key);
    this.#statistics.set(key, undefined);
    const read = this.#runs.statistics(spec).catch(() => undefined);
    this.#around.load(
      read.then((found) => {
        this.#statistics.set(key, found);
        this.#around.loaded();
      }),
    );
    return undefined;
  }

  /** Undefined at first, as above, and where the run has none or they cannot be made without asking a model, until it is resumed. */
  #toolkits(run: string, spec: RunSpec, rows: number): Clusters | undefined {
    const known = this.#clusters.get(run);
    if (known !== undefined && (known.found !== undefined || known.loading || known.rows === rows)) return known.found;
    if (known !== undefined && this.#around.busy() && this.#around.clock.now() - known.at < longPause) {
      this.#around.lookAgain();
      return undefined;
    }
    const first = known === undefined;
    const asked = { rows, first, at: this.#around.clock.now() };
    this.#clusters.set(run, { ...asked, loading: true, found: undefined });
    const made = this.#runs.clusters(spec).catch(() => undefined);
    this.#around.load(
      made.then((found) => {
        this.#clusters.set(run, { ...asked, loading: false, found });
        // Figures stay as they are where there is nothing new to tell.
        if (first || found !== undefined) this.#around.loaded();
      }),
    );
    return undefined;
  }
}
