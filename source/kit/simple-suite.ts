/** A benchmark of questions with answers, in a few lines: a suite asked in one request. */
import { createHash } from "node:crypto";
import { meanMeasure } from "../engine/measures/measure.ts";
import { stagedAgent } from "../engine/strategies/agent.ts";
import { cot, direct } from "../engine/strategies/direct.ts";
import type { Suite } from "../engine/suite.ts";
import { canonicalJson } from "../engine/text/canonical-json.ts";
import { DataProblem } from "../engine/text/json-lines.ts";
import type { Json } from "../engine/types.ts";
import { loadSimpleSuite } from "./simple-loaded-suite.ts";
import type { SimpleSuite, SimpleTask } from "./simple-task.ts";

/**
 * The suite: `direct` and `cot` run it, `builtin/oracle` replies with `answer`. Throws `DataProblem` where tasks are not as they
 * should be; of a function's tasks, `ready` does.
 */
export function simpleSuite<T extends SimpleTask>(given: SimpleSuite<T>): Suite<"stages"> {
  const { name, title = name, revision = 1, errorKinds = [] } = given;
  let tasks = typeof given.tasks === "function" ? undefined : checkedTasks(given.tasks, name);
  const all = () => {
    if (tasks === undefined)
      throw new DataProblem(`Expected the tasks of \`${name}\` to be there, as \`ready\` reads them`);
    return tasks;
  };
  const suite: Suite<"stages"> = {
    name,
    title,
    revision,
    paper: { title: "", venue: "", url: "" },
    licence: "Your own benchmark.",
    splits: [{ name: "all", title: "all tasks" }],
    get facets() {
      const names = new Set((tasks ?? []).flatMap(({ facets = {} }) => Object.keys(facets)));
      return [...names].map((facet) => ({ name: facet, title: facet }));
    },
    strategies: [direct, cot, stagedAgent],
    options: [],
    maxShots: 20,
    measures: [
      meanMeasure("score", { name: "score", title: "Score", mode: "own", note: "As the suite's own code scores." }),
    ],
    errorKinds: [
      { name: "wrong-answer", title: "Wrong answer" },
      { name: "no-answer", title: "No answer" },
      ...errorKinds,
    ],
    faultKinds: [
      { name: "wrong", title: "A wrong answer", errors: ["wrong-answer", ...errorKinds.map((kind) => kind.name)] },
    ],
    analyses: ["overview", "difficulty", "errors", "compare", "consistency", "shots", "efficiency", "cost"],
    data: { files: [], source: "the suite itself" },
    identity: () => hashOf(all()),
    async ready() {
      if (typeof given.tasks === "function") tasks ??= checkedTasks(await given.tasks(), name);
    },
    open: async () => loadSimpleSuite(suite, given, all()),
  };
  return suite;
}

function checkedTasks<T extends SimpleTask>(tasks: readonly T[], suite: string): readonly T[] {
  if (!Array.isArray(tasks) || tasks.length === 0)
    throw new DataProblem(`Expected \`${suite}\` to have tasks, got none`);
  const ids = new Set<string>();
  for (const [index, { id, question, answer }] of tasks.entries()) {
    const where = `task ${typeof id === "string" && id !== "" ? `\`${id}\`` : index + 1} of \`${suite}\``;
    if (typeof id !== "string" || id === "") throw new DataProblem(`Expected ${where} to have an \`id\`, a text`);
    if (typeof question !== "string") throw new DataProblem(`Expected ${where} to have a \`question\`, a text`);
    if (answer === undefined) throw new DataProblem(`Expected ${where} to have an \`answer\`, got none`);
    if (ids.has(id)) throw new DataProblem(`Expected each id of \`${suite}\` once, got \`${id}\` again`);
    ids.add(id);
  }
  return tasks;
}

/** Of all that JSON can say of them. */
function hashOf(tasks: readonly SimpleTask[]): string {
  const json = canonicalJson(JSON.parse(JSON.stringify(tasks)) as Json);
  return createHash("sha256").update(json).digest("hex").slice(0, 16);
}
