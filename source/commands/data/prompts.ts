/** `planwright prompts SUITE [STRATEGY]`: prints the texts of the requests that a benchmark and its strategies send to models. */
import type { PromptTemplate } from "../../engine/protocol.ts";
import type { Suite } from "../../engine/suite.ts";
import { scanSuite } from "../../engine/workbench/scanning/scan-suite.ts";
import { promptsOf, promptSlots, stageOfPrompt } from "../../engine/settings/prompt-template.ts";
import { similarName } from "../../engine/text/similar-name.ts";
import { ArgumentProblem, type Flags, readArguments } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import { printedJson } from "../shell/output.ts";

const flags: Flags = { stage: "text", json: "nothing", text: "nothing" };

/** The scans and attribution methods of run cells with `scan:`, whose tasks are trajectories of any run. */
const scans: Suite<never> = { ...scanSuite("", ""), name: "scan" };

/** A prompt with the strategies that send it. */
type Listed = { readonly template: PromptTemplate; readonly strategies: readonly string[] };

export const promptsCommand: Command = {
  name: "prompts",
  summary: "print the prompts of a benchmark and its strategies as templates",
  usage: `planwright prompts SUITE [STRATEGY] [--stage NAME] [--text] [--json]

Prints every text that models are asked with, and the slots in it: \`{{slot}}\` is filled for each request. A run cell replaces a
text by its name, with a text or a file of the notebook: \`prompts: {plan: careful.md}\`. A name is that of the stage, or of the stage
and a part: \`plan.user\` is the user's message of \`plan\`. \`planwright prompts scan\` prints the prompts of run cells with
\`scan:\`, by the names of their methods.

--stage  only the prompts of this stage, or the prompt of this name
--text   the bare text of one prompt, as a file for \`prompts:\` can begin with it
--json   name, stage, role, message, language, strategies, slots and text of each as a JSON list`,
  takes: ["suite", "text"],
  flags,
  async run(args, context) {
    const { positionals, text, flag } = readArguments(args, flags);
    const [suiteName, strategy, ...more] = positionals;
    if (suiteName === undefined || more.length > 0)
      throw new ArgumentProblem(`Expected a benchmark, and at most one strategy, got ${positionals.length} arguments`);
    const suite = named("a benchmark", suiteName, [...context.suites, scans]);
    const listed = inStage(listedPrompts(suite, strategy), text("stage"));
    if (flag("text")) {
      context.stdout(`${onlyOne(listed).text}\n`);
      return 0;
    }
    const programs = askedByPrograms(suite, strategy, listed.length > 0);
    if (flag("json")) {
      context.stdout(printedJson(listed.map(asJson), 2));
      context.stderr(programs);
    } else context.stdout([...listed.map(asText), ...(programs === "" ? [] : [programs])].join("\n"));
    return 0;
  },
};

/** Throws `ArgumentProblem` for several prompts with different names; the first has the name of the stage. */
function onlyOne(listed: readonly Listed[]): PromptTemplate {
  const [first, ...others] = listed;
  const names = [...new Set(listed.map(({ template }) => template.name))];
  const main = listed.filter(({ template }) => template.name === stageOfPrompt(template));
  if (first !== undefined && others.length === 0) return first.template;
  if (main.length === 1) return main[0]!.template;
  throw new ArgumentProblem(
    `Expected \`--text\` with \`--stage\` of one prompt (${names.join(", ")}), got ${listed.length}`,
  );
}

function named<Named extends { readonly name: string }>(what: string, name: string, all: readonly Named[]): Named {
  const found = all.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = all.map((each) => each.name);
  const like = similarName(name, names);
  throw new ArgumentProblem(
    `Expected ${what} ${like === undefined ? `(${names.join(", ")})` : `such as \`${like}\``}, got \`${name}\``,
  );
}

/**
 * Returns the strategies that send requests, and `evolve` if models derive tasks for the benchmark; or only the named strategy.
 */
function askersOf(suite: Suite, strategy: string | undefined) {
  const { evolvePrompts: prompts } = suite;
  const asking = [
    ...suite.strategies.filter(({ roles }) => roles.length > 0),
    ...(prompts === undefined ? [] : [{ name: "evolve", prompts }]),
  ];
  return strategy === undefined ? asking : [named(`a strategy of \`${suite.name}\` that asks`, strategy, asking)];
}

/** Names the strategies that are the user's own programs, whose requests have no template; empty if there are none. */
function askedByPrograms(suite: Suite, strategy: string | undefined, isListed: boolean): string {
  const programs = askersOf(suite, strategy).filter((each) => "mayLackModel" in each && each.mayLackModel === true);
  if (programs.length === 0) return "";
  const names = programs.map(({ name }) => name).join(", ");
  const own = `${names}: your own program writes these requests, so they have no template`;
  return isListed ? `${own}; it is given the messages above that name it\n` : `${own}\n`;
}

function listedPrompts(suite: Suite, strategy: string | undefined): readonly Listed[] {
  const all = new Map<PromptTemplate, string[]>();
  for (const each of askersOf(suite, strategy)) {
    const templates = "roles" in each ? promptsOf(suite, each) : each.prompts;
    for (const template of templates) all.set(template, [...(all.get(template) ?? []), each.name]);
  }
  return [...all].map(([template, strategies]) => ({ template, strategies }));
}

function inStage(all: readonly Listed[], stage: string | undefined): readonly Listed[] {
  if (stage === undefined) return all;
  const found = all.filter(({ template }) => template.name === stage || stageOfPrompt(template) === stage);
  if (found.length > 0) return found;
  const names = [...new Set(all.map(({ template }) => template.name))];
  const like = similarName(stage, names);
  throw new ArgumentProblem(
    `Expected \`--stage\` to be ${like === undefined ? `one of ${names.join(", ")}` : `a prompt such as \`${like}\``}, got \`${stage}\``,
  );
}

/** Returns the role of the model that receives the request, or the option that names this model. */
const askedModel = ({ role, modelOption }: PromptTemplate): string => modelOption ?? role;

function asJson({ template, strategies }: Listed): object {
  const { name, message = null, language = null, tasks = null, when = {}, text } = template;
  const { strategy: _, ...options } = when;
  const slots = promptSlots(template);
  return {
    name,
    stage: stageOfPrompt(template),
    role: askedModel(template),
    message,
    language,
    tasks,
    strategies,
    when: options,
    slots,
    text,
  };
}

function asText({ template, strategies }: Listed): string {
  const { name, message, language, tasks, when = {}, text } = template;
  const { strategy: _, ...options } = when;
  const of = [
    askedModel(template),
    message === undefined ? "part of a message" : `${message} message`,
    ...[language, tasks].filter((each) => each !== undefined),
    strategies.join(", "),
    ...Object.entries(options).map(([option, values]) => `${option}: ${values.join(" or ")}`),
  ];
  const slots = promptSlots(template);
  const filled = slots.length === 0 ? "" : `slots: ${slots.map((slot) => `{{${slot}}}`).join(" ")}\n`;
  return `${name} (${of.join("; ")})\n${filled}\n${text.replaceAll(/^(?=.)/gm, "    ")}\n`;
}
