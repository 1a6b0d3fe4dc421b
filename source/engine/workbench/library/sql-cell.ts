/** Analysis cells that query the index of the notebook's folder with SQL (`pane: sql`), outside the screen's thread. */
import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { TableFigure } from "../../figure.ts";
import { mustStayIn } from "../../files/inside.ts";
import { Problem } from "../../problem.ts";
import type { SessionCell } from "../../session/cell.ts";
import type { PlannedAnalysis } from "../../session/analysis-cell.ts";
import { counted } from "../../text/counted.ts";
import { printable } from "../../text/printable.ts";
import { type AnalysisState, withoutFigures } from "../figures/analysis-state.ts";
import type { WorkQueue } from "../figures/work-queue.ts";
import { indexFile, indexFolder } from "./index-folder.ts";
import type { QueryResult } from "./query.ts";

export const sqlPane = "sql";
export const queryChoice = "query";
export const usualQuery =
  "SELECT model, suite, avg(score) AS score, count(*) AS tasks FROM rows GROUP BY ALL ORDER BY ALL";

/** Most rows of an answer on the screen. */
const mostRows = 1_000;

type Answered = Pick<AnalysisState, "problems" | "missing" | "figures">;

export class SqlCells {
  readonly #folder: string;
  readonly #queue: WorkQueue;
  /** The last answer of a cell, with a key of its query and index. */
  readonly #kept = new Map<string, { readonly key: string; readonly answered: Answered }>();

  constructor(folder: string, queue: WorkQueue) {
    this.#folder = folder;
    this.#queue = queue;
  }

  /**
   * Returns the result of a cell's query, or that the query is running. The query is repeated once it or the index has changed.
   */
  state({ id }: Pick<SessionCell, "id">, { analysis, chosen, problems }: PlannedAnalysis): AnalysisState {
    const bare = { ...withoutFigures(analysis, chosen), runs: [], warnings: [] };
    const { [queryChoice]: written = [usualQuery], ...others } = chosen;
    const [query = ""] = written;
    const unknown = Object.keys(others).map((name) => ({
      message: `Expected \`${queryChoice}: SELECT ...\` and nothing else, got \`${name}\``,
    }));
    if (problems.length + unknown.length > 0)
      return { ...bare, problems: [...problems, ...unknown], missing: undefined };
    const folder = this.#indexed();
    const key = `${query}\n${folder}\n${statSync(indexFile(folder), { throwIfNoEntry: false })?.mtimeMs ?? ""}`;
    const kept = this.#kept.get(id);
    if (kept?.key === key) return { ...bare, ...kept.answered };
    this.#queue.want(`sql ${id}`, key, async (signal) => {
      const answered = await ask(folder, query, signal);
      if (!signal.aborted) this.#kept.set(id, { key, answered });
    });
    return { ...bare, problems: [], missing: "Querying the index" };
  }

  /** Returns the folder of the notebook if it has an index, otherwise the folder that contains it. */
  #indexed(): string {
    return existsSync(indexFile(this.#folder)) ? this.#folder : dirname(this.#folder);
  }
}

async function ask(folder: string, query: string, signal: AbortSignal): Promise<Answered> {
  try {
    const { queryIndex, usualLimits, valueText } = await import("./query.ts");
    if (existsSync(indexFolder(folder))) mustStayIn(folder, indexFolder(folder));
    const result = await queryIndex(folder, query, { signal, limits: { ...usualLimits, rows: mostRows } });
    return { problems: [], missing: undefined, figures: [tableOf(result, valueText, folder)] };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // Without an index or DuckDB the cell is correct, and the message explains what to do.
    const message = printable(error.message);
    if (error.kind === "tool") return { problems: [], missing: message, figures: [] };
    return { problems: [{ message }], missing: undefined, figures: [] };
  }
}

function tableOf(
  { columns, rows, isCut }: QueryResult,
  text: (value: QueryResult["rows"][number][number]) => string,
  folder: string,
): TableFigure {
  const isNumber = columns.map((_, at) =>
    rows.every((row) => row[at] === null || row[at] === undefined || typeof row[at] === "number"),
  );
  const written = statSync(indexFile(folder)).mtime.toISOString().slice(0, 16).replace("T", " ");
  const cut = isCut ? [`only the first ${mostRows} rows: add a LIMIT or a GROUP BY`] : [];
  return {
    kind: "table",
    title: "Query",
    columns: columns.map((title, at) => ({ title: printable(title), align: isNumber[at] === true ? "right" : "left" })),
    rows: rows.map((row) => row.map((value) => ({ text: text(value), ...(typeof value === "number" && { value }) }))),
    notes: [`${counted(rows.length, "row")} from the index written at ${written} UTC`, ...cut],
  };
}
