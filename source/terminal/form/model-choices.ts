/** Models to choose from, in any list that asks for one. */
import type { Workbench } from "../../engine/workbench/workbench.ts";
import type { Choice } from "../input/choice-list.tsx";

export function modelChoices(workbench: Pick<Workbench, "modelNames">): readonly Choice[] {
  return workbench.modelNames().map((name) => ({ value: name, title: name, ...modelNote(name) }));
}

function modelNote(name: string): { note?: string } {
  if (name === "builtin/replay") return { note: "answers from a saved run" };
  return name.startsWith("builtin/") ? { note: "reads the answer key; needs no server" } : {};
}
