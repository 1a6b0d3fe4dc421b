/** Reading an answer key. */
import { z } from "zod";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import type { Json } from "../../../source/engine/types.ts";
import type { Gold } from "./records.ts";

const argument = z.object({ name: z.string(), value: z.json(), check: z.enum(["PC", "TR", "TD"]) });
const subtask = z.object({
  id: z.string(),
  weight: z.number().nonnegative().optional(),
  tool: z.string().optional(),
  args: z.array(argument).optional(),
  text: z.string().optional(),
});
const edge = z.object({ from: z.string(), to: z.string(), kind: z.enum(["value", "order"]) });
const gold = z.object({
  subtasks: z.array(subtask),
  edges: z.array(edge),
  literals: z.array(z.string()).optional(),
  dates: z.array(z.string()).optional(),
});

/** Throws `DataProblem` saying which part of the key does not fit. */
export function readGold(value: Json, where: string): Gold {
  const read = gold.safeParse(value);
  if (read.success) return read.data as Gold;
  const issue = read.error.issues[0]!;
  throw new DataProblem(`Expected \`gold.${issue.path.join(".")}\` of ${where} to fit an answer key: ${issue.message}`);
}
