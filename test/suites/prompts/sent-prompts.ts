/** Every message that suites and strategies send by default on the sample, as one hash per combination of settings. */
import { createHash } from "node:crypto";
import { optionsFor } from "../../../source/engine/option.ts";
import { Problem } from "../../../source/engine/problem.ts";
import { sampleOf } from "../../../source/engine/settings/package-folder.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Strategy } from "../../../source/engine/strategy.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import type { Message, RunSpec, Task } from "../../../source/engine/types.ts";
import { runBuiltin } from "../../../source/kit/builtin-run.ts";
import { toyTools } from "../../../source/kit/toy-tools.ts";
import { suites } from "../../../suites/index.ts";
import { askingStrategies } from "../../asking-strategies.ts";
import { bareSpec } from "../../bare-spec.ts";

type Sent = { readonly role: string; readonly stage: string; readonly messages: readonly Message[] };
type Way = { readonly suite: Suite; readonly loaded: LoadedSuite; readonly strategy: Strategy; readonly split: string };

/** Hashes by suite, strategy and the one option with another value than its default; each covers two tasks of every split. */
export async function hashesOfPrompts(): Promise<Readonly<Record<string, string>>> {
  const hashes: Record<string, string> = {};
  for (const suite of suites) {
    // The user's program writes the prompts of its benchmark.
    if (suite.name === "process") continue;
    const loaded = await suite.open({ folder: sampleOf(suite), data: "sample", toolSources: toyTools });
    for (const strategy of askingStrategies(suite))
      for (const [name, options] of variantsOf(suite, strategy)) {
        const hash = createHash("sha256");
        for (const { name: split } of suite.splits)
          for (const task of twoOf(await loaded.tasks(split).catch(() => [])))
            hash.update(JSON.stringify(await sentFor({ suite, loaded, strategy, split }, task, options)));
        hashes[`${suite.name} ${strategy.name}${name}`] = hash.digest("hex").slice(0, 12);
      }
    loaded.close?.();
  }
  return hashes;
}

/** The first task, and the last one with other facets. */
function twoOf(tasks: readonly Task[]): readonly Task[] {
  const facets = JSON.stringify(tasks[0]?.facets);
  const other = tasks.findLast((task) => JSON.stringify(task.facets) !== facets);
  return [...tasks.slice(0, 1), ...(other === undefined ? [] : [other])];
}

type Options = RunSpec["options"];

function failing(thrown: unknown): void {
  if (!(thrown instanceof Problem)) throw thrown;
}

/** The defaults, and each option's other values one by one. */
function variantsOf(suite: Suite, strategy: Strategy): readonly (readonly [string, Options])[] {
  const options = optionsFor(suite, strategy);
  const usual: Options = {
    ...Object.fromEntries(
      options.flatMap(({ name, default: value, quiet }) => (quiet === true ? [] : [[name, value]])),
    ),
    "search.queries": 6,
    "toolchain.samples": 2,
  };
  const others = options.flatMap(({ name, values, default: standard }) =>
    typeof values === "string" || name === "agent"
      ? []
      : values
          .filter((value) => value !== standard)
          .map((value) => [` ${name}=${value}`, { ...usual, [name]: value }] as const),
  );
  return [["", usual], ...others];
}

async function sentFor(
  { suite, loaded, strategy, split }: Way,
  task: Task,
  options: Options,
): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const spec = bareSpec(suite.name, {
    split,
    options,
    strategy: strategy.name,
    judge: "lab/judge",
    toolServers: { toys: "" },
    budget: { task: { steps: 8 } },
  });
  await loaded.toolkits?.prepare(spec, [task], { signal: new AbortController().signal, progress: () => {} } as never);
  for (const model of ["oracle", "slips?rate=1"]) {
    const ask = async (stage: string, messages: readonly Message[]) => {
      sent.push({ role: "judge", stage, messages });
      return "Unsure";
    };
    // Faulty replies may leave a task without an answer; earlier requests are kept.
    const watched: Strategy = {
      ...strategy,
      async *run(context) {
        for await (const step of strategy.run(context)) {
          if (step.type === "prompt") sent.push({ role: step.role, stage: step.stage, messages: step.messages });
          yield step;
        }
      },
    };
    await runBuiltin({ loaded, strategy: watched, spec, model, ask }, task).catch(failing);
  }
  return sent;
}
