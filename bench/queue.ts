/** The runs of a grid as one queue: two models on two servers beside the slower one, and many short runs beside a long one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bareHttp, program, startServer } from "./child-program.ts";
import { writePrompts } from "./shared-prompts.ts";
import type { Measurement, Reference } from "./measurement.ts";

const tasks = 30;
const width = 8;
const rounds = 3;

/** The servers take their time, so that it is the queue that is measured. */
export async function bench(): Promise<readonly Measurement[]> {
  const quick = await startServer(["--lorem", "--latency", "150"]);
  const slow = await startServer(["--lorem", "--latency", "300"]);
  const folder = mkdtempSync(join(tmpdir(), "planwright-bench-"));
  try {
    const endpoints = Object.entries({ quick, slow }).map(([name, { url: baseUrl }]) => {
      return { name, baseUrl, concurrency: width, idleTimeout: 60, identify: false };
    });
    mkdirSync(join(folder, "settings"));
    writeFileSync(join(folder, "settings", "settings.json"), JSON.stringify({ endpoints, data: {} }));
    const prompts = join(folder, "prompts.json");
    writePrompts(
      prompts,
      Array.from({ length: tasks }, () => [{ role: "user", content: "Go" }]),
    );
    const least = { of: "as many slow replies by `node:http`", value: await bareHttp(slow.url, prompts, width) };
    return [
      await compare(folder, least, {
        what: "two models on two servers, one twice as fast",
        grid: `limit: ${tasks}\nmodel: [quick/lorem, slow/lorem]`,
        of: "the slower one alone",
      }),
      await compare(folder, least, {
        what: `a grid of 6 runs of 5 tasks, ${width} in flight`,
        grid: "limit: 5\nmodel: slow/lorem\ntrial: [1, 2, 3, 4, 5, 6]",
        of: `one run of ${tasks} tasks`,
      }),
    ];
  } finally {
    quick.stop();
    slow.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs them in turn and takes the fastest of each, because other load only adds time. */
async function compare(
  folder: string,
  bound: Reference,
  { what, grid, of }: Readonly<Record<"what" | "grid" | "of", string>>,
): Promise<Measurement> {
  const seconds = { grid: Infinity, alone: Infinity };
  for (let round = 0; round < rounds; round++) {
    seconds.grid = Math.min(seconds.grid, await played(folder, grid));
    seconds.alone = Math.min(seconds.alone, await played(folder, `limit: ${tasks}\nmodel: slow/lorem`));
  }
  return { what, ours: seconds.grid, unit: "s", beside: { of, value: seconds.alone }, goal: 1, bound };
}

/** Seconds from the first event of all runs of a new session to the last one. */
async function played(folder: string, fields: string): Promise<number> {
  const session = mkdtempSync(join(folder, "session-"));
  const cell = `suite: appbench\ndata: sample\nsplit: all\nprompting: flat\n${fields}\n`;
  writeFileSync(join(session, "session.md"), `\`\`\`run main\n${cell}\`\`\`\n`);
  const child = spawn(process.execPath, [program, "run", session, "--json"], {
    env: { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings") },
    stdio: "ignore",
  });
  const [status] = (await once(child, "exit")) as [number | null];
  if (status !== 0) throw new Error(`Expected the runs to be done, the program ended with ${status}`);
  const runs = join(session, "runs");
  const times = readdirSync(runs).flatMap((run) => {
    const lines = readFileSync(join(runs, run, "events.jsonl"), "utf8")
      .trimEnd()
      .split("\n");
    return lines.flatMap((line) => (JSON.parse(line) as { at?: number }).at ?? []);
  });
  return (
    times.reduce((last, at) => Math.max(last, at), 0) / 1000 - times.reduce((first, at) => Math.min(first, at)) / 1000
  );
}
