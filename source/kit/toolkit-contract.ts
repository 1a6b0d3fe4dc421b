/** Checks the contract of shared toolkits: they are made once and can be transferred to workers. */
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

/** Returns a sentence for each missing function; code without types may omit any. */
export function missingOfToolkits({ toolkits }: LoadedSuite): readonly string[] {
  if (toolkits === undefined) return [];
  return functions
    .filter((name) => typeof toolkits[name] !== "function")
    .map((name) => `\`toolkits\` has no function \`${name}\``);
}

/**
 * Checks that toolkits made for a run's tasks are unchanged after the transfer, as JSON, to `elsewhere`, a second copy of the
 * suite. Returns no problems if the tasks share no toolkits.
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
  if (!isDeepStrictEqual(sent, made)) return [`The value of \`toolkits.made\` with \`${spec.strategy}\` is not JSON`];
  await elsewhere.toolkits.take(spec, tasks, sent);
  const taken = elsewhere.toolkits.made(spec, tasks);
  return isDeepStrictEqual(taken, made)
    ? []
    : [
        `The value of \`toolkits.made\` with \`${spec.strategy}\` changes after \`toolkits.take\` loads it in another suite object`,
      ];
}
