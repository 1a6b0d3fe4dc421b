/** The tasks of a user's process: as it lists them, and in the file that stores them. */
import { z } from "zod";
import { Problem } from "../../problem.ts";
import { checkedValue, misfitText } from "../../text/checked-record.ts";
import { field, listAt } from "../../text/json-record.ts";
import type { Json } from "../../types.ts";
import type { AgentEvents } from "./agent-events.ts";

/** Maximum number of tasks of a process, and maximum number of characters in their file. */
const mostTasks = 100_000;
const mostCharacters = 256 * 1024 * 1024;

const listedTask = z.object({
  id: z.string().regex(/^[^\p{Cc}]{1,200}$/u, "text of 1 to 200 characters without control characters"),
  question: z.string().default(""),
  facets: z.record(z.string().max(100), z.union([z.string().max(1000), z.number()])).default({}),
  reference: z.json().default(null),
});

export type BroughtTask = {
  readonly id: string;
  readonly question: string;
  readonly facets: Readonly<Record<string, string | number>>;
  readonly reference: Json;
};

/** Collects the `tasks` lines up to the line without `more`. Throws `Problem`. */
export async function taskList(lines: AgentEvents, signal: AbortSignal): Promise<readonly Json[]> {
  const tasks: Json[] = [];
  for (;;) {
    const event = await lines.next(signal);
    if (event.type !== "line") continue;
    for (const task of listAt(event.value, "tasks")) tasks.push(task);
    if (tasks.length > mostTasks) throw new Problem("tool", `Expected at most ${mostTasks} tasks, got more`);
    if (field(event.value, "more") !== true) return tasks;
  }
}

/**
 * Returns the listed tasks as JSON Lines with all fields. Throws `Problem` for the first entry that is not a task or repeats an
 * id.
 */
export function taskLines(tasks: readonly Json[]): string {
  if (tasks.length === 0) throw new Problem("tool", "Expected a list of `tasks`, got none");
  const ids = new Set<string>();
  const lines = tasks.map((task, index) => {
    const refuse = (message: string): never => {
      throw new Problem("tool", message);
    };
    checkedValue(listedTask, task, (misfit) => refuse(misfitText(misfit, `task ${index + 1}`)));
    const { id, question, facets, reference } = listedTask.parse(task);
    if (ids.has(id)) refuse(`Expected each id once, got \`${id}\` again`);
    ids.add(id);
    return JSON.stringify({ id, question, facets, reference });
  });
  const text = `${lines.join("\n")}\n`;
  if (text.length > mostCharacters)
    throw new Problem("tool", `Expected tasks of at most ${mostCharacters} characters in total, got ${text.length}`);
  return text;
}

/** Parses the output of `taskLines`. */
export const readTaskLines = (text: string): readonly BroughtTask[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as BroughtTask);
