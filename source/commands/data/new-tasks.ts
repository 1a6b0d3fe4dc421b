/** `planwright generate SUITE` and `planwright evolve SUITE`: make tasks that no model can have been trained on. */
import { existsSync, readFileSync } from "node:fs";
import { readPrompts } from "../../engine/session/fields/prompt-value.ts";
import type { Suite } from "../../engine/suite.ts";
import { createModels } from "../../engine/models/models.ts";
import { sampleOf } from "../../engine/settings/package-folder.ts";
import { ArgumentProblem, type Flags, readArguments } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import { userSettings } from "../shell/user-settings.ts";
import { counted } from "../../engine/text/counted.ts";

const generateFlags: Flags = { count: "text", seed: "text", out: "folder", chains: "folder" };

/** Returns the named suite if it can make tasks in the given way. Throws `ArgumentProblem` otherwise. */
function ableSuite<Way extends "generate" | "evolve">(
  suites: readonly Suite[],
  positionals: readonly string[],
  way: Way,
): Suite & Required<Pick<Suite, Way>> {
  const able = suites.filter((suite): suite is Suite & Required<Pick<Suite, Way>> => suite[way] !== undefined);
  const suite = able.find(({ name }) => name === positionals[0]);
  if (suite !== undefined && positionals.length === 1) return suite;
  const known = able.map(({ name }) => name).join(", ");
  throw new ArgumentProblem(`Expected one suite that can ${way} tasks (${known}), got \`${positionals.join(" ")}\``);
}

export const generateCommand: Command = {
  name: "generate",
  summary: "generate a new, balanced set of tasks",
  usage: "planwright generate planningarena --count 4500 --seed 7 --out DIR [--chains DIR]",
  takes: ["suite"],
  flags: generateFlags,
  async run(args, { suites, stdout, stderr, signal }) {
    const { positionals, text, needed, number } = readArguments(args, generateFlags);
    const suite = ableSuite(suites, positionals, "generate");
    const out = needed("out", "DIR");
    const count = number("count", { least: 1, whole: true }) ?? 4500;
    const seed = number("seed", { least: 0, whole: true }) ?? 0;
    const chains = text("chains");
    const own = chains === undefined ? {} : { chains };
    await suite.generate({ count, seed, out, ...own, report: (line) => stderr(`${line}\n`), signal });
    stdout(
      `Generated ${counted(count, "task")} in ${out}; install them with \`planwright data add ${suite.name} --from ${out}\`\n`,
    );
    return 0;
  },
};

const flags: Flags = {
  out: "folder",
  data: "folder",
  split: "text",
  count: "text",
  rounds: "text",
  seed: "text",
  model: "model",
  evaluator: "model",
  prompts: "text",
};

export const evolveCommand: Command = {
  name: "evolve",
  summary: "let models derive new tasks from existing ones",
  usage: `planwright evolve planningarena --out DIR [--data DIR] [--split generated] [--count 20] [--rounds 2] [--seed 0] [--model ENDPOINT/MODEL] [--evaluator ENDPOINT/MODEL] [--prompts NAME=FILE ...]

--prompts  replaces a prompt by your own text or file (\`.md\`, \`.txt\`); \`planwright prompts planningarena evolve\` lists prompts`,
  takes: ["suite"],
  flags,
  async run(args, { suites, stdout, stderr, signal }) {
    const { positionals, text, texts, needed, number } = readArguments(args, flags);
    const suite = ableSuite(suites, positionals, "evolve");
    const out = needed("out", "DIR");
    const prompts = givenPrompts(texts("prompts"), suite);
    const settings = await userSettings({ stderr });
    const author = text("model");
    const evaluator = text("evaluator") ?? author;
    const models = createModels({ settings: () => settings.read(), sources: noTasks });
    for (const name of [author, evaluator]) {
      const problem = name === undefined ? undefined : models.problem(name);
      if (problem !== undefined) throw new ArgumentProblem(problem);
    }
    const nameOf = (stage: string) => (stage === "evaluate" ? evaluator : author);
    await suite.evolve({
      folder: text("data") ?? settings.read().data[suite.name] ?? sampleOf(suite),
      split: text("split") ?? suite.splits[0]!.name,
      count: number("count", { least: 1, whole: true }) ?? 20,
      rounds: number("rounds", { least: 1, whole: true }) ?? 2,
      seed: number("seed", { least: 0, whole: true }) ?? 0,
      out,
      ...(Object.keys(prompts).length > 0 && { prompts }),
      model(stage) {
        const name = nameOf(stage);
        return name === undefined ? undefined : models.model(name);
      },
      report: (line) => stderr(`${line}\n`),
      signal,
    });
    stdout(`Wrote ${out}: tasks.jsonl, rejected.jsonl, calls.jsonl\n`);
    return 0;
  },
};

/**
 * Reads `NAME=TEXT` and `NAME=FILE`. Throws `ArgumentProblem` for an unknown prompt or slot, or a missing file.
 */
function givenPrompts(written: readonly string[], { name, evolvePrompts: templates = [] }: Suite) {
  const item = Object.fromEntries(
    written.map((one) => {
      const [, prompt, value] = /^([^=]+)=(.*)$/s.exec(one) ?? [];
      if (prompt === undefined) throw new ArgumentProblem(`Expected \`--prompts NAME=FILE\`, got \`${one}\``);
      return [prompt, value!] as const;
    }),
  );
  const text = (file: string) => {
    if (!existsSync(file)) throw new ArgumentProblem(`Expected a file at ${file}, found none`);
    return readFileSync(file, "utf8");
  };
  const read = readPrompts(item, { of: name, templates, text }, (_, message) => {
    throw new ArgumentProblem(message);
  });
  return read ?? {};
}

const noTasks = { loadedFor: refuseTasks, taskFor: refuseTasks };

function refuseTasks(): Promise<never> {
  return Promise.reject(
    new ArgumentProblem(
      "Expected `--model` to be absent or a model of an endpoint, because built-in models cannot write tasks",
    ),
  );
}
