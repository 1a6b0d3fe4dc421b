/** Puts a question to a model with tools: the tools of the sources named by the run, and `Finish`. */
import { prompted, promptMessages } from "../../../source/engine/settings/prompt-template.ts";
import type { Environment, EpisodeLimits, ToolSources } from "../../../source/engine/protocol.ts";
import { maxDepth, offeredTools, openSources } from "../../../source/engine/toolkits/offered-tools.ts";
import { toolEpisode } from "../../../source/engine/toolkits/tool-episode.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import type { QuestionTask } from "../data/question.ts";
import { acting, lesson } from "./templates.ts";

/** Upper estimates for forecasts: characters of a result, and tokens of a tool. */
const observation = 4000;
const perTool = 250;

export async function openQuestion(
  task: QuestionTask,
  spec: RunSpec,
  sources: ToolSources,
  signal: AbortSignal = new AbortController().signal,
): Promise<Environment> {
  const opened = await openSources(sources, namesOf(spec), task, spec, signal);
  const { question, tools } = task.input;
  try {
    const offered = offeredTools(opened, tools, (lessons) =>
      promptMessages(spec, acting, {
        question,
        lessons: lessons.map((each) => `\n\n${prompted(spec, lesson, { lesson: each })}`).join(""),
      }),
    );
    return { ...offered, endsByText: spec.options["end"] === "text" };
  } catch (error) {
    await Promise.all(opened.map(({ source }) => source.close()));
    throw error;
  }
}

export function questionLimits(
  { input: { question } }: QuestionTask,
  spec: RunSpec,
  sources: ToolSources,
): EpisodeLimits {
  const names = namesOf(spec);
  const tokens = names.reduce((sum, name) => sum + sources.tokens(name), 0);
  const tools = Math.ceil(tokens / perTool);
  return toolEpisode({ question, tools, toolkits: names.length, observation, turns: maxDepth / 2, perCall: 0 }, spec);
}

const namesOf = ({ toolServers = {} }: RunSpec): readonly string[] => Object.keys(toolServers).toSorted();
