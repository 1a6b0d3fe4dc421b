/**
 * Tools of tool servers and environments as the environment of a question: they are called unchanged, and `Finish` submits the
 * answer.
 */
import { Problem } from "../problem.ts";
import {
  type Environment,
  type ToolSource,
  type ToolSources,
  type Toolkit,
  checkedResult,
  type EnvironmentSource,
} from "../protocol.ts";
import { field } from "../text/json-record.ts";
import type { Json, Message, RunSpec, Task, ToolCall, ToolResult, ToolSpec } from "../types.ts";

export const finishTool: ToolSpec = {
  name: "Finish",
  description: "Ends with the answer to the question; without `answer` it gives up.",
  parameters: {
    type: "object",
    properties: { answer: { type: "string", description: "The answer, which is all the user sees" } },
  },
};

/** Maximum number of nodes in a branch: a thought, an action and its input count one each. */
export const maxDepth = 30;

type Sourced = { readonly name: string; readonly source: ToolSource };

type Offered = { readonly spec: ToolSpec; readonly source: ToolSource; readonly own: string };

/** Opens the sources of these names, all or none. */
export async function openSources(
  sources: ToolSources,
  names: readonly string[],
  task: Task,
  spec: RunSpec,
  signal: AbortSignal,
): Promise<readonly Sourced[]> {
  const opened = await Promise.allSettled(
    names.map(async (name) => ({ name, source: await sources.open(name, task, spec, signal) })),
  );
  const failure = opened.find((each) => each.status === "rejected");
  const there = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  if (failure === undefined) return there;
  await Promise.all(there.map(({ source }) => source.close()));
  throw failure.reason;
}

/**
 * Makes one toolkit per source. `only` contains the tools offered to a question, as `TOOL` or as `SOURCE`; if absent, all are
 * offered. `opening` is the first part of the conversation. Throws `Problem` for an unknown name, because the question would be
 * asked with fewer tools than it lists.
 */
export function offeredTools(
  sourced: readonly Sourced[],
  only: readonly string[] | undefined,
  opening: (lessons: readonly string[]) => readonly Message[],
): Environment {
  const all = namedTools(sourced);
  const namesOf = ({ name, own, spec }: (typeof all)[number]) => [name, own, spec.name];
  const unknownName = only?.find((each) => !all.some((tool) => namesOf(tool).includes(each)));
  if (unknownName !== undefined) {
    const known = all.map(({ own }) => own).join(", ");
    throw new Problem("tool", `Expected the tools of the task to be among ${known}, got \`${unknownName}\``);
  }
  const offered = all.filter((tool) => only === undefined || namesOf(tool).some((each) => only.includes(each)));
  const byName = new Map(offered.map((each) => [each.spec.name, each]));
  const toolkits = sourced.map(({ source }, id): Toolkit => {
    const tools = offered.filter((each) => each.source === source).map(({ spec }) => spec);
    return { id, description: source.description, tools };
  });
  let trouble: string | undefined;
  return {
    tools: [...offered.map(({ spec }) => spec), finishTool],
    toolkits: toolkits.filter(({ tools }) => tools.length > 0),
    finish: { tool: finishTool, answer: (answer) => finishing({ answer }), giveUp: () => finishing({}) },
    maxDepth,
    idle: "Call a function, or call Finish with the answer.",
    opening,
    complaint: () => trouble,
    isOutside: ({ name }) => byName.get(name)?.source.isOutside === true,
    async call(call, signal): Promise<ToolResult> {
      if (call.name === finishTool.name) return finished(call);
      const tool = byName.get(call.name);
      const result = tool === undefined ? unknown : await tool.source.call({ ...call, name: tool.own }, signal);
      trouble = result.ok ? undefined : `The last call, ${call.name}, failed: ${result.observation}`;
      return result;
    },
    close: async () => void (await Promise.all(sourced.map(({ source }) => source.close()))),
  };
}

/** Returns tools under names that models can write; tools with equal names get their source's name as a prefix. */
function namedTools(sourced: readonly Sourced[]): readonly (Offered & { readonly name: string })[] {
  const taken = new Set([finishTool.name]);
  return sourced.flatMap(({ name, source }) =>
    source.tools.map((tool) => {
      const plain = callable(tool.name);
      let written = taken.has(plain) ? callable(`${name}_${plain}`) : plain;
      for (let number = 2; taken.has(written); number++) written = `${plain.slice(0, 58)}_${number}`;
      taken.add(written);
      return { name, source, own: tool.name, spec: { ...tool, name: written } };
    }),
  );
}

/** Replaces characters that function calls do not allow in a name. */
const callable = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);

const unknown: ToolResult = { ok: false, observation: "There is no such function", status: "unknown" };

function finishing(value: { readonly [name: string]: string }): ToolCall {
  return { id: "finish", name: finishTool.name, text: JSON.stringify(value), arguments: value };
}

function finished({ arguments: given }: ToolCall): ToolResult {
  const answer: Json | undefined = field(given, "answer");
  if (answer === undefined || answer === "" || answer === null)
    return { ok: true, observation: "gave up", status: "gave up", end: { reason: "gave up", answer: undefined } };
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  return { ok: true, observation: "answered", status: "answered", end: { reason: "answered", answer: text } };
}

type Environments = Readonly<Record<string, EnvironmentSource>>;

/**
 * Returns tools of these environments by name, with `servers` for any other name. Absent if there are neither environments nor
 * servers.
 */
export function withEnvironments(servers: ToolSources | undefined, environments: Environments = {}): ToolSources {
  const named = (name: string) => (Object.hasOwn(environments, name) ? environments[name] : undefined);
  return {
    // The tools of an environment are known once it is open.
    tokens: (name) => (named(name) === undefined ? (servers?.tokens(name) ?? 0) : 0),
    async open(name, task, spec, signal): Promise<ToolSource> {
      const environment = await named(name)?.open(task, spec);
      if (environment === undefined) {
        if (servers === undefined) throw new Problem("tool", `Expected tools named \`${name}\`, found none`);
        return servers.open(name, task, spec, signal);
      }
      if (!Array.isArray(environment.tools))
        throw new TypeError(`Expected environment \`${name}\` to return a list \`tools\`, got none`);
      return {
        description: name,
        // The answer to the question ends an episode.
        tools: environment.tools.filter((tool) => tool.name !== environment.finish?.tool.name),
        call: async (call, until) => checkedResult(await environment.call(call, until), call),
        close: async () => environment.close?.(),
      };
    },
  };
}
