/** `planwright init`: a suite, a strategy or an analysis of the user's own, to begin with. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { replaceFile } from "../../engine/files/replace-file.ts";
import { packageFolder } from "../../engine/settings/package-folder.ts";
import { ArgumentProblem, readArguments } from "./arguments.ts";
import type { Command } from "./command.ts";

const kinds = ["suite", "strategy", "analysis"];

export const initCommand: Command = {
  name: "init",
  summary: "write a suite, a strategy or an analysis of your own, to begin with",
  usage: `planwright init suite|strategy|analysis [FILE]

Writes a small working one, with comments, into FILE.ts; my-suite.ts, my-strategy.ts or my-analysis.ts where no file is named.
Its name is that of the file. A file that is there already stays as it is, and the status is 2.

Notebooks use it where the file is named by the option that every command has: \`planwright help extending\` says how, and what
else it can be.`,
  takes: [{ words: kinds }, "file"],
  flags: {},
  async run(args, { stdout }) {
    const [kind, file = `my-${kind}.ts`, ...more] = readArguments(args, {}).positionals;
    if (kind === undefined || !kinds.includes(kind) || more.length > 0)
      throw new ArgumentProblem(`Expected one of ${kinds.join(", ")}, and a file, got \`${args.join(" ")}\``);
    const path = resolve(file.endsWith(".ts") ? file : `${file}.ts`);
    const name = basename(path, ".ts");
    if (!/^[a-z0-9][a-z0-9-]*$/.test(name))
      throw new ArgumentProblem(`Expected a file named by small letters, digits and dashes, got \`${name}.ts\``);
    if (existsSync(path)) throw new ArgumentProblem(`There is a file ${path} already`);
    const start = readFileSync(join(packageFolder(), "documentation", "examples", `${kind}.ts`), "utf8");
    replaceFile(path, start.replaceAll(`my-${kind}`, name));
    stdout(`${path}\n`);
    return 0;
  },
};
