/**
 * Measures the processor time a task takes by four workers and their coordinator, beside that of the same run in one process:
 * tasks take no time themselves. Linux counts the time of other processes in hundredths of a second.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redisInstalled, RedisServer } from "../test/workers/redis-server.ts";
import type { OwnRedis } from "../source/engine/settings/own-redis.ts";
import { workersAt } from "../source/workers/presence.ts";
import { measured, program } from "./child-program.ts";
import type { LeftOut, Measurement } from "./measurement.ts";

const workerCount = 4;
const few = 10_000;
const tasks = 100_000;
/** Milliseconds of processor time that a task by workers may take beyond one in a single process. */
const wanted = 2;

export async function bench(): Promise<readonly (Measurement | LeftOut)[]> {
  if (!redisInstalled) return [{ of: "processor time of tasks by workers", leftOut: "no redis-server" }];
  const folder = mkdtempSync(join(tmpdir(), "planwright-bench-"));
  await using redis = await RedisServer.start({ appendfsync: "everysec" });
  try {
    process.env["PLANWRIGHT_CONFIG_DIR"] = join(folder, "settings");
    const here = await load(folder, "here", tasks);
    const ofFew = await byWorkers(redis.url, () => load(folder, "few", few, redis.url));
    const away = await byWorkers(redis.url, () => load(folder, "away", tasks, redis.url));
    const beyond = ((away - here) / tasks) * 1000;
    return [
      flatLine(away, ofFew),
      {
        what: `processor time a task of ${tasks} by ${workerCount} workers takes beyond one in one process`,
        ours: beyond,
        unit: "ms",
        beside: { of: "what is wanted", value: wanted },
        goal: 1,
        bound: { of: "a task in one process", value: (here / tasks) * 1000 },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether a task costs the same, however many there are. */
const flatLine = (all: number, ofFew: number): Measurement => ({
  what: `processor time of one of ${tasks} tasks by ${workerCount} workers`,
  ours: (all / tasks) * 1000,
  unit: "ms",
  beside: { of: `one of ${few}`, value: (ofFew / few) * 1000 },
  goal: 1.1,
  bound: { of: `one of ${few}`, value: (ofFew / few) * 1000 },
});

/** Seconds of processor time of the program that has the session. */
async function load(folder: string, name: string, count: number, url = ""): Promise<number> {
  const session = join(folder, name);
  mkdirSync(session);
  const questions = Array.from({ length: count }, (_, index) => ({
    id: `q${index}`,
    question: `${index}?`,
    answer: 1,
  }));
  writeFileSync(join(session, "questions.jsonl"), questions.map((each) => JSON.stringify(each)).join("\n"));
  writeFileSync(
    join(session, "session.md"),
    "```run main\nsuite: own\nfrom: questions.jsonl\nmodel: builtin/oracle\n```\n",
  );
  const given = [session, ...(url === "" ? [] : [url])];
  return (await measured<{ processor: number }>("workers-load.ts", ...given)).processor;
}

/** Seconds of processor time of the load and, while it lasts, of the workers. */
async function byWorkers(url: OwnRedis, execute: () => Promise<number>): Promise<number> {
  const workers = Array.from({ length: workerCount }, () =>
    spawn(process.execPath, [program, "worker", url, "--concurrency", "16"], { stdio: "ignore" }),
  );
  const spent = () => workers.reduce((sum, { pid }) => sum + processorTime(pid!), 0);
  try {
    while ((await workersAt(url)).length < workerCount) await new Promise((resolve) => setTimeout(resolve, 100));
    const before = spent();
    return (await execute()) + spent() - before;
  } finally {
    const ended = workers.map((worker) => new Promise((resolve) => worker.once("exit", resolve)));
    for (const worker of workers) worker.kill("SIGTERM");
    await Promise.all(ended);
  }
}

function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
