/** `planwright generate SUITE`: generated tasks that no model can have been trained on. */
import { ArgumentProblem, type Flags, readArguments } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import { counted } from "../../engine/text/counted.ts";

const flags: Flags = { count: "text", seed: "text", out: "folder", chains: "folder" };

export const generateCommand: Command = {
  name: "generate",
  summary: "generate a new, balanced set of tasks",
  usage: "planwright generate planningarena --count 4500 --seed 7 --out DIR [--chains DIR]",
  takes: ["suite"],
  flags,
  async run(args, { suites, stdout, stderr, signal }) {
    const { positionals, text, number } = readArguments(args, flags);
    const able = suites.filter(({ generate }) => generate !== undefined);
    const suite = able.find(({ name }) => name === positionals[0]);
    if (suite?.generate === undefined || positionals.length !== 1) {
      throw new ArgumentProblem(
        `Expected one suite that can generate tasks (${able.map(({ name }) => name).join(", ")}), got \`${positionals.join(" ")}\``,
      );
    }
    const out = text("out");
    if (out === undefined) throw new ArgumentProblem("Expected `--out DIR`, got none");
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
