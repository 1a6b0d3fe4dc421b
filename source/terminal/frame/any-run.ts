/** All runs below the current folder: their notebooks can be opened from a list, or a run can be added to this notebook. */
import { brieflyNamed } from "../../engine/figures/drawing/brief-names.ts";
import { endedTasks } from "../../engine/log/rows/task-counts.ts";
import { scoreOnScreen } from "../notebook/run-table.ts";
import { type ListedRun, modelText, settingsApart } from "../../engine/workbench/library/listed-run.ts";
import { costText, plural } from "../../look/amounts.ts";
import type { ListRequest } from "../input/choice-list.tsx";
import type { Terminal } from "../terminal.ts";
import { report } from "./notices.ts";

type Ask = (request: ListRequest) => void;

/** Reads the runs, then lets the user choose a run and an action. */
export function chooseAnyRun(terminal: Terminal, ask: Ask): void {
  const { notebooks, notices } = terminal;
  if (notebooks === undefined) return notices.say("Only this notebook can be shown here", "bad");
  notices.say("Reading the runs below this folder ...");
  report(terminal, notebooks.runs(), (runs) => {
    notices.clear();
    if (runs.length === 0) return notices.say("No notebook below this folder has runs");
    const ofSuite = Map.groupBy(runs, ({ suite }) => suite);
    ask({
      title: "All runs below this folder",
      about: "Enter opens the notebook of a run or adds the run to this one.",
      choices: runs.map((run, index) => ({
        value: `${index + 1}`,
        title: `${run.notebook}  ${run.suite}  ${brieflyNamed(modelText(run))}`,
        // Scores of runs that are not visible are not computed.
        get note() {
          return noteOf(run, ofSuite.get(run.suite)!);
        },
      })),
      taken: [],
      answer: (value) => chooseWhat(runs[Number(value) - 1]!, terminal, ask),
    });
  });
}

function noteOf(run: ListedRun, others: readonly ListedRun[]): string {
  const { score, counts, total, begunAt, cost } = run;
  const ended = endedTasks(counts);
  const { apart, shared } = settingsApart(run, others);
  return [
    // In a narrow window, the end is cut.
    apart,
    score === undefined ? "no score" : `${score.title} ${scoreOnScreen(score.value, score)}`,
    ended === total ? plural(total, "task") : `${ended} of ${plural(total, "task")}`,
    new Date(begunAt).toISOString().slice(0, 10),
    ...(cost === undefined ? ["cost unknown"] : cost > 0 ? [costText(cost)] : []),
    shared,
  ]
    .filter((text) => text !== "")
    .join(", ");
}

function chooseWhat({ run, path, folder, notebook }: ListedRun, terminal: Terminal, ask: Ask): void {
  const { workbench, notices, leaveFor } = terminal;
  const isOwn = workbench.folder === folder;
  const why = isOwn ? "the run belongs to this notebook" : workbench.readOnly;
  const add = () => {
    if (why !== undefined) return notices.say(`The run cannot be added: ${why}`, "bad");
    report(terminal, workbench.strayRuns.bring(run, path, workbench.cells().at(-1)?.id), () =>
      notices.say("Added: the new last cell requests the run; s saves the notebook", "good"),
    );
  };
  ask({
    title: `${notebook}: ${run}`,
    choices: [
      { value: "open", title: "Open its notebook", faint: isOwn, ...(isOwn && { note: "already open" }) },
      {
        value: "add",
        title: "Add it to this notebook",
        note: why ?? "copies its log and adds a run cell, so that the run can be compared",
        faint: why !== undefined,
      },
    ],
    taken: [],
    answer: (value) => (value === "add" ? add() : leaveFor({ path: folder, isNew: false })),
  });
}
