/** `planwright schema KIND`: prints the JSON schema of a cell, the settings, exported rows or codes for editors. */
import type { CommandContext, Command } from "../shell/command.ts";
import { ArgumentProblem, readArguments } from "../shell/arguments.ts";
import { printedJson } from "../shell/output.ts";

const kinds: Readonly<Record<string, (context: Pick<CommandContext, "suites" | "analyses">) => Promise<object>>> = {
  run: async ({ suites }) => (await import("./run-cell-schema.ts")).runCellSchema(suites),
  analysis: async ({ analyses }) => (await import("./analysis-cell-schema.ts")).analysisCellSchema(analyses),
  "front-matter": async ({ suites }) => (await import("./run-cell-schema.ts")).frontMatterSchema(suites),
  settings: async () => (await import("../../engine/settings/settings-check.ts")).settingsSchema(),
  rows: async () => (await import("./row-schema.ts")).rowSchema,
  codes: async () => (await import("../../engine/session/codes/code-line.ts")).codesSchema(),
};
const names = Object.keys(kinds);

export const schemaCommand: Command = {
  name: "schema",
  summary: "print a JSON schema of cells, settings, exported rows or codes, such as for completion in editors",
  usage: `planwright schema ${names.join("|")}

Prints a JSON schema (draft 7). An editor with a YAML language server completes and checks a cell that begins with
  # yaml-language-server: $schema=/home/me/run.schema.json
if you saved the output of \`planwright schema run\` in that file; the settings file names its schema as "$schema".
rows describes one line written by \`planwright export SESSION --rows jsonl\`, codes one of \`codes/PERSON.jsonl\`.`,
  takes: [{ words: names }],
  flags: {},
  async run(args, context) {
    const { positionals } = readArguments(args, {});
    const [kind = ""] = positionals;
    if (positionals.length !== 1 || !Object.hasOwn(kinds, kind))
      throw new ArgumentProblem(`Expected one of ${names.join(", ")}, got \`${positionals.join(" ")}\``);
    const $schema = "http://json-schema.org/draft-07/schema#";
    context.stdout(printedJson({ $schema, title: `Planwright: ${kind}`, ...(await kinds[kind]!(context)) }, 2));
    return 0;
  },
};
