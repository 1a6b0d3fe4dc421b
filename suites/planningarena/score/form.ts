/** Returns what the official parser reads from a Planner's reply. */
import type { TextForm } from "../../../source/engine/benchmark.ts";
import { readPlannerReply } from "./transcript.ts";

export function plannerForm(text: string): TextForm | undefined {
  const read = readPlannerReply(text);
  const isRead = typeof read?.totalSteps === "number" && Number.isInteger(read.totalSteps);
  return isRead ? { got: JSON.stringify(read), extent: "closed", isAll: true } : undefined;
}

export const plannerFormName = () => "an object in JSON with `GlobalThought` and `OrderSteps`";
