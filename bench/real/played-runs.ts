/** The runs of a session that was played, with forecasts as the program would have made them after three tasks. */
import { analyses } from "../../analyses/index.ts";
import { SessionFolder } from "../../source/engine/session/session-folder.ts";
import { openSettings } from "../../source/engine/settings/settings.ts";
import { forecastRuns } from "../../source/engine/session/forecast.ts";
import type { Models } from "../../source/engine/models/models.ts";
import type { Row } from "../../source/engine/types.ts";
import { LoadedSuites } from "../../source/engine/workbench/document/loaded-suites.ts";
import { sessionModels } from "../../source/engine/workbench/document/session-models.ts";
import { SessionWorkbench } from "../../source/engine/workbench/session-workbench.ts";
import type { RunState } from "../../source/engine/workbench/workbench.ts";
import { suites } from "../../suites/index.ts";

/** Calls and tokens, as forecast and as used. */
export type Amounts = { readonly calls: number; readonly tokens: number };

/** Returns the usage of these rows' counting attempts. */
function amountsOf(rows: readonly Row[]): Amounts {
  return rows.reduce(
    ({ calls, tokens }, { counted }) => ({
      calls: calls + counted.calls,
      tokens: tokens + counted.tokens.input + counted.tokens.output,
    }),
    { calls: 0, tokens: 0 },
  );
}

export type PlayedRun = {
  /** Label of the cell, followed by that of the run if the cell has several. */
  readonly name: string;
  readonly state: RunState;
  readonly rows: readonly Row[];
  readonly used: Amounts;
  /** For runs of ten tasks: the forecast after three of them, including these. */
  readonly forecast?: Amounts;
};

/** Number of tasks after which the forecast is made, and of those that such a run has. */
const [learnt, most] = [3, 10];

/** Reads all runs of the session at `path`, with these settings. Closes the session. */
export async function playedRuns(path: string, settingsFolder: string): Promise<readonly PlayedRun[]> {
  const settings = await openSettings(settingsFolder);
  const folder = new SessionFolder(path);
  const workbench = new SessionWorkbench({ folder, suites, analyses, settings });
  try {
    await workbench.counted();
    const loadedSuites = new LoadedSuites(suites, () => settings.read(), { session: folder.path });
    const models = sessionModels(loadedSuites, settings, folder);
    const played: PlayedRun[] = [];
    for (const cell of workbench.cells()) {
      const cellState = workbench.state(cell.id);
      if (cellState.kind !== "run") continue;
      for (const state of cellState.runs) {
        const rows = workbench.rows(state.run);
        const name = cellState.runs.length === 1 ? cell.name : `${cell.name}: ${state.label}`;
        const forecast = rows.length === most ? await forecastOf(state, rows, loadedSuites, models) : undefined;
        played.push({ name, state, rows, used: amountsOf(rows), ...(forecast && { forecast }) });
      }
    }
    return played;
  } finally {
    await workbench.close();
  }
}

async function forecastOf(
  { run, label, spec }: RunState,
  rows: readonly Row[],
  loadedSuites: LoadedSuites,
  models: Models,
): Promise<Amounts> {
  const first = rows.toSorted((one, other) => one.to - other.to).slice(0, learnt);
  const done = new Set(first.map(({ task }) => task));
  const rest = await forecastRuns(
    { runs: [{ run, label, spec, stored: { folder: run, spec } }], problems: [] },
    loadedSuites,
    models,
    {
      runs: [],
      answered: () => Promise.resolve([]),
      learnt: () => Promise.resolve({ own: first, others: [] }),
      isScored: (_, task) => done.has(task),
    },
  );
  const before = amountsOf(first);
  return { calls: before.calls + rest.calls, tokens: before.tokens + rest.input + rest.output };
}
