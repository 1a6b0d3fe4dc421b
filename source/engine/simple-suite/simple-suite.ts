/** A benchmark of questions with answers, in a few lines: a suite with one request per task. */
import { createHash } from "node:crypto";
import { meanMeasure } from "../measures/measure.ts";
import type { Protocol } from "../protocol.ts";
import { stagedAgent } from "../strategies/agent.ts";
import { cot, direct } from "../strategies/direct.ts";
import type { Suite } from "../suite.ts";
import { canonicalJson } from "../text/json-record.ts";
import { DataProblem } from "../text/json-lines.ts";
import type { Json } from "../types.ts";
import { answerPrompt, loadSimpleSuite } from "./loaded-suite.ts";
import type { Questions, SimpleSuite, SimpleTask, TaskFile } from "./simple-task.ts";

/**
 * Makes the suite: `direct` and `cot` run it, `builtin/oracle` replies with `answer`. Throws `DataProblem` for invalid tasks; if
 * a function gives the tasks, `ready` throws it. `P` names the protocols that it serves if `extend` adds any to stages.
 */
export function simpleSuite<T extends SimpleTask, P extends Protocol = "stages">(given: SimpleSuite<T, P>): Suite<P> {
  const { name, title = name, revision = 1, errorKinds = [] } = given;
  const source = sourceOf(given);
  const usual: Suite<"stages"> = {
    name,
    title,
    revision,
    paper: { title: "", venue: "", url: "" },
    licence: "Your own benchmark.",
    splits: [{ name: "all", title: "all tasks" }],
    facets: [],
    strategies: [direct, cot, stagedAgent],
    options: [],
    ...(typeof given.prompt === "string" && { prompts: [answerPrompt(given.prompt)] }),
    varies: ["questions"],
    maxShots: 20,
    measures: [
      meanMeasure("score", { name: "score", title: "Score", mode: "own", note: "Scored by the suite's own code." }),
    ],
    errorKinds: [
      { name: "wrong-answer", title: "Wrong answer" },
      { name: "no-answer", title: "No answer" },
      ...errorKinds,
    ],
    faultKinds: [
      { name: "wrong", title: "A wrong answer", errors: ["wrong-answer", ...errorKinds.map((kind) => kind.name)] },
    ],
    analyses: ["overview", "difficulty", "errors", "compare", "answers", "consistency", "shots", "efficiency", "cost"],
    data: { files: [], source: source.identity === undefined ? "" : "the suite itself" },
    open: async () => loadSimpleSuite(suite, given, source.tasks()),
  };
  const suite: Suite<P> = {
    // Without added parts a simple suite serves stages, which is the default of `P`.
    ...(usual as unknown as Suite<P>),
    ...given.suite,
    get facets() {
      return source.facets().map((facet) => ({ name: facet, title: facet }));
    },
    ...(source.identity && { identity: source.identity, ready: source.ready }),
    ...(source.reading && { reading: source.reading }),
    ...(given.extend && {
      open: async (from: Opening) => given.extend!(loadSimpleSuite(suite, given, source.tasks()), from),
    }),
  };
  return suite;
}

type Opening = Parameters<Suite["open"]>[0];

type TaskSource<T> = {
  tasks(): readonly T[];
  facets(): readonly string[];
  /** Absent for a file, which is identified by its bytes. */
  readonly identity?: () => string;
  ready?(): Promise<void>;
  reading?(): Promise<void> | undefined;
};

function sourceOf<T extends SimpleTask>(given: Questions<T>): TaskSource<T> {
  const { name, tasks } = given;
  if (isFile(tasks))
    return {
      tasks: () => tasks.read().tasks,
      facets: () => tasks.read().facets,
      reading: () => tasks.reading?.(),
    };
  let known = typeof tasks === "function" ? undefined : checkedTasks(tasks, name);
  const all = () => {
    if (known !== undefined) return known;
    throw new DataProblem(`Expected \`ready\` to be called before the tasks of \`${name}\` are used`);
  };
  return {
    tasks: all,
    facets: () => [...new Set((known ?? []).flatMap(({ facets = {} }) => Object.keys(facets)))],
    identity: () => hashOf(all()),
    async ready() {
      if (typeof tasks === "function") known ??= checkedTasks(await tasks.call(given), name);
    },
  };
}

function isFile<T extends SimpleTask>(tasks: Questions<T>["tasks"]): tasks is TaskFile<T> {
  // Types of the user's code may be unchecked: an unknown kind of tasks gets an error message.
  return typeof tasks === "object" && tasks !== null && "read" in tasks;
}

function checkedTasks<T extends SimpleTask>(tasks: readonly T[], suite: string): readonly T[] {
  if (!Array.isArray(tasks) || tasks.length === 0)
    throw new DataProblem(`Expected \`${suite}\` to have tasks, got none`);
  const ids = new Set<string>();
  for (const [index, { id, question, answer }] of tasks.entries()) {
    const where = `task ${typeof id === "string" && id !== "" ? `\`${id}\`` : index + 1} of \`${suite}\``;
    if (typeof id !== "string" || id === "") throw new DataProblem(`Expected ${where} to have a text as \`id\``);
    if (typeof question !== "string") throw new DataProblem(`Expected ${where} to have a text as \`question\``);
    if (answer === undefined) throw new DataProblem(`Expected ${where} to have an \`answer\`, got none`);
    if (ids.has(id)) throw new DataProblem(`Expected unique task ids in \`${suite}\`, got \`${id}\` twice`);
    ids.add(id);
  }
  return tasks;
}

/** Hashes the tasks as far as JSON represents them. */
function hashOf(tasks: readonly SimpleTask[]): string {
  const json = canonicalJson(JSON.parse(JSON.stringify(tasks)) as Json);
  return createHash("sha256").update(json).digest("hex").slice(0, 16);
}
