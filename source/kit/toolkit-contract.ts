/** What a suite promises of toolkits that its tasks share: that they are made once, and given to workers elsewhere. */
import { isDeepStrictEqual } from "node:util";
import type { LoadedSuite, MadeToolkits, ToolkitSource } from "../engine/loaded-suite.ts";
import type { RunSpec, Task } from "../engine/types.ts";
import { unmonitored } from "../engine/work/monitor.ts";

const functions = [
  "prepare",
  "made",
  "take",
  "requests",
  "clusters",
] as const satisfies readonly (keyof ToolkitSource)[];

/** What is missing, a sentence each: code without types may leave out anything. */
export function missingOfToolkits({ toolkits }: LoadedSuite): readonly string[] {
  if (toolkits === undefined) return [];
  return functions
    .filter((name) => typeof toolkits[name] !== "function")
    .map((name) => `\`toolkits\` has no function \`${name}\``);
}

/**
 * What is wrong with giving what was made for a run's tasks to `elsewhere`, the same suite opened once more: it is sent as JSON, and
 * whoever has taken it has the same. None where the tasks share no toolkits.
 */
export async function wrongTransfer(
  here: LoadedSuite,
  elsewhere: LoadedSuite,
  spec: RunSpec,
  tasks: readonly Task[],
): Promise<readonly string[]> {
  if (here.toolkits === undefined || elsewhere.toolkits === undefined) return [];
  await here.toolkits.prepare(spec, tasks, unmonitored());
  const made = here.toolkits.made(spec, tasks);
  const sent = JSON.parse(JSON.stringify(made ?? null)) as MadeToolkits;
  if (!isDeepStrictEqual(sent, made)) return [`What \`toolkits.made\` gives with \`${spec.strategy}\` is not JSON`];
  await elsewhere.toolkits.take(spec, tasks, sent);
  const taken = elsewhere.toolkits.made(spec, tasks);
  return isDeepStrictEqual(taken, made)
    ? []
    : [
        `What \`toolkits.made\` gives with \`${spec.strategy}\` is another once \`toolkits.take\` has taken it elsewhere`,
      ];
}
