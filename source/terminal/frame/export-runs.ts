/** Runs, and single trajectories, written for other programs. */
import type { RunFormat, TaskRef } from "../../engine/workbench/workbench.ts";
import type { Choice } from "../input/choice.ts";
import type { Terminal } from "../terminal.ts";
import { report } from "./notices.ts";
import { writtenText } from "./written.ts";

/** Parquet is left to `planwright export`: encoding it would keep the screen waiting. */
const about: Readonly<Record<Exclude<RunFormat, "rows.parquet">, string>> = {
  "rows.csv": "a line a task, for spreadsheets",
  "rows.jsonl": "a line a task, for programs",
  messages: "conversations, as JSON Lines",
  training: "conversations of tasks answered right, for fine-tuning",
  inspect: "logs for Inspect",
  atif: "a document a task (ATIF), for Harbor and others",
};

/** What the runs of a cell can be written as. */
export const exportChoices: readonly Choice[] = Object.entries(about).map(([value, note]) => ({
  value,
  title: value,
  note,
}));

/** Writes the runs of a cell, or one of their tasks, and says where: in files named by the cell, beside those of other cells. */
export function exportRuns({ workbench, notices }: Terminal, cell: string, format: RunFormat, only?: TaskRef): void {
  notices.say("Writing ...");
  const name = workbench.cells().find(({ id }) => id === cell)?.name ?? "";
  const written = workbench.exportRuns([cell], format, { ...(only && { only }), ...(name !== "" && { name }) });
  report(
    { notices },
    written.then((paths) => {
      if (paths.length > 0) notices.say(writtenText(paths), "good");
      else notices.say("Nothing was written: no task has begun yet", "bad");
    }),
  );
}
