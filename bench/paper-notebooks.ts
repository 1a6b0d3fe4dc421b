/**
 * The notebooks of the papers on the published data, each by itself from the command to its printed tables, with a built-in model
 * in the place of one's own: what the program takes of the time such a notebook takes. PlanningArena's published files have ten
 * tasks, so that tasks are generated; of each run there are at most `most` tasks.
 */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { packageFolder } from "../source/engine/settings/package-folder.ts";
import { program } from "./child-program.ts";
import type { LeftOut, Measurement } from "./measurement.ts";
import { publishedData } from "./published.ts";

const most = 50;

type Notebook = {
  readonly name: string;
  /** Its suites, with a file without which their data are not there. */
  readonly suites: Readonly<Record<string, string>>;
  readonly set?: string;
};

const notebooks: readonly Notebook[] = [
  { name: "appbench-paper", suites: { appbench: "test_mm.json" } },
  { name: "planningarena-paper", suites: { planningarena: "apis.json" } },
  { name: "ultratool-paper", suites: { ultratool: "en/test.jsonl.gz" } },
  // Only the training requests have an answer key, which a built-in model reads.
  { name: "travelplanner-paper", suites: { travelplanner: "database" }, set: "split=train" },
  { name: "tool-planner-paper", suites: { toolbench: "catalogue", apibench: "catalogue" } },
];

export async function bench(): Promise<readonly (Measurement | LeftOut)[]> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-papers-"));
  try {
    const lines: (Measurement | LeftOut)[] = [];
    for (const notebook of notebooks) lines.push(await played(folder, notebook));
    return lines;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function played(folder: string, { name, suites, set }: Notebook): Promise<Measurement | LeftOut> {
  const run = (...args: readonly string[]) => runProgram(folder, args);
  for (const [suite, file] of Object.entries(suites)) {
    const data = await publishedData(suite, file);
    if (data === undefined) return { of: name, leftOut: `no published data of ${suite}` };
    await run("data", "add", suite, "--from", data);
  }
  if (name === "planningarena-paper") {
    const tasks = join(folder, "generated");
    await run("generate", "planningarena", "--count", String(most), "--seed", "7", "--out", tasks);
    await run("data", "add", "planningarena", "--from", tasks);
  }
  const session = join(folder, name);
  cpSync(join(packageFolder(), "sessions", name), session, { recursive: true });
  const from = performance.now();
  await run("run", session, "--set", `limit=${most}`, ...(set === undefined ? [] : ["--set", set]));
  const seconds = (performance.now() - from) / 1000;
  return { what: `${name} on published data, at most ${most} tasks a run, built-in model`, ours: seconds, unit: "s" };
}

/** Runs it with separate settings and data; throws if it fails. */
async function runProgram(folder: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings") },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text: Buffer) => (said = `${said}${text.toString()}`.slice(-2000)));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`planwright ${args.join(" ")} ended with ${code}: ${said}`);
}
