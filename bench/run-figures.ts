/**
 * Measures what analyses on the screen cost a run of tasks that take no time: processor time of the screen's thread for as many
 * tasks, with two analysis cells and without any.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measured } from "./child-program.ts";
import type { Bench } from "./measurement.ts";

const tasks = 100_000;
const sizes = { usual: 20_000, large: tasks, largest: tasks };

const run = "```run main\nsuite: own\nfrom: questions.csv\nmodel: builtin/oracle\n```\n";
const analyses = "\n```analysis groups\npane: difficulty\nby: level\n```\n\n```analysis all\npane: overview\n```\n";
const questions = Array.from({ length: tasks }, (_, index) => `What is ${index} plus one?,${index + 1},${index % 5}\n`);

/** Seconds of processor time. */
type Load = { readonly screen: number; readonly whole: number };

export const bench: Bench = async ({ most }) => {
  const folder = mkdtempSync(join(tmpdir(), "planwright-bench-figures-"));
  const count = sizes[most];
  const load = (name: string, document: string) => {
    const session = join(folder, name);
    mkdirSync(session);
    writeFileSync(join(session, "questions.csv"), `question,answer,level\n${questions.join("")}`);
    writeFileSync(join(session, "session.md"), document);
    return measured<Load>("run-figures-load.ts", session, String(count));
  };
  try {
    process.env["PLANWRIGHT_CONFIG_DIR"] = join(folder, "settings");
    const without = await load("without", run);
    const beside = { of: "the same run without analysis cells", value: without.screen };
    const { screen, whole } = await load("with", run + analyses);
    return [
      {
        what: `processor time of the screen for ${count} of ${tasks} tasks with two analyses`,
        ours: screen,
        unit: "s",
        beside,
        goal: 1.25,
        bound: beside,
      },
      {
        what: `processor time of all threads for ${count} of ${tasks} tasks with two analyses`,
        ours: whole,
        unit: "s",
        beside: { of: "the same run without analysis cells", value: without.whole },
        goal: 1.25,
        bound: { of: "the same run without analysis cells", value: without.whole },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
