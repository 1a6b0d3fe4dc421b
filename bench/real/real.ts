/**
 * `npm run real [-- --write] [--environment DIR] [--folder DIR]`: plays `session.md` with a real model on the samples, and prints which
 * causes and scores differ from `results.json`, and forecasts beside the usage. `--write` writes both into the repository, with the
 * table and the pictures of `documentation/real.md`. `--environment` names a Python environment with the two packages; without it one is made and kept.
 * `--folder` continues the session in this folder.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { program } from "../child-program.ts";
import { environmentWithModel, startModelServer } from "./model-server.ts";
import { drawPictures } from "./pictures.ts";
import { playedRuns } from "./played-runs.ts";
import {
  differences,
  forecastText,
  keptResults,
  lateTasks,
  type RealResults,
  runRow,
  taskResults,
  withRuns,
} from "./results.ts";

/** The runs may take so long, and all of it 30 minutes; what is left is then reported as not executed. */
const longest = "28m";

const { values } = parseArgs({
  options: { write: { type: "boolean" }, environment: { type: "string" }, folder: { type: "string" } },
});
const folder = values.folder === undefined ? mkdtempSync(join(tmpdir(), "planwright-real-")) : resolve(values.folder);
const settings = join(folder, "settings");
const session = join(folder, "session");
mkdirSync(session, { recursive: true });
for (const name of ["session.md", "questions.csv"]) cpSync(join(import.meta.dirname, name), join(session, name));

await play();
await report();

async function play(): Promise<void> {
  const server = await startModelServer(environmentWithModel(values.environment && resolve(values.environment)));
  try {
    const endpoint = { name: "real", baseUrl: `${server.url}/v1`, concurrency: 1, idleTimeout: 300, identify: false };
    mkdirSync(settings, { recursive: true });
    writeFileSync(join(settings, "settings.json"), JSON.stringify({ endpoints: [endpoint] }));
    const args = [program, "run", session, "--keep-going", "--until", longest];
    const env = { ...process.env, PLANWRIGHT_CONFIG_DIR: settings };
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "inherit", "inherit"] });
    const [code] = (await once(child, "close")) as [number | null];
    // Status 1: a task failed or was not executed, which the differences show.
    if (code !== 0 && code !== 1) throw new Error(`planwright run ended with ${code}`);
  } finally {
    await server.stop();
  }
}

async function report(): Promise<void> {
  // A run that is not finished is reported as not executed, and what is committed of it stays.
  const all = await playedRuns(session, settings);
  const runs = all.filter(({ state }) => state.status === "done");
  const played: RealResults = Object.fromEntries(runs.map(({ name, rows }) => [name, taskResults(rows)]));
  const file = join(import.meta.dirname, "results.json");
  const late = Object.fromEntries(runs.map(({ name, rows }) => [name, lateTasks(rows)]));
  const committed = JSON.parse(readFileSync(file, "utf8")) as RealResults;
  const lines = differences(committed, played, late);
  console.log(`\n${lines.length === 0 ? "No cause or score differs from the committed results" : lines.join("\n")}`);
  for (const { name, forecast, used } of runs)
    if (forecast !== undefined) console.log(forecastText(name, forecast, used));
  console.log(`\nThe session: ${session}`);
  if (values.write !== true) return;
  const names = all.map(({ name }) => name);
  writeFileSync(file, `${JSON.stringify(keptResults(names, committed, played, late), null, 2)}\n`);
  const page = join(import.meta.dirname, "..", "..", "documentation", "real.md");
  const timely = runs.filter(({ name }) => late[name]!.size === 0).map(runRow);
  writeFileSync(page, withRuns(readFileSync(page, "utf8"), names, timely));
  const open = all.filter(({ state }) => state.status !== "done").map(({ name }) => name.split(":")[0]!);
  await drawPictures(folder, join(page, "..", "real"), new Set(open));
}
