/** Ways to leave: none of them loses anything without having said so. */
import type { Workbench } from "../../engine/workbench/workbench.ts";
import { goingRuns } from "./header.tsx";
import type { Notices } from "./notices.ts";

/** Milliseconds within which a second Ctrl+C means it. */
const patience = 5_000;

export type Quit = { readonly ask: () => void; readonly interrupt: () => void };

/** `editing` tells whether a text is being edited that was not given to the workbench yet. */
export function openQuit(workbench: Workbench, notices: Notices, editing: () => boolean, leave: () => void): Quit {
  let warned = -Infinity;
  return {
    ask() {
      const loss = wouldLose(workbench, editing());
      if (loss === undefined) leave();
      else notices.ask(`${loss} Quit?`, leave);
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

function wouldLose(workbench: Workbench, editing: boolean): string | undefined {
  const going = goingRuns(workbench);
  const parts: string[] = [];
  if (going > 0) parts.push(`${going === 1 ? "A run is" : `${going} runs are`} going; what is finished is kept.`);
  if (editing) parts.push("A cell is being edited: Esc keeps its text.");
  if (workbench.dirty && workbench.readOnly === undefined) parts.push("The document has unsaved changes.");
  return parts.length === 0 ? undefined : parts.join(" ");
}
