/** A session without a screen, for users' programs; it uses the same code as the terminal. */
import type { Figure } from "../engine/figure.ts";
import { Problem } from "../engine/problem.ts";
import { type PublicRow, publicRow } from "../engine/log/rows/row-notes.ts";
import type { Event } from "../engine/types.ts";
import type { SessionWorkbench } from "../engine/workbench/session-workbench.ts";
import type { CellState, RunState, SessionCell } from "../engine/workbench/session-state.ts";

export type OpenSession = {
  /** The cells of the notebook, in order. */
  cells(): readonly Pick<SessionCell, "kind" | "name" | "source">[];
  /**
   * Executes all tasks without a score in all runs of a run cell; resolves to how the runs ended, including failures. Throws
   * `Problem` if the cell does not exist, has a mistake, or cannot be executed by this program.
   */
  run(cell: string, options?: RunCellOptions): Promise<readonly RunState[]>;
  /** The current rows of all runs of a run cell. */
  rows(cell: string): readonly PublicRow[];
  /** The figures of an analysis cell; empty if there are none. Throws `Problem` for a mistake in the cell. */
  figures(cell: string): Promise<readonly Figure[]>;
  /** Stops all runs, writes pending changes and releases the session. */
  close(): Promise<void>;
};

export type RunCellOptions = {
  /** Stops the runs: tasks in flight are recorded as stopped. */
  readonly signal?: AbortSignal;
  /** Called with every event of the cell's runs as it happens. */
  readonly onEvent?: (event: Event) => void;
};

/**
 * Opens an existing session with the additions of the files in `with`, as `--with` and the user's settings do. Calls `report`
 * with the messages that a command would print in addition to its results, such as mistakes in the settings. Throws the errors of
 * the command line: no session, or an unusable file.
 */
export async function openSession(
  session: string,
  {
    with: files = [],
    report = () => {},
  }: { readonly with?: readonly string[]; readonly report?: (text: string) => void } = {},
): Promise<OpenSession> {
  const [{ analyses }, { suites }, { openFor }, { withExtensions }] = await Promise.all([
    import("../../analyses/index.ts"),
    import("../../suites/index.ts"),
    import("../commands/session/open-session.ts"),
    import("../commands/shell/user-settings.ts"),
  ]);
  const output = { stdout: report, stderr: report, signal: new AbortController().signal };
  const context = await withExtensions({ ...output, suites, analyses }, files);
  const listeners = new Set<(run: string, event: Event) => void>();
  const onEvent = (run: string, event: Event) => {
    for (const listener of listeners) listener(run, event);
  };
  const workbench = await openFor(session, context, { mustExist: true, onEvent });
  return {
    cells: () => workbench.cells(),
    async run(name, { signal, onEvent: listen } = {}) {
      const { id, state } = cellNamed(workbench, name, "run");
      const own = new Set(state.runs.map(({ run }) => run));
      const listener = (run: string, event: Event) => own.has(run) && listen?.(event);
      const stop = () => workbench.stop(id);
      listeners.add(listener);
      signal?.addEventListener("abort", stop, { once: true });
      try {
        if (signal?.aborted !== true) await workbench.run(id, undefined, "stop");
      } finally {
        listeners.delete(listener);
        signal?.removeEventListener("abort", stop);
      }
      return cellNamed(workbench, name, "run").state.runs;
    },
    rows: (name) =>
      cellNamed(workbench, name, "run").state.runs.flatMap(({ run }) => workbench.rows(run).map(publicRow)),
    async figures(name) {
      await workbench.settled();
      workbench.refresh();
      return cellNamed(workbench, name, "analysis").state.figures;
    },
    close: () => workbench.close(),
  };
}

type Named<Kind> = { readonly id: string; readonly state: Extract<CellState, { kind: Kind }> };

/** Returns the first cell of this name and kind. Throws `Problem` if it does not exist or has a mistake. */
function cellNamed(workbench: SessionWorkbench, name: string, kind: "run"): Named<"run">;
function cellNamed(workbench: SessionWorkbench, name: string, kind: "analysis"): Named<"analysis">;
function cellNamed(workbench: SessionWorkbench, name: string, kind: "run" | "analysis") {
  const cell = workbench.cells().find((each) => each.kind === kind && each.name === name);
  const state = cell && workbench.state(cell.id);
  if (cell === undefined || (state?.kind !== "run" && state?.kind !== "analysis")) {
    const names = workbench.cells().flatMap((each) => (each.kind === kind && each.name !== "" ? [each.name] : []));
    const known = names.join(", ") || `no ${kind} cell has a name`;
    throw new Problem(
      "parse",
      `Expected ${kind === "run" ? "a" : "an"} ${kind} cell of this session (${known}), got \`${name}\``,
    );
  }
  const [problem] = state.problems;
  if (problem !== undefined) throw new Problem("parse", `Cell \`${name}\`: ${problem.message}`);
  return { id: cell.id, state };
}
