/** `planwright init`: writes a suite, a strategy or an analysis from which users start their own. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { replaceFile } from "../../engine/files/replace-file.ts";
import { packageFolder } from "../../engine/settings/package-folder.ts";
import { ArgumentProblem, readArguments } from "./arguments.ts";
import type { Command } from "./command.ts";

const kinds = ["suite", "strategy", "analysis"];

export const initCommand: Command = {
  name: "init",
  summary: "write a small suite, strategy or analysis as a starting point for your own",
  usage: `planwright init suite|strategy|analysis [FILE]

Writes a small working example, with comments, into FILE.ts; my-suite.ts, my-strategy.ts or my-analysis.ts by default.
The example has the name of the file. An existing file is left unchanged, and the status is then 2.

\`planwright help extending\` explains how notebooks use the file, and other extensions.`,
  takes: [{ words: kinds }, "file"],
  flags: {},
  async run(args, { stdout }) {
    const [kind, file = `my-${kind}.ts`, ...more] = readArguments(args, {}).positionals;
    if (kind === undefined || !kinds.includes(kind) || more.length > 0)
      throw new ArgumentProblem(`Expected one of ${kinds.join(", ")}, and a file, got \`${args.join(" ")}\``);
    const path = resolve(file.endsWith(".ts") ? file : `${file}.ts`);
    const name = basename(path, ".ts");
    if (!/^[a-z0-9][a-z0-9-]*$/.test(name))
      throw new ArgumentProblem(`Expected a file name of lowercase letters, digits and dashes, got \`${name}.ts\``);
    if (existsSync(path)) throw new ArgumentProblem(`A file ${path} already exists`);
    const start = readFileSync(join(packageFolder(), "documentation", "examples", `${kind}.ts`), "utf8");
    replaceFile(path, start.replaceAll(`my-${kind}`, name));
    stdout(`${path}\n`);
    return 0;
  },
};
