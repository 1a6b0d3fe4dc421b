/** Models to choose from, in any list that asks for one. */
import type { Role } from "../../engine/types.ts";
import type { Workbench } from "../../engine/workbench/workbench.ts";
import type { Choice } from "../input/choice.ts";

/** A model that only answers others is not offered where one has to plan or act. */
export function modelChoices(workbench: Pick<Workbench, "modelNames">, role: Role = "model"): readonly Choice[] {
  const answers = role === "responder" || role === "judge";
  return workbench
    .modelNames()
    .filter((name) => answers || name !== "builtin/responder")
    .map((name) => ({ value: name, title: name, ...modelNote(name) }));
}

function modelNote(name: string): { note?: string } {
  if (name === "builtin/replay") return { note: "answers from a saved run" };
  return name.startsWith("builtin/") ? { note: "reads the answer key; needs no server" } : {};
}
