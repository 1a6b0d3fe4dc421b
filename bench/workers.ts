/**
 * Measures the cost of executing a run by workers: the same tasks, with as many in flight, here and by several workers over
 * Redis.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { redisInstalled, RedisServer } from "../test/workers/redis-server.ts";
import type { OwnRedis } from "../source/engine/settings/own-redis.ts";
import { workersAt } from "../source/workers/presence.ts";
import { bareHttp, measured, program, startServer } from "./child-program.ts";
import { writePrompts } from "./shared-prompts.ts";
import type { Compared, LeftOut, Measurement } from "./measurement.ts";

const tasks = 2000;
const width = 64;
/** Goals are for this many: as often in turn with the run here, the quickest of each. */
const usual = 4;
const rounds = 2;

const questions = Array.from({ length: tasks }, (_, index) => `What is number ${index}?`);

type Load = { readonly seconds: number; readonly delay: number };

export async function bench(): Promise<readonly (Measurement | LeftOut)[]> {
  if (!redisInstalled) return [{ of: "a run that workers execute", leftOut: "no redis-server" }];
  const server = await startServer(["--lorem", "--tokens", "10", "--latency", "25", "--pace", "25"]);
  const folder = mkdtempSync(join(tmpdir(), "planwright-bench-"));
  // Redis with its default settings.
  await using redis = await RedisServer.start({ appendfsync: "everysec" });
  try {
    process.env["PLANWRIGHT_CONFIG_DIR"] = join(folder, "settings");
    const lab = { name: "lab", baseUrl: server.url, concurrency: width, idleTimeout: 60, identify: false };
    mkdirSync(join(folder, "settings"));
    writeFileSync(join(folder, "settings", "settings.json"), JSON.stringify({ endpoints: [lab], data: {} }));
    const here: Load[] = [];
    const away: Load[] = [];
    for (let round = 0; round < rounds; round++) {
      here.push(await load(folder, `here-${round}`));
      away.push(await byWorkers(folder, redis.url, usual, round));
    }
    const beside = { of: "one process without workers", value: quickest(here) };
    const prompts = join(folder, "prompts.json");
    writePrompts(
      prompts,
      questions.map((content) => [{ role: "user", content }]),
    );
    const bound = { of: "as many replies by `node:http`", value: await bareHttp(server.url, prompts, width) };
    const line = (count: number, seconds: number): Compared => ({
      what: `${tasks} tasks, ${width} in flight, by ${count === 1 ? "a worker" : `${count} workers`}`,
      ours: seconds,
      unit: "s",
      beside,
      bound,
    });
    const lines: Measurement[] = [
      { ...line(usual, quickest(away)), goal: 1.3 },
      {
        what: `delay that ${usual} workers and Redis add to an event, p50`,
        ours: shortest(away) - shortest(here),
        unit: "ms",
        beside: { of: "30 ms", value: 30 },
        goal: 1,
        bound: { of: "a PING of Redis and its reply", value: await pingTime(redis.url) },
      },
    ];
    for (const count of [1, 2, 8]) lines.push(line(count, (await byWorkers(folder, redis.url, count)).seconds));
    return lines;
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const quickest = (loads: readonly Load[]) => Math.min(...loads.map(({ seconds }) => seconds));
const shortest = (loads: readonly Load[]) => Math.min(...loads.map(({ delay }) => delay));

/** Milliseconds of a round trip on a connection of its own, the median of many. */
async function pingTime(url: string): Promise<number> {
  const client = new Redis(url);
  try {
    const times: number[] = [];
    for (let round = 0; round < 1001; round++) {
      const from = performance.now();
      await client.ping();
      times.push(performance.now() - from);
    }
    return times.toSorted((one, other) => one - other)[times.length >> 1]!;
  } finally {
    client.disconnect();
  }
}

/** A new session each time: what is scored is not executed again. */
function load(folder: string, name: string, url = ""): Promise<Load> {
  const session = join(folder, name);
  mkdirSync(session);
  const lines = questions.map((question, index) => JSON.stringify({ id: `q${index}`, question, answer: "none" }));
  writeFileSync(join(session, "questions.jsonl"), lines.join("\n"));
  writeFileSync(join(session, "session.md"), "```run main\nsuite: own\nfrom: questions.jsonl\nmodel: lab/lorem\n```\n");
  return measured<Load>("workers-load.ts", session, ...(url === "" ? [] : [url]));
}

async function byWorkers(folder: string, url: OwnRedis, count: number, round = 0): Promise<Load> {
  const workers: ChildProcess[] = Array.from({ length: count }, () =>
    spawn(process.execPath, [program, "worker", url, "--concurrency", String(width / count)], { stdio: "ignore" }),
  );
  try {
    while ((await workersAt(url)).length < count) await new Promise((resolve) => setTimeout(resolve, 100));
    return await load(folder, `by-${count}-${round}`, url);
  } finally {
    const ended = workers.map((worker) => new Promise((resolve) => worker.once("exit", resolve)));
    for (const worker of workers) worker.kill("SIGTERM");
    await Promise.all(ended);
  }
}
