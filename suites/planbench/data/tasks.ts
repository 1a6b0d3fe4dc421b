/** PlanBench's rows as tasks. */
import type { Facets, Task } from "../../../source/engine/types.ts";
import { extractLenient } from "../score/extract-lenient.ts";
import { stepLines, type Asked } from "../score/record.ts";
import { validate } from "../score/validate.ts";
import { isUnsolvable, kindOf, splitOf, type Split } from "./catalogue.ts";
import type { PlanbenchFolder, PromptRow, Scored } from "./folder.ts";

/** `query` is the prompt, and `asked` is the part of the task with which the scorer compares the reply. */
export type PlanTask = Task<{ readonly query: string; readonly asked: Asked; readonly example: string | undefined }>;

/** The tasks of a split, in file order. Throws `MissingFile` if the folder has none, and `DataProblem` for rows that do not fit. */
export async function readTasks(folder: PlanbenchFolder, name: string): Promise<readonly PlanTask[]> {
  const split = splitOf(name);
  if (split === undefined) return [];
  const rows = split.config.name === "blocksworld_hard" ? await hardRows(folder, split) : await folder.prompts(name);
  return Promise.all([...rows.values()].map((row) => taskOf(folder, split, row)));
}

async function taskOf(folder: PlanbenchFolder, split: Split, row: PromptRow): Promise<PlanTask> {
  const { config, task } = split;
  const scored = await folder.scored(split, row);
  const reference = row.plan == null ? undefined : referenceOf(row.plan.trim(), config.name, scored);
  const asked: Asked = { config: config.name, task, scored, reference, answer: row.answer ?? undefined };
  return {
    id: String(row.id),
    question: questionOf(row.query),
    input: { query: row.query, asked, example: row.example == null ? undefined : String(row.example) },
    answer: { plan: reference ?? null, answer: row.answer ?? null },
    facets: facetsOf(asked),
  };
}

/** Some references are in words, and some in PDDL whose objects are colours. */
function referenceOf(plan: string, config: string, { domain, problem }: Scored): string {
  if (plan === "" || validate(domain, problem, plan).valid) return plan;
  return extractLenient({ config, domain, problem }, plan) || plan;
}

/** Returns the part of a prompt that distinguishes its tasks: the last statement, or the last problem. */
function questionOf(query: string): string {
  const at = Math.max(query.lastIndexOf("[STATEMENT]"), query.lastIndexOf("[QUERY PROBLEM]"));
  return (at === -1 ? query : query.slice(query.indexOf("]", at) + 1)).trim();
}

function facetsOf({ config, task, reference }: Asked): Facets {
  const steps = reference === undefined ? 0 : stepLines(reference);
  return {
    config,
    // Configs of one domain differ by the number of blocks.
    domain: config.replace(/_3$/, ""),
    task: kindOf(task),
    prompt: task.endsWith("_pddl") ? "pddl" : "words",
    shot: task.includes("zero_shot") ? "zero" : "one",
    ...(steps > 0 && { steps }),
    ...(isUnsolvable(config) && { steps: "none" }),
  };
}

/** Builds prompts for the hard instances, for which none are published, like those of the other zero-shot PDDL tasks. */
async function hardRows(folder: PlanbenchFolder, { config }: Split): Promise<ReadonlyMap<string, PromptRow>> {
  const [domain, instances] = [await folder.domainText(config.domain), await folder.instances(config.instances)];
  const rows = [...instances].map(([id, pddl]) => [id, { id, query: pddlQuery(domain, pddl) }] as const);
  return new Map(rows);
}

/** The zero-shot PDDL prompt. */
function pddlQuery(domain: string, problem: string): string {
  return [
    "Here is a pddl domain, a planning problem. Provide the plan for the query problem. Provide only the pddl syntax for the plan where each action is represented as (ACTION_NAME OBJECTS).",
    `[DOMAIN]\n${domain.trimEnd()}\n`,
    `[QUERY PROBLEM]\n${problem.trimEnd()}\n\n\n`,
  ].join("\n");
}
