/** Quits without losing anything unless the user was warned. */
import type { Workbench } from "../../engine/workbench/workbench.ts";
import { activeRuns } from "./header.tsx";
import { attempted, type Notices } from "./notices.ts";

/** A second Ctrl+C within these milliseconds quits. */
const patience = 5_000;

export type Quit = {
  readonly ask: () => void;
  readonly interrupt: () => void;
  /** Leaves for something else, and asks first as for quitting. */
  readonly leaveFor: (go: () => void) => void;
};

/** `editing` returns true while the editor contains text that the workbench does not have. */
export function openQuit(workbench: Workbench, notices: Notices, editing: () => boolean, leave: () => void): Quit {
  let warned = -Infinity;
  const saveAndLeave = () => attempted({ notices }, () => workbench.save()) && leave();
  return {
    ask() {
      const loss = wouldLose(workbench, editing());
      if (loss === undefined) leave();
      else notices.ask(`${loss} Quit?`, leave, isUnsaved(workbench) ? { save: saveAndLeave } : {});
    },
    leaveFor(go) {
      const loss = wouldLose(workbench, editing());
      if (loss === undefined) go();
      else notices.ask(`${loss} Leave this notebook?`, go);
    },
    interrupt() {
      const loss = wouldLose(workbench, editing());
      const now = performance.now();
      if (loss === undefined || now - warned < patience) return leave();
      warned = now;
      notices.say(`${loss} Ctrl+C again quits.`, "bad");
    },
  };
}

function isUnsaved({ dirty, readOnly }: Workbench): boolean {
  return dirty && readOnly === undefined;
}

function wouldLose(workbench: Workbench, editing: boolean): string | undefined {
  // Runs of other programs continue.
  const active = workbench.readOnly === undefined ? activeRuns(workbench, ({ away }) => away !== true) : 0;
  const parts: { readonly short: string; readonly alone: string }[] = [];
  if (active > 0) {
    const who = active === 1 ? "A run is" : `${active} runs are`;
    parts.push({ short: `${who} running.`, alone: `${who} still running; finished tasks are kept.` });
  }
  if (editing) parts.push({ short: "A cell is edited.", alone: "A cell is being edited: Esc keeps its text." });
  if (isUnsaved(workbench)) parts.push({ short: "Changes are unsaved.", alone: "The session has unsaved changes." });
  if (parts.length === 0) return undefined;
  // Together with the question, the text fits into 80 columns.
  return parts.map(({ short, alone }) => (parts.length === 1 ? alone : short)).join(" ");
}
