/** Reads an answer key. */
import { z } from "zod";
import { anyJson, checkedRecord } from "../../../source/engine/text/checked-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import type { Gold } from "./records.ts";

const argument = z.object({ name: z.string(), value: anyJson, check: z.enum(["PC", "TR", "TD"]) });
const subtask = z.object({
  id: z.string(),
  weight: z.number().nonnegative().exactOptional(),
  tool: z.string().exactOptional(),
  args: z.array(argument).exactOptional(),
  text: z.string().exactOptional(),
});
const edge = z.object({ from: z.string(), to: z.string(), kind: z.enum(["value", "order"]) });
const gold: z.ZodType<Gold> = z.object({
  subtasks: z.array(subtask),
  edges: z.array(edge),
  literals: z.array(z.string()).exactOptional(),
  dates: z.array(z.string()).exactOptional(),
});

/** Reads the answer key in `value`, ignoring other fields. Throws `DataProblem` with the invalid part. */
export function readGold(value: Json | undefined, where: string | (() => string)): Gold {
  return gold.safeParse(value).data ?? checkedRecord(gold, value, where);
}
